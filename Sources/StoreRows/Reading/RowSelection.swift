import StoreCoreData
import StorePlatform
import StoreWords

/// The keys of the objects of a result in its order, for queries with an order.
///
/// Takes 12 bytes an object, 32 for each property it is ordered by, and the bytes of texts; with a limit, for some twice
/// as many objects as the limit only.
struct RowSelection {
  private(set) var keys: [Int64] = []
  /// How many objects meet the condition.
  private(set) var total: Int64 = 0

  init(_ query: RowQuery, filter: RowFilter?, of entity: EntityLayout, _ loader: ColumnLoader) throws {
    let paths = query.order.map(\.path)
    let reader = try RowReader(
      entity, columns: paths, and: filter?.paths ?? [], includesSubentities: query.includesSubentities,
      readsBinary: true, loader: loader)
    if let column = reader.plan.columns.prefix(paths.count).first(where: \.isToMany) {
      throw RowQueryError("\(quoted(column.name)) leads to many objects, which have no order among objects")
    }
    let wanted = query.limit.map { min($0, 1 << 30) + min(query.offset, 1 << 30) }
    var list = SortList(directions: query.order.map(\.isDescending))
    var total: Int64 = 0
    try reader.forEach(keys: query.keys) { row in
      if let filter, !filter.accepts(row, from: paths.count) { return }
      total += 1
      list.append(row.key, of: row)
      if let wanted, list.count > 2 * wanted + 1_024 { list.keepFirst(wanted) }
    }
    self.total = total
    keys = Array(list.sortedKeys().dropFirst(query.offset).prefix(query.limit ?? .max))
  }
}

/// Values to order by: NULL first, then numbers, texts by their bytes, and other bytes, as SQLite orders them; objects
/// with equal values by key, so that the order is total.
private struct SortList {
  private let directions: [Bool]
  private var keys: [Int64] = []
  /// As many as there are directions for each key.
  private var values: [Packed] = []
  private var bytes: [UInt8] = []

  private struct Packed {
    enum Rank: UInt8 { case null, integer, real, text, bytes }
    var rank: Rank
    /// The number's bits; of texts and bytes the first eight, so that most comparisons need no more.
    var bits: UInt64
    var start = 0
    var length = 0
  }

  init(directions: [Bool]) { self.directions = directions }

  var count: Int { keys.count }

  mutating func append(_ key: Int64, of row: RowReader.Row) {
    keys.append(key)
    for position in directions.indices {
      switch row.value(position) {
      case .absent, .null, .keys, .written: values.append(Packed(rank: .null, bits: 0))
      case .boolean(let flag): values.append(Packed(rank: .integer, bits: flag ? 1 : 0))
      case .integer(let number), .key(let number), .dataLength(let number):
        values.append(Packed(rank: .integer, bits: UInt64(bitPattern: number)))
      case .real(let number), .decimal(let number), .date(let number):
        values.append(Packed(rank: .real, bits: number.bitPattern))
      case .text(let text), .uri(let text), .missingFile(let text): append(.text, content: text)
      case .uuid(let content), .data(let content), .transformed(let content): append(.bytes, content: content)
      case .entity(var name): name.withUTF8 { append(.text, content: UnsafeRawBufferPointer($0)) }
      }
    }
  }

  private mutating func append(_ rank: Packed.Rank, content: UnsafeRawBufferPointer) {
    var head: UInt64 = 0
    for position in 0..<8 { head = head << 8 | (position < content.count ? UInt64(content[position]) : 0) }
    values.append(Packed(rank: rank, bits: head, start: bytes.count, length: content.count))
    bytes.append(contentsOf: content)
  }

  /// Forgets all but the first ones.
  mutating func keepFirst(_ wanted: Int) {
    var kept = SortList(directions: directions)
    for place in order().prefix(wanted) {
      kept.keys.append(keys[place])
      for value in values[place * directions.count..<(place + 1) * directions.count] {
        var copy = value
        copy.start = kept.bytes.count
        kept.bytes += bytes[value.start..<value.start + value.length]
        kept.values.append(copy)
      }
    }
    self = kept
  }

  func sortedKeys() -> [Int64] { order().map { keys[$0] } }

  private func order() -> [Int] {
    var places = Array(keys.indices)
    keys.withUnsafeBufferPointer { keys in
      values.withUnsafeBufferPointer { values in
        bytes.withUnsafeBytes { bytes in
          directions.withUnsafeBufferPointer { directions in
            places.sort { left, right in
              for position in directions.indices {
                let order = Self.order(
                  values[left * directions.count + position], values[right * directions.count + position], bytes)
                if order != 0 { return directions[position] ? order > 0 : order < 0 }
              }
              return keys[left] < keys[right]
            }
          }
        }
      }
    }
    return places
  }

  /// Below zero where the left one comes first.
  private static func order(_ left: Packed, _ right: Packed, _ bytes: UnsafeRawBufferPointer) -> Int {
    switch (left.rank, right.rank) {
    case (.integer, .integer): compare(Int64(bitPattern: left.bits), Int64(bitPattern: right.bits))
    case (.real, .real): compare(Double(bitPattern: left.bits), Double(bitPattern: right.bits))
    case (.integer, .real): compare(Double(Int64(bitPattern: left.bits)), Double(bitPattern: right.bits))
    case (.real, .integer): compare(Double(bitPattern: left.bits), Double(Int64(bitPattern: right.bits)))
    case (.text, .text), (.bytes, .bytes): compare(left, right, bytes)
    default: Int(left.rank.rawValue) - Int(right.rank.rawValue)
    }
  }

  private static func compare<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
    if left < right {
      -1
    } else if left > right {
      1
    } else {
      0
    }
  }

  private static func compare(_ left: Packed, _ right: Packed, _ bytes: UnsafeRawBufferPointer) -> Int {
    if left.bits != right.bits { return left.bits < right.bits ? -1 : 1 }
    let common = min(left.length, right.length)
    if common > 8, let base = bytes.baseAddress {
      let order = memcmp(base + left.start, base + right.start, common)
      if order != 0 { return Int(order) }
    }
    return left.length - right.length
  }
}
