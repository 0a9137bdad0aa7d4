import Foundation
import StorePlatform
import StoreSQLite
import TestSupport
import Testing

/// Evidence is never touched: bytes, times and listing of a store's folder are the same before and after.
@Suite struct EvidenceTests {
  private static let commands = [
    ["rows"], ["rows", "--format", "json"], ["timeline"], ["recover", "--format", "case"], ["inspect", "--commits"],
    ["inspect"], ["inspect", "--format", "json", "--sizes", "--sha256"], ["inspect", "--without-wal"],
    ["diagnose", "--fail-on", "never"], ["diagnose", "--fail-on", "never", "--format", "json", "--without-wal"],
    ["repair", "--safe"], ["repair", "--structure", "high-water,join-orphans", "--format", "json", "--without-wal"],
  ]
  /// One run of each command, since the effect of a store's location does not depend on the options.
  private static let commandsInPlace = [
    ["inspect", "--without-wal"], ["diagnose", "--fail-on", "never", "--format", "json"], ["repair", "--safe"],
    ["timeline", "--format", "jsonl"], ["recover", "--summary"],
  ]

  /// A bundled store is examined in another folder: other tests read its own.
  @Test(arguments: Catalogue.stores)
  func noRealStoreIsTouched(_ entry: Catalogue.Entry) throws {
    let folder = try TemporaryFolder()
    let copy = try folder.copyStore(entry.path)
    let otherFolder = try TemporaryFolder()
    let place = entry.folder == nil ? entry.path : try otherFolder.copyStore(entry.path)
    let elsewhere = try TemporaryFolder()
    let repair = ["repair", "--safe", "--force", "--output", elsewhere("Mended.sqlite")]
    // Every value of every object is read.
    let page = ["report", "--rows", "--force", "--output", elsewhere("Page.html")]
    let exports = ["copy", "place"].map { ["rows", "--format", "sqlite", "--output", elsewhere("\($0).sqlite")] }
    // Examined in its own folder as well, which may be read-only.
    for (store, commands) in [
      (copy, Self.commands + [repair, page, exports[0], ["compare", entry.path]]),
      (place, Self.commandsInPlace + [exports[1]]),
    ] {
      let parent = (store as NSString).deletingLastPathComponent
      let before = FolderState(of: parent)
      for command in commands {
        let outcome = try Program.run(command + [store])
        // Without its WAL, the main file may be no complete store.
        #expect(
          outcome.status == 0 || command.contains("--without-wal") && outcome.status == 2, "\(command) \(outcome)")
      }
      #expect(FolderState(of: parent) == before)
    }
  }

  /// Files that hold values are found by their names and never opened, and the access times of their folders stay.
  @Test func noFileBesideAStoreIsTouched() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let support = folder(".Notes_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: support, withIntermediateDirectories: true)
    let value = try folder.write([1], to: ".Notes_SUPPORT/_EXTERNAL_DATA/0308CA1C-D76C-4F97-8631-28E8EFF6F510")
    // The access time is before the modification time, so that a `relatime` mount would update it on any read.
    let places = [folder.path, folder(".Notes_SUPPORT"), support, value]
    for path in places {
      var times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_500_000_000, tv_nsec: 0)]
      utimensat(AT_FDCWD, path, &times, 0)
    }
    let outcome = try Program.run(["diagnose", store, "--format", "json"])
    #expect(outcome.output.contains("\"file\": \"0308CA1C-D76C-4F97-8631-28E8EFF6F510\""))
    for path in places { #expect(accessSeconds(path) == 1_000_000_000, "\(path)") }
  }

  private func accessSeconds(_ path: String) -> Int {
    var status = stat()
    lstat(path, &status)
    return status.accessTime.tv_sec
  }

  /// A store is a model too: every command that takes one leaves it and its side files as they were. So do those that perform
  /// a migration, which read the store and write another.
  @Test(
    arguments: Catalogue.bundled.prefix(2) + Catalogue.real.enumerated().filter { $0.offset % 8 == 0 }.map(\.element))
  func noModelCommandTouchesAStore(_ entry: Catalogue.Entry) throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(entry.path)
    let elsewhere = try TemporaryFolder()
    try XcodeFiles.bundle(in: elsewhere)
    let bundle = elsewhere("Notes.xcdatamodeld")
    let before = FolderState(of: folder.path)
    let commands =
      [
        ["show", store], ["hash", store], ["diff", store, bundle], ["diff", bundle, store],
        ["match", store, bundle, store],
        ["convert", store, "--to", "json"], ["convert", store, "--to", "swift"], ["pin", store],
        ["pin", store, "--output", elsewhere("pins.json")], ["check", store, "--pins", elsewhere("pins.json")],
        ["sample", store, "--output", elsewhere("Sample.sqlite")],
      ].map({ ["model"] + $0 }) + [
        ["migrate", store, "--model", store, "--dry-run"],
        ["migrate", store, "--model", bundle, "--allow-assumed", "--output", elsewhere("Migrated.sqlite")],
        ["rehearse", store, "--model", store],
        ["rehearse", store, "--model", bundle, "--keep-results", elsewhere("Kept")],
        ["recover", store, "--models"],
      ]
    for (number, command) in commands.enumerated() {
      let outcome = try Program.run(command)
      // Status 2: a store without a model cache has nothing to show.
      #expect([0, 1, 2].contains(outcome.status), "\(number): \(outcome.errors)")
    }
    #expect(FolderState(of: folder.path) == before)
  }

  @Test(.needsOrdinaryUser) func readOnlyFoldersAndFilesAreEnough() throws {
    let folder = try TemporaryFolder()
    let store = try LivingStore(in: folder, committed: 4, inWAL: 5000).mainPath
    for suffix in ["", "-wal"] { chmod(store + suffix, 0o444) }
    chmod(folder.path, 0o555)
    let before = FolderState(of: folder.path)
    let answer = try Answer(store, as: .ordinary)
    #expect(answer.rows["Note"] == 5004)
    // Only the owner may ask the system not to update access times; for all others the answer says they may have
    // changed.
    #expect(answer.store.accessTimesKept == (getuid() != 0))
    if getuid() != 0 { #expect(FolderState(of: folder.path) == before) }
    #expect(FolderState(of: folder.path).withoutAccessTimes == before.withoutAccessTimes)
  }

  @Test(.needsOrdinaryUser, .needsSharedData) func aRealStoreInAReadOnlyFolderHasTheRowsOfItsWAL() throws {
    let entry = try #require(Catalogue.real.first { $0.slug == "cdt-materials--surfjournalmodel-6f515f" })
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(entry.path)
    for suffix in ["", "-wal", "-shm"] { chmod(store + suffix, 0o444) }
    chmod(folder.path, 0o555)
    #expect(try Answer(store, as: .ordinary).rows.values.reduce(0, +) == 5000)
    #expect(try Answer(store, ["--without-wal"], as: .ordinary).rows.values.reduce(0, +) == 0)
  }

  @Test(.enabled(if: Mount.isPossible, "skipped: mounting needs root")) func readOnlyMountsAreEnough() throws {
    let folder = try TemporaryFolder()
    let store = try LivingStore(in: folder, committed: 4, inWAL: 5000).mainPath
    let place = try TemporaryFolder()
    let mount = try Mount(of: folder.path, at: place.path)
    let mounted = place((store as NSString).lastPathComponent)
    #expect(open(mounted, O_WRONLY) == -1)
    #expect(try Answer(mounted).rows["Note"] == 5004)
    withExtendedLifetime(mount) {}
  }

  /// No system call on any kind of input could have written anything.
  @Test(.needs("strace"), arguments: InputKind.all.map(\.name) + Traced.stores)
  func noCallCouldWrite(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = try InputKind.all.first { $0.name == name }?.make(folder) ?? Traced.make(name, folder)
    let place = try TemporaryFolder()
    let trace = place("trace")
    let outcome = try Program.launch(
      ["strace", "-f", "-qq", "-e", "trace=%file,%desc", "-o", trace, Program.path, "inspect", path])
    // Where tracing is forbidden, `strace` itself fails.
    guard FileManager.default.fileExists(atPath: trace), outcome.status != 1 else { return }
    let calls = String(decoding: try contents(of: trace), as: UTF8.self).split(separator: "\n")
    #expect(calls.contains { $0.contains("open") })
    for call in calls where Traced.couldWrite(String(call)) { Issue.record("\(call)") }
  }
}

