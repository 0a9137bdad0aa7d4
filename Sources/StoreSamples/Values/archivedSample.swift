import StoreDataModel
import StorePropertyLists

/// A keyed archive of an object of the attribute's class, where that is one of Foundation's: a list of texts otherwise.
///
/// - Parameter number: 0 is an empty object.
func archivedSample(for attribute: Attribute, _ number: Int) -> [UInt8] {
  var builder = KeyedArchiveBuilder()
  let name = attribute.valueClassName ?? ""
  let count = number % 4
  let texts = (0..<count).map { builder.string("value \($0 + number)") }
  let root: KeyedArchiveBuilder.ID
  if name.contains("Dictionary") || name.hasPrefix("[") && name.contains(":") {
    root = builder.dictionary(texts.enumerated().map { (builder.string("key \($0.offset)"), $0.element) })
  } else if name.contains("Set") {
    root = builder.set(texts)
  } else if name == "NSString" || name == "String" {
    root = builder.string("value \(number)")
  } else if name == "NSNumber" {
    root = builder.integer(Int64(number))
  } else if name == "NSDate" || name == "Date" {
    root = builder.date(Double(number) * 86_400)
  } else if name == "NSData" || name == "Data" {
    root = builder.data((0..<count).map { UInt8($0) })
  } else {
    root = builder.array(texts)
  }
  return builder.binary(root: root)
}
