import SwiftDataSource
import Testing

@testable import SwiftDataLint

/// SD914, SD915, SD927, SD971 to SD974, SD991 to SD993.
@Suite struct ContainerCheckTests {
  /// A plan with two versions, followed by code from line 14 on.
  private func app(_ code: String, stage: String = ".lightweight(fromVersion: V1.self, toVersion: V2.self)") -> String {
    """
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [\(stage)] }
    }
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Note.self] }
      @Model final class Note { var text = "" }
    }
    enum V2: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Note.self] }
      @Model final class Note { var text = ""; var n = 0 }
    }
    typealias Note = V2.Note
    \(code)
    """
  }

  @Test func containerVersion() {
    #expect(
      findings(
        .containerVersion,
        app("let c = try ModelContainer(for: Schema(versionedSchema: V1.self), migrationPlan: Plan.self)"))
        == ["14: error: the container is made for V1, and Plan ends with V2"])
    #expect(
      places(.containerVersion, app("let c = try ModelContainer(for: V1.Note.self, migrationPlan: Plan.self)"))
        == ["14 error"])
    #expect(
      places(.containerVersion, app("let c = try ModelContainer(for: Note.self, migrationPlan: Plan.self)")) == [])
    #expect(
      places(
        .containerVersion,
        app("let c = try ModelContainer(for: Schema(versionedSchema: V2.self), migrationPlan: Plan.self)")) == [])
  }

  /// A plan whose last version has two classes that do not refer to each other.
  private func plans(_ live: String, for classes: String) -> String {
    """
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
    }
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Note.self, Draft.self] }
      @Model final class Note { var text = "" }
      @Model final class Draft { var text = "" }
    }
    enum V2: VersionedSchema {
      static var models: [any PersistentModel.Type] { [Note.self, Tag.self] }
      @Model final class Note { var text = ""; var pinned = false }
      @Model final class Tag { var name = "" }
    }
    \(live)
    let container = try ModelContainer(for: \(classes), migrationPlan: Plan.self)
    """
  }

  @Test(arguments: [
    ("V2.Note.self, V2.Tag.self", []),
    ("V2.Note.self", ["16: error: the container's classes do not reach Tag, and Plan ends with V2, which has it"]),
    (
      "V2.Note.self, V2.Tag.self, V1.Draft.self",
      ["16: error: the container is made for V1.Draft, and Plan ends with V2, which has no class of that name"]
    ),
  ])
  func containersAreComparedByWhatTheyReach(classes: String, expected: [String]) {
    #expect(findings(.containerVersion, plans("", for: classes)) == expected)
  }

  /// If the live classes equal those of the last version, the container is made for the last version.
  @Test func liveClassesLikeTheLastVersionAreItsModel() {
    let note = "@Model final class Note { var pinned = false; var text: String = \"\" }"
    let live = note + "; @Model final class Tag { var name = \"\" }"
    #expect(places(.containerVersion, plans(live, for: "Note.self, Tag.self")) == [])
    #expect(
      findings(.containerVersion, plans(live.replacing("pinned", with: "starred"), for: "Note.self, Tag.self")) == [
        "16: error: the container is made for Note, and Plan ends with V2, which has another class of that name"
      ])
    let unknown = plans(live.replacing("pinned = false", with: "price: Money?"), for: "Note.self, Tag.self")
    #expect(places(.containerVersion, unknown) == [])
    #expect(skips(.containerVersion, unknown) == ["whether Note is like Note of V2 is not known"])
  }

  @Test func planNotUsed() {
    #expect(
      findings(.planNotUsed, app("let c = try ModelContainer(for: Note.self)")) == [
        "14: warning: the container is made without Plan, the plan of its classes: it is not migrated as elsewhere"
      ])
    #expect(places(.planNotUsed, app("let c = try ModelContainer(for: Note.self, migrationPlan: Plan.self)")) == [])
    #expect(places(.planNotUsed, app("let v = view.modelContainer(for: Note.self, inMemory: true)")) == [])
    #expect(
      findings(.planNotUsed, app("#Preview { List { }.modelContainer(for: Note.self) }")) == [
        "14: note: the container of this #Preview is made without Plan, the plan of its classes: it is not migrated as "
          + "elsewhere"
      ])
    #expect(
      places(
        .planNotUsed,
        app(
          "let m = ModelConfiguration(isStoredInMemoryOnly: true)\nlet c = try ModelContainer(for: Note.self, configurations: m)"
        )) == [])
    #expect(
      places(.planNotUsed, app("@Model final class Other { var a = 0 }\nlet c = try ModelContainer(for: Other.self)"))
        == [])
  }

  /// There is nothing to migrate with a plan of one version.
  @Test func aPlanOfOneVersionIsNotMissed() {
    let source = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self] }
        static var stages: [MigrationStage] { [] }
      }
      enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] } }
      @Model final class Note { var text = "" }
      let container = try ModelContainer(for: Note.self)
      """
    #expect(places(.planNotUsed, source) == ["7 note"])
  }

  @Test func customStageMirrored() {
    let custom = ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { c in }, didMigrate: nil)"
    let call = { (database: String) in
      "let c = try ModelContainer(for: Note.self, migrationPlan: Plan.self, configurations: ModelConfiguration(\(database)))"
    }
    #expect(
      findings(.customStageMirrored, app(call("cloudKitDatabase: .automatic"), stage: custom)) == [
        "14: warning: the container mirrors to CloudKit, and Plan has a custom stage, which other devices do not run"
      ])
    #expect(
      places(.customStageMirrored, app(call("cloudKitDatabase: .private(\"iCloud.a\")"), stage: custom)) == [
        "14 warning"
      ])
    #expect(
      findings(.customStageMirrored, app(call("cloudKitDatabase: isOn ? .automatic : .none"), stage: custom)) == [
        "14: warning: the container may mirror to CloudKit, and Plan has a custom stage, which other devices do not run"
      ])
    #expect(places(.customStageMirrored, app(call(""), stage: custom)) == ["14 note"])
    #expect(places(.customStageMirrored, app(call("cloudKitDatabase: .none"), stage: custom)) == [])
    #expect(places(.customStageMirrored, app(call("cloudKitDatabase: .automatic"))) == [])
  }

  // MARK: Mirrored models

  /// Classes, and a container of them that mirrors.
  private func mirrored(_ members: String, database: String = ".automatic") -> String {
    """
    @Model final class Note {
      \(members)
      init() { }
    }
    @Model final class Tag { var notes: [Note]? }
    let cloud = ModelConfiguration(cloudKitDatabase: \(database))
    let c = try ModelContainer(for: Note.self, configurations: cloud)
    """
  }

  @Test func mirroredUniqueness() {
    let source = "@Attribute(.unique) var id: UUID = UUID()"
    #expect(
      findings(.mirroredUniqueness, mirrored(source)) == [
        "2: error: Note is unique by id, and its container mirrors to CloudKit, which refuses that"
      ])
    #expect(places(.mirroredUniqueness, mirrored(source, database: ".none")) == [])
    #expect(places(.mirroredUniqueness, mirrored("var id: UUID = UUID()")) == [])
  }

  /// Where it is decided when the app runs, it is checked as one that may mirror.
  @Test func mirroringThatMayBeOn() {
    let id = "@Attribute(.unique) var id: UUID = UUID()"
    #expect(
      findings(.mirroredUniqueness, mirrored(id, database: "isSyncing ? .private(\"iCloud.a\") : .none")) == [
        "2: warning: Note is unique by id, and its container may mirror to CloudKit, which refuses that"
      ])
    let either = "a ? .none : b ? .automatic : .none"
    #expect(places(.mirroredUniqueness, mirrored(id, database: either)) == ["2 warning"])
    #expect(skips(.mirroredUniqueness, mirrored(id, database: either)) == [])
    // Where the source has no setting that mirrors, it is said once, and not for each property.
    for value in ["Settings.database", "database()", "isOn ? other : .none"] {
      #expect(places(.mirroredUniqueness, mirrored(id, database: value)) == [], "\(value)")
      #expect(
        skips(.mirroredUniqueness, mirrored(id, database: value)) == [
          "whether the container mirrors to CloudKit is not decided here: the value of cloudKitDatabase: is decided when "
            + "the app runs; where it does, CloudKit refuses Note"
        ], "\(value)")
    }
    // Whatever is chosen.
    #expect(places(.mirroredUniqueness, mirrored(id, database: "a ? .automatic : .private(\"b\")")) == ["2 error"])
    #expect(places(.mirroredUniqueness, mirrored(id, database: "a ? .none : .none")) == [])
    let constant = "enum Settings { static let database: ModelConfiguration.CloudKitDatabase = .none }\n"
    #expect(places(.mirroredUniqueness, constant + mirrored(id, database: "Settings.database")) == [])
    #expect(
      places(.mirroredRequired, mirrored("var name: String", database: "a ? .automatic : .none")) == ["2 warning"])
    #expect(
      places(
        .mirroredRelationship, mirrored("@Relationship(inverse: \\Tag.notes) var tag: Tag", database: either))
        == ["2 warning"])
  }

  /// Which of some configurations the container gets is decided when the app runs.
  @Test func oneOfSomeConfigurations() {
    let source = """
      @Model final class Note { @Attribute(.unique) var id: UUID = UUID(); init() { } }
      let cloud = ModelConfiguration(cloudKitDatabase: .automatic)
      let c = try ModelContainer(for: Note.self, configurations: isOn ? cloud : ModelConfiguration(cloudKitDatabase: .none))
      """
    #expect(places(.mirroredUniqueness, source) == ["1 warning"])
    #expect(places(.mirroredUniqueness, source.replacing(".automatic", with: ".none")) == [])
    #expect(places(.mirroredUniqueness, source.replacing(".none", with: ".automatic")) == ["1 error"])
    // Without CloudKit in the entitlements nothing that is not stated can be on.
    let files = ["Note.swift": source.replacing("cloud :", with: "makeCloud() :")]
    #expect(
      lines(
        .mirroredUniqueness, files.merging(["App.entitlements": entitlements("CloudDocuments")]) { first, _ in first })
        == [])
  }

  /// A `var` may have another value by the time the container is made.
  @Test(arguments: ["let": 0, "var": 1]) func mirroringMayBeChanged(declared: String, count: Int) {
    let source = """
      @Model final class Note { @Attribute(.unique) var id: UUID = UUID(); init() { } }
      func make() throws {
        \(declared) local = ModelConfiguration(cloudKitDatabase: .none)
        _ = try ModelContainer(for: Note.self, configurations: local)
      }
      """
    #expect(places(.mirroredUniqueness, source) == [])
    #expect(skips(.mirroredUniqueness, source).count == count)
  }

  @Test func mirroredRequired() {
    #expect(
      findings(.mirroredRequired, mirrored("var name: String")) == [
        "2: error: Note.name is required and has no default, which CloudKit refuses"
      ])
    #expect(places(.mirroredRequired, mirrored("var name: String = \"\"; var date: Date?")) == [])
    #expect(places(.mirroredRequired, mirrored("var name: String", database: ".none")) == [])
  }

  @Test func mirroredRelationship() {
    #expect(
      findings(.mirroredRelationship, mirrored("@Relationship(inverse: \\Tag.notes) var tag: Tag")) == [
        "2: error: Note.tag is required, which CloudKit refuses"
      ])
    #expect(places(.mirroredRelationship, mirrored("@Relationship(inverse: \\Tag.notes) var tag: Tag?")) == [])
    #expect(
      places(.mirroredRelationship, mirrored("@Relationship(inverse: \\Tag.notes) var tags: [Tag] = []")) == [
        "2 warning"
      ])
    #expect(
      findings(
        .mirroredRelationship, mirrored("@Relationship(deleteRule: .deny, inverse: \\Tag.notes) var tag: Tag?"))
        == ["2: error: Note.tag denies deletion, which CloudKit refuses"])
    #expect(
      findings(.mirroredRelationship, mirrored("var tag: Other?") + "\n@Model final class Other { var a = 0 }") == [
        "2: error: Note.tag has no inverse, which CloudKit refuses"
      ])
  }

  @Test func mirroredRemoval() {
    let source = app(
      "let c = try ModelContainer(for: Note.self, migrationPlan: Plan.self, configurations: .init(cloudKitDatabase: .automatic))"
    ).replacing("var text = \"\" }", with: "var text = \"\"; var nick: String? }")
    #expect(
      findings(.mirroredRemoval, source) == [
        "11: warning: Note.nick of V1 is gone, and CloudKit keeps it: older versions of the app write it"
      ])
    #expect(places(.mirroredRemoval, source.replacing(".automatic", with: ".none")) == [])
    #expect(
      places(.mirroredRemoval, source.replacing(".automatic", with: "isOn ? .automatic : .none")) == ["11 warning"])
    let renamed = source.replacing("var n = 0", with: "@Attribute(originalName: \"nick\") var alias: String?")
    #expect(
      findings(.mirroredRemoval, renamed) == [
        "11: warning: Note.nick of V1 is renamed alias in V2, and CloudKit keeps both: older versions of the app write the "
          + "old one"
      ])
  }

  @Test func aRenameIsReportedInItsVersion() {
    let source = """
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
        static var stages: [MigrationStage] { [] }
      }
      enum V1: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] }
        @Model final class Note { var pinned = false } }
      enum V2: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] }
        @Model final class Note { @Attribute(originalName: "pinned") var isPinned = false } }
      enum V3: VersionedSchema { static var models: [any PersistentModel.Type] { [Note.self] }
        @Model final class Note { LAST } }
      let c = try ModelContainer(
        for: V3.Note.self, migrationPlan: Plan.self, configurations: .init(cloudKitDatabase: .automatic))
      """
    #expect(
      places(.mirroredRemoval, source.replacing("LAST", with: "var isPinned = false; var n = 0")) == ["8 warning"])
    // Removed after it was renamed.
    #expect(places(.mirroredRemoval, source.replacing("LAST", with: "var n = 0")) == ["8 warning", "10 warning"])
  }

  // MARK: Several stores

  /// Notes that are mirrored, and drafts that stay on this device.
  private func split(_ configurations: String, before: String = "", arguments: String = "cloud, local") -> String {
    """
    @Model final class Note { @Attribute(.unique) var id: String = ""; @Relationship(inverse: \\Tag.notes) var tags: [Tag]? }
    @Model final class Tag { @Attribute(.unique) var name: String = ""; var notes: [Note]? }
    @Model final class Draft { @Attribute(.unique) var id: UUID; var text: String; init() { } }
    \(before)
    struct Stores {
      func open() throws -> ModelContainer {
        \(configurations)
        return try ModelContainer(for: Note.self, Tag.self, Draft.self, configurations: \(arguments))
      }
    }
    """
  }

  @Test(arguments: [
    """
    let cloud = ModelConfiguration("Cloud", schema: Schema([Note.self]), cloudKitDatabase: .private("iCloud.notes"))
    let local = ModelConfiguration("Local", schema: Schema([Draft.self]), cloudKitDatabase: .none)
    """,
    """
    let cloudSchema = Schema([Note.self, Tag.self])
    let localSchema = Schema([Draft.self])
    let cloud = ModelConfiguration(schema: cloudSchema, url: .documentsDirectory, cloudKitDatabase: .automatic)
    let local = ModelConfiguration(schema: localSchema, url: .cachesDirectory, cloudKitDatabase: .none)
    """,
    """
    let cloud = ModelConfiguration("Cloud", cloudKitDatabase: .automatic)
    let local = ModelConfiguration("Local", schema: Schema([Draft.self]), cloudKitDatabase: .none)
    """,
    """
    let cloud = ModelConfiguration(schema: Schema(Cloud.models), cloudKitDatabase: .automatic)
    let local = ModelConfiguration(for: Draft.self, isStoredInMemoryOnly: true)
    """,
  ])
  func aClassOfALocalStoreIsNotMirrored(configurations: String) {
    let source = split(
      configurations, before: "enum Cloud { static let models: [any PersistentModel.Type] = [Note.self, Tag.self] }")
    #expect(places(.mirroredUniqueness, source) == ["1 error", "2 error"])
    #expect(places(.mirroredRequired, source) == [])
    #expect(skips(.mirroredUniqueness, source) == [])
  }

  @Test func onlyTheStoreThatMirrorsCounts() {
    let source = split(
      """
      let cloud = ModelConfiguration("A", schema: Schema([Note.self, Tag.self]), cloudKitDatabase: .none)
          let local = ModelConfiguration("B", schema: Schema([Draft.self]))
      """)
    #expect(places(.mirroredUniqueness, source) == [])
    #expect(
      lines(.mirroredUniqueness, ["Notes.swift": source, "App.entitlements": entitlements()]) == [
        "Notes.swift:3: error: Draft is unique by id, and its container mirrors to CloudKit, which refuses that"
      ])
    #expect(
      lines(.mirroredRequired, ["Notes.swift": source, "App.entitlements": entitlements()]).count == 2)
  }

  @Test func oneStoreInMemoryLeavesTheOtherMirrored() {
    let source = split(
      """
      let cloud = ModelConfiguration(schema: Schema([Note.self]), cloudKitDatabase: .automatic)
          let local = ModelConfiguration(schema: Schema([Draft.self]), isStoredInMemoryOnly: true)
      """)
    #expect(places(.mirroredUniqueness, source) == ["1 error", "2 error"])
  }

  @Test func aSplitThatIsNotKnownIsSaid() {
    let source = split(
      """
      let cloud = ModelConfiguration("A", cloudKitDatabase: .automatic)
          let local = ModelConfiguration("B", schema: makeSchema(), cloudKitDatabase: .none)
      """)
    #expect(places(.mirroredUniqueness, source) == [])
    #expect(
      skips(.mirroredUniqueness, source) == ["which classes the container's configurations are for is not known"])
    // A single configuration is for all classes, whatever its schema is.
    let one = split(
      "let schema = makeSchema()\n    let cloud = ModelConfiguration(schema: schema, cloudKitDatabase: .automatic)",
      arguments: "cloud")
    #expect(places(.mirroredUniqueness, one) == ["1 error", "2 error", "3 error"])
  }

  @Test func whatALocalStoreDropsIsNotKeptByCloudKit() {
    let source = app(
      """
      let cloud = ModelConfiguration(schema: Schema([Tag.self]), cloudKitDatabase: .automatic)
      let local = ModelConfiguration(schema: Schema([Note.self]), cloudKitDatabase: .none)
      let c = try ModelContainer(for: Note.self, Tag.self, migrationPlan: Plan.self, configurations: cloud, local)
      @Model final class Tag { var name = "" }
      """
    ).replacing("var text = \"\" }", with: "var text = \"\"; var nick: String? }")
    #expect(places(.mirroredRemoval, source) == [])
    #expect(places(.mirroredRemoval, source.replacing("[Tag.self]", with: "[Note.self, Tag.self]")) == ["11 warning"])
  }

  // MARK: Entitlements

  private func entitlements(_ services: String = "CloudKit", _ container: String = "<string>iCloud.notes</string>")
    -> String
  {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
      <key>com.apple.developer.icloud-container-identifiers</key><array>\(container)</array>
      <key>com.apple.developer.icloud-services</key><array><string>\(services)</string></array>
    </dict></plist>
    """
  }

  private let unsaid = """
    @Model final class Note {
      @Attribute(.unique) var name: String
      init() { }
    }
    let c = try ModelContainer(for: Note.self)
    """

  private func entitled(_ source: String, _ entitlements: String, at path: String = "App/App.entitlements") -> [String]
  {
    lines(.mirroredUniqueness, ["App/Sources/Note.swift": source, path: entitlements])
  }

  @Test func theEntitlementTurnsMirroringOn() {
    #expect(
      entitled(unsaid, entitlements()) == [
        "App/Sources/Note.swift:2: error: Note is unique by name, and its container mirrors to CloudKit, which refuses that"
      ])
    #expect(
      lines(.mirroredRequired, ["Note.swift": unsaid, "App.entitlements": entitlements()]).count == 1)
    #expect(places(.mirroredUniqueness, unsaid) == [])
    // Entitlements for iCloud Drive only.
    #expect(entitled(unsaid, entitlements("CloudDocuments")) == [])
    #expect(entitled(unsaid, entitlements("CloudDocuments", "")) == [])
    #expect(entitled(unsaid, "no property list") == [])
  }

  /// Containers may be filled in when the app is built or signed: that is said once. Where neither list has an entry,
  /// there is no CloudKit.
  @Test func theEntitlementMayComeLater() {
    for container in ["", "<string>$(CLOUD_CONTAINER)</string>"] {
      #expect(entitled(unsaid, entitlements("CloudKit", container)) == [])
      #expect(
        skips(
          .mirroredUniqueness, ["App/Note.swift": unsaid, "App/App.entitlements": entitlements("CloudKit", container)])
          == [
            "whether the container mirrors to CloudKit is not decided here: 'App/App.entitlements' has CloudKit, and no "
              + "container yet; where it does, CloudKit refuses Note"
          ])
    }
    #expect(entitled(unsaid, entitlements("CloudKit", "<string>iCloud.$(BUNDLE)</string>")).count == 1)
    let empty = entitlements("", "").replacing("<string></string>", with: "")
    #expect(entitled(unsaid, empty) == [])
    #expect(skips(.mirroredUniqueness, ["App/Note.swift": unsaid, "App/App.entitlements": empty]) == [])
    // An app with the key-value store alone has an empty list of containers too.
    let keyValues = empty.replacing("icloud-services", with: "ubiquity-kvstore-identifier")
    #expect(entitled(unsaid, keyValues) == [])
    #expect(
      entitled(
        unsaid.replacing("(for: Note.self", with: "(for: Note.self, configurations: .init(cloudKitDatabase: .none)"),
        empty)
        == [])
  }

  @Test(arguments: [
    (", configurations: ModelConfiguration(cloudKitDatabase: .none)", 0),
    (", configurations: ModelConfiguration(isStoredInMemoryOnly: true)", 0),
    (", configurations: makeConfiguration()", 1), (", configurations: configuration", 1),
  ])
  func whatTheConfigurationSaysComesFirst(argument: String, undecided: Int) {
    let source = unsaid.replacing("(for: Note.self", with: "(for: Note.self" + argument)
    #expect(entitled(source, entitlements()) == [])
    #expect(
      skips(.mirroredUniqueness, ["App/Note.swift": source, "App/App.entitlements": entitlements()]).count == undecided)
  }

  /// Two projects in one repository are two apps, if one does not stand in the other.
  @Test func entitlementsAreThoseOfTheProject() {
    let (mine, other) = ("Mine/Mine.xcodeproj/project.pbxproj", "Other/Other.xcodeproj/project.pbxproj")
    let files = ["Mine/Note.swift": unsaid, "Other/App/Other.entitlements": entitlements()]
    #expect(lines(.mirroredUniqueness, files).count == 1)
    #expect(lines(.mirroredUniqueness, files.merging([mine: "{}", other: "{}"]) { $1 }) == [])
    #expect(lines(.mirroredUniqueness, files.merging([other: "{}"]) { $1 }).count == 1)
    #expect(
      lines(.mirroredUniqueness, files.merging([mine: "{}", "All.xcodeproj/project.pbxproj": "{}"]) { $1 }).count == 1)
    #expect(
      lines(.mirroredUniqueness, files.merging([mine: "{}", "Mine/Mine.entitlements": entitlements()]) { $1 }).count
        == 1)
  }

  @Test func theNearestEntitlementsAreThoseOfTheTarget() {
    let note = ["App/Sources/Note.swift": unsaid, "App/App.entitlements": entitlements("CloudDocuments")]
    let other = ["Other/Other.entitlements": entitlements()]
    #expect(lines(.mirroredUniqueness, note.merging(other) { first, _ in first }) == [])
    // The package may be part of an app with these entitlements.
    #expect(lines(.mirroredUniqueness, ["Kit/Note.swift": unsaid, "App/App.entitlements": entitlements()]).count == 1)
  }

  @Test func theLastConfigurationOfThatNameInTheFunctionCounts() {
    let source = """
      @Model final class Note { @Attribute(.unique) var name = "" }
      func one() throws {
        let configuration = ModelConfiguration(cloudKitDatabase: .none)
        try ModelContainer(for: Note.self, configurations: configuration)
      }
      func two() throws {
        let configuration = ModelConfiguration(cloudKitDatabase: .none)
        try ModelContainer(for: Note.self, configurations: configuration)
      }
      """
    #expect(entitled(source, entitlements()) == [])
    let mirrored = source.replacing(
      "ModelConfiguration(cloudKitDatabase: .none)\n  try", with: "ModelConfiguration()\n  try")
    #expect(entitled(mirrored, entitlements()).count == 1)
  }

  @Test func customStagesOfEntitledApps() {
    let custom = ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { c in }, didMigrate: nil)"
    let source = app("let c = try ModelContainer(for: Note.self, migrationPlan: Plan.self)", stage: custom)
    #expect(places(.customStageMirrored, source) == ["14 note"])
    #expect(
      lines(.customStageMirrored, ["App.swift": source, "App.entitlements": entitlements()]) == [
        "App.swift:14: warning: the container mirrors to CloudKit by 'App.entitlements', since no cloudKitDatabase: says "
          + "otherwise, and Plan has a custom stage, which other devices do not run"
      ])
    // These entitlements do not allow mirroring.
    #expect(
      lines(.customStageMirrored, ["App.swift": source, "App.entitlements": entitlements("CloudDocuments")]) == [])
    #expect(
      lines(
        .customStageMirrored,
        [
          "App/App.swift": source, "App/App.entitlements": entitlements("CloudDocuments"),
          "Other/Other.entitlements": entitlements(),
        ]
      ).count == 1)
  }

  // MARK: Failing

  private func opening(_ handling: String, more: String = "") -> String {
    """
    @Model final class Note { var text = "" }
    func open() {
      do { container = try ModelContainer(for: Note.self) } catch {
        \(handling)
      }
    }
    \(more)
    """
  }

  @Test func fatalContainer() {
    #expect(
      findings(.fatalContainer, opening("fatalError(\"\\(error)\")")) == [
        "4: warning: fatalError ends the app where the container cannot be made, without a word to the user"
      ])
    #expect(places(.fatalContainer, opening("failure = error")) == [])
    let forced = "@Model final class Note { var text = \"\" }\nlet c = try! ModelContainer(for: Note.self)"
    #expect(places(.fatalContainer, forced) == ["2 warning"])
    let preview =
      "@Model final class Note { var text = \"\" }\n"
      + "let c = try! ModelContainer(for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))"
    #expect(places(.fatalContainer, preview) == [])
  }

  /// What never gets the container's error, or no user's build has, is not reported.
  @Test(arguments: [
    ("do { c = try! ModelContainer(for: Note.self) } catch {\nfatalError() }", ["2 warning"]),
    ("do { c = try? ModelContainer(for: Note.self) } catch { fatalError() }", []),
    ("do { c = try ModelContainer(for: Note.self) } catch {\n#if DEBUG\nfatalError()\n#endif\n}", []),
    ("do { c = try ModelContainer(for: Note.self) } catch {\n#if !DEBUG\nlog()\n#else\nfatalError()\n#endif\n}", []),
    ("do { c = try ModelContainer(for: Note.self) } catch {\n#if !DEBUG\nfatalError()\n#endif\n}", ["4 warning"]),
    (
      "do { c = try ModelContainer(for: Note.self) } catch { do { c = try ModelContainer(for: Note.self, "
        + "configurations: .init(isStoredInMemoryOnly: true)) } catch { fatalError() } }", []
    ),
    (
      "do { c = try ModelContainer(for: Note.self) } catch { do { c = try ModelContainer(for: Note.self) } catch {"
        + "\nfatalError() } }", ["3 warning"]
    ),
  ])
  func endsThatNoUserMeets(code: String, expected: [String]) {
    #expect(places(.fatalContainer, "@Model final class Note { var n = 0 }\nfunc open() { \(code) }") == expected)
  }

  @Test func aPreviewIsNoUsersApp() {
    let preview = "do { c = try ModelContainer(for: Note.self) } catch { fatalError() }"
    #expect(
      places(
        .fatalContainer,
        """
        @Model final class Note { var n = 0 }
        #Preview { struct Wrapper: View { init() { \(preview) } }; return Wrapper() }
        """) == [])
  }

  /// A function that makes a container by what callers say fails for each of them by itself.
  @Test func onlyCallersOfStoresOnDiskAreAsked() {
    let source = """
      @Model final class Note { var n = 0 }
      func make(memoryOnly: Bool = false) throws -> ModelContainer {
        try ModelContainer(for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: memoryOnly))
      }
      let stub = try! make(memoryOnly: true)
      """
    #expect(places(.fatalContainer, source) == [])
    #expect(places(.fatalContainer, source + "\nlet app = try! make()") == ["6 warning"])
    let store = """
      @Model final class Note { var n = 0 }
      final class Store {
        init(inMemory: Bool = false) throws {
          let configuration: ModelConfiguration
          if inMemory { configuration = ModelConfiguration(isStoredInMemoryOnly: true) } else {
            configuration = ModelConfiguration(cloudKitDatabase: .none) }
          container = try ModelContainer(for: Note.self, configurations: configuration)
        }
      }
      func open() -> Store { do { return try Store() } catch { return try! Store(inMemory: true) } }
      """
    #expect(places(.fatalContainer, store) == [])
    #expect(places(.fatalContainer, store.replacing("Store(inMemory: true)", with: "Store()")) == ["10 warning"])
  }

  @Test(arguments: [
    ("guard let c = try? ModelContainer(for: Note.self) else {\nfatalError() }", ["3 warning"]),
    ("if let c = try? ModelContainer(for: Note.self) { use(c) } else {\nfatalError() }", ["3 warning"]),
    ("if let c = try? ModelContainer(for: Note.self) { fatalError() } else { failed = true }", []),
    ("guard isReady else { fatalError() }\nlet c = try? ModelContainer(for: Note.self)", []),
    ("guard let c = try? ModelContainer(for: Note.self) else { return }", []),
  ])
  func theElseOfAnOptionalTry(code: String, expected: [String]) {
    #expect(places(.fatalContainer, "@Model final class Note { var n = 0 }\nfunc open() { \(code) }") == expected)
  }

  /// An app whose scene passes the result to a closure that begins in line 5.
  private func setup(_ body: String, more: String = "") -> String {
    """
    @Model final class Note { var text = "" }
    @main struct NotesApp: App {
      var body: some Scene {
        WindowGroup { ContentView() }
          .modelContainer(for: [Note.self], isUndoEnabled: true) { result in
          \(body)
          }
      }
      \(more)
    }
    """
  }

  @Test(arguments: [
    (
      "switch result {\ncase .success(let c): seed(c)\ncase .failure(let error):\nfatalError(\"\\(error)\")\n}",
      ["9 warning"]
    ),
    ("if case .failure(let error) = result { fatalError(\"\\(error)\") }", ["6 warning"]),
    ("guard case .success(let container) = result else {\nfatalError()\n}\nseed(container)", ["7 warning"]),
    ("guard let container = try? result.get() else { preconditionFailure() }", ["6 warning"]),
    ("do { seed(try result.get()) } catch { fatalError() }", ["6 warning"]),
    ("let container = try! result.get()", ["6 warning"]),
    ("if case .failure(let error) = result { failure = error }", []),
    ("switch result {\ncase .success(let c): if c.isOld { fatalError() }\ncase .failure: break\n}", []),
    ("guard let n = try? parse() else { fatalError() }", []),
  ])
  func theClosureThatGetsTheResult(body: String, expected: [String]) {
    #expect(places(.fatalContainer, setup(body)) == expected)
  }

  @Test func theClosureThatGetsTheResultMayDelete() {
    let reset = "func reset() { try? FileManager.default.removeItem(at: storeURL) }"
    #expect(
      places(.storeDeleted, setup("if case .failure = result { reset() }", more: reset)) == ["9 error"])
    #expect(places(.storeDeleted, setup("if case .success = result { reset() }", more: reset)) == [])
  }

  /// If callers have to handle the failure, the check reports that it did not look there.
  @Test(arguments: [
    ("throws -> ModelContainer { try ModelContainer(for: Note.self) }", 1),
    ("throws -> ModelContainer { try .init(for: Note.self) }", 1),
    ("{ Task { container = try ModelContainer(for: Note.self) } }", 1),
    ("-> ModelContainer? { try? ModelContainer(for: Note.self) }", 0),
    ("-> ModelContainer { try! ModelContainer(for: Note.self) }", 0),
    ("-> ModelContainer? { do { return try ModelContainer(for: Note.self) } catch { return nil } }", 0),
    (
      "throws -> ModelContainer { try ModelContainer(for: Note.self, configurations: .init(isStoredInMemoryOnly: true)) }",
      0
    ),
  ])
  func aFailureMayBeLeftToCallers(function: String, count: Int) {
    let source = "@Model final class Note { var text = \"\" }\nfunc make() \(function)"
    for check in [LintCheck.fatalContainer, .storeDeleted, .memoryFallback] {
      #expect(
        skips(check, source)
          == Array(
            repeating: "what is done where this container cannot be made is up to callers of its function", count: count
          ))
    }
  }

  /// A failure that is a value is followed to what callers do with it.
  @Test(arguments: [
    (
      "make() -> (ModelContainer?, Error?) { do { return (try ModelContainer(for: Note.self), nil) } catch { return (nil, error) } }",
      [
        "let (container, error) = make(); if let error { WIPE }",
        "let (container, error) = make(); if error != nil { WIPE }",
        "let (container, error) = make(); guard let container else { WIPE; return }",
        "let (container, failure) = make(); guard failure == nil else { WIPE; return }",
        "let (container, error) = make(); if container == nil { WIPE }",
      ]
    ),
    (
      "make() -> Result<ModelContainer, Error> { do { return .success(try ModelContainer(for: Note.self)) } catch { return .failure(error) } }",
      [
        "switch make() { case .success(let c): use(c); case .failure: WIPE }",
        "let result = make(); switch result { case .success(let c): use(c); default: WIPE }",
        "if case .failure(let error) = make() { WIPE }", "guard case .success(let c) = make() else { WIPE; return }",
        "let made = make(); if case .success(let c) = made { use(c) } else { WIPE }",
        "let made = make(); do { use(try made.get()) } catch { WIPE }",
      ]
    ),
    (
      "make() -> Result<ModelContainer, Error> { Result { try ModelContainer(for: Note.self) } }",
      ["switch make() { case .success(let c): use(c); case .failure: WIPE }", "if case .failure = make() { WIPE }"]
    ),
    (
      "make() -> ModelContainer? { do { return try ModelContainer(for: Note.self) } catch { return nil } }",
      ["guard let c = make() else { WIPE; return }", "let c = make(); if c == nil { WIPE }"]
    ),
    (
      "make() -> ModelContainer? { try? ModelContainer(for: Note.self) }",
      ["guard let c = make() else { WIPE; return }", "if let c = make() { use(c) } else { WIPE }"]
    ),
    (
      "inner() -> Result<ModelContainer, Error> { Result { try ModelContainer(for: Note.self) } }\nfunc make() -> Result<ModelContainer, Error> { inner() }",
      ["if case .failure = make() { WIPE }"]
    ),
  ])
  func failuresThatAreValues(function: String, callers: [String]) {
    for caller in callers {
      func source(_ caller: String) -> String {
        "@Model final class Note { var text = \"\" }\nfunc \(function)\nfunc open() { \(caller) }"
      }
      let wiping = source(caller.replacing("WIPE", with: Self.wipe))
      #expect(places(.storeDeleted, wiping).map { $0.split(separator: " ").last } == ["error"], "\(wiping)")
      #expect(skips(.storeDeleted, wiping) == [], "\(wiping)")
      #expect(places(.storeDeleted, source(caller.replacing("WIPE", with: "show()"))) == [], "\(caller)")
    }
    let unasked = "@Model final class Note { var text = \"\" }\nfunc \(function)\nfunc open() { store(make()) }"
    #expect(skips(.storeDeleted, unasked).count == (function.contains("Error") ? 1 : 0), "\(unasked)")
  }

  private func openingCopy(in place: String) -> String {
    """
    @Model final class Note { var text = "" }
    func open() throws {
      let folder = \(place).appending(path: "copy")
      let store = folder.appending(path: "a.store")
      do {
        let configuration = ModelConfiguration(url: store, allowsSave: true)
        container = try ModelContainer(for: Note.self, configurations: configuration)
      } catch {
        try? manager.removeItem(at: folder)
      }
    }
    """
  }

  @Test func storeDeleted() {
    #expect(
      findings(.storeDeleted, opening("try? FileManager.default.removeItem(at: storeURL)")) == [
        "4: error: removeItem where the container cannot be made: the user's data is lost"
      ])
    #expect(
      findings(
        .storeDeleted, opening("try? manager.copyItem(at: storeURL, to: backup); try? manager.removeItem(at: storeURL)")
      )
        == [
          "4: warning: removeItem where the container cannot be made: the user's data is lost but for the copy made before"
        ])
    #expect(places(.storeDeleted, opening("try? manager.moveItem(at: storeURL, to: backup)")) == [])
    // A helper is looked into.
    #expect(
      places(.storeDeleted, opening("reset()", more: "func reset() {\n  try? manager.removeItem(at: storeURL)\n}"))
        == ["8 error"])
    #expect(
      places(.storeDeleted, opening("for e in [\"wal\"] { log(storeURL.appendingPathExtension(\"wal\")) }"))
        == ["4 note"])
    // A copy in the folder for temporary files is no user's data.
    #expect(places(.storeDeleted, openingCopy(in: "manager.temporaryDirectory")) == [])
    #expect(places(.storeDeleted, openingCopy(in: "URL(filePath: NSTemporaryDirectory())")) == [])
    #expect(places(.storeDeleted, openingCopy(in: "URL.documentsDirectory")) == ["9 error"])
    // Deleting files elsewhere is not reported.
    #expect(
      places(.storeDeleted, opening("failure = error", more: "func tidy() { try? manager.removeItem(at: cache) }"))
        == [])
  }

  @Test func memoryFallback() {
    let memory = "ModelContainer(for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))"
    #expect(
      findings(.memoryFallback, opening("container = try! \(memory)")) == [
        "4: warning: where the container cannot be made, one in memory takes its place: what is entered is lost"
      ])
    #expect(places(.memoryFallback, opening("failure = error") + "\nlet preview = try! \(memory)") == [])
    // A function that makes it is looked into, with the values that are passed.
    let helper = "func inMemory() -> ModelContainer { try! \(memory) }"
    #expect(places(.memoryFallback, opening("container = inMemory()", more: helper)) == ["7 warning"])
    #expect(places(.memoryFallback, opening("failure = error", more: helper)) == [])
    let either =
      "func make(inMemory: Bool) throws -> ModelContainer { try ModelContainer(for: Note.self, configurations: "
      + "ModelConfiguration(isStoredInMemoryOnly: inMemory)) }"
    #expect(places(.memoryFallback, opening("container = try? make(inMemory: true)", more: either)) == ["7 warning"])
    #expect(places(.memoryFallback, opening("container = try? make(inMemory: false)", more: either)) == [])
    let testing =
      "func again() throws -> ModelContainer { if isTest { return try \(memory) }; return try ModelContainer(for: Note.self) }"
    #expect(places(.memoryFallback, opening("container = try? again()", more: testing)) == [])
  }

  // MARK: Targets

  /// What stands in a file that a project builds into none of its targets is no mistake of the app.
  @Test func filesOfNoTarget() {
    let app = "import SwiftData\nlet container = try! ModelContainer(for: Note.self)\n@Model class Note { init() {} }"
    let old = "import SwiftData\nlet other = try! ModelContainer(for: Old.self)\n@Model class Old { init() {} }"
    func severities(_ project: String?, manifest: String? = nil) -> [String] {
      var texts = ["App/App.swift": app, "Old/Old.swift": old]
      texts["App.xcodeproj/project.pbxproj"] = project
      texts["Package.swift"] = manifest
      return lint(SourceProject(texts: texts)).lint.findings.filter { $0.check == "SD991" }.map {
        "\($0.place.file) \($0.severity)\($0.notes.map { " " + $0.message }.joined())"
      }
    }
    let both = ["App/App.swift warning", "Old/Old.swift warning"]
    #expect(
      severities(Self.project) == [
        both[0], "Old/Old.swift note this file is in no target of 'App.xcodeproj/project.pbxproj'",
      ])
    #expect(severities(nil) == both)
    // A package may have the file, and so may a target that another program builds.
    #expect(severities(Self.project, manifest: "let package = Package(targets: [.target(name: name)])") == both)
    #expect(severities(Self.project.replacing("PBXGroup", with: "PBXLegacyTarget")) == both)
    #expect(severities(Self.project.replacing("path = App.swift", with: "path = Main.swift")) == both)
    #expect(severities("broken") == both)
  }

  private static let project = """
    // !$*UTF8*$!
    { archiveVersion = 1; objectVersion = 56; rootObject = P; objects = {
    P = { isa = PBXProject; mainGroup = G; targets = (T); };
    G = { isa = PBXGroup; children = (A, O); sourceTree = "<group>"; };
    A = { isa = PBXGroup; path = App; children = (F); sourceTree = "<group>"; };
    O = { isa = PBXGroup; path = Old; children = (R); sourceTree = "<group>"; };
    F = { isa = PBXFileReference; path = App.swift; sourceTree = "<group>"; };
    R = { isa = PBXFileReference; path = Old.swift; sourceTree = "<group>"; };
    B = { isa = PBXBuildFile; fileRef = F; };
    S = { isa = PBXSourcesBuildPhase; files = (B); };
    T = { isa = PBXNativeTarget; name = App; buildPhases = (S); };
    }; }
    """

  // MARK: Ways to a wipe

  private static let wipe =
    "try? FileManager.default.removeItem(at: URL.documentsDirectory.appending(path: \"a.store\"))"

  /// `try?` whose value is asked later, `self.init`, and the functions of stored properties are followed.
  @Test(arguments: [
    ("let c = try? ModelContainer(for: Note.self)\nguard let c else {\nreset(); return }", ["5 error"]),
    ("current = try? ModelContainer(for: Note.self)\nif current == nil {\nreset() }", ["5 error"]),
    (
      "self.current = try? ModelContainer(for: Note.self)\nif let current { use(current) } else {\nreset() }",
      ["5 error"]
    ),
    ("current = try? ModelContainer(for: Note.self)\nif current != nil { reset() }", []),
    ("current = try? ModelContainer(for: Note.self)\nif other == nil { reset() }", []),
  ])
  func aValueThatIsNilLeadsToAWipe(code: String, expected: [String]) {
    let lines = code.split(separator: "\n").count
    let source = """
      @Model final class Note { var text = "" }
      func open() {
      \(code)
      \(String(repeating: "\n", count: 3 - lines))}
      func reset() { \(Self.wipe) }
      """
    // The wipe stands in the helper.
    let expected = expected.isEmpty ? [] : ["7 error"]
    #expect(places(.storeDeleted, source) == expected, "\(source)")
  }

  @Test func initialisersThatCallEachOtherAreFollowed() {
    let source = """
      @Model final class Note { var text = "" }
      final class Store {
        init(container: ModelContainer) { self.container = container }
        convenience init() {
          do { try self.init(url: Store.place) } catch {
            \(Self.wipe)
            fatalError() } }
        convenience init(url: URL) throws {
          self.init(container: try ModelContainer(for: Note.self, configurations: ModelConfiguration(url: url))) }
      }
      """
    #expect(places(.storeDeleted, source) == ["6 error"])
    #expect(places(.fatalContainer, source) == ["7 warning"])
    #expect(skips(.fatalContainer, source) == [])
  }

  @Test(arguments: ["let files: Files", "let files = Files()", "var files: Files?"])
  func theFunctionsOfStoredPropertiesAreLookedInto(property: String) {
    let source = """
      @Model final class Note { var text = "" }
      final class Store {
        \(property)
        func open() { do { c = try ModelContainer(for: Note.self) } catch { files.clear() } }
      }
      struct Files {
        func clear() { \(Self.wipe) }
        init() {}
      }
      """
    #expect(places(.storeDeleted, source) == (property.hasSuffix("?") ? [] : ["7 error"]))
  }

  /// What removes a store and is not reached is said once, with the place.
  @Test func wipesThatAreNotReachedAreSaid() {
    let source = """
      @Model final class Note { var text = "" }
      final class Store {
        func open() { do { c = try ModelContainer(for: Note.self) } catch { failure = error } }
        func recover() { if failure != nil { \(Self.wipe) } }
        func tidy() { try? FileManager.default.removeItem(at: cache) }
      }
      """
    #expect(places(.storeDeleted, source) == [])
    #expect(
      skips(.storeDeleted, source) == [
        "removeItem here removes what looks like a store: whether that is done where a container cannot be made is not "
          + "followed"
      ])
    #expect(skips(.storeDeleted, source.replacing("failure = error", with: "recover()")) == [])
    #expect(places(.storeDeleted, source.replacing("failure = error", with: "recover()")) == ["4 error"])
  }

  @Test func aWipeInDebugBuildsAloneIsANote() {
    #expect(
      findings(.storeDeleted, opening("#if DEBUG\n\(Self.wipe)\n#endif")) == [
        "5: note: removeItem where the container cannot be made: the user's data is lost, in debug builds alone"
      ])
  }

  @Test func groupsThatTheProjectRegistersMoveTheStore() throws {
    let source = opening(
      "try? FileManager.default.removeItem(at: URL.applicationSupportDirectory.appending(path: \"default.store\"))"
    )
    .replacing("for: Note.self", with: "for: Note.self, configurations: ModelConfiguration()")
    func notes(_ settings: String) -> [String] {
      let subject = LintSubject(
        SourceProject(texts: ["App.swift": source, "App.xcodeproj/project.pbxproj": settings]))
      return LintCheck.storeDeleted.findings(in: subject).findings.flatMap(\.notes).map(\.message)
    }
    #expect(notes("{ REGISTER_APP_GROUPS = YES; }").contains { $0.contains("registers app groups") })
    #expect(!notes("{}").contains { $0.contains("registers app groups") })
  }
}
