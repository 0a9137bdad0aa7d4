import Foundation
import StoreSQLite
import TestSupport
import Testing

/// A resumed audit keeps the lines of the interrupted one for stores that have not changed.
@Suite struct AuditResumeTests {
  private let folder: TemporaryFolder
  private let place: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    place = try TemporaryFolder()
    for name in ["1.sqlite", "2.sqlite", "3.sqlite", "4.sqlite"] {
      _ = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: name)
    }
  }

  /// The lines of an audit that was not interrupted.
  private func whole() throws -> String { try AuditRun([folder.path]).outcome.output }

  /// Writes the first `count` lines of an audit to a file.
  private func cut(after count: Int) throws -> String {
    let lines = try whole().split(separator: "\n").prefix(count).map { $0 + "\n" }.joined()
    return try place.write(Array(lines.utf8), to: "lines")
  }

  private func resume(_ lines: String) throws -> Program.Outcome {
    try AuditRun([folder.path, "--resume", lines, "--jobs", "2"]).outcome
  }

  private func text(_ path: String) throws -> String { String(decoding: try contents(of: path), as: UTF8.self) }

  private func change(_ name: String) throws {
    let app = try Connection(writing: folder(name), create: false)
    try app.execute("DELETE FROM ZNOTE WHERE Z_PK = 1")
    app.close()
  }

  private func archive(_ names: [String], as name: String) throws {
    let tar = Process()
    tar.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    tar.arguments = ["tar", "-cf", folder(name), "-C", folder.path] + names
    try tar.run()
    tar.waitUntilExit()
    try #require(tar.terminationStatus == 0)
  }

  @Test(arguments: ["1.sqlite", "2.sqlite", "4.sqlite"]) func aStoreThatChangedIsLookedAtAgain(name: String) throws {
    let lines = try cut(after: 3)
    try change(name)
    let outcome = try resume(lines)
    #expect(outcome.status == 1, "a deleted note leaves links")
    #expect(outcome.errors.contains("looked at again") == (name != "4.sqlite"))
    #expect(try text(lines) == whole())
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["lines"])
  }

  /// A WAL that is rewritten from its beginning keeps its size; only the modification time differs.
  @Test func aFileOfTheSameSizeThatIsYoungerIsLookedAtAgain() throws {
    let lines = try cut(after: 2)
    try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: folder("1.sqlite"))
    #expect(try resume(lines).errors.contains("stores of 1 line of"))
    #expect(try text(lines) == whole())
  }

  @Test(arguments: [1, 2, 3, 6]) func anArchiveThatChangedIsLookedAtAgain(count: Int) throws {
    try archive(["1.sqlite", "2.sqlite"], as: "0.tar")
    let lines = try cut(after: count)
    try change("2.sqlite")
    try archive(["2.sqlite", "1.sqlite", "3.sqlite"], as: "0.tar")
    #expect(try resume(lines).status == 1)
    #expect(try text(lines) == whole())
  }

  @Test func whereNothingChangedNothingIsReadAgain() throws {
    let lines = try cut(after: 4)
    let before = try FileManager.default.attributesOfItem(atPath: lines)[.systemFileNumber] as? Int
    #expect(try resume(lines).errors.contains("again") == false)
    #expect(try FileManager.default.attributesOfItem(atPath: lines)[.systemFileNumber] as? Int == before)
    #expect(try text(lines) == whole())
  }

  /// If the audit cannot be resumed, the file of lines is not changed.
  @Test func linesStayWhereTheInputIsAnother() throws {
    let lines = try cut(after: 3)
    let before = try text(lines)
    try change("1.sqlite")
    try FileManager.default.removeItem(atPath: folder("2.sqlite"))
    let outcome = try resume(lines)
    #expect(outcome.status == 2 && outcome.errors.contains("cannot resume: line 2 is about"), "\(outcome.errors)")
    #expect(try text(lines) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["lines"])
  }

  @Test func aMergeDoesNotMindTimes() throws {
    let first = try place.write(Array(whole().utf8), to: "first")
    try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: folder("1.sqlite"))
    let second = try place.write(Array(whole().utf8), to: "second")
    #expect(try text(first) != text(second))
    #expect(try AuditRun(["--merge", first, second]).lines.count == 4)
  }
}
