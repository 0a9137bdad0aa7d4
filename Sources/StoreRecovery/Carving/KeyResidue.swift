import SQLitePages
import StoreSQLite

/// Keys of rows that lost theirs, by what is left of index entries: an entry has the values and, behind them, the key, and
/// when it is freed both stay.
///
///     payload length | header length | types | values | key        the first four bytes go
///
/// Decided where one key alone stands behind the values (`forensics.md`, 1,017 of 2,163 rows without a key, none wrong).
extension PageRecovery {
  /// Gives rows the keys that entries decide.
  func findKeysByIndex() throws {
    var needles = IndexNeedles()
    var indexed: [Int: [[Int]]] = [:]
    for (index, candidate) in found.enumerated() where candidate.key == nil && !candidate.isDropped {
      let template = candidate.template
      guard facts(of: candidate).isOrdered else { continue }
      let lists = indexed[template] ?? indexedColumns(of: template)
      indexed[template] = lists
      for columns in lists {
        guard let value = try indexedValue(columns, of: candidate) else { continue }
        needles.add(value, row: index)
      }
    }
    guard !needles.isEmpty else { return }
    for number in 1...max(1, view.pageCount) { try search(number, for: &needles) }
    for (row, key) in try keys(needles) { take(key: key, of: row, from: .index) }
  }

  /// For each index of a template's table that names columns alone, those columns.
  private func indexedColumns(of template: Int) -> [[Int]] {
    let table = templates[template]
    return schema.entries.compactMap { entry in
      guard entry.type == "index", entry.table == table.table, let sql = entry.sql else { return nil }
      let names = table.columns.map(\.name)
      let columns = Self.columns(ofIndex: sql).map { name in names.firstIndex(of: name) }
      guard !columns.isEmpty, columns.allSatisfy({ $0 != nil }) else { return nil }
      return columns.compactMap(\.self)
    }
  }

  /// The names in "CREATE INDEX X ON T (A COLLATE BINARY ASC, B)"; none for one on expressions, or with a condition.
  static func columns(ofIndex sql: String) -> [String] {
    guard let open = sql.firstIndex(of: "("), sql.last == ")", sql.count(where: { $0 == "(" }) == 1 else { return [] }
    return sql[sql.index(after: open)...].dropLast().split(separator: ",").map { part in
      String(part.split(separator: " ").first ?? "").filter { !"\"`[]".contains($0) }
    }
  }

  /// Values as an index entry has them; nil where one is NULL, lost, or they are too short to be found.
  private func indexedValue(_ columns: [Int], of candidate: Candidate) throws -> IndexNeedles.Value? {
    try read(candidate) { record, bytes in
      var (value, types): ([UInt8], [UInt8]) = ([], [])
      for column in columns {
        guard column < record.count, !candidate.isLost(column, field: record.fields[column]),
          let size = record.fields[column].type.size, record.fields[column].type.code != 0
        else { return nil }
        let start = record.fields[column].offset
        guard start >= 0, size >= 0, start <= bytes.count - size else { return nil }
        types += Varint.bytes(of: record.fields[column].type.code)
        value += bytes[start..<start + size]
      }
      return IndexNeedles.lengths.contains(value.count) ? IndexNeedles.Value(types: types, bytes: value) : nil
    }
  }

  private func search(_ number: UInt32, for needles: inout IndexNeedles) throws {
    guard let bytes = try view.page(number) else { return }
    bytes.withUnsafeBytes { page in
      guard let header = BTreePage(page, isFirst: number == 1, usableSize: files.geometry.usableSize),
        header.kind == .leafIndex || header.kind == .interiorIndex
      else { return }
      let anatomy = PageAnatomy(page, header: header, geometry: files.geometry)
      for range in anatomy.unclaimed { needles.search(page, range: range, freeblocks: anatomy.freeblocks) }
    }
  }

  private func keys(_ needles: IndexNeedles) throws -> [Int: Int64] {
    let seen = needles.seen
    // Of the keys that rows have, those that were seen: there may be millions.
    var wanted: [Int: Set<Int64>] = [:]
    for (row, keys) in seen { wanted[templates[found[row].template].home, default: []].formUnion(keys) }
    var used: [Int: Set<Int64>] = [:]
    for candidate in found {
      guard let key = candidate.key, !wanted.isEmpty else { continue }
      let home = facts(of: candidate).home
      if wanted[home]?.contains(key) == true { used[home, default: []].insert(key) }
    }
    var keys: [Int: Int64] = [:]
    for (row, seen) in seen {
      let template = found[row].template
      guard let root = templates[template].root else { continue }
      let largest = templates[template].largestKey ?? templates[template].largestLive
      let free = try seen.filter { key in
        try key >= 1 && key <= largest && used[templates[template].home]?.contains(key) != true
          && view.find(rowID: key, root: root) == nil
      }
      if free.count == 1, let key = free.first { keys[row] = key }
    }
    return keys
  }
}

