import StorePublishing
@testable import StoreRepair
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCoreData

@Suite struct OutputTests {
  private func write(
    _ sample: RepairedStore, to name: String, replacing: Bool = false, acceptsWAL: Bool = false,
    protected: [String] = [], verify: (PosixPath) throws -> Void = { _ in }
  ) throws {
    let target = OutputTarget(
      PosixPath(sample.folder(name)), replaces: replacing, acceptsWAL: acceptsWAL,
      protected: protected.map { PosixPath(sample.folder($0)) })
    try publish(sample.open(), to: target, change: changeEverything, verify: verify)
  }

  @Test(arguments: RepairedStore.Mode.allCases) func writesAWholeStoreAndLeavesTheSource(mode: RepairedStore.Mode)
    throws
  {
    let sample = try RepairedStore(mode)
    chmod(sample.path, 0o640)
    let before = try sample.bytes
    var seen: [String] = []
    try write(sample, to: "Fixed.sqlite") { draft in
      seen = try Store(draft).externalFiles().known.map { String(decoding: $0, as: UTF8.self) }
    }
    var after = try sample.bytes
    let written = after.removeValue(forKey: "Fixed.sqlite")
    let output = try #require(written)
    for name in [".Fixed_SUPPORT", ".Fixed_SUPPORT/_EXTERNAL_DATA"] { #expect(after.removeValue(forKey: name) != nil) }
    #expect(after == before)
    // The draft, before it is moved to its place, has no external files.
    #expect(seen == [])
    #expect(output[18] == (mode == .rollback ? 1 : 2))
    #expect(FileMode(of: PosixPath(sample.folder("Fixed.sqlite"))).bits == 0o600)
    let tags = try #require(everyValue(of: sample.folder("Fixed.sqlite"))["ZTAG"])
    #expect(tags.allSatisfy { $0.contains("!'") })
    #expect(tags.contains { $0.contains("in the WAL!") } == (mode == .frames))
  }

  @Test func copiesExternalFiles() throws {
    let sample = try RepairedStore()
    symlink("/etc/passwd", sample.folder(".Notes_SUPPORT/_EXTERNAL_DATA/link"))
    try publish(sample.open(), to: OutputTarget(PosixPath(sample.folder("b.sqlite")))) { _, _ in
    } verify: { _ in
    }
    let names = try sample.bytes.keys.filter { $0.hasPrefix(".b_SUPPORT/_EXTERNAL_DATA/") }
    #expect(names == [".b_SUPPORT/_EXTERNAL_DATA/\(RepairedStore.externalFile)"])
  }

  /// A copy without the deeper files would look complete.
  @Test func refusesExternalFilesThatLieTooDeep() throws {
    let sample = try RepairedStore()
    let deep = sample.folder(".Notes_SUPPORT/" + String(repeating: "a/", count: 40))
    try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
    let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path)
    #expect(throws: (any Error).self) {
      try publish(sample.open(), to: OutputTarget(PosixPath(sample.folder("b.sqlite")))) { _, _ in
      } verify: { _ in
      }
    }
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: sample.folder.path)) == Set(names))
  }

  @Test func refusesWhatLiesInTheWay() throws {
    let sample = try RepairedStore()
    let folder = sample.folder
    try folder.write([1], to: "old.sqlite")
    try folder.write([1], to: "log.sqlite-wal")
    try FileManager.default.createDirectory(atPath: folder(".support_SUPPORT"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder("folder.sqlite"), withIntermediateDirectories: true)
    symlink(sample.path, folder("link.sqlite"))
    link(sample.path, folder("hard.sqlite"))
    let other = try folder.copyStore(Project.path("corpus/Club.sqlite"), as: "Other.db")
    for (name, words) in [
      ("old.sqlite", "it exists"), ("log.sqlite", "log.sqlite-wal"), ("support.sqlite", ".support_SUPPORT"),
      ("Other.sqlite", "Other-repaired.sqlite"),
    ] {
      try expectRefusal(words, in: folder) { try write(sample, to: name) }
    }
    for (name, words) in [
      ("Notes.sqlite", "the store itself"), ("link.sqlite", "the store itself"), ("hard.sqlite", "the store itself"),
      ("Notes.db", "Notes-repaired.db"), ("Notes", "Notes-repaired"), ("Other.sqlite", "same folder as"),
      ("Notes.sqlite-wal", "side file"), ("Notes.sqlite-journal", "side file"), ("folder.sqlite", "not a regular file"),
      ("none/Notes.sqlite", "folder does not exist"), ("Other.db", "given to this command"),
    ] {
      try expectRefusal(words, in: folder) {
        try write(
          sample, to: name, replacing: true,
          protected: [PosixPath(other).description.components(separatedBy: "/").last ?? ""])
      }
    }
  }

  @Test func replacesAnOldOutputWithItsLog() throws {
    let sample = try RepairedStore(.wal)
    try write(sample, to: "out.sqlite")
    let old = try Connection(writing: sample.folder("out.sqlite"), create: false)
    try old.execute("PRAGMA wal_autocheckpoint=0; UPDATE ZTAG SET ZNAME = 'old' WHERE Z_PK = 1")
    let log = try contents(of: sample.folder("out.sqlite-wal"))
    old.close()
    try sample.folder.write(log, to: "out.sqlite-wal")
    try sample.folder.write([1], to: ".out_SUPPORT/stale")
    try expectRefusal("it exists", in: sample.folder) { try write(sample, to: "out.sqlite") }
    try write(sample, to: "out.sqlite", replacing: true)
    #expect(try everyValue(of: sample.folder("out.sqlite"))["ZTAG"]?.contains { $0.contains("'old'") } == false)
    #expect(try sample.bytes.keys.contains { $0.hasPrefix("out.sqlite-") || $0.contains("stale") } == false)
  }

  @Test func leavesNothingWhenVerifyingOrChangingFails() throws {
    struct No: Error {}
    let sample = try RepairedStore(.frames)
    try expectRefusal("No", in: sample.folder) { try write(sample, to: "out.sqlite") { _ in throw No() } }
    try expectRefusal("not authorized", in: sample.folder) {
      try publish(sample.open(), to: OutputTarget(PosixPath(sample.folder("out.sqlite")))) { connection, _ in
        try connection.execute("DELETE FROM ZTAG")
      } verify: { _ in
      }
    }
  }

  @Test func asksBeforeItMergesAForeignLog() throws {
    let sample = try RepairedStore(.frames)
    let other = try RepairedStore(.wal)
    let connection = try Connection(writing: other.path, create: false)
    try connection.execute(
      "PRAGMA wal_autocheckpoint=0; UPDATE Z_METADATA SET Z_UUID = '6A1B0E3C-4D5F-4A6B-8C7D-9E0F1A2B3C4E'")
    try sample.folder.write(contents(of: other.path + "-wal"), to: "Notes.sqlite-wal")
    connection.close()
    try expectRefusal("'leavesOutWAL'", in: sample.folder) { try write(sample, to: "out.sqlite") }
    let target = OutputTarget(PosixPath(sample.folder("out.sqlite")), leavesOutWAL: true)
    try publish(sample.open(ignoringWAL: true), to: target, change: { _, _ in }, verify: { _ in })
    try write(sample, to: "accepted.sqlite", acceptsWAL: true)
  }

  @Test(.enabled(if: geteuid() == 0 || FileManager.default.fileExists(atPath: "/dev/full")))
  func readOnlyFoldersAndFullDisksAreSaid() throws {
    let sample = try RepairedStore()
    for action in [FileActions.Action.write, .sync] {
      let full = FileActions(vfs: nil) { $0 == action ? ENOSPC : nil }
      try expectRefusal("no room left", in: sample.folder) {
        try publish(
          sample.open(), to: OutputTarget(PosixPath(sample.folder("out.sqlite"))), files: full, change: { _, _ in },
          verify: { _ in })
      }
    }
    let vfs = try FaultVFS(failing: 1, of: [.write], with: 13, lasting: true)
    try expectRefusal("no room left", in: sample.folder) {
      try publish(
        sample.open(), to: OutputTarget(PosixPath(sample.folder("out.sqlite"))),
        files: FileActions(vfs: vfs.name) { _ in nil }, change: changeEverything, verify: { _ in })
    }
  }
}
