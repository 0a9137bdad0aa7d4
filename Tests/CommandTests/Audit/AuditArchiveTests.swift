import Foundation
import TestSupport
import Testing

@Suite(.needs("bsdtar"), .needs("python3")) struct AuditArchiveTests {
  /// A folder of tickets, as support has them.
  private func tickets(bombMegabytes: Int = 12) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let script = """
      import io, os, sys, tarfile, zipfile
      corpus, out, bomb = sys.argv[1:]
      notes = open(corpus + "/Notes.sqlite", "rb").read()
      with zipfile.ZipFile(out + "/1.zip", "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("AppData/Documents/Notes.sqlite", notes)
        z.writestr("AppData/Documents/Notes.sqlite-wal", b"")
        z.writestr("AppData/Library/half.sqlite", notes[:5000])
        z.writestr("log.txt", "hello")
      with tarfile.open(out + "/2.tar.gz", "w:gz") as t:
        for name, data in [("../out.sqlite", notes), ("a/Notes.sqlite", notes), ("a/b.zip", b"PK")]:
          info = tarfile.TarInfo(name); info.size = len(data); t.addfile(info, io.BytesIO(data))
      with zipfile.ZipFile(out + "/3.zip", "w") as z: z.writestr("log.txt", "nothing here")
      with zipfile.ZipFile(out + "/4.zip", "w", zipfile.ZIP_DEFLATED) as z:
        with z.open("bomb.sqlite", "w", force_zip64=True) as f:
          for _ in range(int(bomb)): f.write(bytes(1 << 20))
      open(out + "/5.zip", "wb").write(b"PK\\x03\\x04 and nothing else")
      with zipfile.ZipFile(out + "/6.zip", "w") as z:
        for name in "a.sqlite", "b.sqlite", "c.sqlite": z.writestr(name, notes)
      data = bytearray(open(out + "/6.zip", "rb").read())
      data[data.index(b"b.sqlite") - 24] |= 1
      data[data.rindex(b"b.sqlite") - 38] |= 1
      open(out + "/6.zip", "wb").write(data)
      """
    let made = try Program.launch(["python3", "-c", script, Project.path("corpus"), folder.path, "\(bombMegabytes)"])
    #expect(made.status == 0, "\(made.errors)")
    return folder
  }

  private let expected = """
    1.zip!AppData/Documents/Notes.sqlite  audited  healthy
    1.zip!AppData/Library/half.sqlite  unreadable  truncated
    2.tar.gz!../out.sqlite  audited  healthy
    2.tar.gz!a/Notes.sqlite  audited  healthy
    2.tar.gz!a/b.zip  unreadable  cannot-unpack
    3.zip  no-store  no-store
    4.zip!bomb.sqlite  unreadable  unknown-bytes
    5.zip  unreadable  cannot-unpack
    6.zip!a.sqlite  audited  healthy
    6.zip!c.sqlite  audited  healthy
    6.zip!b.sqlite  unreadable  cannot-unpack
    """

  @Test func storesInArchivesAreAudited() throws {
    let folder = try tickets(bombMegabytes: 1200)
    let before = FolderState(of: folder.path)
    let temporary = try TemporaryFolder()
    let run = try AuditRun([folder.path], environment: ["TMPDIR": temporary.path])
    #expect(try run.table(below: folder.path) == expected)
    #expect(!run.outcome.output.contains(temporary.path), "no line names the private folder")
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [], "nothing is left behind")
    #expect(FolderState(of: folder.path) == before)
    #expect(try AuditRun([folder.path, "--jobs", "1"]).outcome.output == run.outcome.output)
  }

  @Test func goesOnInTheMiddleOfAnArchive() throws {
    let folder = try tickets()
    let whole = Array(try AuditRun([folder.path]).outcome.output.utf8)
    let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
    let place = try TemporaryFolder()
    for end in ends {
      let lines = try place.write(Array(whole[...end]), to: "lines")
      _ = try AuditRun([folder.path, "--resume", lines, "--quiet"])
      #expect(try contents(of: lines) == whole, "after \(end)")
    }
  }

  /// A file of lines cannot be resumed if the archive no longer holds the entries that its lines are about.
  @Test func goesOnOnlyInTheArchiveItBegan() throws {
    let folder = try tickets()
    let place = try TemporaryFolder()
    let archive = folder("1.zip")
    let whole = try AuditRun([archive]).outcome.output
    for lines in [
      whole.replacingOccurrences(of: "Library/half", with: "Library/other"),
      whole + whole.split(separator: "\n", omittingEmptySubsequences: false)[0] + "\n",
    ] {
      let file = try place.write(Array(lines.utf8), to: "lines")
      let run = try AuditRun([archive, "--resume", file])
      #expect(run.status == 2)
      #expect(run.outcome.errors.contains("cannot resume: line "), "\(run.outcome.errors)")
      #expect(try contents(of: file) == Array(lines.utf8))
    }
  }

  @Test func zipAndTarNeedNoOtherProgram() throws {
    let folder = try tickets()
    let run = try AuditRun([folder("1.zip"), folder("2.tar.gz")], environment: ["PATH": folder.path])
    #expect(try run.lines.map(\.status) == ["audited", "unreadable", "audited", "audited", "unreadable"])
  }

  /// Kinds that only `bsdtar` unpacks are read where it is installed, and named as not read where it is not.
  @Test func otherTarsNeedBsdtar() throws {
    let folder = try TemporaryFolder()
    let store = Project.path("corpus")
    _ = try Program.launch(["tar", "-C", store, "-cJf", folder("a.tar.xz"), "Notes.sqlite"])
    _ = try Program.launch(["tar", "-C", store, "-cjf", folder("b.tar.bz2"), "Notes.sqlite"])
    let lines = """
      a.tar.xz!Notes.sqlite  audited  healthy
      b.tar.bz2!Notes.sqlite  audited  healthy
      """
    #expect(try AuditRun([folder.path]).table(below: folder.path) == lines)
    let without = try AuditRun([folder.path], environment: ["PATH": folder.path])
    #expect(try without.lines.map(\.status) == ["not-followed", "not-followed"])
  }
}
