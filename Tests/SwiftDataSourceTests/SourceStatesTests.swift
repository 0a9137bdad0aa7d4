import StoreSwiftDataSchemas
import SwiftDataSource
import TestSupport
import Testing

/// States of one project, read one after the other: files that several of them have are parsed once.
@Suite struct SourceStatesTests {
  private static let plan = """
    enum SchemaV1: VersionedSchema {
      static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
      static var models: [any PersistentModel.Type] { [Note.self, Tag.self] }
    }
    """
  private static let note = "@Model final class Note { var title = \"\"; var tags: [Tag] = [] }"
  private static let tag = "@Model final class Tag { var name = \"\" }"
  private static let longer = "@Model final class Tag { var name = \"\"; var size = Size.small }"
  private static let size = "enum Size: String, Codable { case small, large }"

  private static let around = [
    "Package.swift": "let package = Package(targets: [.target(name: \"App\", path: \"Models\")])",
    "AppTests/NoteTests.swift": "import Testing", "Pods/Package.swift": "let package = Package()",
  ]

  /// What changed from state to state, and the reading that each has by itself.
  private static let states: [[String: String]] = [
    ["Plan.swift": plan, "Models/Note.swift": note, "Models/Tag.swift": tag].merging(around) { $1 },
    // An edited file, and one that has to be parsed from now on. What is around the source is handed on too.
    ["Plan.swift": plan, "Models/Note.swift": note, "Models/Tag.swift": longer, "Size.swift": size]
      .merging(around) { $1 },
    // A moved file.
    ["Plan.swift": plan, "Note.swift": note, "Models/Tag.swift": longer, "Size.swift": size],
    // The same content twice, and nothing else.
    ["A.swift": tag, "B.swift": tag],
    ["Plan.swift": plan, "Models/Note.swift": note, "Models/Tag.swift": tag],
    [:],
  ]

  @Test func eachStateIsReadAsByItself() throws {
    let history = try ReadHistory(Self.states)
    #expect(history.sent[2] < 2000)
  }

  // MARK: Derivations

  private static let models = """
    import SwiftData
    protocol Coded { typealias Code = Int }
    enum SchemaV1: VersionedSchema {
      static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
      static var models: [any PersistentModel.Type] { [Note.self] }
    }
    @Model class Note: Coded {
      static let rule = Schema.Relationship.DeleteRule.cascade
      var title = ""
      var mood = Mood.good
      var code: Code = 0
      var place: Place?
      var rank = Rank()
      var depth = depths
      var kind: Kind = Kind.plain
      @Relationship(deleteRule: rule, inverse: \\Tag.note) var tags: [Tag] = []
      @Attribute(originalName: former) var text: String = start
      private static func helper() -> Int { let former = 1; return former }
    }
    func unrelated() -> Int { 1 }
    """
  private static let others = """
    enum Mood: String, Codable { case good = "a", bad = "b" }
    struct Place: Codable { var city = ""; var zip: Zip? }
    struct Zip: Codable { var text = "" }
    struct Rank: Codable { var number = 0; init() {} }
    enum Kind: Codable { case plain, other }
    typealias Depth = Int
    let depths: Depth = 0
    let former = "body"
    let start = "x"
    @Model final class Tag { var name = ""; var note: Note? }
    """

  /// Edits of the two files above: in which one, what is replaced, by what.
  private static let edits: [(file: String, from: String, to: String)] = [
    ("App/Others.swift", "= \"a\"", "= \"c\""), ("App/Others.swift", "case plain, other", "case plain, ether"),
    ("App/Others.swift", "zip: Zip?", "zip: Int?"),
    ("App/Others.swift", "typealias Depth = Int", "typealias Depth = Bool"),
    ("App/Others.swift", "former = \"body\"", "former = \"head\""),
    ("App/Others.swift", "let start = \"x\"", "var start = \"x\""),
    ("App/Others.swift", "struct Zip: Codable {", "struct Zip: Codable {\nfunc encode(to encoder: Encoder) {}"),
    ("App/Others.swift", "init() {}", "init?() {}"), ("App/Others.swift", "Tag { var", "Tag {\nvar"),
    ("App/Others.swift", "Kind: Codable", "Kind: Int, Codable"),
    ("App/Others.swift", "final class Tag {", "class Tag: Note {"),
    ("App/Others.swift", "let start = \"x\"", "private let start = \"x\""),
    ("App/Others.swift", "var note: Note?", "@Transient var note: Note?"),
    ("App/Others.swift", "struct Zip", "struct Unused {}\nstruct Zip"),
    ("App/Models.swift", "typealias Code = Int", "typealias Code = Date"),
    ("App/Models.swift", "DeleteRule.cascade", "DeleteRule.nullify"),
    ("App/Models.swift", "@Model class Note", "@Model  class Note"),
    ("App/Models.swift", "{ 1 }", "{ 1 }\nextension Place { typealias Zip = String }"),
    ("App/Models.swift", "{ 1 }", "{ 1 }\nextension Note { struct Rank: Codable { var letter = \"\" } }"),
    ("App/Models.swift", "{ 1 }", "{ 1 }\nstruct Place: Codable {}"),
    ("App/Models.swift", "{ 1 }", "{ 1 }\nlet depths = \"\""),
    ("App/Models.swift", "import SwiftData", "import SwiftDatA"),
    ("App/Models.swift", "[Note.self]", "[Note.self, Tag.self]"),
    ("App/Models.swift", "let former = 1", "let former = 2"),
    ("Package.swift", "path: \"App\"", "path: \"Other\""), ("Package.swift", "name: \"App\"", "name: \"Place\""),
  ]
  /// Edits of code that no type contains.
  private static let editsOfCode: [(file: String, from: String, to: String)] = [
    ("App/Models.swift", "{ 1 }", "{ 22 }"),
    ("App/Models.swift", "{ 1 }", "{ let depths = 2; return depths }\nfunc more() {}"),
    ("App/Models.swift", "func unrelated", "\n\n/// Says one.\nfunc unrelated"),
    ("App/Models.swift", "func unrelated() -> Int { 1 }", ""),
    ("View.swift", "content()", "other()"),
  ]
  private static let base = [
    "App/Models.swift": models, "App/Others.swift": others, "View.swift": "import SwiftData\nfunc view() { content() }",
    "Package.swift": "let package = Package(targets: [.target(name: \"App\", path: \"App\")])",
  ]

