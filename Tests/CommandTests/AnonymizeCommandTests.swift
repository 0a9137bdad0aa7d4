import Foundation
import TestSupport
import Testing

/// `anonymize`, as a user runs it.
@Suite struct AnonymizeCommandTests {
  @Test func writesACopyAndLeavesTheStore() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let before = FolderState(of: folder.path)
    let elsewhere = try TemporaryFolder()
    let target = elsewhere("ToSend.sqlite")
    let arguments = [
      "anonymize", store, "--output", target, "--keep", "Folder.name", "--model",
      Project.path("corpus/Notes.xcdatamodeld"),
    ]
    let outcome = try Program.run(arguments + ["--policy-out", elsewhere("p.yaml"), "--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(FolderState(of: folder.path) == before)
    let document = try JSONTree(outcome.output)
    #expect(try JSONSchema.of("anonymization").violations(in: document) == [])
    #expect(document["rows"] == .integer(63) && document["output"] == .string(target))
    // What was decided is taken again.
    let again = try Program.run([
      "anonymize", store, "--output", elsewhere("B.sqlite"), "--policy", elsewhere("p.yaml"),
    ])
    #expect(again.status == 0 && again.output.hasPrefix("wrote "), "\(again.errors)")
    // There it is already; a file beside it is not written either.
    #expect(try Program.run(arguments).errors.contains("exists"))
    let unknown = try Program.run(["anonymize", store, "--output", elsewhere("C.sqlite"), "--drop", "Note.titel"])
    #expect(unknown.status == 2 && unknown.errors.contains("did you mean 'Note.title'?"), "\(unknown.errors)")
    #expect(!FileManager.default.fileExists(atPath: elsewhere("C.sqlite")))
    #expect(FolderState(of: folder.path) == before)
  }
}
