import SwiftDataSchemas
import Testing

@testable import SwiftDataSource

@Suite struct PlanTests {
  private func reading(_ source: String) -> SourceReading { SourceProject(texts: ["Plan.swift": source]).reading }

  private let versions = """
    enum V1: VersionedSchema { static var versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [A.self] }
      @Model class A { var x: Int } }
    enum App { enum V2: VersionedSchema { static let versionIdentifier: Schema.Version = .init(2, 0, 0)
      static let models: [any PersistentModel.Type] = [A.self]
      @Model class A { var x: Int; var y: Int? } } }
    """

  @Test func readsVersionsStagesAndClosures() throws {
    let reading = reading(
      versions + """

        struct Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { return [V1.self, App.V2.self, Gone.self] }
          static var stages: [MigrationStage] { [oneToTwo, .lightweight(fromVersion: App.V2.self, toVersion: Gone.self)] + more }
          static let oneToTwo = MigrationStage.custom(fromVersion: V1.self, toVersion: App.V2.self) { context in
          } didMigrate: { context in }
          static var forgotten: MigrationStage { .lightweight(fromVersion: V1.self, toVersion: V1.self) }
        }
        extension Plan {
          static let more: [MigrationStage] = [
            .custom(fromVersion: V1.self, toVersion: App.V2.self, willMigrate: nil, didMigrate: migrate)
          ]
        }
        """)
    #expect(reading.schemas.map(\.name) == ["V1", "App.V2"])
    #expect(reading.schemas.map(\.identifier) == [.stated("1.0.0"), .stated("2.0.0")])
    #expect(reading.schema(named: "V2")?.name == "App.V2")
    let plan = try #require(reading.plans.first)
    #expect(plan.name == "Plan")
    #expect(plan.schemaNames == ["V1", "App.V2", "Gone"])
    #expect(plan.schemasProblem == "Gone is not declared in the sources")
    #expect(plan.stagesProblem == nil)
    #expect(reading.schemas(of: plan).map { $0?.name } == ["V1", "App.V2", nil])
    #expect(plan.stages.map(\.name) == ["oneToTwo", nil, nil, "forgotten"])
    #expect(plan.stages.map(\.kind) == [.custom, .lightweight, .custom, .lightweight])
    #expect(plan.stages.map(\.fromVersion) == ["V1", "App.V2", "V1", "V1"])
    #expect(plan.stages.map(\.toVersion) == ["App.V2", "Gone", "App.V2", "V1"])
    #expect(plan.stages.map(\.willMigrate) == [true, false, false, false])
    #expect(plan.stages.map(\.didMigrate) == [true, false, true, false])
    #expect(plan.stages.map(\.isListed) == [true, true, true, false])
    #expect(plan.stages[0].place.line == 10)
  }

  @Test(arguments: [
    (
      "enum P: SchemaMigrationPlan { static var currentSchema: Any { V2.self } }", "it has no static var schemas",
      "it has no static var stages"
    ),
    (
      "enum P: SchemaMigrationPlan { static var schemas: [Any] { let a = 1; return [V1.self] }\nstatic var stages: [S] { all() } }",
      "schemas is computed by more than one expression", "'all()' is no stage of two versions"
    ),
    (
      "enum P: SchemaMigrationPlan { static var schemas: [Any] { versions }\nstatic var stages: [S] { more } }",
      "the list is no plain list of types: 'versions'", "'more' is no stage and no list of stages"
    ),
    (
      "enum P: SchemaMigrationPlan { static var schemas: [Any] { schemas }\nstatic var stages: [S] { stages } }",
      "the list refers to other lists more than 16 times", "stages refers to other lists more than 16 times"
    ),
  ])
  func whatCannotBeReadIsSaid(source: String, schemas: String, stages: String) throws {
    let plan = try #require(reading(source).plans.first)
    #expect(plan.schemasProblem == schemas)
    #expect(plan.stagesProblem == stages)
  }

