import SwiftDataSource
import Testing

@testable import SwiftDataLint

/// SD961 to SD968.
@Suite struct RelationshipCheckTests {
  @Test func manyToManyWithoutInverse() {
    let source = """
      @Model final class Note { var tags: [Tag] = [] }
      @Model final class Tag { var notes: [Note] = [] }
      """
    #expect(
      findings(.manyToManyWithoutInverse, source) == [
        "1: error: Note.tags and Tag.notes are many-to-many without inverse: they become two one-way relationships"
      ])
    let named = source.replacing("var tags", with: "@Relationship(inverse: \\Tag.notes) var tags")
    #expect(places(.manyToManyWithoutInverse, named) == [])
    #expect(
      places(.manyToManyWithoutInverse, source.replacing("var notes: [Note] = []", with: "var note: Note?")) == [])
    #expect(places(.oneWayByAccident, source) == [])
  }

  @Test(arguments: [
    ("\\Author.name", "Author.name is no relationship"), ("\\Author.bokks", "Author has no property bokks"),
    ("\\Tag.books", "it names Tag, and author is of Author"),
    ("\\Author.tags", "Author.tags is of Tag, not of Book"),
  ])
  func wrongInverse(path: String, why: String) {
    let source = """
      @Model final class Book { @Relationship(inverse: \(path)) var author: Author? }
      @Model final class Author { var name = ""; var books: [Book] = []; var tags: [Tag] = [] }
      @Model final class Tag { var books: [Book] = [] }
      """
    #expect(findings(.wrongInverse, source) == ["1: error: the inverse of Book.author does not fit: \(why)"])
    #expect(places(.wrongInverse, source.replacing(path, with: "\\Author.books")) == [])
    #expect(places(.wrongInverse, source.replacing(path, with: "\\.books")) == [])
  }

  @Test func anInverseOfAnotherVersionDoesNotFit() {
    let source = """
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Book.self] }
        @Model final class Book { var author: Author? }
        @Model final class Author { @Relationship(inverse: \\V2.Book.author) var books: [Book] = [] }
      }
      enum V2: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Book.self] }
        @Model final class Book { var author: V1.Author? }
      }
      """
    #expect(
      findings(.wrongInverse, source) == [
        "4: error: the inverse of Author.books does not fit: it names V2.Book, and books is of V1.Book"
      ])
  }

  @Test func inverseTwice() throws {
    let source = """
      @Model final class A { @Relationship(inverse: \\B.a) var b: B? }
      @Model final class B { @Relationship(deleteRule: .cascade, inverse: \\A.b) var a: A? }
      """
    #expect(
      findings(.inverseTwice, source) == ["2: error: B.a and A.b both name their inverse: that does not compile"])
    let good = source.replacing(", inverse: \\A.b", with: "")
    #expect(try fixed(.inverseTwice, source) == good)
    #expect(places(.inverseTwice, good) == [])
    let bare = source.replacing("deleteRule: .cascade, ", with: "")
    #expect(try fixed(.inverseTwice, bare) == bare.replacing("(inverse: \\A.b)", with: ""))
    let last = source.replacing("deleteRule: .cascade, inverse: \\A.b", with: "inverse: \\A.b, originalName: \"x\"")
    #expect(try fixed(.inverseTwice, last) == last.replacing("inverse: \\A.b, ", with: ""))
  }

  @Test(arguments: ["Set<Tag>", "ContiguousArray<Tag>", "[String: Tag]", "Set<Tag>?"])
  func notAnArray(type: String) {
    let source = "@Model final class Note { var tags: \(type) }\n@Model final class Tag { var name = \"\" }"
    #expect(places(.notAnArray, source) == ["1 error"])
    #expect(places(.notAnArray, source.replacing(type, with: "[Tag]")) == [])
    #expect(places(.notAnArray, source.replacing("Tag>", with: "String>").replacing(": Tag", with: ": Int")) == [])
  }

  @Test func oneWayByAccident() {
    let source = """
      @Model final class P { @Relationship(deleteRule: .cascade) var kids: [K] = [] }
      @Model final class K { @Relationship var p: P? }
      """
    #expect(
      findings(.oneWayByAccident, source) == [
        "1: warning: P.kids and K.p are inverses up to iOS 18 and not on 26, since both have @Relationship and neither names "
          + "its inverse: one source is two models, and after the system's update a plan fails with 134504"
      ])
    #expect(places(.oneWayByAccident, source.replacing(".cascade", with: ".cascade, inverse: \\K.p")) == [])
    let plain = source.replacing("@Relationship(deleteRule: .cascade) ", with: "").replacing("@Relationship ", with: "")
    #expect(places(.oneWayByAccident, plain) == [])
    #expect(places(.oneWayByAccident, plain.replacing("p: P?", with: "p: P")) == ["1 warning"])
    #expect(places(.oneWayByAccident, plain.replacing("p: P?", with: "p: P?; var q: P?")) == ["1 warning"])
    // No property leads back, or it is not known.
    #expect(places(.oneWayByAccident, plain.replacing("p: P?", with: "p = 1")) == [])
    // Beside one macro none is inferred on 26, and nobody has measured it before.
    #expect(
      findings(.oneWayByAccident, source.replacing("@Relationship var", with: "var")) == [
        "1: warning: P.kids and K.p are no inverses on iOS 26, since P.kids has @Relationship and names no inverse; no store "
          + "shows whether systems up to iOS 18 make them inverses: where they do, one source is two models, and after the "
          + "system's update a plan fails with 134504"
      ])
    // Copies of one class in several versions are reported once.
    let versions = (1...3).map { "enum V\($0): VersionedSchema { static let models = [P.self]\n\(source)\n}" }
    #expect(places(.oneWayByAccident, versions.joined(separator: "\n")).count == 1)
  }

  @Test(arguments: [
    (
      "@Model class P { var kid: K? }\n@Model class K { var p: P }", "var kid", "@Relationship(inverse: \\K.p) var kid",
      "P.kid and K.p are inverses is not known: one of two to-one sides is required"
    ),
    (
      "@Model class P { @Relationship(deleteRule: .cascade) var children: [P]?; var parent: P? }",
      "(deleteRule: .cascade)", "(inverse: \\P.parent)",
      "P.children and P.parent are inverses is not known: they point at their own class"
    ),
  ])
  func openInversesAreSaid(source: String, old: String, stated: String, words: String) {
    let reason = "whether \(words); inverse: on one decides it"
    #expect(skips(.oneWayByAccident, source) == [reason])
    #expect(places(.oneWayByAccident, source) == [])
    #expect(skips(.oneWayByAccident, source.replacing(old, with: stated)) == [])
    // Copies of one class in several versions are reported once.
    let versions = (1...3).map { "enum V\($0): VersionedSchema { static let models = [P.self]\n\(source)\n}" }
    #expect(skips(.oneWayByAccident, versions.joined(separator: "\n")) == [reason])
  }

  @Test func relationshipsOfAClassToItselfThatCannotPair() {
    #expect(skips(.oneWayByAccident, "@Model final class P { var next: P? }") == [])
    #expect(skips(.oneWayByAccident, "@Model final class P { var friends: [P] = []; var foes: [P] = [] }") == [])
    #expect(skips(.oneWayByAccident, "@Model final class P { @Relationship var a: P?; @Relationship var b: P? }") == [])
  }

  @Test func childLeftBehind() {
    let source = """
      @Model final class List { @Relationship(inverse: \\Item.list) var items: [Item] = [] }
      @Model final class Item { var list: List }
      """
    #expect(
      findings(.childLeftBehind, source) == [
        "1: warning: deleting a List leaves Item.list null, which is required: the save fails with 1570"
      ])
    #expect(places(.childLeftBehind, source.replacing("(inverse", with: "(deleteRule: .cascade, inverse")) == [])
    #expect(places(.childLeftBehind, source.replacing("list: List ", with: "list: List? ")) == [])
    let other = """
      @Model final class List { var items: [Item] = [] }
      @Model final class Item { @Relationship(inverse: \\List.items) var list: List }
      """
    #expect(places(.childLeftBehind, other) == ["1 warning"])
  }

  @Test func cascadeBothWays() {
    let source = """
      @Model final class A { @Relationship(deleteRule: .cascade, inverse: \\B.a) var b: B? }
      @Model final class B { @Relationship(deleteRule: .cascade) var a: A? }
      """
    #expect(
      findings(.cascadeBothWays, source) == [
        "1: warning: A.b and B.a delete each other: one deletion may take the whole graph"
      ])
    #expect(places(.cascadeBothWays, source.replacing("(deleteRule: .cascade) ", with: " ")) == [])
  }

  private let films = """
    @Model final class Film {
      @Relationship(inverse: \\Person.films) var cast: [Person]
      init() { cast = [] }
    }
    @Model final class Person { var films: [Film] = [] }
    """

  @Test(arguments: [
    "platforms: [.iOS(.v17)]", "platforms: [.macOS(.v15), .iOS(\"17.0\")]", "platforms: [.macOS(.v14)]",
    "platforms: [.iOS(.v16)]",
  ])
  func manyToManyWithoutDefault(platforms: String) {
    #expect(
      lines(.manyToManyWithoutDefault, ["Sources/Film.swift": films, "Package.swift": "let p = Package(\(platforms))"])
        .map { $0.prefix(103) } == [
          "Sources/Film.swift:2: note: Film.cast is many-to-many and has no initial value, and 'Package.swift' all"
        ])
  }

  @Test func manyToManyOfNewerSystemsIsFine() throws {
    let at = { (name: String, text: String, films: String) in
      lines(.manyToManyWithoutDefault, ["Sources/Film.swift": films, name: text])
    }
    #expect(at("Package.swift", "let p = Package(platforms: [.iOS(\"17.1\"), .macOS(.v15)])", films) == [])
    let settings = "IPHONEOS_DEPLOYMENT_TARGET = 17.0;\nMACOSX_DEPLOYMENT_TARGET = 15.0;\n"
    #expect(at("App.xcodeproj/project.pbxproj", settings, films).count == 1)
    #expect(at("App.xcodeproj/project.pbxproj", settings.replacing("17.0", with: "18.0"), films) == [])
    let good = films.replacing("cast: [Person]", with: "cast: [Person] = []")
    #expect(at("App.xcodeproj/project.pbxproj", settings, good) == [])
    // The nearest manifest counts.
    #expect(
      lines(
        .manyToManyWithoutDefault,
        [
          "App/Sources/Film.swift": films, "App/Package.swift": "Package(platforms: [.iOS(.v18)])",
          "Tool/Package.swift": "Package(platforms: [.iOS(.v17)])",
        ]) == [])
    #expect(
      skips(.manyToManyWithoutDefault, films) == [
        "neither Package.swift nor a project of Xcode says which systems the app runs on"
      ])
    #expect(skips(.manyToManyWithoutDefault, good) == [])
  }

  /// Each nested `[` doubles the time of the parser.
  @Test func aManifestThatCannotBeParsedInTimeSaysNothing() {
    let manifest = "Package(platforms: " + String(repeating: "[", count: 60) + ".iOS(.v17)"
    #expect(lines(.manyToManyWithoutDefault, ["Film.swift": films, "Package.swift": manifest]) == [])
    #expect(skips(.manyToManyWithoutDefault, ["Film.swift": films, "Package.swift": manifest]).count == 1)
  }

  @Test func writingAnInitialValueIsCertain() throws {
    let lint = lint(SourceProject(texts: ["Film.swift": films, "Package.swift": "Package(platforms: [.iOS(.v17)])"]))
      .lint
    let fix = try #require(lint.findings.first { $0.check == "SD966" }?.fix)
    #expect(fix.isCertain)
    #expect(fix.edits.map(\.replacement) == [" = []"])
    let offset = try #require(fix.edits.first?.offset)
    #expect(String(decoding: Array(films.utf8).prefix(offset).suffix(8), as: UTF8.self) == "[Person]")
  }
}
