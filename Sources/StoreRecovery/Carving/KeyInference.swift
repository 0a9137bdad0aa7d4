import SQLitePages

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
  /// The keys that places decide, by the number of the row.
  ///
  /// - Parameter identities: what unique values decide; rows that share one are left to those.
  func keysByPlace(besides identities: Identities) throws -> [Int: Int64] {
    var freed: [UInt32: FreedCells] = [:]
    for (index, candidate) in found.enumerated() where !candidate.isInCell && !identities.copies.contains(index) {
      let template = Int(candidate.template)
      // Other databases give keys in any order.
      guard templates[template].root != nil, templates[template].coreData != nil,
        !damagedTables.contains(templates[template].table)
      else { continue }
      for place in [candidate.place] + candidate.otherPlaces where place.how != .overflow {
        guard isOf(template, page: place.page), let offset = offsetInNewest(place) else { continue }
        let cell = FreedCell(
          index: index, offset: offset, end: offset + Int(place.end - place.start),
          key: candidate.key ?? identities.keys[index],
          isShared: identities.firstOf[index] != nil)
        freed[place.page, default: FreedCells()].cells.append(cell)
        if cell.key == nil { freed[place.page]?.lacksKeys = true }
        break
      }
    }
    var keys: [Int: Int64] = [:]
    // In the order of the file, so that neighbours are read at once.
    for page in freed.keys.sorted() {
      guard let cells = freed[page], cells.lacksKeys else { continue }
      for (index, key) in try decided(cells.cells, on: page) { keys[index] = key }
    }
    return keys
  }

  /// What was freed of one page.
  private struct FreedCells {
    var cells: [FreedCell] = []
    var lacksKeys = false
  }

  private struct LiveCell {
    var offset: Int
    var end: Int
    var key: Int64
  }

  private struct FreedCell {
    var index: Int
    var offset: Int
    var end: Int
    var key: Int64?
    var isShared: Bool
  }

  /// Where a place is in the newest version of its page; nil where it is in an older one.
  private func offsetInNewest(_ place: RecoveredRow.Place) -> Int? {
    guard let origin = view.origin(of: place.page), origin.file == place.source, place.start >= origin.offset,
      place.start - origin.offset < Int64(files.geometry.pageSize)
    else { return nil }
    return Int(place.start - origin.offset)
  }

  private func decided(_ freed: [FreedCell], on number: UInt32) throws -> [(index: Int, key: Int64)] {
    guard let bytes = try view.page(number) else { return [] }
    let live = bytes.withUnsafeBytes { page -> [LiveCell] in
      guard
        let header = BTreePage(page, isFirst: number == 1, usableSize: files.geometry.usableSize),
        header.kind == .leafTable
      else { return [] }
      let anatomy = PageAnatomy(page, header: header, geometry: files.geometry)
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
  ) -> [(index: Int, key: Int64)] {
    let (low, high) = (lower.key, upper.key)
    let ends = [upper.end] + cells.map(\.end)
    guard zip(ends, cells.map(\.offset) + [lower.offset]).allSatisfy({ $0 == $1 }), high - 1 > low,
      Self.isNarrow(high.subtractingReportingOverflow(low)),
      cells.contains(where: { $0.key == nil }), !cells.contains(where: \.isShared)
    else { return [] }
    let known = Set(cells.compactMap(\.key))
    var free = (low + 1..<high).reversed().filter { !known.contains($0) }[...]
    guard free.count == cells.count(where: { $0.key == nil }) else { return [] }
    var keys: [(index: Int, key: Int64)] = []
    var last = high
    for cell in cells {
      guard let key = cell.key ?? free.popFirst(), key < last, key > low else { return [] }
      last = key
      if cell.key == nil { keys.append((cell.index, key)) }
    }
    return keys
  }
}
