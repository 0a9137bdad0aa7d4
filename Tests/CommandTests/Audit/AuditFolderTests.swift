import Foundation
import StorePlatform
import StoreSQLite
import TestSupport
import Testing

@Suite struct AuditFolderTests {
  /// A mistyped path is no broken store, and nothing is begun; a path of a list costs its own line.
  @Test func aPathThatDoesNotExistIsRefused() throws {
    let folder = try TemporaryFolder()
    let notes = Project.path("corpus/Notes.sqlite")
    #expect(symlink("nowhere", folder("link")) == 0)
    let (gone, link, out) = (folder("gone"), folder("link"), folder("out.jsonl"))
    let outcome = try AuditRun([notes, gone, link, "--report", out]).outcome
    #expect(outcome.status == 2 && outcome.output == "")
    #expect(
      outcome.errors == """
        storedoctor: cannot read '\(gone)': no such file or folder
        cannot read '\(link)': no such file or folder; nothing was audited

        """)
    #expect(!FileManager.default.fileExists(atPath: out))
    let list = try folder.write(Array("\(notes)\n\(gone)\n".utf8), to: "list")
    let listed = try AuditRun(["--from", list])
    #expect(try listed.lines.map(\.status) == ["audited", "unreadable"])
    #expect(listed.status == 1)
  }

  /// Everything a folder of copied stores may hold, each with the line it gets.
  private func hostileFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let notes = try contents(of: Project.path("corpus/Notes.sqlite"))
    func subfolder(_ name: String) throws {
      try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
    }
    try folder.write(notes, to: "a store of any name")
    try folder.write(Array(notes.prefix(notes.count / 2)), to: "b-cut.sqlite")
    try folder.write([], to: "c-empty.sqlite")
    try folder.write([UInt8](repeating: 0, count: 4096), to: "d-zeros.store")
    try folder.write(Array("hello".utf8), to: "e-text.sqlite")
    try folder.write(Array("hello".utf8), to: "f-text.txt")
    try folder.write(notes, to: "h-secret.sqlite")
    #expect(chmod(folder("h-secret.sqlite"), 0) == 0)
    try subfolder("i-closed")
    try folder.write(notes, to: "i-closed/Notes.sqlite")
    #expect(chmod(folder("i-closed"), 0) == 0)
    #expect(symlink("j-loop.sqlite", folder("j-loop.sqlite")) == 0)
    #expect(symlink("..", folder("k-up")) == 0)
    #expect(symlink("/etc/passwd", folder("l-out.sqlite")) == 0)
    #expect(mkfifo(folder("m-pipe.sqlite"), 0o644) == 0)
    try subfolder("n" + String(repeating: "/n", count: 50))
    try folder.write(notes, to: "n" + String(repeating: "/n", count: 50) + "/Deep.sqlite")
    try subfolder("o-bundle/StoreContent")
    try folder.write(notes, to: "o-bundle/StoreContent/persistentStore")
    try subfolder("o-bundle/.Notes_SUPPORT/_EXTERNAL_DATA")
    try folder.write(notes, to: "o-bundle/.Notes_SUPPORT/_EXTERNAL_DATA/1F0")
    let other = try Connection(writing: folder("p-other.db"), create: true)
    try other.execute("CREATE TABLE t (a)")
    try folder.write([0x37, 0x7f, 0x06, 0x82] + [UInt8](repeating: 0, count: 60), to: "q-lost.sqlite-wal")
    try FileManager.default.copyItem(
      atPath: Project.path("corpus/Notes.xcdatamodeld"), toPath: folder("r.xcdatamodeld"))
    try Data(notes).write(to: URL(fileURLWithPath: folder("s-<b>=1+\u{202E}\n.sqlite")))
    return folder
  }

  @Test(.needsOrdinaryUser) func everyStoreOrWhatLooksLikeOneCostsOneLine() throws {
    let folder = try hostileFolder()
    defer { chmod(folder("i-closed"), 0o755) }
    #expect(chmod(folder.path, 0o755) == 0)
    // Only a file's owner may ask the system not to update its access time.
    if getuid() == 0 { _ = try Program.launch(["chown", "-hR", "65534:65534", folder.path]) }
    let before = FolderState(of: folder.path)
    let run = try AuditRun([folder.path], as: .ordinary)
    #expect(
      try run.table(below: folder.path) == """
        a store of any name  audited  healthy
        b-cut.sqlite  unreadable  truncated
        c-empty.sqlite  unreadable  empty
        d-zeros.store  unreadable  unknown-bytes
        e-text.sqlite  unreadable  other-kind
        h-secret.sqlite  unreadable  not-permitted
        i-closed  unreadable  not-permitted
        j-loop.sqlite  not-followed  link
        l-out.sqlite  not-followed  link
        m-pipe.sqlite  unreadable  not-regular
        n\(String(repeating: "/n", count: 50))/Deep.sqlite  audited  healthy
        o-bundle/StoreContent/persistentStore  audited  healthy
        p-other.db  no-store  not-core-data
        q-lost.sqlite-wal  unreadable  orphan-wal
        s-<b>=1+\u{202E}
        .sqlite  audited  healthy
        """)
    #expect(run.status == 1)
    #expect(FolderState(of: folder.path) == before)
  }

  @Test func aHugeFileOfHolesIsReadAsFarAsItIsAStore() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    #expect(truncate(store, off_t(1) << 40) == 0)
    let run = try AuditRun([folder.path])
    #expect(try run.table(below: folder.path) == "Notes.sqlite  audited  healthy")
    // Reading all of it would take more memory than there is, or hours, and the run would be killed.
    #expect(!run.outcome.wasKilled && run.outcome.memory < 512 << 20)
  }

  @Test func linesDoNotDependOnTheNumberOfJobs() throws {
    let runs = try [1, 2, 7].map { try AuditRun([Project.path("corpus"), "--jobs", "\($0)"]).outcome.output }
    #expect(runs[0].split(separator: "\n").count == 10)
    #expect(runs[1] == runs[0])
    #expect(runs[2] == runs[0])
  }

  @Test func foldersDeeperThanIsSearchedAreSaid() throws {
    let folder = try TemporaryFolder()
    let deep = "n" + String(repeating: "/n", count: 120)
    try FileManager.default.createDirectory(atPath: folder(deep), withIntermediateDirectories: true)
    _ = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: deep + "/Notes.sqlite")
    let lines = try AuditRun([folder.path]).lines
    #expect(lines.map(\.problem?.kind) == ["too-deep"])
  }

  @Test(.needsNamesOfAnyBytes) func namesThatAreNotTextAreKept() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let bytes = Array(folder("Not\u{0}s.sqlite".replacingOccurrences(of: "\u{0}", with: "?")).utf8).map {
      $0 == 0x3F ? 0xE9 : $0
    }
    #expect(rename(store, bytes.map { CChar(bitPattern: $0) } + [0]) == 0)
    let output = try AuditRun([folder.path]).outcome.output
    let line = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    #expect(line["pathBytes"] as? String == Data(bytes).base64EncodedString())
    #expect(line["verdict"] as? String == "healthy")
  }

  /// Folders are skipped only where Core Data or Xcode makes them, and a file that is no archive in spite of its name
  /// is reported.
  @Test func nothingIsPassedOverForItsNameAlone() throws {
    let folder = try TemporaryFolder()
    let notes = Project.path("corpus/Notes.sqlite")
    for name in ["Customer_Support", ".Notes_SUPPORT", "app.momd"] {
      try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
      _ = try folder.copyStore(notes, as: name + "/Notes.sqlite")
    }
    try folder.write([], to: "a.zip")
    try folder.write([UInt8](repeating: 0, count: 2000), to: "b.tar")
    try folder.write(Array("<html>".utf8), to: "c.tgz")
    let run = try AuditRun([folder.path])
    #expect(
      try run.table(below: folder.path) == """
        Customer_Support/Notes.sqlite  audited  healthy
        a.zip  unreadable  cannot-unpack
        b.tar  unreadable  cannot-unpack
        c.tgz  unreadable  cannot-unpack
        """)
    #expect(run.status == 1)
  }

  @Test func aListThatCannotBeReadEndsTheRun() throws {
    let folder = try TemporaryFolder()
    let run = try AuditRun([Project.path("corpus/Notes.sqlite"), "--from", folder.path])
    #expect(run.status == 2)
    #expect(run.outcome.errors.contains(folder.path), "\(run.outcome.errors)")
  }

  /// A list made by `find -print0` needs `-0`.
  @Test func aListWithNULsBetweenItsPathsEndsTheRun() throws {
    let folder = try TemporaryFolder()
    let notes = Project.path("corpus/Notes.sqlite")
    let zeros = try folder.write(Array("\(notes)\0\(notes)\0".utf8), to: "zeros")
    let run = try AuditRun(["--from", zeros])
    #expect(run.status == 2)
    #expect(run.outcome.output == "")
    let message = "storedoctor: cannot read '\(zeros)': the list has NULs between its paths; say -0"
    #expect(run.outcome.errors.contains(message), "\(run.outcome.errors)")
  }

  @Test func aByteOrderMarkBeforeAListIsNoPartOfIt() throws {
    let folder = try TemporaryFolder()
    let notes = Project.path("corpus/Notes.sqlite")
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let lines = try folder.write(mark + Array("\(notes)\n\u{FEFF}\(notes)\n".utf8), to: "lines")
    let json = try folder.write(mark + Array("{\"id\": \"a\", \"path\": \"\(notes)\"}\n".utf8), to: "json")
    let empty = try folder.write(mark + Array("\n\(notes)".utf8), to: "empty")
    #expect(try AuditRun(["--from", lines]).lines.map(\.status) == ["audited", "unreadable"])
    #expect(try AuditRun(["--from", json]).lines.map(\.id) == ["a"])
    #expect(try AuditRun(["--from", empty]).lines.map(\.path) == [notes])
  }

  /// A baseline may have more for a store than a pipe's buffer holds. The audit must not block on a worker that reads
  /// it late, or that ends without reading it.
  @Test(arguments: ["at once", "late", "start"]) func aLongBaselineReachesEveryWorker(start: String) throws {
    let folder = try TemporaryFolder()
    for number in 0..<3 { _ = try folder.copyStore(Project.path("corpus/School.sqlite"), as: "\(number).sqlite") }
    let place = try TemporaryFolder()
    let known = place("known.jsonl")
    #expect(try AuditRun([folder.path, "--write-baseline", known]).status == 0)
    let fingerprints = (0..<60_000).map { "\"" + String(0x1000_0000_0000_0000 + $0 * 7919, radix: 16) + "\"" }
    let all = fingerprints.joined(separator: ",")
    let line = #"{"id":"*","known":[\#(all)],"schema":"storedoctor.baseline/1"}"# + "\n"
    let long = try place.write(contents(of: known) + Array(line.utf8), to: "long.jsonl")
    let run = try AuditRun(
      [folder.path, "--baseline", long, "--jobs", "1"], environment: ["STOREDOCTOR_FAULTS": start])
    if start == "start" {
      #expect(run.status == 2)
      #expect(run.outcome.errors.contains("cannot start a worker: it ended at once"), "\(run.outcome.errors)")
      return
    }
    #expect(try run.lines.map(\.status) == Array(repeating: "audited", count: 3), "\(run.outcome.output)")
  }

  @Test func nothingFoundIsAFailure() throws {
    let folder = try TemporaryFolder()
    let run = try AuditRun([folder.path])
    #expect(run.status == 2)
    #expect(try run.lines.map(\.status) == ["no-store"])
    #expect(run.outcome.errors.contains("found no store in"))
  }

  @Test func aListMayHaveLinesNULsOrJSON() throws {
    let folder = try TemporaryFolder()
    let notes = Project.path("corpus/Notes.sqlite")
    let club = Project.path("corpus/Club.sqlite")
    let lines = try folder.write(Array("\(notes)\r\n\n\(club)".utf8), to: "lines")
    let zeros = try folder.write(Array("\(notes)\0\(club)\0".utf8), to: "zeros")
    let json = try folder.write(
      Array(
        """
        {"id": "ticket 7", "path": "\(notes)"}
        {"id": 8, "path": "\(club)", "customer": "x"}
        {"id": "ticket 9"}
        {"id": "ticket 10", "path": "\(folder("gone.sqlite"))"}
        """.utf8), to: "json")
    #expect(try AuditRun(["--from", lines]).lines.map(\.path) == [notes, club])
    #expect(try AuditRun(["--from", zeros, "-0"]).lines.map(\.path) == [notes, club])
    let named = try AuditRun(["--from", json])
    #expect(try named.lines.map(\.id) == ["ticket 7", "8", "ticket 9", "ticket 10"])
    #expect(try named.lines.map(\.status) == ["audited", "audited", "unreadable", "unreadable"])
    #expect(try named.lines.compactMap(\.problem?.kind) == ["bad-line", "missing"])
    #expect(named.status == 1)
  }
}