/// Kinds of stores that are traced besides the kinds of other input.
private enum Traced {
  static let stores = ["a store", "a store with a WAL", "a store with a hot journal", "a folder with a store"]

  static func make(_ name: String, _ folder: TemporaryFolder) throws -> String {
    switch name {
    case "a store with a WAL": return try LivingStore(in: folder).mainPath
    case "a store with a hot journal":
      let origin = try makeStore(folder("Origin.sqlite"), notes: 400, usesWAL: false)
      let writer = try Connection(writing: origin, create: false)
      try writer.execute("PRAGMA cache_size=1; BEGIN; DELETE FROM ZNOTE")
      return try folder.copyStore(origin, as: "Notes.sqlite")
    case "a folder with a store":
      try makeStore(folder("Notes.sqlite"))
      return folder.path
    default: return try makeStore(folder("Notes.sqlite"))
    }
  }

  private static let names: Set<String> = [
    "creat", "rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "link", "linkat",
    "symlink", "symlinkat", "mknod", "mknodat", "truncate", "ftruncate", "fallocate", "chmod", "fchmod", "fchmodat",
    "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime", "utimes", "futimesat", "utimensat", "setxattr",
    "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr", "pwrite64", "pwritev", "pwritev2",
    "copy_file_range", "sendfile", "flock", "mount", "umount2", "fsync", "fdatasync", "sync_file_range",
  ]

