import SQLitePages
import StoreDataModel

/// Keys of rows that lost theirs, by their place among the cells of their page.
///
/// SQLite writes the cells of a page from its end towards its beginning, so that in a page that was only appended to, keys
/// ascend towards the beginning:
///
///     ... | cell of 9 | freed | freed | cell of 6 | ...          the two that were freed are 8 and 7
///
/// A freed cell between two cells has a key between theirs. Where just as many keys are free there as cells were freed, and
/// these fill the space between the two, each is decided (`forensics.md`, 1,688 of 2,163 rows without a key, none wrong).
extension PageRecovery {
  /// Gives rows the keys that places decide. Rows that share a unique value are left to that.
  func findKeysByPlace() throws {
    let freed = keysByPlace.freedCells()
    var start = 0
    while start < freed.count {
      var shares: [Range<Int>] = []
      while start < freed.count, shares.count < FoundSoFar.sharesAtOnce {
        var end = min(start + FoundSoFar.share, freed.count)
        // A page is looked at by one thread.
        while end < freed.count, freed[end].page == freed[end - 1].page { end += 1 }
        shares.append(start..<end)
        start = end
      }
      for (index, key) in try decided(freed, shares) { take(key: key, of: Int(index), from: .place) }
    }
  }

  private var keysByPlace: KeysByPlace {
    KeysByPlace(foundSoFar, isOrdered: templates.indices.map(isOrdered), owners: owners)
  }

  private func decided(_ freed: [KeysByPlace.FreedOnPage], _ shares: [Range<Int>]) throws -> [KeysByPlace.Decided] {
    let keys = keysByPlace
    return try concurrently(shares) { try keys.decided(freed[$0]) }.flatMap(\.self)
  }
}

/// Looks at the cells around rows that lost their keys.
private struct KeysByPlace: Sendable {
  /// A row, and the key that its place decides.
  typealias Decided = (index: Int32, key: Int64)

  private let rows: FoundSoFar
  /// For each template whether rows can be told by their places.
  private let isOrdered: [Bool]
  private let owners: [Int32]

  init(_ rows: FoundSoFar, isOrdered: [Bool], owners: [Int32]) {
    (self.rows, self.isOrdered, self.owners) = (rows, isOrdered, owners)
  }

  /// A freed cell and its page.
  struct FreedOnPage: Sendable {
    var page: UInt32
    var index: Int32
  }

  /// The rows on pages on which one lacks its key, in the order of the file, so that neighbours are read at once; on a page in
  /// that of rows.
  func freedCells() -> [FreedOnPage] {
    var lacking = PageSet(upTo: rows.map.pageCount)
    for candidate in rows.found where candidate.key == nil {
      if let place = placeInNewest(candidate) { lacking.insert(place.page) }
    }
    var freed: [FreedOnPage] = []
    for (index, candidate) in rows.found.enumerated() {
      guard let place = placeInNewest(candidate), lacking.contains(place.page) else { continue }
      freed.append(FreedOnPage(page: place.page, index: Int32(clamping: index)))
    }
    freed.sort { $0.page == $1.page ? $0.index < $1.index : $0.page < $1.page }
    return freed
  }

  /// The keys that are decided on some pages.
  func decided(_ freed: ArraySlice<FreedOnPage>) throws -> [Decided] {
    let view = PageView(rows.map)
    var decided: [Decided] = []
    var start = freed.startIndex
    while start < freed.endIndex {
      let page = freed[start].page
      var end = start
      var cells: [FreedCell] = []
      while end < freed.endIndex, freed[end].page == page {
        let row = rows.found[Int(freed[end].index)]
        if let place = placeInNewest(row) {
          cells.append(
            FreedCell(
              index: freed[end].index, offset: place.offset, end: place.offset + place.count, key: row.key,
              isShared: row.object >= 0))
        }
        end += 1
      }
      if let page = try view.page(page) { decided += self.decided(cells, on: page, number: freed[start].page) }
      start = end
    }
    return decided
  }

