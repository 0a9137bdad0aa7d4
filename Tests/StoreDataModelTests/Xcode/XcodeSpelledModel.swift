import StoreDataModel
import StoreGenerator
import TestSupport

/// A random model in the spellings Xcode may use, with the expected result of reading it. Independent of the reader and
/// the writer.
struct XcodeSpelledModel {
  /// The document.
  private(set) var text = ""
  /// Attributes by place ("E0.a1"): type and default.
  private(set) var attributes: [String: (type: String, value: DefaultValue?)] = [:]
  /// Renaming identifiers by place.
  private(set) var renamed: [String: String] = [:]
  /// The expected faults, sorted.
  private(set) var faults: [String] = []
  /// Relationships by place: destination and inverse.
  private(set) var relationships: [String: (destination: String, inverse: String?)] = [:]
  private var random: SeededGenerator
  private var ends: [[(name: String, xml: String)]] = []

  /// Texts for the fields of each type, with the expected values.
  static let spellings: [(type: String, field: String, text: String, value: DefaultValue?)] = [
    ("Integer 16", "defaultValueString", "7", .integer(7)), ("Integer 16", "defaultValueString", "YES", .integer(1)),
    ("Integer 16", "defaultValueString", "40000", .unreadable("40000")),
    ("Integer 32", "defaultValueString", "NO", .integer(0)), ("Integer 32", "defaultValueString", "-3.0", .integer(-3)),
    ("Integer 32", "defaultValueString", "x", .unreadable("x")),
    ("Integer 64", "defaultValueString", "9223372036854775807", .integer(.max)),
    ("Integer 64", "defaultValueString", "", .unreadable("")),
    ("Decimal", "defaultValueString", "0.0", .decimal("0")),
    ("Decimal", "defaultValueString", "-12.50", .decimal("-12.5")),
    ("Decimal", "defaultValueString", "12345678901234567890.5", .decimal("12345678901234567890.5")),
    ("Decimal", "defaultValueString", "1 000", .unreadable("1 000")),
    ("Double", "defaultValueString", "1e-3", .real(0.001)), ("Double", "defaultValueString", "inf", .unreadable("inf")),
    ("Float", "defaultValueString", "0.0", .real(0)), ("Float", "defaultValueString", "NO", .unreadable("NO")),
    ("Boolean", "defaultValueString", "NO", .boolean(false)), ("Boolean", "defaultValueString", "1", .boolean(true)),
    ("Boolean", "defaultValueString", "oui", .unreadable("oui")),
    ("String", "defaultValueString", "", .string("")), ("String", "defaultValueString", "NO", .string("NO")),
    ("Date", "defaultDateTimeInterval", "-978307200", .date(-978_307_200)),
    ("Date", "defaultValueString", "2001-01-01 00:00:00 +0000", .date(0)),
    ("Date", "defaultDateTimeInterval", "now", .unreadable("now")),
    ("UUID", "defaultValueString", "00010203-0405-0607-0809-0A0B0C0D0E0F", .uuid(Array(0...15))),
    ("UUID", "defaultValueString", "00010203", .unreadable("00010203")),
    ("URI", "defaultValueString", "x:y", .uri("x:y")), ("URI", "defaultValueString", "", .unreadable("")),
    ("Binary", "defaultValueString", "00", .unreadable("00")),
    ("Transformable", "defaultValueString", "x", .unreadable("x")),
  ]
  static let types = [
    "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "Boolean", "String", "Date", "UUID", "URI",
    "Binary", "Transformable", "Undefined",
  ]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...5, using: &random)
    ends = Array(repeating: [], count: count)
    for _ in 0..<Int.random(in: 0...6, using: &random) { relate(count) }
    var body = ""
    for number in 0..<count { body += entity(number) }
    text = "<?xml version=\"1.0\"?><model type=\"com.apple.IDECoreDataModeler.DataModel\">\(body)</model>"
    faults.sort()
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func entity(_ number: Int) -> String {
    let name = "E\(number)"
    var inner = ""
    for position in 0..<Int.random(in: 0...4, using: &random) { inner += attribute("\(name).a\(position)") }
    inner += ends[number].map(\.xml).joined()
    return "<entity name=\"\(name)\"\(renaming(name, name))>\(inner)</entity>"
  }

  private mutating func attribute(_ place: String) -> String {
    let name = String(place.split(separator: ".")[1])
    var type = Self.types[Int.random(in: 0..<Self.types.count, using: &random)]
    var field = ""
    var value: DefaultValue?
    if chance(2) {
      let spelling = Self.spellings[Int.random(in: 0..<Self.spellings.count, using: &random)]
      (type, value) = (spelling.type, spelling.value)
      field = " \(spelling.field)=\"\(spelling.text)\""
    }
    attributes[place] = (type, value)
    let typeField = type == "Undefined" ? "" : " attributeType=\"\(type)\""
    return "<attribute name=\"\(name)\"\(typeField)\(field)\(renaming(place, name))/>"
  }

  /// `elementID`, `renamingIdentifier`, or both, of which the first counts. Sometimes the name itself, which is no
  /// renaming.
  private mutating func renaming(_ place: String, _ name: String) -> String {
    guard chance(3) else { return "" }
    let identifier = chance(4) ? name : "old\(place)"
    if identifier != name { renamed[place] = identifier }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return " elementID=\"\(identifier)\""
    case 1: return " renamingIdentifier=\"\(identifier)\""
    default: return " renamingIdentifier=\"other\" elementID=\"\(identifier)\""
    }
  }

  /// Two relationships that are inverses, or one whose destination or inverse is wrong.
  private mutating func relate(_ count: Int) {
    let (from, to) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
    let one = "r\(ends[from].count)"
    switch Int.random(in: 0..<6, using: &random) {
    case 0: add(one, from, "E\(to)", nil)
    case 1:
      add(one, from, "", nil)
      faults.append("'E\(from).\(one)' has no destination entity")
    case 2:
      add(one, from, "Gone", "back")
      faults.append("destination entity 'Gone' of 'E\(from).\(one)' is not in the model")
    case 3:
      add(one, from, "E\(to)", "gone")
      faults.append("inverse 'gone' of 'E\(from).\(one)' is not a relationship of 'E\(to)'")
    case 4:
      // The other end states no inverse.
      add(one, from, "E\(to)", "s\(one)\(from)\(to)")
      add("s\(one)\(from)\(to)", to, "E\(from)", nil)
      faults.append("inverse of 'E\(from).\(one)' is 'E\(to).s\(one)\(from)\(to)', whose inverse is not stated")
    default:
      add(one, from, "E\(to)", "s\(one)\(from)\(to)")
      add("s\(one)\(from)\(to)", to, "E\(from)", one)
    }
  }

  private mutating func add(_ name: String, _ entity: Int, _ destination: String, _ inverse: String?) {
    let place = "E\(entity).\(name)"
    relationships[place] = (destination, inverse)
    let toMany = chance(2) ? " toMany=\"YES\"" : " maxCount=\"1\""
    let destinationField = destination.isEmpty ? "" : " destinationEntity=\"\(destination)\""
    let inverseField = inverse.map { " inverseName=\"\($0)\" inverseEntity=\"\(destination)\"" } ?? ""
    let xml =
      "<relationship name=\"\(name)\" optional=\"YES\"\(toMany)\(destinationField)\(inverseField)\(renaming(place, name))/>"
    ends[entity].append((name, xml))
  }
}
