import StoreCoreData
import StoreDataModel
import StoreFindings
import StoreSQLite
import StoreText

/// The defects that a single value can have, independently of other rows.
package struct ValueDefects: OptionSet {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// NULL.
  package static let null = Self(rawValue: 1)
  /// Not of the storage class for the attribute's type.
  package static let wrongClass = Self(rawValue: 2)
  /// Outside the range of the type.
  package static let outOfRange = Self(rawValue: 4)
  /// A blob that is not a UUID.
  package static let invalidUUID = Self(rawValue: 8)
  /// Text that is not UTF-8, or has a NUL inside.
  package static let invalidText = Self(rawValue: 16)
  /// Violates the model's bounds, lengths or pattern.
  package static let invalid = Self(rawValue: 32)
}

extension AttributePlace {
  /// The defects that values of the attribute can have, by its type and the model's rules.
  func defectsOfType() -> ValueDefects {
    guard let attribute = leaf.attribute else { return [] }
    var defects: ValueDefects = isRequired ? .null : []
    if !attribute.validationPredicates.isEmpty || attribute.validationTexts != nil { defects.insert(.invalid) }
    switch ExpectedStorage(attribute.type, declared: "") {
    case .whole, .number: defects.formUnion([.wrongClass, .outOfRange])
    case .text: defects.formUnion([.wrongClass, .invalidText])
    case .uuid: defects.formUnion([.wrongClass, .invalidUUID])
    case .bytes: defects.insert(.wrongClass)
    case nil: break
    }
    return defects
  }
}

/// An attribute's column while its table is read: each value is examined once for all checks, and nothing is kept of
/// valid ones.
package final class ValueColumn: RowVisitor {
  /// The attribute's column.
  package let place: AttributePlace
  /// The table with the column.
  let holder: TableScan
  /// The expected storage of values; nil where the type has none.
  package let expected: ExpectedStorage?
  // No other access is possible while a row is examined, and checking for one would cost time in every row.
  /// Rows with NULL.
  @exclusivity(unchecked) package private(set) var nulls: RowTally
  /// Rows with a value of another storage class.
  @exclusivity(unchecked) package private(set) var wrongClass: RowTally
  /// Rows with a value outside the range of the type.
  @exclusivity(unchecked) package private(set) var outOfRange: RowTally
  /// Rows with a value that is not a UUID.
  @exclusivity(unchecked) package private(set) var invalidUUIDs: RowTally
  /// Rows with invalid text.
  @exclusivity(unchecked) package private(set) var invalidTexts: RowTally
  /// The model's rules, and the rows that violate them.
  @exclusivity(unchecked) package private(set) var validation: ValueValidation

  @exclusivity(unchecked) private var wanted: ValueDefects = []
  private let index: Int

  /// - Parameter index: the index of the column in a row; for large values, of its storage class.
  init(_ place: AttributePlace, in holder: TableScan, expected: ExpectedStorage?, index: Int, exampleLimit: Int) {
    self.place = place
    self.holder = holder
    self.expected = expected
    self.index = index
    let none = RowTally(limit: exampleLimit)
    (nulls, wrongClass, outOfRange, invalidUUIDs, invalidTexts) = (none, none, none, none, none)
    validation = ValueValidation(place.leaf, exampleLimit: exampleLimit)
  }

  /// Also looks for these defects.
  func want(_ defects: ValueDefects) { wanted.formUnion(defects) }

  package override func forLaterRows() -> RowVisitor? {
    let later = ValueColumn(place, in: holder, expected: expected, index: index, exampleLimit: nulls.limit)
    later.want(wanted)
    return later
  }

  package override func canAdd(_ later: RowVisitor) -> Bool {
    (later as? ValueColumn).map { validation.canAdd($0.validation) } ?? false
  }

  package override func add(_ later: RowVisitor) {
    guard let later = later as? ValueColumn else { return }
    nulls.add(later.nulls)
    wrongClass.add(later.wrongClass)
    outOfRange.add(later.outOfRange)
    invalidUUIDs.add(later.invalidUUIDs)
    invalidTexts.add(later.invalidTexts)
    validation.add(later.validation)
  }

  package override func visit(_ row: Row) {
    switch expected {
    case .bytes, nil: visitKind(row.storedKind(index), in: row)
    case .whole(let range, let acceptsReals):
      visitWhole(row[index], range: range, acceptsReals: acceptsReals, row: row)
    case .number(let range, let isDecimal): visitNumber(row[index], range: range, isDecimal: isDecimal, row: row)
    case .text: visitText(row[index], in: row)
    case .uuid: visitUUID(row[index], in: row)
    }
  }

  private func visitKind(_ kind: ValueKind, in row: Row) {
    switch kind {
    case .null: nulls.add(row.key)
    case .blob: break
    case .integer, .real, .text: if expected != nil { wrongClass.add(row.key) }
    }
  }

  private func visitWhole(_ value: ScannedValue, range: ClosedRange<Int64>, acceptsReals: Bool, row: Row) {
    switch value.kind {
    case .null: nulls.add(row.key)
    case .integer:
      if !range.contains(value.int64) { outOfRange.add(row.key) }
      validate(.integer(value.int64), in: row)
    case .real:
      guard acceptsReals else { return wrongClass.add(row.key) }
      if Int64(exactly: value.double).map(range.contains) != true { outOfRange.add(row.key) }
      validate(.real(value.double), in: row)
    case .text, .blob: wrongClass.add(row.key)
    }
  }

  private func visitNumber(_ value: ScannedValue, range: ClosedRange<Double>, isDecimal: Bool, row: Row) {
    switch value.kind {
    case .null: nulls.add(row.key)
    // Dates and decimals with a whole value are stored as integers.
    case .integer: validate(.integer(value.int64), in: row)
    case .real:
      if !range.contains(value.double) { outOfRange.add(row.key) }
      validate(.real(value.double), in: row)
    case .text:
      // Core Data stores `NSDecimalNumber.notANumber` as "NaN" (42 values in two stores).
      let isNotANumber = isDecimal && value.withBytes { $0.elementsEqual("NaN".utf8) }
      if !isNotANumber { wrongClass.add(row.key) }
    case .blob: wrongClass.add(row.key)
    }
  }

  private func visitText(_ value: ScannedValue, in row: Row) {
    switch value.kind {
    case .null: nulls.add(row.key)
    case .text:
      guard wanted.contains(.invalidText) || wanted.contains(.invalid) && validation.hasRules else { return }
      value.withBytes { bytes in
        let text = TextBytes(bytes: bytes)
        if text.isValid { validate(.text(text), in: row) } else { invalidTexts.add(row.key) }
      }
    case .integer, .real, .blob: wrongClass.add(row.key)
    }
  }

  private func visitUUID(_ value: ScannedValue, in row: Row) {
    switch value.kind {
    case .null: nulls.add(row.key)
    case .blob:
      guard wanted.contains(.invalidUUID) else { return }
      if value.withBytes({ $0.count }) != 16 { invalidUUIDs.add(row.key) }
    case .integer, .real, .text: wrongClass.add(row.key)
    }
  }

  private func validate(_ value: BorrowedValue, in row: Row) {
    if wanted.contains(.invalid) && validation.hasRules { validation.look(at: value, row.key) }
  }
}

