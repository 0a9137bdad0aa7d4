import StoreDataModel
import StoreSwiftDataSchemas

/// The attribute type for a Swift type.
package enum ScalarType {
  /// Proved by hashes, or known by documentation or analogy.
  case sure(AttributeType, UnmeasuredRule?)
  /// Undecided, with the possible attribute types.
  case open(OpenRule, [AttributeType])

  package init?(_ name: String) {
    switch name {
    case "Bool": self = .sure(.boolean, nil)
    case "Int", "Int64", "UInt64": self = .sure(.integer64, nil)
    case "UInt": self = .sure(.integer64, .unsignedInteger)
    case "Int32", "UInt32": self = .sure(.integer32, nil)
    // The width alone decides, except that UInt8 has half the width of the Integer 16 it becomes.
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
    // Undecided by hashes: a URL's column is VARCHAR, as it is for both types.
    case "URL": self = .open(.url, [.uri, .string])
    case "CGFloat": self = .open(.cgFloat, [.double, .float])
    // A struct of the system that is Codable; the hash of an attribute depends on its type's number alone.
    case "AttributedString": self = .open(.attributedString, [.transformable, .binary, .string])
    default: return nil
    }
  }

  /// Typealiases of `Double` in the system: Foundation's, and Core Location's according to its documentation.
  static let namesOfDouble: Set<String> = [
    "TimeInterval", "CLLocationDegrees", "CLLocationDistance", "CLLocationAccuracy", "CLLocationDirection",
    "CLLocationDirectionAccuracy", "CLLocationSpeed", "CLLocationSpeedAccuracy",
  ]

  /// Types of the system whose representation is known to be unknown.
  private static let unknownSystemTypes: Set<String> = [
    "CLLocationCoordinate2D", "CLLocation", "Range", "ClosedRange", "Measurement", "Any",
    "AnyObject", "NSObject", "Character", "Substring", "Locale", "TimeZone", "Calendar", "DateComponents",
    "DateInterval", "IndexSet", "PersonNameComponents", "PersistentIdentifier", "NSAttributedString", "UIColor",
    "UIImage", "NSColor", "NSImage", "Color", "Image", "NSNumber", "NSString", "NSDate", "NSData", "CGPoint", "CGSize",
    "CGRect", "Duration", "FamilyActivitySelection", "ApplicationToken", "WebDomainToken", "ActivityCategoryToken",
    "DeviceActivitySchedule", "DeviceActivityName", "ManagedSettingsStore", "CLPlacemark", "CLRegion", "MKMapItem",
    "MKPlacemark", "MKCoordinateRegion", "MKCoordinateSpan", "MKMapRect", "MKPolyline", "PKDrawing", "PKStrokePath",
    "PHPickerResult", "PhotosPickerItem", "CGVector", "CGAffineTransform", "CGColor", "CGImage", "CGPath", "UIFont",
    "UIBezierPath", "NSFont", "Angle", "Font", "Gradient", "EdgeInsets", "UnitPoint", "LocalizedStringKey",
    "LocalizedStringResource", "WeatherCondition", "HKQuantity", "HKWorkoutActivityType", "HKQuantityTypeIdentifier",
    "EKEvent", "EKReminder", "CNContact", "CNPostalAddress", "UTType", "MusicItemID", "WidgetFamily", "Notification",
    "Selector", "URLRequest", "URLComponents", "URLQueryItem", "HTTPURLResponse", "CharacterSet", "IndexPath",
    "ContiguousArray", "Result", "OSLogType", "CMTime",
    "CMTimeRange", "SIMD2", "SIMD3", "SIMD4", "simd_float4x4", "Unit", "UnitMass", "UnitLength", "AnyHashable",
    "CKRecord", "CKShare", "AVAsset", "NSURL", "NSUUID", "NSDecimalNumber", "NSDictionary", "NSArray", "NSSet",
  ]

  /// Whether a type that the sources do not declare is one of Apple's frameworks or of Swift itself, whose sources
  /// nobody can give.
  static func isOfSystem(_ name: String) -> Bool {
    unknownSystemTypes.contains(String(name.prefix { $0 != "<" && $0 != "." }))
  }
}
