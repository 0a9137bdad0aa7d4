import StoreSQLite

/// What the values of one column are like in the rows of one entity.
package struct ColumnMeasure: Sendable, Equatable {
  /// Rows that are NULL.
  package var nulls: Int64 = 0
  /// How many different numbers or texts there are, at most `most`.
  package var distinct: Int64 = 0
  /// Whether there are more.
  package var isAtLeast = false
  /// Values that are bytes, which are not compared.
  package var blobs: Int64 = 0
  /// The smallest number or text; nil where there is none, and where values are not kept.
  package var smallest: Value?
  /// The largest.
  package var largest: Value?

  /// A number or the beginning of a text.
  package enum Value: Sendable, Equatable {
    case integer(Int64)
    case real(Double)
    case text(String)
  }

  /// The most different values that are told apart.
  package static let most = 1000
}

/// A measure that is being taken.
private struct MeasuredColumn {
  var measure = ColumnMeasure()
  private var seen: Set<Int> = []
  /// Whether the smallest and the largest value are kept.
  private let keepsValues: Bool
  /// The greatest part of a text that is kept.
  private static let longest = 80

  init(keepsValues: Bool) { self.keepsValues = keepsValues }

  mutating func add(_ column: Int, of statement: Statement, room: inout Int) {
    switch statement.kind(column) {
    case .null: measure.nulls += 1
    case .blob: measure.blobs += 1
    // Of a column with many different values nothing is left to find out.
    case _ where measure.isAtLeast && !keepsValues: break
    case .integer: add(.integer(statement.int64(column)), room: &room)
    case .real: add(.real(statement.double(column)), room: &room)
    case .text: statement.withBytes(column) { add(text: $0, room: &room) }
    }
  }

  private mutating func add(_ value: ColumnMeasure.Value, room: inout Int) {
    switch value {
    case .integer(let number): note(number.hashValue, room: &room)
    case .real(let number): note(number.hashValue, room: &room)
    case .text: break
    }
    guard keepsValues else { return }
    if measure.smallest.map({ value.precedes($0) }) ?? true { measure.smallest = value }
    if measure.largest.map({ $0.precedes(value) }) ?? true { measure.largest = value }
  }

  private mutating func add(text bytes: UnsafeRawBufferPointer, room: inout Int) {
    if !measure.isAtLeast {
      var hasher = Hasher()
      hasher.combine(bytes: bytes)
      note(hasher.finalize(), room: &room)
    }
    guard keepsValues else { return }
    let isSmaller = measure.smallest.map { $0.follows(text: bytes) } ?? true
    let isLarger = measure.largest.map { $0.isBefore(text: bytes) } ?? true
    guard isSmaller || isLarger else { return }
    let value = ColumnMeasure.Value.text(String(decoding: bytes.prefix(Self.longest), as: UTF8.self))
    if isSmaller { measure.smallest = value }
    if isLarger { measure.largest = value }
  }

  private mutating func note(_ hash: Int, room: inout Int) {
    guard !measure.isAtLeast, !seen.contains(hash) else { return }
    guard seen.count < ColumnMeasure.most, room > 0 else {
      measure.isAtLeast = true
      seen = []
      return
    }
    seen.insert(hash)
    room -= 1
    measure.distinct += 1
  }
}

extension ColumnMeasure.Value {
  /// Numbers stand before texts, as in SQLite.
  fileprivate func precedes(_ other: Self) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.text, _): false
    case (_, .text): true
    case (.integer(let left), .real(let right)): Double(left) < right
    case (.real(let left), .integer(let right)): left < Double(right)
    case (.real(let left), .real(let right)): left < right
    }
  }

  fileprivate func follows(text bytes: UnsafeRawBufferPointer) -> Bool {
    guard case .text(let own) = self else { return false }
    return bytes.lexicographicallyPrecedes(own.utf8)
  }

  fileprivate func isBefore(text bytes: UnsafeRawBufferPointer) -> Bool {
    guard case .text(let own) = self else { return true }
    return own.utf8.lexicographicallyPrecedes(bytes)
  }
}

extension Store {
  /// Measures columns of a root table by entity, in one read of the table. Bytes are not loaded.
  ///
  /// - Parameter keepingValues: whether the smallest and the largest value of each are kept.
  /// - Throws: `SQLiteError` where the table cannot be read whole.
  package func columnMeasures(
    of table: String, columns: [String], keepingValues: Bool
  ) throws -> [EntityID: [String: ColumnMeasure]] {
    guard let shape = shape.tables[table], shape.has("Z_ENT"), !columns.isEmpty else { return [:] }
    var seen: Set<String> = []
    let columns = columns.filter { shape.has($0) && seen.insert($0).inserted }
    let values = columns.map { column in
      let name = quotedIdentifier(column)
      return "CASE typeof(\(name)) WHEN 'blob' THEN x'' ELSE \(name) END"
    }
    let statement = try connection.prepare(
      "SELECT \((["Z_ENT"] + values).joined(separator: ", ")) FROM \(quotedIdentifier(table)) NOT INDEXED")
    var places: [Int64: Int] = [:]
    var taken: [[MeasuredColumn]] = []
    var room = Self.mostValues
    while try statement.step() {
      guard statement.kind(0) == .integer else { continue }
      let entity = statement.int64(0)
      guard let place = places[entity] ?? (places.count < Self.mostMeasured ? taken.count : nil) else { continue }
      if place == taken.count {
        places[entity] = place
        taken.append(columns.map { _ in MeasuredColumn(keepsValues: keepingValues) })
      }
      for column in columns.indices { taken[place][column].add(column + 1, of: statement, room: &room) }
    }
    var measures: [EntityID: [String: ColumnMeasure]] = [:]
    for (entity, place) in places {
      measures[EntityID(entity)] = Dictionary(
        zip(columns, taken[place].map(\.measure)), uniquingKeysWith: { first, _ in first })
    }
    return measures
  }

  /// The most numbers in `Z_ENT` of one table that are told apart; a hostile table may have one in every row.
  private static let mostMeasured = 1000
  /// The most values of a table that are kept to tell different ones apart.
  private static let mostValues = 4_000_000
}
