import Foundation
import TestSupport
import Testing

/// What the examples print; `print` here instead of to standard output.
@TaskLocal private var printed = Printed()

private final class Printed: @unchecked Sendable {
  var text = ""
}

func print(_ items: Any...) { printed.text += items.map { "\($0)" }.joined(separator: " ") + "\n" }

/// The page for those who use the library: what it shows is compiled and run.
@Suite struct ExampleTests {
  private func output(_ body: () throws -> Void) throws -> String {
    let output = Printed()
    try $printed.withValue(output) { try body() }
    return output.text
  }

  @Test func thePageShowsTheseExamples() throws {
    let page = try String(contentsOfFile: Project.path("docs/in-a-program.md"), encoding: .utf8)
    let source = try String(contentsOfFile: Project.path("Tests/LibraryTests/Examples.swift"), encoding: .utf8)
    let blocks = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
    let examples = blocks.filter { $0.contains("func ") }
    #expect(examples.count == 8)
    for example in examples {
      let words = example.replacing("import StoreDoctor\n\n", with: "")
      #expect(source.contains(words), "\(words)")
    }
  }

  @Test func theyDoWhatThePageSays() throws {
    let folder = try TemporaryFolder()
    let notes = Project.path("corpus/Notes.sqlite")
    let model = Project.path("examples/what-a-migration-loses/Notes.xcdatamodeld")
    let listed = try output { try list(notes) }
    #expect(listed.contains("Note in ZNOTE: 15\n"), "\(listed)")
    let blocked = Project.path("examples/mend-then-ship")
    let verdict = try output { try judge("\(blocked)/Notes.sqlite", with: ["\(blocked)/Notes.xcdatamodeld"]) }
    #expect(
      verdict.hasPrefix("blocked-by-data\n") && verdict.contains("\nSD806 Note uuid 2 rows in 1 group"), "\(verdict)")
    #expect(verdict.contains(#""schema": "storedoctor.diagnosis/"#))
    #expect(try output { try findVersion(of: notes, among: [model]) }.hasPrefix("true "))
    let damaged = Project.path("examples/repair-a-store/Notes.sqlite")
    let mended = try output { try mend(damaged, to: folder("Mended.sqlite")) }
    #expect(mended.hasPrefix("plan: 3 operations") && mended.contains("repaired: 3 operations"), "\(mended)")
    #expect(
      try output { try update(notes, to: [model], at: folder("New.sqlite")) } == "32 objects kept, 18 values lost\n")
    let refused = try output {
      try update("\(blocked)/Notes.sqlite", to: ["\(blocked)/Notes.xcdatamodeld"], at: folder("B.sqlite"))
    }
    #expect(refused.hasPrefix("blocked-by-data"))
    #expect(try output { try open("/nowhere.sqlite") } == "there is no file\n")
    let pinned = try output { try titles(in: notes) }
    #expect(pinned == "1 Note 1 700000000.0\n8 Note 8 700604803.5\n")
    #expect(try output { try differences(from: notes, to: notes) } == "true 5\n")
    let changes = try output { try differences(from: damaged, to: folder("Mended.sqlite")) }
    #expect(changes.hasPrefix("changed Note 2 [\"tags [2] > []\"]\n") && changes.hasSuffix("\nfalse 5\n"), "\(changes)")
    #expect(throws: (any Error).self) { try mend(damaged, to: folder("Mended.sqlite")) }
  }
}
