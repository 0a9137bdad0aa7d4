import StoreDataModel
import StoreSwiftDataSchemas

/// The table of `swiftdata-source.md`, "Attribute types".
package enum ScalarType {
  /// A type proved by hashes, or by documentation or analogy.
  case sure(AttributeType, UnmeasuredRule?)
  /// A type whose number is open, with the numbers it can have.
  case open(OpenRule, [AttributeType])

  package init?(_ name: String) {
    switch name {
    case "Bool": self = .sure(.boolean, nil)
    case "Int", "Int64", "UInt64": self = .sure(.integer64, nil)
    case "UInt": self = .sure(.integer64, .unsignedInteger)
    case "Int32", "UInt32": self = .sure(.integer32, nil)
    // "Width alone decides", but UInt8 has half the width of what it becomes.
    case "Int16", "UInt16", "UInt8": self = .sure(.integer16, nil)
    case "Int8": self = .sure(.integer16, .smallInteger)
    case "Double", "Float64": self = .sure(.double, nil)
    case "Float", "Float32": self = .sure(.float, nil)
    case _ where Self.namesOfDouble.contains(name): self = .sure(.double, .nameOfDouble)
    case "Decimal": self = .sure(.decimal, nil)
    case "String": self = .sure(.string, nil)
    case "Date": self = .sure(.date, nil)
    case "Data": self = .sure(.binary, nil)
    case "UUID": self = .sure(.uuid, nil)
    // "doc (column VARCHAR); open for the hash": both types have that column.
    case "URL": self = .open(.url, [.uri, .string])
    case "CGFloat": self = .open(.cgFloat, [.double, .float])
    default: return nil
    }
  }

  /// Type aliases of the system for `Double`: Foundation's, and those of Core Location as its documentation declares them.
  static let namesOfDouble: Set<String> = [
    "TimeInterval", "CLLocationDegrees", "CLLocationDistance", "CLLocationAccuracy", "CLLocationDirection",
    "CLLocationDirectionAccuracy", "CLLocationSpeed", "CLLocationSpeedAccuracy",
  ]

  /// Types of the system of which it is known that nothing is known.
  static let unknownSystemTypes: Set<String> = [
    "AttributedString", "CLLocationCoordinate2D", "CLLocation", "Range", "ClosedRange", "Measurement", "Any",
    "AnyObject", "NSObject", "Character", "Substring", "Locale", "TimeZone", "Calendar", "DateComponents",
    "DateInterval", "IndexSet", "PersonNameComponents", "PersistentIdentifier", "NSAttributedString", "UIColor",
    "UIImage", "NSColor", "NSImage", "Color", "Image", "NSNumber", "NSString", "NSDate", "NSData", "CGPoint", "CGSize",
    "CGRect", "Duration",
  ]
}