  /// Whether a traced call opens for writing, creates, renames, removes, locks or changes anything; writing to standard
  /// output and error is what a command is for.
  static func couldWrite(_ call: String) -> Bool {
    let words = call.drop { $0.isNumber || $0 == " " }
    let name = words.prefix { $0 != "(" }
    if names.contains(String(name)) { return true }
    if name.hasPrefix("open") {
      return ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "O_TMPFILE"].contains(where: call.contains)
    }
    if name == "mmap" || name == "mmap2" { return call.contains("MAP_SHARED") && call.contains("PROT_WRITE") }
    if name == "fcntl" { return ["F_SETLK", "F_SETLKW", "F_OFD_SETLK", "F_SETLEASE"].contains(where: call.contains) }
    if name == "write" || name == "writev" { return !(words.hasPrefix("\(name)(1,") || words.hasPrefix("\(name)(2,")) }
    return false
  }
}

/// A folder mounted a second time, read-only, until the value goes away.
private final class Mount {
  private let place: String

  static let isPossible: Bool = {
    guard getuid() == 0, let (folder, place) = try? (TemporaryFolder(), TemporaryFolder()) else { return false }
    return (try? Mount(of: folder.path, at: place.path)) != nil
  }()

  init(of folder: String, at place: String) throws {
    self.place = place
    let mounted = try Program.launch(["mount", "--bind", folder, place])
    guard mounted.status == 0 else { throw CocoaError(.fileWriteNoPermission) }
    let remounted = try Program.launch(["mount", "-o", "remount,bind,ro", place])
    guard remounted.status == 0 else {
      _ = try? Program.launch(["umount", place])
      throw CocoaError(.fileWriteNoPermission)
    }
  }

  deinit { _ = try? Program.launch(["umount", place]) }
}

extension FolderState {
  /// The state without the last time of each line, the access time.
  var withoutAccessTimes: [String] {
    description.split(separator: "\n").map { $0.split(separator: " ").dropLast().joined(separator: " ") }
  }
}
