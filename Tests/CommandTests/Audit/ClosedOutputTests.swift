import TestSupport
import Testing

/// Whoever starts the program may have closed its standard output or standard error: the files it opens are not them.
@Suite struct ClosedOutputTests {
  private let folder: TemporaryFolder
  private let place: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    place = try TemporaryFolder()
    _ = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
  }

  private func audit(_ arguments: [String], _ redirection: String) throws -> Program.Outcome {
    let script = "exec \"$0\" audit --no-config \"$@\" \(redirection)"
    return try Program.launch(["/bin/sh", "-c", script, Program.path, folder.path] + arguments)
  }

  @Test func linesDoNotGoIntoTheBaseline() throws {
    let known = place("known.jsonl")
    let run = try audit(["--write-baseline", known], ">&-")
    #expect(run.status == 2)
    #expect(run.errors.contains("cannot write 'standard output'"), "\(run.errors)")
    let text = (try? String(decoding: contents(of: known), as: UTF8.self)) ?? ""
    #expect(!text.contains("storedoctor.audit/1"), "\(text)")
  }

  @Test func messagesDoNotGoAmongTheLines() throws {
    let lines = place("lines.jsonl")
    let run = try audit(["--resume", lines], "2>&-")
    #expect(run.status == 0)
    let written = try String(decoding: contents(of: lines), as: UTF8.self).split(separator: "\n")
    #expect(!written.isEmpty && written.allSatisfy { $0.hasPrefix("{") }, "\(written)")
  }
}
