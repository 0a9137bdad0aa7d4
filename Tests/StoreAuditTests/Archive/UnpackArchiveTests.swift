@testable import StoreAudit
@testable import StoreSystem
import Foundation
import StorePlatform
import StoreSQLite
import TestSupport
import Testing

@Suite(.needsArchivers) struct UnpackArchiveTests {
  @Test(arguments: ["tar", "tgz"], ["Notes.sqlite Notes.sqlite-wal", "Notes.sqlite-wal Notes.sqlite"])
  func unpacksAStoreWithItsSideFile(kind: String, order: String) throws {
    let archive = try TriedArchive(
      kind, [Project.path("corpus/Notes.sqlite")] + [order],
      """
      add("Payload/Info.plist", b"<plist/>")
      for name in sys.argv[4].split():
        add("Payload/" + name, open(sys.argv[3], "rb").read() if name == "Notes.sqlite" else b"frames" * 1000)
      """)
    let store = try contents(of: Project.path("corpus/Notes.sqlite"))
    #expect(
      try Set(archive.lines()) == ["file Payload/Notes.sqlite \(store.count)", "file Payload/Notes.sqlite-wal 6000"])
    let written = try archive.written()
    #expect(written["Payload/Notes.sqlite"] == store)
    #expect(written["Payload/Notes.sqlite-wal"] == Array(String(repeating: "frames", count: 1000).utf8))
  }

  @Test(arguments: ["tar", "tgz"]) func takesWhatIsWantedAndNothingElse(kind: String) throws {
    let archive = try TriedArchive(
      kind, [],
      """
      add("any name at all")
      add("text.sqlite", b"not a store" * 10000)
      add("empty.store", b"")
      add("./a//b.db")
      add("readme.txt", b"SQLite is mentioned")
      add("._text.sqlite", bytes([0, 5, 0x16, 7]) + bytes(100))
      add("UPPER.SQLITE", b"text")
      add(".Notes_SUPPORT/_EXTERNAL_DATA/0A1B", b"large value")
      add(".Notes_SUPPORT/other", b"no value")
      add("b.sqlite-shm", bytes(100))
      add("b.sqlite-journal", b"journal")
      add("inner.ZIP", b"PK")
      add("old/inner.tar.gz", b"")
      add("end.coredata")
      """)
    #expect(
      try archive.lines() == [
        "file any name at all 20016", "file text.sqlite 110000 65536", "file empty.store 0", "file a/b.db 20016",
        "file UPPER.SQLITE 4", "file .Notes_SUPPORT/_EXTERNAL_DATA/0A1B 11", "file b.sqlite-journal 7",
        "file end.coredata 20016", "nested inner.ZIP", "nested old/inner.tar.gz",
      ])
  }

  @Test(arguments: ["tar", "tgz"]) func leavesHolesWhereZerosAre(kind: String) throws {
    let archive = try TriedArchive(kind, [], #"add("a.sqlite", STORE + bytes(30 << 20)); add("b.sqlite")"#)
    #expect(try archive.lines() == ["file a.sqlite 31477296", "file b.sqlite 20016"])
    var status = stat()
    #expect(stat(archive.place("private/a.sqlite"), &status) == 0)
    #expect(status.st_size == 31_477_296 && status.st_blocks * 512 < 1 << 20)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func fillsSparseEntries() throws {
    let archive = try TriedArchive(
      "raw", [],
      """
      import subprocess
      folder = os.path.dirname(out)
      with open(folder + "/a.sqlite", "wb") as file:
        file.write(STORE); file.seek(5 << 20); file.write(b"end")
      subprocess.check_call(["bsdtar", "--read-sparse", "-cf", out, "-C", folder, "a.sqlite"])
      os.remove(folder + "/a.sqlite")
      """)
    #expect(try archive.lines() == ["file a.sqlite 5242883"])
    #expect(try archive.written()["a.sqlite"]?.suffix(4) == [0] + Array("end".utf8))
  }

  @Test func leavesTheArchiveUntouched() throws {
    let archive = try TriedArchive("tar", [], #"add("a.sqlite")"#)
    let bytes = try contents(of: archive.path)
    let long = [timespec(tv_sec: 1_000_000, tv_nsec: 1), timespec(tv_sec: 2_000_000, tv_nsec: 2)]
    #expect(utimensat(AT_FDCWD, archive.path, long, 0) == 0)
    func status() throws -> [Int] {
      var status = stat()
      #expect(stat(archive.path, &status) == 0)
      return [
        status.accessTime.tv_sec, status.modificationTime.tv_sec, status.statusChangeTime.tv_sec,
        status.statusChangeTime.tv_nsec,
      ]
    }
    let before = try status()
    _ = try archive.lines()
    #expect(try status() == before)
    #expect(try contents(of: archive.path) == bytes)
  }

  /// bsdtar gets a file descriptor, so no path can be taken for an option, and paths need not be UTF-8.
  @Test(.needsNamesOfAnyBytes) func unpacksAnArchiveOfAnyName() throws {
    let archive = try TriedArchive("tar", [], #"add("a.sqlite")"#)
    for name: [UInt8] in [Array("-x @a".utf8), [0xff, 0xfe], Array("a\nb".utf8)] {
      let path = PosixPath(bytes: Array((archive.place.path + "/").utf8) + name)
      #expect(path.withCString { link(archive.path, $0) } == 0)
      let folder = archive.place("private \(name.count)")
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      #expect(try unpackArchive(path, into: PosixPath(folder)).files.map(\.size) == [20016])
      try removeFolder(PosixPath(folder))
      #expect(!FileManager.default.fileExists(atPath: folder))
    }
  }

  @Test func refusesAFolderThatOthersCanEnter() throws {
    let archive = try TriedArchive("tar", [], #"add("a.sqlite")"#)
    #expect(chmod(archive.place("private"), 0o755) == 0)
    let error = try #require(throws: ArchiveError.self) { try archive.unpacked() }
    #expect(error.description == "cannot unpack into '\(archive.place("private"))': others can enter it")
  }

  @Test func saysWhatToInstall() {
    #expect(
      ArchiveError.cannotStart(program: "bsdcat or bsdtar", message: "is not installed, or not in PATH").description
        == "cannot unpack: bsdcat or bsdtar is not installed, or not in PATH; install libarchive-tools, or unpack it "
        + "yourself and audit the folder")
  }
}
