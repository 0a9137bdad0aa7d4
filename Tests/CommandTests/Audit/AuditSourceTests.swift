import Foundation
import StorePlatform
import TestSupport
import Testing

/// Swift source as the model of an audit.
@Suite struct AuditSourceTests {
  /// The source is edited right after it was read. A worker that read it again would judge by another version than the
  /// others, under another run.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["STOREDOCTOR"] == nil, "skipped: not a debug build"))
  func allWorkersJudgeByOneReading() throws {
    let story = try SourceStory()
    let source = try story.source(SourceStory.version(1, #"var title: String = """#))
    let store = try story.store("SchemaV1", of: source)
    try FileManager.default.createDirectory(atPath: story.folder("Stores"), withIntermediateDirectories: true)
    for name in ["a", "b", "c", "d", "e", "f"] { _ = try story.folder.copyStore(store, as: "Stores/\(name).store") }
    let edited = try story.source(SourceStory.version(1, "var title: Int = 0"), "Edited.swift")
    let bin = try Bin(in: story.folder, reading: source, thenCopying: edited)
    let outcome = try Program.launch(
      [bin.program, "audit", "--no-config", story.folder("Stores"), "--model", source, "--jobs", "3"],
      environment: bin.environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = try outcome.output.split(separator: "\n").map { try JSONTree(String($0)) }
    #expect(lines.compactMap { $0["verdict"]?.string } == Array(repeating: "opens", count: 6), "\(outcome.output)")
    #expect(Set(lines.compactMap { $0["run"]?.string }).count == 1)
    #expect(try String(contentsOfFile: bin.log, encoding: .utf8) == "read\n")
  }

  /// A copy of `storedoctor`, and beside it a reader of Swift source that logs each use.
  private struct Bin {
    let program: String
    let log: String
    let environment = ["SWIFT_BACKTRACE": "enable=no"]

    init(in folder: TemporaryFolder, reading source: String, thenCopying edited: String) throws {
      log = folder("log")
      try FileManager.default.createDirectory(atPath: folder("bin"), withIntermediateDirectories: true)
      program = try folder.copyProgram(Program.path, to: "bin/storedoctor")
      let script = """
        echo "$1" >> '\(log)'
        '\(Program.path)-swiftdata' "$@" || exit
        cp '\(edited)' '\(source)'
        """
      _ = try folder.writeScript(script, to: "bin/storedoctor-swiftdata")
    }
  }
}
