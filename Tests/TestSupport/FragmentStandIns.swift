/// What fragments of SwiftData source in pages lean on: the parts of SwiftData around models, and the few classes and
/// versions that pages speak of without declaring them.
public enum FragmentStandIns {
  /// The compiler's messages about whole files of one module, together with the stand-ins.
  public static func complaints(aboutFiles files: [String]) throws -> String {
    try SwiftCompiler.complaints(
      aboutFiles: [SwiftDataStandIns.declarations, plans]
        + files.map { SwiftDataStandIns.withoutMacros($0).replacing("@Model ", with: "") })
  }

  /// The compiler's messages about fragments, each by itself and told by its place; names that a fragment uses and does not
  /// declare are taken for the reader's.
  public static func complaints(about fragments: [(place: String, text: String)]) throws -> [String] {
    var lines = ["import Foundation"]
    var places = [""]
    for (number, fragment) in fragments.enumerated() {
      let wrapped = wrapped(SwiftDataStandIns.withoutMacros(fragment.text + "\n"), number: number)
      let own = wrapped.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      lines += own
      places += own.map { _ in fragment.place }
    }
    let answer = try SwiftCompiler.complaints(
      aboutFiles: [lines.joined(separator: "\n"), SwiftDataStandIns.declarations, plans, context],
      ignoring: "error: cannot find ")
    return answer.split(separator: "\n").filter { $0.hasPrefix("Source") }.map { complaint in
      guard let match = complaint.firstMatch(of: #/^Source0\.swift:(\d+):\d+: (.*)/#), let line = Int(match.1),
        places.indices.contains(line - 1)
      else { return String(complaint) }
      return "\(places[line - 1]): \(match.2)"
    }
  }

  /// A fragment where such a thing stands: in a type, in a function, or as an argument of a stage.
  private static func wrapped(_ text: String, number: Int) -> String {
    let first =
      text.split(separator: "\n").map { $0.drop { $0 == " " } }.first { !$0.hasPrefix("//") && !$0.isEmpty } ?? ""
    let word = first.prefix { $0.isLetter || $0 == "@" || $0 == "." || $0 == "#" }
    let name = "Fragment\(number)"
    if text.contains(#/(?m)^\.modelContainer/#) {
      return
        "func fragment\(number)() throws {\n\(text.replacing(#/(?m)^\.modelContainer/#, with: "View().modelContainer"))\n}"
    }
    switch word {
    case "enum", "extension", "struct", "typealias", "class", "final", "@Model", "@available", "func", "static",
      "nonisolated", "private":
      // No extension stands in a type.
      return "enum \(name) {\n\(text.replacing(#/(?m)^extension /#, with: "enum "))\n}"
    case "do", "for", "try", "if", "guard", "descriptor.relationshipKeyPathsForPrefetching", "ModelConfiguration",
      "Tests",
      "let", "#Predicate":
      return "func fragment\(number)() throws {\n\(text)\n}"
    case "catch": return "func fragment\(number)() throws {\ndo { try Void() } \(text)\n}"
    case ".custom", ".lightweight":
      return "enum \(name) { static let stages: [MigrationStage] = [\n\(text)\n] }"
    case "willMigrate": return "let stage\(number) = stage(\n\(text)\n)"
    case "didMigrate": return "let stage\(number) = stage(willMigrate: nil,\n\(text)\n)"
    default: return "final class \(name): Holder { override init() {}\n\(text)\n}"
    }
  }

  private static let plans = """
    import Foundation

    public protocol SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { get }
      static var stages: [MigrationStage] { get }
    }
    public enum MigrationStage {
      case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
      case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)
    }
    public struct ModelConfiguration {
      public struct CloudKitDatabase {
        public static let automatic = Self(), none = Self()
        public static func `private`(_ name: String) -> Self { Self() }
      }
      public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic
      ) {}
      public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic
      ) {}
    }
    public final class ModelContainer {
      public init(
        for types: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
      ) throws {}
      public init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
      ) throws {}
      public init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: [ModelConfiguration]
      ) throws {}
      public var mainContext: ModelContext { ModelContext(self) }
    }
    public struct FetchDescriptor<T: PersistentModel> {
      public init() {}
      public var relationshipKeyPathsForPrefetching: [PartialKeyPath<T>] = []
    }
    public final class ModelContext {
      public init(_ container: ModelContainer) {}
      public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] { [] }
      public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int { 0 }
      public func insert<T: PersistentModel>(_ model: T) {}
      public func delete<T: PersistentModel>(_ model: T) {}
      public func delete<T: PersistentModel>(model: T.Type) throws {}
      public func save() throws {}
    }
    """

  private static let context = """
    import Foundation

    extension VersionedSchema {
      static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
      static var models: [any PersistentModel.Type] { [] }
    }
    extension SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [] }
      static var stages: [MigrationStage] { [] }
    }
    func stage(
      willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)? = nil
    ) {}
    class Holder { init() {} }
    var descriptor = FetchDescriptor<Note>()
    class Note {
      var text = "", rank = 0, size = 0, pinned = false, a = 0, b = 0, date = Date.now, tags: [Tag] = []
      required init() {}
    }
    class Tag: Hashable {
      var name = "", notes: [Note] = []
      init() {}
      static func == (left: Tag, right: Tag) -> Bool { left === right }
      func hash(into hasher: inout Hasher) {}
    }
    class Trip { var name = ""; init() {} }
    class Task { var status = 0, statusRaw = ""; init() {} }
    struct View { func modelContainer(for types: [any PersistentModel.Type]) {}; func modelContainer(for type: any PersistentModel.Type) {} }
    enum V1: VersionedSchema {
      class Note { var text = "", rank = 0; init() {} }
      class Tag { init() {} }
      class Person { init() {} }
    }
    enum V2: VersionedSchema {
      class Note { var text = "", rank = 0; init() {} }
      class Tag { init() {} }
      class Person { init() {} }
    }
    enum V3: VersionedSchema {
      class Note { var text = "", rank = 0; init() {} }
      class Tag { init() {} }
      class Person { init() {} }
    }
    enum V4: VersionedSchema {
      class Note { var text = "", rank = 0; init() {} }
      class Tag { init() {} }
      class Person { init() {} }
    }
    """
}
