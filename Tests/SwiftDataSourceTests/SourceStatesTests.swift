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
    let folder = try TemporaryFolder()
    let states = SourceStates(folder: folder.path, defines: [])
    var (handed, last, sent, received): (Set<String>, SourceReading?, Int, SourceReading?) = ([], nil, 0, nil)
    for (number, files) in Self.states.enumerated() {
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
      if number == 2 { sent = line.utf8.count }
      last = reading
    }
    #expect(sent < 2000)
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
