import Foundation
import StorePlatform
import TestSupport
import Testing

/// Audits a folder that other processes write to: each store has its line, and no process is disturbed.
@Suite(
  .needs("python3"),
  .enabled(if: ProcessInfo.processInfo.environment["STOREDOCTOR"] == nil, "skipped: not a debug build"))
struct AuditBusyFolderTests {
  private let folder: TemporaryFolder
  private let notes = Project.path("corpus/Notes.sqlite")

  init() throws {
    folder = try TemporaryFolder()
    for name in ["still", "live"] {
      try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
    }
  }

  /// Keeps a store locked in the middle of a transaction that has reached the disk, with a hot journal.
  private static let locker = """
    import pathlib, sqlite3, sys, time
    store = sqlite3.connect(sys.argv[1], isolation_level=None)
    store.executescript("PRAGMA journal_mode=DELETE; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=2")
    store.execute("BEGIN EXCLUSIVE")
    store.execute("UPDATE ZNOTE SET ZTITLE = hex(randomblob(2000))")
    pathlib.Path(sys.argv[2]).touch()
    time.sleep(600)
    """

  /// Commits to a store all the time.
  private static let writer = """
    import pathlib, sqlite3, sys, time
    store = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
    store.execute("PRAGMA journal_mode=" + sys.argv[3])
    ready = pathlib.Path(sys.argv[2])
    while True:
      store.execute("UPDATE ZNOTE SET ZTITLE = hex(randomblob(20))")
      if ready: ready.touch()
      ready = None
      time.sleep(0.02)
    """

  private func start(_ script: String, _ store: String, _ more: [String] = []) throws -> Program.Background {
    let place = try TemporaryFolder()
    let ready = place("ready")
    let process = try Program.Background(["python3", "-c", script, folder(store), ready] + more)
    for _ in 0..<600 where !FileManager.default.fileExists(atPath: ready) { usleep(50_000) }
    #expect(FileManager.default.fileExists(atPath: ready) && process.isRunning, "\(store)")
    return process
  }

  @Test(arguments: ["1", "4"]) func everyEntryHasItsLine(jobs: String) throws {
    for name in ["a.sqlite", "d-hang.hang@checking.sqlite", "z.sqlite"] {
      _ = try folder.copyStore(notes, as: "still/" + name)
    }
    let locked = try folder.copyStore(notes, as: "still/c-locked.sqlite")
    for name in ["a-wal.slow@checking.sqlite", "b-journal.slow@checking.sqlite"] {
      _ = try folder.copyStore(notes, as: "live/" + name)
    }
    let others = [
      try start(Self.locker, "still/c-locked.sqlite"),
      try start(Self.writer, "live/a-wal.slow@checking.sqlite", ["WAL"]),
      try start(Self.writer, "live/b-journal.slow@checking.sqlite", ["DELETE"]),
    ]
    #expect(FileManager.default.fileExists(atPath: locked + "-journal"))
    let before = FolderState(of: folder("still"))
    let run = try AuditRun(
      [folder.path, "--timeout", "15", "--jobs", jobs], environment: ["STOREDOCTOR_FAULTS": "1"])
    #expect(
      try run.table(below: folder.path) == """
        live/a-wal.slow@checking.sqlite  unreadable  changed
        live/b-journal.slow@checking.sqlite  unreadable  changed
        still/a.sqlite  audited  healthy
        still/c-locked.sqlite  audited  findings
        still/d-hang.hang@checking.sqlite  timed-out  timed-out  checking
        still/z.sqlite  audited  healthy
        """)
    #expect(try run.lines[3].findings?.map(\.id) == ["SD106"])
    #expect(run.status == 1)
    #expect(FolderState(of: folder("still")) == before)
    // The writers create and remove these files themselves.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder("live"))
    #expect(names.allSatisfy { name in ["a-wal.", "b-journal."].contains { name.hasPrefix($0) } }, "\(names)")
    #expect(others.allSatisfy { $0.isRunning })
  }

  private static let canMakeDevices: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return mknod(folder("null"), S_IFCHR | 0o666, makeDevice(1, 3)) == 0
  }()

  /// Opening a device may have effects (a tape rewinds), and reading one may never end.
  @Test(.enabled(if: canMakeDevices, "skipped: only root may make devices, and not in every container"))
  func aDeviceIsALineAndIsNotRead() throws {
    #expect(mknod(folder("still/b-null.sqlite"), S_IFCHR | 0o666, makeDevice(1, 3)) == 0)
    #expect(mknod(folder("still/c-zero.sqlite"), S_IFCHR | 0o666, makeDevice(1, 5)) == 0)
    #expect(mknod(folder("still/d-zero"), S_IFCHR | 0o666, makeDevice(1, 5)) == 0)
    #expect(mknod(folder("still/e-disk.store"), S_IFBLK | 0o666, makeDevice(7, 200)) == 0)
    _ = try folder.copyStore(notes, as: "still/z.sqlite")
    let before = FolderState(of: folder("still"))
    let run = try AuditRun([folder("still")])
    #expect(
      try run.table(below: folder("still")) == """
        b-null.sqlite  unreadable  not-regular
        c-zero.sqlite  unreadable  not-regular
        e-disk.store  unreadable  not-regular
        z.sqlite  audited  healthy
        """)
    #expect(run.status == 1)
    #expect(FolderState(of: folder("still")) == before)
  }

  /// The same by a symbolic link, which needs no root.
  @Test func aLinkToADeviceIsALineAndIsNotRead() throws {
    #expect(symlink("/dev/zero", folder("still/b-zero.sqlite")) == 0)
    _ = try folder.copyStore(notes, as: "still/z.sqlite")
    let run = try AuditRun([folder("still"), folder("still/b-zero.sqlite"), "/dev/zero"])
    #expect(
      try run.table(below: folder("still")) == """
        b-zero.sqlite  not-followed  link
        z.sqlite  audited  healthy
        b-zero.sqlite  unreadable  not-regular
        /dev/zero  unreadable  not-regular
        """)
    #expect(run.status == 1)
  }
}

/// The number of a device: `makedev`, which is a macro.
private func makeDevice(_ major: dev_t, _ minor: dev_t) -> dev_t {
  #if canImport(Darwin)
    major << 24 | minor
  #else
    major << 8 | minor
  #endif
}
