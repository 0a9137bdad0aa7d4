import SQLitePages
import StoreSQLite

/// Compares rows that were found with the rows that are there: many at once, each thread with a reading of its own.
struct LiveComparison {
  /// What a row is beside the one that is there with its key.
  enum Verdict: UInt8, Sendable {
    /// None has its key, or its key is not known.
    case gone
    /// It is a copy of it.
    case same
    /// It is what that row was before.
    case earlier
  }

  /// The row that is there.
  typealias Live = (page: UInt32, cell: Cell, bytes: [UInt8])

  private let rows: FoundSoFar
  private let view: PageView
  private var finder: RowFinder
  private var reader: RecordReader

  init(_ rows: FoundSoFar) {
    self.rows = rows
    view = PageView(rows.map)
    finder = RowFinder(view)
    reader = RecordReader(rows.map.files, ahead: 1 << 15)
  }

  /// What each of some rows is, in their order.
  consuming func verdicts(_ share: Range<Int>) throws -> [Verdict] {
    var comparison = self
    return try share.map { try comparison.verdict(comparison.rows.found[$0]) }
  }

  private mutating func verdict(_ candidate: Candidate) throws -> Verdict {
    guard !candidate.isDropped, let key = candidate.key, let root = rows.templates[candidate.template].root,
      let live = try finder.find(rowID: key, root: root)
    else { return .gone }
    let extra = rows.extra(of: candidate)
    if try Self.isEqual(live, to: candidate, extra: extra, in: view) { return .same }
    if try isDamagedCopy(candidate, of: live, extra: extra) { return .same }
    return try isOfBefore(candidate, live: live, extra: extra) ? .same : .earlier
  }

  /// Whether a row has the values of the one that is there, as far as they are known.
  static func isEqual(_ live: Live, to candidate: Candidate, extra: Candidate.Extra?, in view: PageView) throws
    -> Bool
  {
    try live.bytes.withUnsafeBytes { page in
      var record = Record()
      guard record.read(page, at: live.cell.payloadStart) else { return false }
      let local = live.cell.payloadStart + live.cell.localSize
      let hash = ByteHash.body(record, in: page, at: live.cell.payloadStart, upTo: local)
      guard hash == candidate.localHash else { return false }
      guard live.cell.overflow != nil, candidate.isWhole else { return true }
      guard let payload = try view.payload(of: live.cell, in: page) else { return true }
      let whole = candidate.hasOverflow ? extra?.wholeHash : candidate.localHash
      return payload.withUnsafeBytes { ByteHash.body(record, in: $0, at: 0, upTo: $0.count) } == whole
    }
  }

  /// Every save raises `Z_OPT`: other values with the same one, in space that is overwritten by and by, are no version.
  private mutating func isDamagedCopy(_ candidate: Candidate, of live: Live, extra: Candidate.Extra?) throws -> Bool {
    guard !candidate.isInCell, let column = rows.templates[candidate.template].coreData?.versionColumn,
      let version = try reader.integer(column, of: candidate, extra: extra)
    else { return false }
    return live.bytes.withUnsafeBytes { page in
      var record = Record()
      guard record.read(page, at: live.cell.payloadStart),
        let current = record.integer(column, in: page, at: live.cell.payloadStart)
      else { return false }
      return version >= current
    }
  }

