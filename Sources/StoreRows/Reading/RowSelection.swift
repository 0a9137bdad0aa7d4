import StoreCoreData

/// The keys of the objects of a result in its order, for queries with an order.
///
/// Takes 8 bytes an object, 24 for each property it is ordered by, and the bytes of texts; with a limit, for some twice
/// as many objects as the limit only.
struct RowSelection {
  private(set) var keys: [Int64] = []
  /// How many objects meet the condition.
  private(set) var total: Int64 = 0

  private struct Entry {
    var key: Int64
    var values: [SortValue]
  }

  init(_ query: RowQuery, filter: RowFilter?, of entity: EntityLayout, _ loader: ColumnLoader) throws {
    let paths = query.order.map(\.path)
    let reader = try RowReader(
      entity, columns: paths, and: filter?.paths ?? [], includesSubentities: query.includesSubentities,
      readsBinary: true, loader: loader)
    let directions = query.order.map(\.isDescending)
    let wanted = query.limit.map { min($0, 1 << 40) + min(query.offset, 1 << 40) }
    var entries: [Entry] = []
    var total: Int64 = 0
    try reader.forEach(keys: query.keys) { row in
      if let filter, !filter.accepts(row, paths.count) { return }
      total += 1
      entries.append(Entry(key: row.key, values: directions.indices.map { SortValue(row.value($0)) }))
      if let wanted, entries.count > 2 * wanted + 1_024 {
        Self.sort(&entries, directions)
        entries.removeLast(max(entries.count - wanted, 0))
      }
    }
    Self.sort(&entries, directions)
    self.total = total
    keys = entries.dropFirst(query.offset).prefix(query.limit ?? .max).map(\.key)
  }

  /// By the values, and by key where they are equal, so that the order is total.
  private static func sort(_ entries: inout [Entry], _ directions: [Bool]) {
    entries.sort { left, right in
      for (position, isDescending) in directions.enumerated() {
        let order = left.values[position].order(to: right.values[position])
        if order != 0 { return isDescending ? order > 0 : order < 0 }
      }
      return left.key < right.key
    }
  }
}

/// A value to order by: NULL first, then numbers, texts by their bytes, and other bytes, as SQLite orders them.
enum SortValue {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case bytes([UInt8])

  init(_ value: RowValue) {
    switch value {
    case .absent, .null, .keys: self = .null
    case .boolean(let flag): self = .integer(flag ? 1 : 0)
    case .integer(let number), .key(let number), .dataLength(let number): self = .integer(number)
    case .real(let number), .decimal(let number), .date(let number): self = .real(number)
    case .text(let text), .uri(let text), .missingFile(let text): self = .text([UInt8](text))
    case .uuid(let bytes), .data(let bytes), .transformed(let bytes): self = .bytes([UInt8](bytes))
    case .entity(let name): self = .text([UInt8](name.utf8))
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .bytes: 3
    }
  }

  /// Below zero where it comes before the other.
  func order(to other: Self) -> Int {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left == right ? 0 : left < right ? -1 : 1
    case (.real(let left), .real(let right)): left == right ? 0 : left < right ? -1 : 1
    case (.integer(let left), .real(let right)): Double(left) == right ? 0 : Double(left) < right ? -1 : 1
    case (.real(let left), .integer(let right)): left == Double(right) ? 0 : left < Double(right) ? -1 : 1
    case (.text(let left), .text(let right)), (.bytes(let left), .bytes(let right)):
      left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    default: rank - other.rank
    }
  }
}
