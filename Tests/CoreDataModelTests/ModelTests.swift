import CoreDataModel
import PropertyLists
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
      [Entity(name: "A", properties: [.attribute("x", .date), .attribute("x", .date)])],
      "property 'A.x' occurs twice"
    ),
  ])
  func refusesAModelThatContradictsItself(_ entities: [Entity], _ message: String) {
    #expect { try Model(entities: entities) } throws: { "\($0)" == message }
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
