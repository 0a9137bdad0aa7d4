import StoreFindings
import StoreDataModel
import StoreCoreData
import StoreSQLite

/// What can be wrong with a value, whatever the values of other rows are.
package struct ValueDefects: OptionSet {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// NULL.
  package static let null = Self(rawValue: 1)
  /// Of another storage class than the attribute's type asks for.
  package static let wrongClass = Self(rawValue: 2)
  /// Outside what the type can hold.
  package static let outOfRange = Self(rawValue: 4)
  /// Bytes that are no UUID.
  package static let invalidUUID = Self(rawValue: 8)
  /// Text that is not UTF-8, or has a NUL inside.
  package static let invalidText = Self(rawValue: 16)
  /// Against the model's bounds, lengths or pattern.
  package static let invalid = Self(rawValue: 32)
}

extension AttributePlace {
  /// What can be wrong with values of the attribute's type, under the model's rules.
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

/// A column of an attribute while its table is read: each value is looked at once for all checks, and nothing is kept of
/// those that are in order.
package final class ValueColumn: RowVisitor {
  /// What the column is.
  package let place: AttributePlace
  /// The table with the column.
  let holder: TableScan
  /// What the values are expected to be; nil where the type says nothing.
  package let expected: ExpectedStorage?
  /// Rows with NULL.
  package private(set) var nulls: RowTally
  /// Rows with a value of another storage class.
  package private(set) var wrongClass: RowTally
  /// Rows with a value outside what the type can hold.
  package private(set) var outOfRange: RowTally
  /// Rows with a value that is no UUID.
  package private(set) var invalidUUIDs: RowTally
  /// Rows with text that is none.
  package private(set) var invalidTexts: RowTally
  /// The model's rules and what they say of the rows.
  package private(set) var validation: ValueValidation

  private var wanted: ValueDefects = []
  private let index: Int

  /// - Parameter index: of the column in a row; of large values it is their kind.
  init(_ place: AttributePlace, in holder: TableScan, expected: ExpectedStorage?, index: Int, exampleLimit: Int) {
    self.place = place
    self.holder = holder
    self.expected = expected
    self.index = index
    let none = RowTally(limit: exampleLimit)
    (nulls, wrongClass, outOfRange, invalidUUIDs, invalidTexts) = (none, none, none, none, none)
    validation = ValueValidation(place.leaf, exampleLimit: exampleLimit)
  }

  /// Looks for these defects too.
  func want(_ defects: ValueDefects) { wanted.formUnion(defects) }

  package override func visit(_ row: Row) {
    switch expected {
    case .bytes, nil: visitKind(row.storedKind(index), row)
    case .whole(let range, let acceptsReals): visitWhole(row.values[index], range, acceptsReals: acceptsReals, row)
    case .number(let range, let isDecimal): visitNumber(row.values[index], range, isDecimal: isDecimal, row)
    case .text: visitText(row.values[index], row)
    case .uuid: visitUUID(row.values[index], row)
    }
  }

  private func visitKind(_ kind: ValueKind, _ row: Row) {
    switch kind {
    case .null: nulls.add(row.key)
    case .blob: break
    case .integer, .real, .text: if expected != nil { wrongClass.add(row.key) }
    }
  }

  private func visitWhole(_ value: ColumnValue, _ range: ClosedRange<Int64>, acceptsReals: Bool, _ row: Row) {
    switch value.kind {
    case .null: nulls.add(row.key)
    case .integer:
      if !range.contains(value.int64) { outOfRange.add(row.key) }
      validate(.integer(value.int64), row)
    case .real:
      guard acceptsReals else { return wrongClass.add(row.key) }
      if Int64(exactly: value.double).map(range.contains) != true { outOfRange.add(row.key) }
      validate(.real(value.double), row)
    case .text, .blob: wrongClass.add(row.key)
    }
  }

  private func visitNumber(_ value: ColumnValue, _ range: ClosedRange<Double>, isDecimal: Bool, _ row: Row) {
    switch value.kind {
    case .null: nulls.add(row.key)
    // "Integer when the value is a whole second", and for decimals alike (`store-format.md` §2).
    case .integer: validate(.integer(value.int64), row)
    case .real:
      if !range.contains(value.double) { outOfRange.add(row.key) }
      validate(.real(value.double), row)
    case .text:
      // `NSDecimalNumber.notANumber` is stored as "NaN" (42 values of two `energy` stores).
      let isNotANumber = isDecimal && value.withBytes { $0.elementsEqual("NaN".utf8) }
      if !isNotANumber { wrongClass.add(row.key) }
    case .blob: wrongClass.add(row.key)
    }
  }

  private func visitText(_ value: ColumnValue, _ row: Row) {
    switch value.kind {
    case .null: nulls.add(row.key)
    case .text:
      guard wanted.contains(.invalidText) || wanted.contains(.invalid) && validation.hasRules else { return }
      value.withBytes { bytes in
        let text = TextBytes(bytes: bytes)
        if text.isValid { validate(.text(text), row) } else { invalidTexts.add(row.key) }
      }
    case .integer, .real, .blob: wrongClass.add(row.key)
    }
  }

  private func visitUUID(_ value: ColumnValue, _ row: Row) {
    switch value.kind {
    case .null: nulls.add(row.key)
    case .blob:
      guard wanted.contains(.invalidUUID) else { return }
      if value.withBytes({ $0.count }) != 16 { invalidUUIDs.add(row.key) }
    case .integer, .real, .text: wrongClass.add(row.key)
    }
  }

  private func validate(_ value: BorrowedValue, _ row: Row) {
    if wanted.contains(.invalid) && validation.hasRules { validation.look(at: value, row.key) }
  }
}

extension ValueColumn {
  /// An example of a row: its key, and its entity where that is another than the one that declares the attribute.
  func example(_ row: Int64, _ scan: Scan, _ facts: [String: Finding.Fact?] = [:]) -> Finding.Example {
    .init(row, facts.merging(["entity": scan.entityName(of: row, in: holder, besides: place.owner.id)]) { $1 })
  }