extension ValueColumn {
  /// An example row: its key, and its entity if that is not the declaring one.
  func example(_ row: Int64, in scan: Scan, facts: [String: Finding.Fact?] = [:]) -> Finding.Example {
    .init(row, facts.merging(["entity": scan.entityName(of: row, in: holder, besides: place.owner.id)]) { $1 })
  }

  /// The rows counted, with examples.
  package func tally(_ rows: RowTally, scan: Scan) -> ExampleTally { ExampleTally(rows) { example($0, in: scan) } }
}

/// How values of a type are stored (680,000 values without an exception).
package enum ExpectedStorage: Equatable {
  /// Integers; and reals if the column turns integers into them.
  case whole(ClosedRange<Int64>, acceptsReals: Bool)
  /// Integers and reals; for decimals also "NaN".
  case number(ClosedRange<Double>, isDecimal: Bool)
  /// Text.
  case text
  /// Sixteen bytes.
  case uuid
  /// A blob of any length.
  case bytes

  /// The expected storage for a type in a column with this declared type; nil where the type has none.
  init?(_ type: AttributeType, declared: String) {
    // A migration may leave Integer attributes in FLOAT columns (seen with two).
    let acceptsReals = declared.uppercased() != "INTEGER"
    switch type {
    case .integer16: self = .whole(Int64(Int16.min)...Int64(Int16.max), acceptsReals: acceptsReals)
    case .integer32: self = .whole(Int64(Int32.min)...Int64(Int32.max), acceptsReals: acceptsReals)
    case .integer64: self = .whole(.min ... .max, acceptsReals: acceptsReals)
    case .boolean: self = .whole(0...1, acceptsReals: acceptsReals)
    case .float: self = .number(.magnitudes(upTo: Double(Float.greatestFiniteMagnitude)), isDecimal: false)
    case .double: self = .number(.magnitudes(upTo: .infinity), isDecimal: false)
    // `NSDecimalNumber` has no infinity.
    case .decimal: self = .number(.magnitudes(upTo: .greatestFiniteMagnitude), isDecimal: true)
    case .date: self = .number(.magnitudes(upTo: .greatestFiniteMagnitude), isDecimal: false)
    case .string, .uri: self = .text
    case .uuid: self = .uuid
    case .binary, .transformable: self = .bytes
    // Undefined, object IDs, composites and unknown types.
    case .undefined, .objectID, .composite, .unknown: return nil
    }
  }

  /// "an integer", for messages.
  package var words: String {
    switch self {
    case .whole: "an integer"
    case .number: "a number"
    case .text: "text"
    case .uuid, .bytes: "bytes"
    }
  }
}

extension ClosedRange<Double> {
  fileprivate static func magnitudes(upTo most: Double) -> Self { -most...most }
}
