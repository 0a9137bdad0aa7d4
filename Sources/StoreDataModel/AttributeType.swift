/// An attribute's type, by Core Data's number (`docs/format/version-hash.md`, "Attribute").
///
/// An unknown number is kept: it is hashed like any other and shown as "type 1234".
package enum AttributeType: RawRepresentable, Hashable, Sendable {
  /// Occurs only on transient attributes.
  case undefined
  /// -32,768 to 32,767.
  case integer16
  /// -2,147,483,648 to 2,147,483,647.
  case integer32
  /// Any 64-bit integer.
  case integer64
  /// A decimal number, stored with NUMERIC affinity.
  case decimal
  /// 64-bit floating point.
  case double
  /// 32-bit floating point, stored as 64.
  case float
  /// Text.
  case string
  /// 0 or 1.
  case boolean
  /// Seconds since 2001-01-01 UTC.
  case date
  /// Bytes.
  case binary
  /// 16 bytes.
  case uuid
  /// A URI as text.
  case uri
  /// The result of a value transformer; a keyed archive by default.
  case transformable
  /// Never seen in a real model.
  case objectID
  /// Has one column for each element and none of its own.
  case composite
  /// A number that is none of these; only `init(rawValue:)` makes it.
  case unknown(Int32)

  /// The type with that number.
  package init(rawValue: Int32) {
    self = Self.known.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
  }

  /// The number, four bytes in the hash.
  package var rawValue: Int32 {
    switch self {
    case .undefined: 0
    case .integer16: 100
    case .integer32: 200
    case .integer64: 300
    case .decimal: 400
    case .double: 500
    case .float: 600
    case .string: 700
    case .boolean: 800
    case .date: 900
    case .binary: 1000
    case .uuid: 1100
    case .uri: 1200
    case .transformable: 1800
    case .objectID: 2000
    case .composite: 2100
    case .unknown(let number): number
    }
  }

  private static let known: [Self] = [
    .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid,
    .uri, .transformable, .objectID, .composite,
  ]

  /// Xcode's name of the type ("Integer 16"), or "type 1234".
  package var name: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binary: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "Object ID"
    case .composite: "Composite"
    case .unknown(let number): "type \(number)"
    }
  }

  /// The declared type of its column (`docs/format/store-layout.md` §3); nil if it has none.
  package var declaredColumnType: String? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .decimal: "DECIMAL"
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .string, .uri: "VARCHAR"
    case .binary, .uuid, .transformable: "BLOB"
    case .undefined, .objectID, .composite, .unknown: nil
    }
  }

  /// The class of the attribute's values, on which all 8,800 attributes of real archives agree; nil if archives have
  /// none (undefined, transformable) or the type was never seen.
  package var usualValueClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .undefined, .transformable, .objectID, .composite, .unknown: nil
    }
  }

  /// The type with Xcode's name ("Integer 16"), if there is one.
  package init?(named name: String) {
    guard let type = Self.types[name] else { return nil }
    self = type
  }

  private static let types = Dictionary(uniqueKeysWithValues: known.map { ($0.name, $0) })
}
