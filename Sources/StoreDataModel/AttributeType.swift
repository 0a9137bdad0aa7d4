/// An attribute's type, by Core Data's number (`docs/format/version-hash.md`, "Attribute").
///
/// An unknown number is kept: it is hashed like any other and shown as "type 1234".
public struct AttributeType: RawRepresentable, Hashable, Sendable {
  /// The number, four bytes in the hash.
  public var rawValue: Int32

  /// The type with that number.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Occurs only on transient attributes.
  public static let undefined = Self(rawValue: 0)
  /// -32,768 to 32,767.
  public static let integer16 = Self(rawValue: 100)
  /// -2,147,483,648 to 2,147,483,647.
  public static let integer32 = Self(rawValue: 200)
  /// Any 64-bit integer.
  public static let integer64 = Self(rawValue: 300)
  /// A decimal number, stored with NUMERIC affinity.
  public static let decimal = Self(rawValue: 400)
  /// 64-bit floating point.
  public static let double = Self(rawValue: 500)
  /// 32-bit floating point, stored as 64.
  public static let float = Self(rawValue: 600)
  /// Text.
  public static let string = Self(rawValue: 700)
  /// 0 or 1.
  public static let boolean = Self(rawValue: 800)
  /// Seconds since 2001-01-01 UTC.
  public static let date = Self(rawValue: 900)
  /// Bytes.
  public static let binary = Self(rawValue: 1000)
  /// 16 bytes.
  public static let uuid = Self(rawValue: 1100)
  /// A URI as text.
  public static let uri = Self(rawValue: 1200)
  /// The result of a value transformer; a keyed archive by default.
  public static let transformable = Self(rawValue: 1800)
  /// Never seen in a real model.
  public static let objectID = Self(rawValue: 2000)
  /// Has one column for each element and none of its own.
  public static let composite = Self(rawValue: 2100)

  /// Xcode's name of the type ("Integer 16"), or "type 1234".
  public var name: String {
    Self.names[self] ?? "type \(rawValue)"
  }

  /// The declared type of its column (`docs/format/store-layout.md` §3); nil if it has none.
  public var declaredColumnType: String? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .decimal: "DECIMAL"
    case .double, .float: "FLOAT"
    case .date: "TIMESTAMP"
    case .string, .uri: "VARCHAR"
    case .binary, .uuid, .transformable: "BLOB"
    default: nil
    }
  }

  /// The class of the attribute's values, on which all 8,800 attributes of real archives agree; nil if archives have
  /// none (undefined, transformable) or the type was never seen.
  public var usualValueClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    default: nil
    }
  }

  /// The type with Xcode's name ("Integer 16"), if there is one.
  public init?(named name: String) {
    guard let type = Self.types[name] else { return nil }
    self = type
  }

  private static let types = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) })

  private static let names: [AttributeType: String] = [
    .undefined: "Undefined", .integer16: "Integer 16", .integer32: "Integer 32", .integer64: "Integer 64",
    .decimal: "Decimal", .double: "Double", .float: "Float", .string: "String", .boolean: "Boolean",
    .date: "Date", .binary: "Binary", .uuid: "UUID", .uri: "URI", .transformable: "Transformable",
    .objectID: "Object ID", .composite: "Composite",
  ]
}
