import StoreDataModel
import StoreSwiftDataSchemas
import Testing

@testable import SwiftDataSource

/// Types that are left out and follow from initial values, and those that only a compiler knows.
@Suite struct InitialValueTests {
  struct Case: CustomTestStringConvertible {
    let value: String
    let type: AttributeType
    var isOptional = false
    var testDescription: String { value }
  }

  static let cases: [Case] = [
    Case(value: "60 * 60", type: .integer64),
    Case(value: "60 * 60 + 1", type: .integer64),
    Case(value: "1.5 * 60", type: .double),
    Case(value: "Double(2) / 3", type: .double),
    Case(value: "\"a\" + \"b\"", type: .string),
    Case(value: "Decimal(string: \"0.19\")", type: .decimal, isOptional: true),
    Case(value: "Decimal(string: \"0.19\")!", type: .decimal),
    Case(value: "Decimal(string: \"0.19\") ?? 0", type: .decimal),
    Case(value: "Int(\"5\")", type: .integer64, isOptional: true),
    Case(value: "UUID(uuidString: \"x\") ?? UUID()", type: .uuid),
    Case(value: "URL(string: \"https://example.com\")", type: .uri, isOptional: true),
    Case(value: "URL(string: \"https://example.com\")!", type: .uri),
    Case(value: "URL(fileURLWithPath: \"/\")", type: .uri),
  ]

  @Test(arguments: cases) func theTypeFollows(initial: Case) throws {
    let entity = try entity("A", of: "@Model class A { var p = \(initial.value) }")
    #expect(entity.reasons.isEmpty)
    let property = try #require(entity.variants[0].entity.property(named: "p"))
    #expect(property.attribute?.type == initial.type)
    #expect(property.isOptional == initial.isOptional)
  }

  @Test(arguments: [
    "1 + \"a\"", "\"a\" * \"b\"", "made() + 1", "Int(1) + 1.5", "1 << 2", "Decimal(string: \"1\") ?? \"a\"", "a ?? b",
    "Date() + 60", "Float(1) * Double(2)",
  ])
  func onlyACompilerKnows(value: String) throws {
    let entity = try entity("A", of: "@Model class A { var p = \(value) }")
    #expect(entity.reasons.map(\.property) == ["p"])
    #expect(entity.versionHash == nil)
  }

  /// Nobody can give the sources of Apple's frameworks; the other entity is known all the same.
  @Test(arguments: ["CLLocationCoordinate2D", "FamilyActivitySelection", "MKCoordinateRegion?", "[PKDrawing]"])
  func aTypeOfAppleCostsItsEntityAlone(type: String) throws {
    let source = "@Model class A { var p: \(type) }\n@Model class B { var x: Int }"
    let unknown = try entity("A", of: source)
    #expect(unknown.reasons.count == 1)
    #expect(unknown.reasons[0].message.hasSuffix("a type of Apple's frameworks, is not known"))
    #expect(unknown.reasons[0].remedy == "give a store that was written with these classes as the model instead")
    #expect(try entity("B", of: source).versionHash != nil)
  }
}
