import StoreDataModel
import StoreSwiftDataSchemas
import Testing

@testable import SwiftDataSource

/// A rule of SwiftData, a class that depends on it, and the hash that SwiftData wrote for the entity.
struct RuleCase: CustomTestStringConvertible {
  let rule: String
  let entity: String
  let hash: String
  let source: String

  init(_ rule: String, _ entity: String, _ hash: String, _ source: String) {
    self.rule = rule
    self.entity = entity
    self.hash = hash
    self.source = source
  }

  var testDescription: String { rule }
}

/// The entity with this name in the only schema of a source.
func entity(_ name: String, of source: String, defines: [String] = []) throws -> SourceEntity {
  let reading = SourceProject(texts: ["Model.swift": source], defines: defines).reading
  #expect(reading.schemas.count == 1)
  return try #require(reading.schemas.first?.entities.first { $0.name == name })
}

@Suite struct RuleTests {
  @Test(arguments: RuleCase.scalars + RuleCase.relationships + RuleCase.composites)
  func sourceGivesTheHashThatSwiftDataWrote(rule: RuleCase) throws {
    let entity = try entity(rule.entity, of: rule.source)
    #expect(entity.certainty == .derived, "\(entity.openRules) \(entity.reasons)")
    #expect(entity.versionHash?.description == rule.hash)
  }

  /// Other ways to write the same entity, with differences that do not matter.
  @Test(arguments: [
    """
    enum SchemaV1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Expense.self] }
      @Model final class Expense {
        var note: String?
        let id = UUID()
        var date = Date.now, amount: Decimal
        public var currencyCode: Swift.String, createdAt: Foundation.Date
        private(set) var updatedAt: Date
      }
    }
    """,
    """
    enum SchemaV1: SwiftData.VersionedSchema {
      static let models: [any PersistentModel.Type] = [SchemaV1.Expense.self]
    }
    extension SchemaV1 {
      @available(iOS 17, *) @SwiftData.Model public class Expense: Codable, Identifiable {
        #Index<Expense>([\\.date], [\\.amount, \\.date])
        var updatedAt: Date, createdAt: Date, date: Date
        @Attribute(.spotlight, originalName: "money") var amount: Decimal
        @Transient var cache: [Int] = []
        static var shared: Expense?
        var total: Decimal { amount * 2 }
        var old: Decimal { get { amount } set { amount = newValue } }
        var note: Optional<String> = "none"
        var id: UUID, currencyCode: String
        func update(_ other: Expense) { let amount = other.amount; self.amount = amount }
        struct Unused { var x: Int }
      }
    }
    extension SchemaV1.Expense { var short: String { note ?? "" } }
    """,
    """
    typealias Money = Amount
    typealias Amount = Foundation.Decimal
    @Model class Expense {
      var note: String!; var id: Key; var date: Date = Date(timeIntervalSinceNow: 1); var amount: Money
      @Attribute(.allowsCloudEncryption) var currencyCode = \"\"\"
        €
        \"\"\"
      var createdAt = Date(); var updatedAt = Foundation.Date.now
      typealias Key = UUID
    }
    """,
  ])
  func spellingDoesNotMatter(source: String) throws {
    let expense = try entity("Expense", of: source)
    #expect(expense.certainty == .derived, "\(expense.reasons)")
    #expect(expense.versionHash?.description == "9cc544706a13fc51cd45d8b7748e3f0185702b787a0e51fe89828b58c7695e09")
  }

  @Test func theModelHoldsAllThatIsReached() {
    let source = """
      let container = try ModelContainer(for: A.self)
      @Model class A { var b: [B] }
      @Model class B { var c: C? }
      @Model class C { @Relationship var a: A?; var text: String }
      @Model class D { var text: String }
      """
    let reading = SourceProject(texts: ["Model.swift": source]).reading
    #expect(reading.schemas.map(\.name) == ["Model.swift:1", "live"])
    #expect(reading.schemas.first?.entities.map(\.name) == ["A", "B", "C"])
    #expect(reading.schemas.first?.entities.map(\.isListed) == [true, false, false])
    #expect(reading.containers.map(\.schemaName) == ["Model.swift:1"])
  }
}
