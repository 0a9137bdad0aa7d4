import Foundation
import TestSupport
import Testing

/// Standard output or standard error may be closed, or on a full disk. Files that the program opens must not take their
/// descriptors, and output that could not be written is an error.
@Suite struct ClosedOutputTests {
  private let folder: TemporaryFolder
  private let place: TemporaryFolder
  private let store: String

  init() throws {
    folder = try TemporaryFolder()
    place = try TemporaryFolder()
    store = try sickStore(in: folder)
  }

  private func run(_ arguments: [String], _ redirection: String) throws -> Program.Outcome {
    try Program.launch(["/bin/sh", "-c", "exec \"$0\" \"$@\" \(redirection)", Program.path] + arguments)
  }

  @Test func linesDoNotGoIntoTheBaseline() throws {
    let known = place("known.jsonl")
    let run = try run(["audit", "--no-config", folder.path, "--write-baseline", known], ">&-")
    #expect(run.status == 2)
    #expect(run.errors.contains("cannot write 'standard output'"), "\(run.errors)")
    let text = (try? String(decoding: contents(of: known), as: UTF8.self)) ?? ""
    #expect(!text.contains("storedoctor.audit/2"), "\(text)")
  }

  @Test func messagesDoNotGoAmongTheLines() throws {
    let lines = place("lines.jsonl")
    let run = try run(["audit", "--no-config", folder.path, "--fail-on", "never", "--resume", lines], "2>&-")
    #expect(run.status == 0)
    let written = try String(decoding: contents(of: lines), as: UTF8.self).split(separator: "\n")
    #expect(!written.isEmpty && written.allSatisfy { $0.hasPrefix("{") }, "\(written)")
  }

  @Test(arguments: [
    "inspect STORE", "diagnose STORE", "diagnose STORE --format sarif", "repair STORE --safe", "explain 134110",
    "explain --list", "model show STORE", "model hash STORE", "model diff STORE STORE", "model match STORE STORE",
    "model convert STORE --to json", "lint SOURCE", "audit STORE",
  ]) func anAnswerThatCannotBeWrittenIsAFailure(command: String) throws {
    let source = try place.write(Array("@Model class Note {}".utf8), to: "Note.swift")
    let arguments = command.split(separator: " ").map { word in
      switch word {
      case "STORE": store
      case "SOURCE": source
      case _: String(word)
      }
    }
    let run = try run(arguments, ">&-")
    #expect(run.status == 2)
    #expect(run.errors.contains("cannot write 'standard output': Bad file descriptor"), "\(run.errors)")
  }

  /// The reader closes the pipe early, as `head` does.
  @Test func aReaderThatGoesEndsAnAuditQuietly() throws {
    let many = try TemporaryFolder()
    for number in 0..<40 { _ = try many.copyStore(store, as: "\(number).sqlite") }
    let script = "\"$0\" audit --no-config \"$1\" | head -n 1; echo done"
    let run = try Program.launch(["/bin/sh", "-c", script, Program.path, many.path])
    #expect(run.errors == "" && run.output.hasSuffix("done\n"))
    #expect(run.output.split(separator: "\n").count == 2)
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let full = try Program.launch(
      ["/bin/sh", "-c", "exec \"$0\" audit --no-config \"$1\" > /dev/full", Program.path, many.path])
    #expect(full.status == 2 && full.errors.contains("No space left on device"), "\(full.errors)")
  }

  @Test func whatIsDoneIsNamedAllTheSame() throws {
    let journal = place("journal")
    let repair = try run(["repair", store, "--safe", "--in-place", "--journal", journal], ">&-")
    #expect(repair.status == 2)
    #expect(
      repair.errors.hasSuffix(
        "; all the same repaired: 3 operations, 4 changes; verified: '\(store)', journal '\(journal)'\n"),
      "\(repair.errors)")
    let undo = try run(["undo", journal], ">&-")
    #expect(undo.status == 2)
    #expect(undo.errors.contains("; all the same taken back: "), "\(undo.errors)")
  }
}
