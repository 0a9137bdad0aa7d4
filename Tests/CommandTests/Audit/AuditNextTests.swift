import Foundation
import TestSupport
import Testing

/// The commands that a summary proposes can be run exactly as they are printed.
@Suite struct AuditNextTests {
  /// Stores in a folder whose name needs quoting in a shell; a model blocks the migration of one of them.
  private func fleet() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder("a fleet"), withIntermediateDirectories: true)
    _ = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: "a fleet/it's.sqlite")
    try FileManager.default.copyItem(
      atPath: Project.path("corpus/Notes.xcdatamodeld"), toPath: folder("the model.xcdatamodeld"))
    return folder
  }

  private func shell(_ command: String, in folder: TemporaryFolder) throws -> Program.Outcome {
    try Program.launch([
      "sh", "-c", "cd \"$0\" && storedoctor() { \(shellWord(Program.path)) \"$@\"; } && eval \"$1\"", folder.path,
      command,
    ])
  }

  private func shellWord(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }

  private func next(_ outcome: Program.Outcome) -> [String] {
    outcome.output.split(separator: "\n").drop { $0 != "Next" }.dropFirst()
      .map { String($0.drop { $0 == " " }) }
  }

  @Test(arguments: [
    "'a fleet' --no-config --model 'the model.xcdatamodeld' --opening automatic --skip SD410 --timeout 50.5",
    "'a fleet' --no-config --model 'the model.xcdatamodeld' --resume lines",
  ])
  func eachCommandRunsAndSeesTheSame(words: String) throws {
    let folder = try fleet()
    let run = try shell("storedoctor audit \(words) --summary", in: folder)
    #expect(run.status == 1, "\(run.errors)")
    let commands = next(run)
    #expect(commands.count == 3, "\(run.output)")
    let outcomes = try commands.map { try shell($0, in: folder) }
    #expect(outcomes.map(\.status) == [0, 1, 1], "\(commands) \(outcomes.map(\.errors))")
    #expect(outcomes[0].output.contains("SD8"))
    #expect(outcomes[1].output.hasPrefix("blocked-by-data: "), "\(commands[1])\n\(outcomes[1].output)")
    let page = try String(contentsOfFile: folder("audit.html"), encoding: .utf8)
    #expect(page.contains("0 of 1 store opens or migrates") || page.contains("0 of 1 store open or migrate"), "\(page)")
  }

  @Test func saysWhatLinesDoNotKnow() throws {
    let folder = try fleet()
    _ = try shell("storedoctor audit 'a fleet' --model 'the model.xcdatamodeld' --resume lines --quiet", in: folder)
    let run = try shell("storedoctor audit --merge lines --summary", in: folder)
    #expect(next(run).contains("storedoctor diagnose 'a fleet/it'\\''s.sqlite'   # with the --model of the audit"))
    #expect(try shell(next(run)[1], in: folder).status == 0)
  }

  @Test func standardInputIsNotReadTwice() throws {
    let folder = try fleet()
    let run = try shell("find 'a fleet' -name '*.sqlite' | storedoctor audit --from - --summary", in: folder)
    #expect(run.status == 0)
    #expect(next(run) == [], "\(run.output)")
  }
}
