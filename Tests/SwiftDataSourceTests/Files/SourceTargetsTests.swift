import StoreSwiftDataSchemas
import Testing

@testable import SwiftDataSource

/// Which target a file is built into; classes of different targets are different classes.
@Suite struct SourceTargetsTests {
  /// A project that lists files for one target; another target has a folder, without one of its files, and shares
  /// another one.
  private let project = """
    // !$*UTF8*$!
    { objects = {
      P = { isa = PBXProject; mainGroup = G; projectDirPath = ""; };
      G = { isa = PBXGroup; children = (A, B, S, ); sourceTree = "<group>"; };
      A = { isa = PBXGroup; children = (F1 /* Note.swift */); path = App; sourceTree = "<group>"; };
      B = { isa = PBXGroup; children = (F2); name = Old; path = "App/Old Files"; sourceTree = SOURCE_ROOT; };
      F1 = { isa = PBXFileReference; path = Note.swift; sourceTree = "<group>"; };
      F2 = { isa = PBXFileReference; path = Tag.swift; sourceTree = "<group>"; };
      S = { isa = PBXFileSystemSynchronizedRootGroup; exceptions = (E1, E2, ); path = Widget; sourceTree = "<group>"; };
      E1 = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (Out.swift, ); target = T2; };
      E2 = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (Both.swift, ); target = T1; };
      BF = { isa = PBXBuildFile; fileRef = F1; }; BG = { isa = PBXBuildFile; fileRef = F2; };
      SO = { isa = PBXSourcesBuildPhase; files = (BF, BG, ); };
      T1 = { isa = PBXNativeTarget; name = "My App"; buildPhases = (SO, ); };
      T2 = { isa = PBXNativeTarget; name = Widget; fileSystemSynchronizedGroups = (S, ); };
    }; rootObject = P; }
    """

  @Test(arguments: [
    ("Code/App/Note.swift", ["My App"]), ("Code/App/Old Files/Tag.swift", ["My App"]),
    ("Code/App/Unlisted.swift", []), ("Code/./Widget/deep/View.swift", ["Widget"]), ("Code/Widget/Out.swift", []),
    ("Code/Widget/Both.swift", ["My App", "Widget"]), ("Other/Widget/View.swift", []),
  ])
  func aProjectOfXcodeSaysItsTargets(path: String, names: [String]) {
    let file = FoundFile(path: "Code/My.xcodeproj/project.pbxproj", bytes: Array(project.utf8))
    #expect(SourceTargets(projects: [file], manifests: []).targets(of: path).map(\.name).sorted() == names)
  }

  @Test(arguments: [
    ("Kit/Sources/Kit/A.swift", ["Kit"]), ("Kit/Models/A.swift", ["Models"]),
    ("Kit/Tests/KitTests/A.swift", ["KitTests"]),
    ("Kit/Sources/Other/A.swift", []),
  ])
  func aManifestSaysItsTargets(path: String, names: [String]) {
    let text = """
      let package = Package(name: "Kit", targets: [
        .target(name: "Kit", dependencies: [.target(name: "Models")]),
        .target(name: "Models", path: "Models"), .testTarget(name: "KitTests"),
      ])
      """
    let file = FoundFile(path: "Kit/Package.swift", bytes: Array(text.utf8))
    #expect(Set(SourceTargets(projects: [], manifests: [file]).targets(of: path).map(\.name)) == Set(names))
  }

  /// Truncated and deeply nested lists are rejected; a valid one is parsed.
  @Test func anyProjectIsRead() {
    let bytes = Array(project.utf8)
    for end in stride(from: 0, to: bytes.count, by: 7) {
      let file = FoundFile(path: "A.xcodeproj/project.pbxproj", bytes: Array(bytes[..<end]))
      #expect(SourceTargets(projects: [file], manifests: []).targets(of: "App/Note.swift").isEmpty)
    }
    #expect(OldStyleList(Array(String(repeating: "(", count: 100_000).utf8)) == nil)
    #expect(OldStyleList(Array(#"{ a = "b\"\n"; c = (d, "e f" /* g */, ); }"#.utf8))?["a"]?.text == "b\"\n")
  }

