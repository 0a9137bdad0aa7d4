import StoreDataModel
import StoreGenerator
import Testing

/// Models at the limits of what a model may be are compared in time that grows with their size.
@Suite struct LargeDifferenceTests {
  @Test func thousandsOfPropertiesThatMove() throws {
    let many = (0..<2_000).map { Property.attribute("a\($0)", .string) }
    let old = try Model(entities: [Entity(name: "Base", properties: many), Entity(name: "Child", parent: "Base")])
    let new = try Model(entities: [Entity(name: "Base"), Entity(name: "Child", parent: "Base", properties: many)])
    let changes = ModelDifference(from: old, to: new).changes
    #expect(changes.count == 2_000)
    #expect(changes.allSatisfy { $0.kind == .moved(.attribute, .down) && $0.entersHash })
    #expect(ModelDifference(from: new, to: old).changes.allSatisfy { $0.kind == .moved(.attribute, .up) })
  }

  @Test func thousandsOfChildren() throws {
    func model(_ type: AttributeType) throws -> Model {
      let root = Entity(name: "Root", properties: (0..<5).map { .attribute("a\($0)", type) })
      return try Model(entities: [root] + (0..<1_000).map { Entity(name: "E\($0)", parent: "Root") })
    }
    // A change of a parent is listed once, and not again for its children.
    #expect(ModelDifference(from: try model(.string), to: try model(.uuid)).changes.count == 5)
  }
}
