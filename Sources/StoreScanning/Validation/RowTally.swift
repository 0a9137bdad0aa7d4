import StoreFindings

/// A count of rows, with the first as examples.
package struct RowTally {
  /// How many there are.
  package private(set) var count: Int64 = 0
  /// Keys of the first.
  package private(set) var keys: [Int64] = []
  package let limit: Int

  /// No rows.
  package init(limit: Int) { self.limit = limit }

  /// Rows that were counted elsewhere.
  init(count: Int64, keys: [Int64], limit: Int) {
    self.count = count
    self.keys = Array(keys.prefix(limit))
    self.limit = limit
  }

  /// Counts a row.
  package mutating func add(_ key: Int64) {
    count += 1
    if keys.count < limit { keys.append(key) }
  }

  /// Adds rows that come after these.
  package mutating func add(_ later: RowTally) {
    count += later.count
    keys += later.keys.prefix(limit - keys.count)
  }
}

extension ExampleTally {
  /// Rows counted during the read, with examples made of their keys.
  package init(_ rows: RowTally, example: (Int64) -> Finding.Example) {
    self.init(count: rows.count, examples: rows.keys.map(example), limit: rows.limit)
  }
}
