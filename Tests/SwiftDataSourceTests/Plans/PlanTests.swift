import StoreSwiftDataSchemas
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
      ("common()", ["A"], nil), ("Self.common() + [B.self]", ["A", "B"], nil),
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
          static func common() -> [any PersistentModel.Type] { [A.self] }
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

  /// Some classes may be in a store of their own, and previews in memory.
  @Test func oneContainerHasOneSchema() {
    let reading = reading(
      """
      @Model class A { var x: Int }
      @Model class B { var x: Int }
      func make() throws -> ModelContainer {
        let local = Schema([B.self])
        let cloud = ModelConfiguration("Cloud", schema: Schema([A.self]))
        return try .init(for: A.self, B.self, configurations: cloud, ModelConfiguration(schema: local))
      }
      struct Store {
        var shared: ModelContainer
        init() throws { shared = try .init(for: A.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)) }
        func measure() -> Measure { .init(for: A.self) }
      }
      #Preview { List { }.modelContainer(for: B.self) }
      """)
    #expect(reading.schemas.map { $0.entities.map(\.name) } == [["A", "B"], ["A"], ["B"]])
    #expect(reading.containers.map(\.schemaName) == ["Plan.swift:6", "Plan.swift:10", "Plan.swift:13 (preview)"])
    #expect(reading.containers.map(\.isTemporary) == [false, true, true])
  }

  /// Schemas in properties of instances and singletons are followed where each instance has the same.
  @Test(
    arguments: [
      ("AppSchema.shared.schema", ["A"]), ("AppSchema.shared.computed", ["A", "B"]), ("AppSchema.shared.changing", nil),
      ("AppSchema.shared.inner.schema", ["B"]), ("AppSchema.made.schema", ["A"]), ("AppSchema.later.schema", nil),
      ("own.schema", ["A"]), ("self.own.schema", ["A"]), ("local.schema", ["A"]), ("top.inner.schema", ["B"]),
      ("AppSchema.shared.overridden", nil), ("AppSchema.shared.loop", nil), ("AppSchema.shared.missing", nil),
    ])
  func schemasOfInstancesAreFollowed(expression: String, names: [String]?) {
    let reading = reading(
      """
      @Model class A { var x: Int }
      @Model class B { var x: Int }
      class AppSchema {
        static let shared = AppSchema()
        static let made: AppSchema = .init()
        static let later = make()
        let schema = Schema([A.self])
        let inner = Inner()
        var computed: Schema { Schema([A.self, B.self]) }
        var changing = Schema([A.self])
        var overridden: Schema { Schema([A.self]) }
        var loop: Schema { AppSchema.shared.loop }
      }
      class Special: AppSchema { override var overridden: Schema { Schema([B.self]) } }
      struct Inner { let schema = Schema([B.self]) }
      let top = AppSchema.shared
      struct Store {
        let own = AppSchema()
        func open() throws {
          let local = AppSchema.shared
          _ = try ModelContainer(for: \(expression))
        }
      }
      """)
    let name = reading.containers.first?.schemaName
    let schema = reading.schemas.first { $0.name == name }
    #expect(schema?.listProblem == nil ? schema?.entities.map(\.name) == names : names == nil, "\(reading.containers)")
  }

  /// The app's container is that in the target where an app begins; a `PreviewProvider` is a preview too.
  @Test func theTargetOfTheAppIsKnown() {
    let reading = SourceProject(texts: [
      "Sources/App/App.swift": "@main struct Main: App { let c = try! ModelContainer(for: A.self) }",
      "Sources/App/A.swift": "@Model class A { var x: Int }",
      "Sources/Tool/Tool.swift":
        "@main struct Tool { let c = try! ModelContainer(for: B.self) }\n@Model class B { var x: Int }",
      "Sources/App/View.swift":
        "struct P: PreviewProvider { static var previews: some View { List { }.modelContainer(for: A.self) } }",
    ]).reading
    #expect(reading.containers.map(\.isOfApp) == [true, true, false])
    #expect(reading.containers.map(\.isTemporary) == [false, true, false])
  }

  /// A schema that a preview shares with the app is the app's.
  @Test func aSchemaIsNamedAfterTheApp() {
    let reading = reading(
      """
      @Model class A { var x: Int }
      #Preview { List { }.modelContainer(for: A.self) }
      let container = try ModelContainer(for: A.self)
      """)
    #expect(reading.schemas.map(\.name) == ["Plan.swift:3"])
    #expect(reading.containers.map(\.place.line) == [2, 3])
  }

  /// Each line makes one container; a name has its meaning in its scope.
  @Test(
    arguments: [
      ("let types = [A.self]; _ = try ModelContainer(for: Schema(types))", ["A"]),
      ("do { let types = [A.self]; _ = types }; _ = try ModelContainer(for: Schema(types))", ["B"]),
      ("_ = try ModelContainer(for: Schema(types)); let types = [A.self]", ["B"]),
      (
        "let types = [A.self]; do { let types = [A.self, B.self]; _ = try ModelContainer(for: Schema(types)) }",
        ["A", "B"]
      ),
      ("let types = [A.self]; with { _ = try ModelContainer(for: Schema(types)) }", ["A"]),
      ("let types = V.models; _ = try ModelContainer(for: Schema(types))", ["A"]),
      ("with { types in _ = try ModelContainer(for: Schema(types)) }", nil),
      ("with { (types: Types) in _ = try ModelContainer(for: Schema(types)) }", nil),
      ("for types in all { _ = try ModelContainer(for: Schema(types)) }", nil),
      ("if let types = all.first { _ = try ModelContainer(for: Schema(types)) }", nil),
      ("switch all { case .some(let types): _ = try ModelContainer(for: Schema(types)) }", nil),
      ("#if DEBUG\n let types = [A.self]\n #endif\n _ = try ModelContainer(for: Schema(types))", nil),
      ("_ = try ModelContainer(for: Schema(self.types))", ["A", "B"]),
      ("_ = try ModelContainer(for: Schema(changing))", nil),
      ("var types: Types { [A.self] }; _ = try ModelContainer(for: Schema(types))", ["A"]),
      ("var types: Types { log(); return [A.self] }; _ = try ModelContainer(for: Schema(types))", nil),
      ("_ = try ModelContainer(for: Schema(self.made))", ["B"]),
      ("_ = try ModelContainer(for: Schema(self.stored))", nil),
    ] as [(String, [String]?)])
  func aNameMeansWhatItMeansThere(code: String, entities: [String]?) {
    let reading = reading(
      """
      @Model class A { var x: Int }
      @Model class B { var x: Int }
      let types = [B.self]
      var changing = [B.self]
      enum V { static let models = [A.self] }
      func other(types: Types) { let types = [A.self]; let changing = [A.self] }
      struct Store { let types = [A.self, B.self]; var made: Types { [B.self] }; var stored = [B.self]; func make() throws { \(code.contains("self.") ? code : "") } }
      func make() throws { \(code.contains("self.") ? "" : code) }
      func another() { let types = [A.self, B.self]; let changing = [A.self] }
      """)
    let schema = reading.schemas.first
    #expect(reading.containers.count == 1)
    #expect(schema.map { $0.listProblem == nil ? $0.entities.map(\.className) : nil } == .some(entities))
  }

  @Test(arguments: ["types", "Schema(types)"]) func aParameterIsNotKnown(use: String) {
    let reading = reading(
      """
      @Model class A { var x: Int }
      func make(_ types: Types) throws { _ = try ModelContainer(for: \(use)) }
      func preview() throws { let types = [A.self]; _ = try ModelContainer(for: types) }
      """)
    #expect(reading.schemas.map { $0.listProblem != nil } == [true, false])
  }

  @Test(arguments: ["[.first]", "[MigrationStage.first]", "[.first()]"])
  func stagesMayStandInAnExtension(stages: String) throws {
    let reading = reading(
      versions + """

        extension MigrationStage {
          static let first = MigrationStage.lightweight(fromVersion: V1.self, toVersion: App.V2.self)
          static func first() -> MigrationStage { .lightweight(fromVersion: V1.self, toVersion: App.V2.self) }
        }
        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] { [V1.self, App.V2.self] }
          static var stages: [MigrationStage] { \(stages) }
        }
        """)
    let plan = try #require(reading.plans.first)
    #expect(plan.stagesProblem == nil)
    #expect(plan.stages.map(\.toVersion) == ["App.V2"])
  }

  @Test func schemasAndConfigurationsMayStandInAnExtension() {
    let reading = reading(
      """
      @Model class A { var x: Int }
      extension Schema { static let app = Schema([A.self]) }
      extension ModelConfiguration { static let preview = ModelConfiguration(isStoredInMemoryOnly: true) }
      let made = try ModelContainer(for: .app, configurations: .preview)
      """)
    #expect(reading.containers.map(\.isTemporary) == [true])
    #expect(reading.schemas.map { $0.entities.map(\.name) } == [["A"]])
  }

  @Test func aProtocolOfOnesOwnMayRefineVersionedSchema() {
    let reading = reading(
      """
      protocol AppSchema: AppSchemaBase {}
      protocol AppSchemaBase: SwiftData.VersionedSchema {}
      protocol AppPlan: SchemaMigrationPlan {}
      extension AppSchema { static var models: [any PersistentModel.Type] { [Log.self] } }
      @Model class Log { var at: Int = 0 }
      enum V1: AppSchema { static let versionIdentifier = Schema.Version(1, 0, 0) }
      enum V2: AppSchema {
        static let versionIdentifier = Schema.Version(2, 0, 0)
        static var models: [any PersistentModel.Type] { [Log.self] }
      }
      enum Plan: AppPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
        static var stages: [MigrationStage] { [] }
      }
      """)
    #expect(reading.schemas.map(\.name) == ["V1", "V2"])
    #expect(reading.schemas.map { $0.listProblem == nil } == [false, true])
    #expect(reading.plans.map(\.name) == ["Plan"])
  }

  /// In a list at top level, `Tag.self` means the class at top level.
  @Test(arguments: ["", "let schema = Schema(versionedSchema: S.self)"])
  func aListMeansWhatItMeansWhereItStands(rest: String) {
    let reading = reading(
      """
      let common: [any PersistentModel.Type] = [Tag.self]
      enum S: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { common }
        @Model class Tag { var frozen: String = "" }
      }
      @Model class Tag { var live = 1 }
      \(rest)
      """)
    #expect(reading.schemas.first?.entities.map(\.className) == ["Tag"])
  }

  @Test(arguments: [
    ("ModelConfiguration(schema: schema)", true), ("SwiftData.ModelConfiguration(schema: schema)", true),
    ("ModelConfiguration.init(schema: schema)", true), ("Controller(schema: schema)", false),
    ("(ModelConfiguration(schema: schema), Controller(schema: schema))", false),
    ("(ModelConfiguration(schema: schema), schema)", false), ("[.init(schema: schema)]", false),
    ("[.init(schema: schema)] as [ModelConfiguration]", false), ("make(configurations: .init(schema: schema))", true),
    ("make(configurations: [.init(schema: schema)])", true),
  ])
  func onlyAConfigurationTakesASchemaAway(use: String, isGone: Bool) {
    let reading = reading("@Model class A { var x: Int }\nlet schema = Schema([A.self])\nlet made = \(use)")
    #expect(!reading.schemas.contains { $0.origin == .container } == isGone)
  }

  @Test(arguments: [
    ("let types = [A.self]", true), ("let types = [A.self] as [any PersistentModel.Type]", true),
    ("var types: [any PersistentModel.Type] = [A.self]; types.append(B.self)", false),
  ])
  func aListThatMayChangeIsNotKnown(list: String, isKnown: Bool) {
    let reading = reading(
      "@Model class A { var x: Int }\nfunc make() throws { \(list); _ = try ModelContainer(for: Schema(types)) }")
    #expect(reading.schemas.first.map { $0.listProblem == nil } == isKnown)
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

  // MARK: Functions, closures and builds

  private func plan(_ members: String) throws -> SourcePlan {
    let source = versions + "\nenum Plan: SchemaMigrationPlan {\n\(members)\n}"
    return try #require(reading(source).plans.first)
  }

  private let schemas = "  static var schemas: [any VersionedSchema.Type] { [V1.self, App.V2.self] }"

  @Test func stagesMadeByFunctionsAndClosuresAreRead() throws {
    let plan = try plan(
      """
      \(schemas)
        static var stages: [MigrationStage] {
          [Self.v1ToV2(), again, v2ToV1, Stages.last(), first()]
        }

        static func v1ToV2() -> MigrationStage {
          .custom(
            fromVersion: V1.self, toVersion: App.V2.self,
            willMigrate: nil,
            didMigrate: { context in
              for a in try context.fetch(FetchDescriptor<App.V2.A>()) { a.y = a.x }
              try context.save()
            })
        }

        static var again: MigrationStage {
          get { return MigrationStage.lightweight(fromVersion: V1.self, toVersion: App.V2.self) }
        }

        private static let v2ToV1: MigrationStage = {
          MigrationStage.lightweight(fromVersion: App.V2.self, toVersion: V1.self)
        }()
      }
      enum Stages {
        static func last() -> MigrationStage {
          return MigrationStage.lightweight(fromVersion: V1.self, toVersion: V1.self)
        }
      }
      func first() -> MigrationStage { .lightweight(fromVersion: App.V2.self, toVersion: App.V2.self)
      """)
    #expect(plan.stagesProblem == nil)
    #expect(plan.stages.map(\.name) == ["v1ToV2", "again", "v2ToV1", "last", "first"])
    #expect(plan.stages.map(\.kind) == [.custom, .lightweight, .lightweight, .lightweight, .lightweight])
    #expect(plan.stages.map(\.fromVersion) == ["V1", "V1", "App.V2", "V1", "App.V2"])
    #expect(plan.stages.map(\.didMigrate) == [true, false, false, false, false])
    #expect(plan.stages.map(\.isListed) == [true, true, true, true, true])
  }

  @Test(arguments: [
    ("make(1)", "'make(1)' is no stage of two versions"),
    ("twice()", "'twice()' is no stage of two versions"),
    ("work()", "'work()' is no stage of two versions"),
    ("{ print(1); return list }()", "'{ print(1); return list }()' is no stage of two versions"),
    ("circle()", "stages refers to other lists more than 16 times"),
  ])
  func functionsThatDoMoreAreNotGuessed(stages: String, problem: String) throws {
    let plan = try plan(
      """
      \(schemas)
        static var stages: [MigrationStage] { \(stages) }
        static func make(_ n: Int) -> [MigrationStage] { [] }
        static func twice() -> [MigrationStage] { [] }
        static func work() -> [MigrationStage] {
          log()
          return []
        }
        static func circle() -> [MigrationStage] { circle() }
      }
      extension Plan {
        static func twice() -> [MigrationStage] { [] }
      """)
    #expect(plan.stagesProblem == problem)
  }

  @Test func buildsThatMigrateAlikeAreOne() throws {
    let plan = try plan(
      """
        static var schemas: [any VersionedSchema.Type] {
          #if DEBUG
          return [V1.self, App.V2.self]
          #else
          [V1.self, App.V2.self]
          #endif
        }
        static var stages: [MigrationStage] {
          #if DEBUG
            return [loudly]
          #endif
          return [quietly]
        }
        static let loudly = MigrationStage.custom(
          fromVersion: V1.self, toVersion: App.V2.self, willMigrate: { _ in print("begin") }, didMigrate: nil)
        #if BETA
        static let quietly = MigrationStage.custom(
          fromVersion: V1.self, toVersion: App.V2.self, willMigrate: nil, didMigrate: nil)
        #else
        static let quietly = MigrationStage.custom(
          fromVersion: V1.self, toVersion: App.V2.self, willMigrate: nil, didMigrate: nil)
        #endif
      """)
    #expect(plan.schemaNames == ["V1", "App.V2"])
    #expect(plan.schemasProblem == nil)
    #expect(plan.stagesProblem == nil)
    #expect(plan.stages.map(\.name) == ["loudly"])
  }

  @Test(
    arguments: [
      ([], ["V1", "App.V2"], "schemas depends on '#if DEBUG'", "stages depends on '#if DEBUG && BETA'"),
      (["DEBUG"], ["V1", "App.V2"], nil, "stages depends on '#if DEBUG && BETA'"),
      (["DEBUG", "BETA"], ["V1", "App.V2"], nil, nil), (["DEBUG=false"], ["V1"], nil, nil),
    ] as [([String], [String], String?, String?)])
  func whatDependsOnTheBuildIsSaid(
    defines: [String], names: [String], schemasProblem: String?, stagesProblem: String?
  ) throws {
    let source =
      versions + """

        enum Plan: SchemaMigrationPlan {
          static var schemas: [any VersionedSchema.Type] {
            #if DEBUG
            return [V1.self, App.V2.self]
            #else
            return [V1.self]
            #endif
          }
          static var stages: [MigrationStage] {
            #if DEBUG && BETA
            [v1ToV2]
            #elseif os(Linux)
            unknown(1)
            #else
            []
            #endif
          }
          static let v1ToV2 = MigrationStage.lightweight(fromVersion: V1.self, toVersion: App.V2.self)
        }
        """
    let reading = SourceProject(texts: ["Plan.swift": source], defines: defines).reading
    let plan = try #require(reading.plans.first)
    #expect(plan.schemaNames == names)
    #expect(plan.schemasProblem == schemasProblem)
    #expect(plan.stagesProblem == stagesProblem)
  }

  @Test(
    arguments: [
      ("[A.self, B.self]", ["A", "B"], nil), ("[A.self]", ["A", "B"], "models depends on '#if DEBUG'"),
    ] as [(String, [String], String?)])
  func modelsOfBuilds(other: String, entities: [String], problem: String?) throws {
    let reading = reading(
      """
      enum V: VersionedSchema {
        static var versionIdentifier: Schema.Version {
          #if os(macOS)
          Schema.Version(1, 0, 0)
          #else
          .init(1, 0, 0)
          #endif
        }
        #if DEBUG
        static var models: [any PersistentModel.Type] { [A.self, B.self] }
        #else
        static var models: [any PersistentModel.Type] { \(other) }
        #endif
        @Model class A { var x: Int }
        @Model class B { var x: Int }
      }
      """)
    let schema = try #require(reading.schemas.first)
    #expect(schema.entities.map(\.name) == entities)
    #expect(schema.listProblem == problem)
    #expect(schema.identifier == .stated("1.0.0"))
  }

  /// Lists that expand exponentially are given up early.
  @Test func listsThatDoubleEndInTime() throws {
    let names = (0..<15).map { number in
      let next = Array(repeating: "l\(number + 1)", count: 20).joined(separator: ", ")
      return "  static var l\(number): [MigrationStage] { [\(next)] }"
    }
    let plan = try plan(
      """
      \(schemas)
        static var stages: [MigrationStage] { l0 }
      \(names.joined(separator: "\n"))
        static var l15: [MigrationStage] { [] }
      """)
    #expect(plan.stagesProblem == "stages refers to other lists more than 16 times")
  }
}