/// The values of rows without a key, to be found in pages of indexes.
struct IndexNeedles {
  /// How many bytes of values are looked for; fewer may stand anywhere by chance.
  static let lengths = 4...64
  /// The most values.
  private static let limit = 200_000

  /// Values of one entry: their types as its header has them, and their bytes.
  struct Value: Hashable {
    var types: [UInt8]
    var bytes: [UInt8]

    /// Whether no longer value begins with the last one: it is a number.
    var isFixed: Bool { types.last.map { $0 < 12 } ?? false }
  }

  private var needles: [(row: Int, value: Value)] = []
  private var byHead: [UInt32: [Int]] = [:]
  /// Which of the lower halves of heads there are.
  private var heads = [Bool](repeating: false, count: 1 << 16)
  private var rowsOf: [Value: Int] = [:]
  private var shared: Set<Int> = []
  private var keysOf: [Int: Set<Int64>] = [:]

  var isEmpty: Bool { needles.isEmpty }

  /// The keys that were seen behind the values of a row, right or wrong; rows with the same values decide nothing.
  var seen: [(row: Int, keys: Set<Int64>)] {
    keysOf.filter { !shared.contains($0.key) }.map { ($0.key, $0.value) }
  }

  mutating func add(_ value: Value, row: Int) {
    guard needles.count < Self.limit, Self.lengths.contains(value.bytes.count) else { return }
    if let other = rowsOf[value], other != row {
      shared.formUnion([other, row])
      return
    }
    rowsOf[value] = row
    let head = value.bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    heads[Int(head & 0xffff)] = true
    byHead[head, default: []].append(needles.count)
    needles.append((row, value))
  }

  /// Looks for all values at every byte of a range that is in no entry.
  mutating func search(_ page: UnsafeRawBufferPointer, range: Range<Int>, freeblocks: [Range<Int>]) {
    guard range.count > Self.lengths.lowerBound else { return }
    var ends: OffsetSet?
    for offset in range.lowerBound..<(range.upperBound - Self.lengths.lowerBound) {
      let head = page.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      guard heads[Int(head & 0xffff)], let found = byHead[head] else { continue }
      let known = ends ?? OffsetSet(endsIn: page, range: range, freeblocks: freeblocks)
      ends = known
      for needle in found { take(needles[needle], in: page, at: offset, range: range, ends: known) }
    }
  }

  /// Notes what stands behind a value as an integer of one, two and three bytes, each as SQLite would write it, where all of
  /// it is an entry: its header is there, or the first four bytes of it went when it was freed, and it begins and ends where
  /// freed entries do. Elsewhere the value may be the beginning of a longer one, or a value in a row.
  private mutating func take(
    _ needle: (row: Int, value: Value), in page: UnsafeRawBufferPointer, at offset: Int, range: Range<Int>,
    ends: OffsetSet
  ) {
    let end = offset + needle.value.bytes.count
    guard end < range.upperBound, page[offset..<end].elementsEqual(needle.value.bytes) else { return }
    var key: Int64 = 0
    // Behind a number whose entry's end is not seen, each of the widths may be the key's.
    var (sure, possible): ([Int64], [Int64]) = ([], [])
    for (width, smallest) in [(1, 1), (2, 128), (3, 32_768)] as [(Int, Int64)] {
      guard end + width <= range.upperBound else { break }
      key = key << 8 | Int64(page[end + width - 1])
      // The first bit is the sign.
      guard key >= smallest, key < 1 << (8 * width - 1) else { continue }
      let types = needle.value.types + [UInt8(width)]
      let payload = 1 + types.count + needle.value.bytes.count + width
      let head = Varint.bytes(of: Int64(payload)) + [UInt8(1 + types.count)] + types
      let start = offset - head.count
      guard start >= range.lowerBound, page[start + 4..<offset].elementsEqual(head.dropFirst(4)) else { continue }
      let isWhole = page[start..<start + 4].elementsEqual(head.prefix(4))
      if isWhole || ends.contains(start) && isEnd(end + width, in: page, ends: ends) {
        sure.append(key)
      } else if ends.contains(start), needle.value.isFixed {
        possible.append(key)
      }
    }
    let keys = sure.isEmpty ? possible : sure
    if !keys.isEmpty { keysOf[needle.row, default: []].formUnion(keys) }
  }

  /// Whether a freed entry may end at an offset: there another one begins, freed or whole.
  private func isEnd(_ offset: Int, in page: UnsafeRawBufferPointer, ends: OffsetSet) -> Bool {
    if ends.contains(offset) { return true }
    var record = Record()
    guard let size = Varint(page, at: offset), size.value > 2, record.read(page, at: offset + size.length) else {
      return false
    }
    return Int64(record.size) == size.value
  }
}