  /// Groups inside one another, and targets that share a list, cost no more than they say; such a project says nothing.
  @Test func aHostileProjectIsGivenUp() {
    let groups = (0..<20_000).map {
      "G\($0) = { path = abcdefgh; sourceTree = \"<group>\"; children = (G\($0 + 1)); };"
    }
    let files = (0..<2_000).map { "F\($0), " }.joined()
    let targets = (0..<2_000).map { "T\($0) = { isa = PBXNativeTarget; name = T\($0); buildPhases = (S); };" }
    let text = """
      { objects = { P = { mainGroup = G0; }; S = { isa = PBXSourcesBuildPhase; files = (\(files)); };
      \(groups.joined())\(targets.joined()) }; rootObject = P; }
      """
    let file = FoundFile(path: "A.xcodeproj/project.pbxproj", bytes: Array(text.utf8))
    #expect(SourceTargets(projects: [file], manifests: []).targets(of: "A.swift").isEmpty)
    let deep = "let a = " + String(repeating: "if b { c } else ", count: 20_000) + "{ d }"
    let manifest = FoundFile(path: "Package.swift", bytes: Array(deep.utf8))
    #expect(SourceTargets(projects: [], manifests: [manifest]).targets(of: "Sources/A/A.swift").isEmpty)
  }

  private func entities(_ texts: [String: String], of container: String) -> [String] {
    let reading = SourceProject(texts: texts).reading
    let schema = reading.containers.first { $0.place.file == container }?.schemaName
    return reading.schemas.first { $0.name == schema }?.entities.map {
      "\($0.place.file) \($0.certainty) \($0.variants.first?.entity.properties.map(\.name) ?? [])"
    } ?? []
  }

  private let app =
    "@Model class Note { var tags: [Tag] = [] }\n@Model class Tag { @Relationship(inverse: \\Note.tags) var notes: [Note] = [] }"
  private let sample = "@Model class Note { var text = \"\" }"

  /// As in MetaCocktails, which has a second `Cocktail` for the store it ships.
  @Test func aClassOfAnotherTargetIsAnotherClass() {
    let texts = [
      "Code/App/Note.swift": app, "Code/Widget/Note.swift": sample, "Code/My.xcodeproj/project.pbxproj": project,
      "Code/Widget/Make.swift": "let container = try ModelContainer(for: Note.self)",
    ]
    #expect(entities(texts, of: "Code/Widget/Make.swift") == ["Code/Widget/Note.swift derived [\"text\"]"])
  }

  /// Without a project, the declaration that shares the deepest folder is used.
  @Test func withoutAProjectTheNearestIsMeant() {
    let texts = [
      "App/Model/Note.swift": app, "Sample/Note.swift": sample,
      "App/Make.swift": "let container = try ModelContainer(for: Note.self)",
    ]
    #expect(
      entities(texts, of: "App/Make.swift") == [
        "App/Model/Note.swift derived [\"tags\"]", "App/Model/Note.swift derived [\"notes\"]",
      ])
  }

  /// A typealias of an array, and an extension of it, are one type.
  @Test func anExtensionOfATypealiasIsNoSecondType() {
    let text = """
      @Model class Note { var box: Box = [] }
      typealias Box = [String]
      extension Box { var isFull: Bool { count > 9 } }
      let container = try ModelContainer(for: Note.self)
      """
    #expect(entities(["A.swift": text], of: "A.swift") == ["A.swift derived [\"box\"]"])
  }

  /// An inherited name that the sources do not declare is taken for a protocol: in one app 33 classes conform to one of
  /// a package.
  @Test func aTypeOfAnotherModuleIsAProtocol() throws {
    let reading = SourceProject(texts: ["A.swift": "@Model class Note: Elsewhere { var text = \"\" }"]).reading
    let entity = try #require(reading.schemas.first?.entities.first)
    #expect(entity.certainty == .derived && entity.unmeasured == [.foreignSupertype])
  }
}
