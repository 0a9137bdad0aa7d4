import StoreScanning
import StoreDataModel
import StoreSQLite

/// Counts the rows of an entity whose values of a property satisfy a test.
final class RowTest: RowVisitor {
  /// The rows that satisfy it.
  private(set) var rows: RowTally
  private let kind: Kind
  private let indexes: [Int]

  /// The tests.
  enum Kind: Hashable {
    /// All columns are NULL.
    case empty
    /// Not all columns are NULL.
    case filled
    /// The number does not fit another type: out of range, with a fraction, or not 0 or 1.
    case misfits(AttributeType)
    /// The value is out of bounds.
    case outOfBounds(ValueBounds)
  }

  init(_ kind: Kind, _ indexes: [Int], limit: Int) {
    self.kind = kind
    self.indexes = indexes
    rows = RowTally(limit: limit)
  }

  override func forLaterRows() -> RowVisitor? { RowTest(kind, indexes, limit: rows.limit) }

  override func add(_ later: RowVisitor) { if let later = later as? RowTest { rows.add(later.rows) } }

  override func visit(_ row: Row) { if holds(row) { rows.add(row.key) } }

  private func holds(_ row: Row) -> Bool {
    switch kind {
    case .empty: indexes.allSatisfy(row.isNull)
    case .filled: !indexes.allSatisfy(row.isNull)
    case .misfits(let type): indexes.contains { !fits(row[$0], in: type) }
    case .outOfBounds(let bounds): indexes.contains { !bounds.hold(row[$0]) }
    }
  }

  /// Values that are not numbers are reported by SD503.
  private func fits(_ value: ScannedValue, in type: AttributeType) -> Bool {
    switch value.kind {
    case .integer: fits(value.int64, in: type)
    case .real: fits(value.double, in: type)
    case .null, .text, .blob: true
    }
  }

  private func fits(_ value: Int64, in type: AttributeType) -> Bool {
    switch type {
    case .boolean: value == 0 || value == 1
    case .integer16: Int16(exactly: value) != nil
    case .integer32: Int32(exactly: value) != nil
    // Whole numbers that have no place in the bits of a fraction are rounded.
    case .double: Double(exactly: value) != nil
    case .float: Float(exactly: value) != nil
    case .undefined, .integer64, .decimal, .string, .date, .binary, .uuid, .uri, .transformable, .objectID, .composite,
      .unknown:
      true
    }
  }

  private func fits(_ value: Double, in type: AttributeType) -> Bool {
    switch type {
    case .boolean: value == 0 || value == 1
    case .integer16: Int16(exactly: value) != nil
    case .integer32: Int32(exactly: value) != nil
    case .integer64: Int64(exactly: value) != nil
    case .undefined, .decimal, .double, .float, .string, .date, .binary, .uuid, .uri, .transformable, .objectID,
      .composite, .unknown:
      true
    }
  }
}

/// The bounds of an attribute's values or, for strings, of their length.
struct ValueBounds: Hashable {
  private var least: Double?
  private var greatest: Double?
  private let isLength: Bool

  /// Nil if a rule is something else, such as a pattern; then no value can be judged.
  init?(_ attribute: Attribute) {
    isLength = attribute.type == .string
    for predicate in attribute.validationPredicates {
      guard case .comparison(let rule) = predicate, case .constant(let constant) = rule.right,
        rule.left == (isLength ? .keyPath("length") : .evaluatedObject), let bound = constant.number
      else { return nil }
      switch rule.operator {
      case .greaterThanOrEqual: least = bound
      case .lessThanOrEqual: greatest = bound
      default: return nil
      }
    }
    guard let texts = attribute.validationTexts else { return }
    guard texts.pattern == nil else { return nil }
    for (text, side) in [(texts.minimum, \Self.least), (texts.maximum, \Self.greatest)] {
      guard let text else { continue }
      guard let bound = Double(text) else { return nil }
      self[keyPath: side] = bound
    }
  }

  /// Whether a value is within the bounds. NULL and values of another storage class count as within.
  func hold(_ value: ScannedValue) -> Bool {
    switch (value.kind, isLength) {
    case (.integer, false), (.real, false): hold(value.double)
    case (.text, true): hold(value.withBytes { Double(utf16Count($0)) })
    case (.null, _), (.integer, _), (.real, _), (.text, _), (.blob, _): true
    }
  }

  private func hold(_ value: Double) -> Bool {
    value >= least ?? -.infinity && value <= greatest ?? .infinity
  }
}

/// The length of a string in UTF-16 units, as Core Data counts it.
private func utf16Count(_ bytes: UnsafeRawBufferPointer) -> Int {
  // A character outside the Basic Multilingual Plane has four bytes in UTF-8 and two units in UTF-16.
  bytes.reduce(0) { count, byte in count + (byte & 0xc0 == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1) }
}

extension Expression.Constant {
  fileprivate var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value), .date(let value): value
    case .null, .boolean, .string, .list, .object: nil
    }
  }
}