  @Test(
    arguments: [
      ("[A.self]", ["A"], nil), ("[A.self] + [B.self]", ["A", "B"], nil), ("all", ["A", "B"], nil),
      ("Self.all + []", ["A", "B"], nil),
      ("Other.list", ["B"], nil), ("[A.self, Missing.self]", ["A"], "Missing is not declared in the sources"),
      ("make()", [], "the list is no plain list of types: 'make()'"),
      ("[A.self, Plain.self]", ["A"], "Plain is no class with @Model"),
      ("condition ? [A.self] : [B.self]", [], "the list is no plain list of types: 'condition ? [A.self] : [B.self]'"),
    ] as [(String, [String], String?)])
  func followsSumsAndNames(list: String, entities: [String], problem: String?) throws {
    let schema = try #require(
      reading(
        """
        enum V: VersionedSchema {
          static var models: [any PersistentModel.Type] { \(list) }
          static let all: [any PersistentModel.Type] = [A.self, B.self]
          @Model class A { var x: Int }
          @Model class B { var x: Int }
          struct Plain {}
        }
        enum Other { static let list: [any PersistentModel.Type] = [V.B.self] }
        """
      ).schemas.first)
    #expect(schema.entities.map(\.name) == entities)
    #expect(schema.listProblem == problem)
    #expect(schema.identifier == .unknown("it has no static versionIdentifier"))
  }

  @Test func readsContainersOfAllForms() {
    let reading = reading(
      versions + """

        @Model class Note { var text: String }
        @Model class Tag { var text: String }
        enum Plan: SchemaMigrationPlan { static var schemas: [any VersionedSchema.Type] { [V1.self] }; static var stages: [MigrationStage] { [] } }
        struct NotesApp: App {
          let shared: ModelContainer = {
            let schema = Schema([Note.self, Tag.self])
            let configuration = ModelConfiguration(schema: schema)
            return try! ModelContainer(for: schema, configurations: [configuration])
          }()
          func all() throws {
            _ = try ModelContainer(for: Note.self, Tag.self, migrationPlan: nil)
            _ = try ModelContainer(for: Schema(versionedSchema: App.V2.self), migrationPlan: Plan.self)
            _ = try ModelContainer(for: Schema([Note.self], version: Schema.Version(3, 0, 0)))
            _ = try ModelContainer(for: Schema(V1.models))
            _ = try ModelContainer(for: make())
          }
          var body: some Scene { WindowGroup { }.modelContainer(for: Note.self).modelContainer(shared) }
        }
        """)
    #expect(
      reading.containers.map(\.schemaName) == [
        "Plan.swift:12", "Plan.swift:12", "App.V2", "Plan.swift:19", "Plan.swift:20", "Plan.swift:21", "Plan.swift:23",
      ])
    #expect(reading.containers.map(\.planName) == [nil, nil, "Plan", nil, nil, nil, nil])
    let containers = reading.schemas.filter { $0.origin == .container }
    #expect(containers.map { $0.entities.map(\.className) } == [["Note", "Tag"], ["Note"], ["V1.A"], [], ["Note"]])
    #expect(containers.map(\.identifier.text) == ["1.0.0", "3.0.0", "1.0.0", "1.0.0", "1.0.0"])
    #expect(containers.map { $0.listProblem != nil } == [false, false, false, true, false])
    #expect(!reading.schemas.contains { $0.origin == .liveClasses })
  }

  @Test func listedClassesOfOtherVersionsAreFound() throws {
    let reading = reading(
      versions + """

        extension V3 { @Model class B { var a: App.V2.A? } }
        enum V3 {}
        extension V3: VersionedSchema {
          static var models: [any PersistentModel.Type] { [B.self, App.V2.A.self] }
          static var versionIdentifier: Schema.Version { Schema.Version(major, 0, 0) }
        }
        """)
    let schema = try #require(reading.schema(named: "V3"))
    #expect(schema.entities.map(\.className) == ["App.V2.A", "V3.B"])
    #expect(schema.identifier == .unknown("its version is no Schema.Version(…) of three literals"))
    #expect(try schema.model().versionIdentifiers == [])
  }
}