  /// Where the space that a row was freed in is, in the newest version of a page of its table; nil where that page has it
  /// not.
  private func placeInNewest(_ candidate: Candidate) -> (page: UInt32, offset: Int, count: Int)? {
    guard !candidate.isInCell, !candidate.isDropped, isOrdered[candidate.template] else { return nil }
    let owner = rows.templates[candidate.template].home + 1
    func inNewest(_ place: PlaceRef) -> (page: UInt32, offset: Int, count: Int)? {
      let page = place.page(in: rows.map.files)
      guard place.how != .overflow, Int(page) < owners.count, Int(owners[Int(page)]) == owner,
        let offset = offsetInNewest(place, page: page)
      else { return nil }
      return (page, offset, place.count)
    }
    if let place = inNewest(candidate.place) { return place }
    guard let others = rows.extra(of: candidate)?.otherPlaces else { return nil }
    return others.lazy.compactMap(inNewest).first
  }

  private struct LiveCell {
    var offset: Int
    var end: Int
    var key: Int64
  }

  private struct FreedCell {
    var index: Int32
    var offset: Int
    var end: Int
    var key: Int64?
    var isShared: Bool
  }

  /// Where a place is in the newest version of its page; nil where it is in an older one.
  private func offsetInNewest(_ place: PlaceRef, page: UInt32) -> Int? {
    let start = place.start(in: rows.map.files)
    guard let origin = rows.map.origin(of: page), origin.file == place.source, start >= origin.offset,
      start - origin.offset < Int64(rows.map.files.geometry.pageSize)
    else { return nil }
    return Int(start - origin.offset)
  }

  private func decided(_ freed: [FreedCell], on page: [UInt8], number: UInt32) -> [Decided] {
    let geometry = rows.map.files.geometry
    let live = page.withUnsafeBytes { page -> [LiveCell] in
      guard let header = BTreePage(page, isFirst: number == 1, usableSize: geometry.usableSize),
        header.kind == .leafTable
      else { return [] }
      let anatomy = PageAnatomy(page, header: header, geometry: geometry)
      guard anatomy.unreadableCells == 0 else { return [] }
      return anatomy.cells.compactMap { cell in cell.rowID.map { LiveCell(offset: cell.start, end: cell.end, key: $0) }
      }
      .sorted { $0.offset < $1.offset }
    }
    guard live.count >= Self.fewestCells, zip(live, live.dropFirst()).allSatisfy({ $0.key > $1.key }) else { return [] }
    var groups: [Int: [FreedCell]] = [:]
    for cell in freed {
      let gap = live.firstIndex { $0.offset > cell.offset } ?? live.count
      guard gap > 0, gap < live.count else { continue }
      groups[gap, default: []].append(cell)
    }
    return groups.flatMap { gap, cells in
      decided(cells.sorted { $0.offset < $1.offset }, between: live[gap], and: live[gap - 1])
    }
  }

  /// Of few cells the keys may ascend by chance.
  private static let fewestCells = 4
  /// The most keys between two cells that are looked at.
  private static let widestGap: Int64 = 10_000

  private static func isNarrow(_ gap: (partialValue: Int64, overflow: Bool)) -> Bool {
    !gap.overflow && gap.partialValue <= widestGap
  }

  /// The keys of freed cells in the order of their offsets, between those of two live cells, which they fill: one that was
  /// written anew, because it grew, into the space of another that was freed, leaves a rest of that.
  private func decided(
    _ cells: [FreedCell], between lower: LiveCell, and upper: LiveCell
  ) -> [Decided] {
    let (low, high) = (lower.key, upper.key)
    let ends = [upper.end] + cells.map(\.end)
    guard zip(ends, cells.map(\.offset) + [lower.offset]).allSatisfy({ $0 == $1 }), high - 1 > low,
      Self.isNarrow(high.subtractingReportingOverflow(low)),
      cells.contains(where: { $0.key == nil }), !cells.contains(where: \.isShared)
    else { return [] }
    let known = Set(cells.compactMap(\.key))
    var free = (low + 1..<high).reversed().filter { !known.contains($0) }[...]
    guard free.count == cells.count(where: { $0.key == nil }) else { return [] }
    var keys: [Decided] = []
    var last = high
    for cell in cells {
      guard let key = cell.key ?? free.popFirst(), key < last, key > low else { return [] }
      last = key
      if cell.key == nil { keys.append((cell.index, key)) }
    }
    return keys
  }
}