  /// Whether a row is what a live row was before a migration, which changes neither key nor `Z_OPT`: another number of the
  /// entity, or other columns, and no value that the live row has not.
  private mutating func isOfBefore(_ candidate: Candidate, live: Live, extra: Candidate.Extra?) throws -> Bool {
    let template = rows.templates[candidate.template]
    let home = rows.templates[template.home]
    guard let rule = template.coreData, let own = rule.versionColumn, let column = home.coreData?.versionColumn,
      let entityColumn = home.coreData?.entityColumn, let version = try reader.integer(own, of: candidate, extra: extra)
    else { return false }
    let entity = try candidate.entity ?? reader.integer(rule.entityColumn, of: candidate, extra: extra)
    return try live.bytes.withUnsafeBytes { page in
      var now = Record()
      let start = live.cell.payloadStart
      guard now.read(page, at: start), now.integer(column, in: page, at: start) == version,
        template.isFormer || candidate.isOfOpenVersion || candidate.valueCount < now.count
          || entity != now.integer(entityColumn, in: page, at: start)
      else { return false }
      // Of one whose version stays open the values that may be others are not known.
      guard template.isFormer, !candidate.isOfOpenVersion else { return true }
      let today = Set(home.columns.map(\.name))
      return try reader.read(candidate, extra: extra) { record, bytes in
        for (index, column) in template.columns.enumerated() where index < record.count && !today.contains(column.name)
        {
          guard record.fields[index].type.kind != .null, let value = record.bytes(index, in: bytes) else { continue }
          let isKept = (0..<now.count).contains { field in
            now.fields[field].type.code == record.fields[index].type.code
              && now.fields[field].offset + value.count <= live.cell.localSize
              && page[start + now.fields[field].offset..<start + now.fields[field].offset + value.count].elementsEqual(
                value)
          }
          if !isKept { return false }
        }
        return true
      } ?? false
    }
  }
}

/// Finds rows of tables by their keys, as `PageView.find` does: the keys of the last pages are kept, since rows that were found
/// one behind the other mostly have neighbours.
struct RowFinder {
  private struct Page {
    var number: UInt32
    var bytes: [UInt8]
    var header: BTreePage
    /// The keys of its cells; empty where one cannot be read.
    var keys: [Int64]
  }

  private let view: PageView
  private var pages: [Page?]

  /// The most pages that are kept.
  private static let limit = 32

  init(_ view: PageView) {
    self.view = view
    pages = Array(repeating: nil, count: Self.limit)
  }

  /// The row with that key in the table whose root is `root`; nil where there is none, or the way to it is damaged.
  mutating func find(rowID: Int64, root: UInt32) throws -> LiveComparison.Live? {
    var number = root
    for _ in 0..<20 {
      let slot = Int(number) % Self.limit
      if pages[slot]?.number != number {
        guard let page = try read(number) else { return nil }
        pages[slot] = page
      }
      guard let page = pages[slot] else { return nil }
      // The way of a search that meets a cell which cannot be read is that of the view.
      guard page.keys.count == page.header.cellCount else { return try view.find(rowID: rowID, root: root) }
      var (low, high) = (0, page.keys.count)
      while low < high {
        let middle = (low + high) / 2
        if page.keys[middle] < rowID { low = middle + 1 } else { high = middle }
      }
      if page.header.kind == .leafTable {
        guard low < page.keys.count, page.keys[low] == rowID, let cell = cell(low, of: page) else { return nil }
        return (number, cell, page.bytes)
      }
      if low < page.keys.count {
        guard let child = cell(low, of: page)?.child else { return nil }
        number = child
      } else {
        number = page.header.rightChild
      }
    }
    return nil
  }

  private func read(_ number: UInt32) throws -> Page? {
    guard let bytes = try view.page(number) else { return nil }
    let usable = view.files.geometry.usableSize
    let header = bytes.withUnsafeBytes { BTreePage($0, isFirst: number == 1, usableSize: usable) }
    guard let header, header.kind.isTable else { return nil }
    let geometry = view.files.geometry
    let keys = bytes.withUnsafeBytes { page -> [Int64] in
      var keys: [Int64] = []
      keys.reserveCapacity(header.cellCount)
      for index in 0..<header.cellCount {
        guard let offset = header.cellOffset(index, in: page, usableSize: usable),
          let key = Cell(page, at: offset, kind: header.kind, geometry: geometry)?.rowID
        else { break }
        keys.append(key)
      }
      return keys
    }
    return Page(number: number, bytes: bytes, header: header, keys: keys)
  }

  private func cell(_ index: Int, of page: Page) -> Cell? {
    page.bytes.withUnsafeBytes { bytes in
      page.header.cellOffset(index, in: bytes, usableSize: view.files.geometry.usableSize)
        .flatMap { Cell(bytes, at: $0, kind: page.header.kind, geometry: view.files.geometry) }
    }
  }
}
