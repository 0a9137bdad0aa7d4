import StoreDataModel
import StorePropertyLists
import StoreGenerator
import Testing

@Suite struct ModelTests {
  @Test(arguments: [
    ([Entity(name: "A"), Entity(name: "A")], "entity 'A' occurs twice"),
    ([Entity(name: "A", parent: "B")], "parent entity 'B' of 'A' is not in the model"),
    (
      [Entity(name: "A", parent: "B"), Entity(name: "B", parent: "A")],
      "inheritance of 'A' is a cycle, or deeper than 64 levels"
    ),
    ([Entity(name: "A", properties: [.toOne("b", "B")])], "destination entity 'B' of 'A.b' is not in the model"),
    (
      [Entity(name: "A", properties: [.toOne("a", "A", inverse: "x")])],
      "inverse 'x' of 'A.a' is not a relationship of 'A'"
    ),
    (
      [
        Entity(name: "A", properties: [.toOne("b", "B", inverse: "a")]),
        Entity(name: "B", properties: [.toOne("a", "A", inverse: "c"), .toOne("c", "A")]),
      ], "inverse of 'A.b' is 'B.a', whose inverse is 'A.c'"
    ),
    (
      [
        Entity(name: "A", properties: [.toOne("b", "B", inverse: "a")]),
        Entity(name: "B", properties: [.toOne("a", "A")]),
      ],
      "inverse of 'A.b' is 'B.a', whose inverse is not stated"
    ),
    (
      [
        Entity(name: "A", properties: [.toOne("b", "B", inverse: "a")]),
        Entity(name: "B", properties: [.toOne("a", "C", inverse: "b")]),
        Entity(name: "C", properties: [.toOne("b", "B", inverse: "a")]),
      ], "inverse of 'A.b' is 'B.a', whose inverse is 'C.b'"
    ),
    (
      [Entity(name: "A", properties: [.composite("x", [.toOne("b", "A")])])],
      "element 'b' of composite 'A.x' is no attribute"
    ),
    (
      [Entity(name: "A", properties: [.attribute("x", .date), .attribute("x", .date)])],
      "property 'A.x' occurs twice"
    ),
  ])
  func refusesAModelThatContradictsItself(_ entities: [Entity], _ message: String) {
    #expect { try Model(entities: entities) } throws: { "\($0)" == message }
  }

  @Test func refusesTwoFetchRequestsOfOneName() {
    #expect {
      try Model(entities: [], fetchRequests: [FetchRequest(name: "all"), FetchRequest(name: "all")])
    } throws: {
      "\($0)" == "fetch request 'all' occurs twice"
    }
  }

  /// Photos (osxphotos, 10.15): the inverse of a relationship of a parent leads to one of its subentities.
  @Test func allowsAnInverseThatLeadsToASubentity() throws {
    let model = try Model(entities: [
      Entity(name: "GenericAsset", properties: [.toOne("extended", "Extended", inverse: "asset")]),
      Entity(name: "Asset", parent: "GenericAsset"),
      Entity(name: "Extended", properties: [.toOne("asset", "Asset", inverse: "extended")]),
    ])
    #expect(model.entities.count == 3)
  }

  @Test func doesNotCompareOrigins() throws {
    var model = try SampleModels.notes()
    model.origin = ModelOrigin(path: "Notes.mom")
    #expect(model == (try SampleModels.notes()))
  }

  @Test(arguments: [try SampleModels.notes(), try SampleModels.shapes()])
  func readsItsOwnArchiveBackToAnEqualModel(_ model: Model) throws {
    #expect(try ModelArchive.model(from: KeyedArchive(ModelArchive.archive(model))) == model)
  }

  @Test func listsInheritedPropertiesOnce() throws {
    let model = try SampleModels.shapes()
    #expect(model.properties(of: "Kitten").keys.sorted() == ["born", "friends", "home", "name", "weight"])
    #expect(model.properties(of: "Kitten")["name"]?.topmostDeclarer == "Animal")
    #expect(model.ancestors(of: "Kitten").map(\.name) == ["Cat", "Animal"])
    #expect(model.root(of: "Kitten")?.name == "Animal")
  }
}