  /// What was counted, with examples.
  package func tally(_ rows: RowTally, _ scan: Scan) -> ExampleTally { ExampleTally(rows) { example($0, scan) } }
}

/// What the values of a type are stored as (`store-format.md` §2, 680,000 values without an exception).
package enum ExpectedStorage: Equatable {
  /// Integers; reals only where the column turns integers into them.
  case whole(ClosedRange<Int64>, acceptsReals: Bool)
  /// Integers and reals; in a decimal also "NaN".
  case number(ClosedRange<Double>, isDecimal: Bool)
  /// Text.
  case text
  /// Sixteen bytes.
  case uuid
  /// Bytes of any number.
  case bytes

  /// What a type asks for in a column declared so; nil where the type says nothing.
  init?(_ type: AttributeType, declared: String) {
    // "Two Integer-64 attributes sat in FLOAT columns after a migration."
    let acceptsReals = declared.uppercased() != "INTEGER"
    switch type {
    case .integer16: self = .whole(Int64(Int16.min)...Int64(Int16.max), acceptsReals: acceptsReals)
    case .integer32: self = .whole(Int64(Int32.min)...Int64(Int32.max), acceptsReals: acceptsReals)
    case .integer64: self = .whole(.min ... .max, acceptsReals: acceptsReals)
    case .boolean: self = .whole(0...1, acceptsReals: acceptsReals)
    case .float: self = .number(.magnitudes(upTo: Double(Float.greatestFiniteMagnitude)), isDecimal: false)
    case .double: self = .number(.magnitudes(upTo: .infinity), isDecimal: false)
    // `NSDecimalNumber` knows no infinity.
    case .decimal: self = .number(.magnitudes(upTo: .greatestFiniteMagnitude), isDecimal: true)
    case .date: self = .number(.magnitudes(upTo: .greatestFiniteMagnitude), isDecimal: false)
    case .string, .uri: self = .text
    case .uuid: self = .uuid
    case .binary, .transformable: self = .bytes
    // Undefined, object ids, composites and what nobody knows.
    default: return nil
    }
  }

  /// "an integer", for people.
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
