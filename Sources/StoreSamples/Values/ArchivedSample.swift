import StoreDataModel
import StorePropertyLists

/// The kinds of objects of Foundation that a keyed archive is made of.
enum ArchivedSample {
  case list, set, dictionary, text, number, date, data

  /// Makes sample values of a class; nil for a class that is not Foundation's.
  init?(className: String) {
    switch className {
    case "", "NSObject", "NSArray", "NSMutableArray", "[String]", "Array<String>": self = .list
    case "NSSet", "NSMutableSet", "Set<String>": self = .set
    case "NSDictionary", "NSMutableDictionary", "[String: String]", "[String: Any]": self = .dictionary
    case "NSString", "NSMutableString", "String": self = .text
    case "NSNumber": self = .number
    case "NSDate", "Date": self = .date
    case "NSData", "Data": self = .data
    default: return nil
    }
  }

  /// The archive of an object.
  ///
  /// - Parameter number: tells objects apart; a collection has as many members as the number has above a multiple of four.
  func archive(_ number: Int) -> [UInt8] {
    var builder = KeyedArchiveBuilder()
    let texts = (0..<max(number % 4, 0)).map { builder.string("value \($0 + number)") }
    let root =
      switch self {
      case .list: builder.array(texts)
      case .set: builder.set(texts)
      case .dictionary: builder.dictionary(texts.enumerated().map { (builder.string("key \($0.offset)"), $0.element) })
      case .text: builder.string("value \(number)")
      case .number: builder.integer(Int64(number))
      case .date: builder.date(Double(number) * 86_400)
      case .data: builder.data((0..<max(number % 4, 0)).map { UInt8($0) })
      }
    return builder.binary(root: root)
  }
}

/// A keyed archive of an object of the attribute's class where that is one of Foundation's, and of a list of texts
/// otherwise.
func archivedSample(for attribute: Attribute, _ number: Int) -> [UInt8] {
  (ArchivedSample(className: attribute.valueClassName ?? "") ?? .list).archive(number)
}