  private static func edited(_ files: [String: String], by edit: (file: String, from: String, to: String)) -> [String:
    String]
  {
    var files = files
    files[edit.file] = files[edit.file]?.replacing(edit.from, with: edit.to)
    return files
  }

  /// Each edit is made and taken back, so that what is known is asked for and must not be taken.
  @Test func whatIsDerivedIsTheSameAfterEachEdit() throws {
    for edit in Self.edits + Self.editsOfCode {
      let state = Self.edited(Self.base, by: edit)
      #expect(state != Self.base, "\(edit)")
      _ = try ReadHistory([Self.base, state, Self.base])
    }
    let renamed = ["App/Models.swift": Self.others, "App/Others.swift": Self.models]
    _ = try ReadHistory([
      Self.base, Self.base.merging(renamed) { $1 }, Self.base.filter { $0.key != "App/Others.swift" }, Self.base,
    ])
  }

  /// Edits on edits, in an order of their own.
  @Test(arguments: 0..<4) func whatIsDerivedIsTheSameAlongAHistory(_ seed: Int) throws {
    var (states, state) = ([Self.base], Self.base)
    let all = Self.edits + Self.editsOfCode
    for step in 0..<24 {
      let next = Self.edited(state, by: all[(step * (2 * seed + 5) + seed * 7) % all.count])
      if next != state { states.append(next) }
      state = step % 9 == 8 ? Self.base : next
    }
    _ = try ReadHistory(states)
  }

  @Test func whatCodeIsEditedToDerivesNothing() throws {
    for edit in Self.editsOfCode {
      let history = try ReadHistory([Self.base, Self.edited(Self.base, by: edit), Self.base])
      #expect(history.derivedLists == 1, "\(edit)")
    }
    for edit in Self.edits {
      let history = try ReadHistory([Self.base, Self.edited(Self.base, by: edit)])
      #expect(history.derivedLists == 2, "\(edit)")
    }
  }

  @Test(arguments: ["c - A.swift\0", "c 9 A.swift\0short", "c -1 A.swift\0"])
  func whatIsNoStateIsRefused(_ text: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(Array(text.utf8), to: "state")
    let states = SourceStates(folder: folder.path, defines: [])
    #expect(throws: SourceFileError.self) { try states.read("state") }
    #expect(throws: SourceFileError.self) { try states.read("../state") }
  }
}

/// States that were read one after the other, each as it is read by itself.
private struct ReadHistory {
  /// The length of what was printed for each.
  private(set) var sent: [Int] = []
  let derivedLists: Int

  init(_ all: [[String: String]]) throws {
    let folder = try TemporaryFolder()
    let states = SourceStates(folder: folder.path, defines: [])
    var (handed, last, received): (Set<String>, SourceReading?, SourceReading?) = ([], nil, nil)
    for (number, files) in all.enumerated() {
      let state = files.sorted { $0.key < $1.key }.flatMap { path, text -> [UInt8] in
        let head = handed.contains(text) ? "-" : "\(text.utf8.count)"
        return Array("\(text.hashValue) \(head) \(path)".utf8) + [0] + (handed.contains(text) ? [] : Array(text.utf8))
      }
      handed = Set(files.values)
      _ = try folder.write(state, to: "state\(number)")
      let reading = try states.read("state\(number)")
      #expect(reading == SourceProject(texts: files).reading, "state \(number)")
      // What is printed names entities of the state before, and is read back whole.
      var line = ""
      _ = reading.writeLine(after: last) {
        line += $0
        return true
      }
      received = try SourceReading(Array(line.utf8), after: received)
      #expect(received == reading, "state \(number)")
      sent.append(line.utf8.count)
      last = reading
    }
    derivedLists = states.derivedLists
  }
}
