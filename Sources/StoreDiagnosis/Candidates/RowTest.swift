import StoreScanning
import StoreDataModel
import StoreSQLite

/// Counts the rows of an entity that a question about the values of a property holds for.
final class RowTest: RowVisitor {
  /// The rows.
  private(set) var rows: RowTally
  private let kind: Kind
  private let indexes: [Int]

  /// What is asked.
  enum Kind: Hashable {
    /// All columns are NULL.
    case empty
    /// One is not.
    case filled
    /// The number does not survive being read as another type: out of range, with a fraction, not 0 or 1.
    case misfits(AttributeType)
    /// The value is out of bounds.
    case outOfBounds(ValueBounds)
  }

  init(_ kind: Kind, _ indexes: [Int], limit: Int) {
    self.kind = kind
    self.indexes = indexes
    rows = RowTally(limit: limit)
  }

  override func visit(_ row: Row) { if holds(row.values) { rows.add(row.key) } }

  private func holds(_ values: Statement) -> Bool {
    switch kind {
    case .empty: indexes.allSatisfy(values.isNull)
    case .filled: !indexes.allSatisfy(values.isNull)
    case .misfits(let type): indexes.contains { !fits(values[$0], type) }
    case .outOfBounds(let bounds): indexes.contains { !bounds.hold(values[$0]) }
    }
  }

  /// What is no number is SD503's.
  private func fits(_ value: ColumnValue, _ type: AttributeType) -> Bool {
    switch value.kind {
    case .integer: fits(value.int64, type)
    case .real: fits(value.double, type)
    case .null, .text, .blob: true
    }
  }

  private func fits(_ value: Int64, _ type: AttributeType) -> Bool {
    switch type {
    case .boolean: value == 0 || value == 1
    case .integer16: Int16(exactly: value) != nil
    case .integer32: Int32(exactly: value) != nil
    default: true
    }
  }

  private func fits(_ value: Double, _ type: AttributeType) -> Bool {
    switch type {
    case .boolean: value == 0 || value == 1
    case .integer16: Int16(exactly: value) != nil
    case .integer32: Int32(exactly: value) != nil
    case .integer64: Int64(exactly: value) != nil
    default: true
    }
  }
}

/// The bounds of an attribute, as far as they are known to be bounds of values or of lengths.
struct ValueBounds: Hashable {
  private var least: Double?
  private var greatest: Double?
  private let isLength: Bool

  /// Nil where a rule is none of these, a pattern for one: then nothing can be said of a value.
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

  /// Whether a value is within the bounds; NULL is, and so is what is of another kind.
  func hold(_ value: ColumnValue) -> Bool {
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

/// The length of a text as Core Data counts it.
private func utf16Count(_ bytes: UnsafeRawBufferPointer) -> Int {
  // A character beyond the basic plane, four bytes, is two units.
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
