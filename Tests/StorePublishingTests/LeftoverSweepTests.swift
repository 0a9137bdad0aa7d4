import Foundation
import StoreSQLite
import TestSupport
import Testing

@testable import StorePublishing

/// Where a lock of a draft would hinder SQLite, a file beside it is locked (macOS); the files are the same on every system.
@Suite struct LeftoverSweepTests {
  private let folder: TemporaryFolder
  private let draft: PosixPath

  init() throws {
    folder = try TemporaryFolder()
    let gone = Process()
    gone.executableURL = URL(fileURLWithPath: "/bin/true")
    try gone.run()
    gone.waitUntilExit()
    draft = PosixPath(folder(".storedoctor-\(gone.processIdentifier)-a1.sqlite"))
  }

  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? [] }

  private func sweep() { Leftovers.sweep(PosixPath(folder.path), files: FileActions(), areHeldBeside: true) }

  @Test func aDraftThatIsHeldBesideItStays() throws {
    var hold = DraftHold(beside: draft)
    #expect(hold != nil && DraftHold(beside: draft) == nil)
    try Data([1]).write(to: URL(fileURLWithPath: draft.description))
    let all = names
    #expect(all.count == 2)
    sweep()
    #expect(names == all, "another process, whose number nobody here has, still writes it")
    hold = nil
    #expect(names.count == 1, "the file of the lock goes with it")
    sweep()
    #expect(names == [])
  }

  /// What SIGKILL leaves: the lock is gone, its file is not.
  @Test func theFileOfALockIsNoLock() throws {
    for name in [draft.description, draft.description + "-hold", draft.description + "-wal"] {
      try Data([1]).write(to: URL(fileURLWithPath: name))
    }
    sweep()
    #expect(names == [])
    // Killed before there was a draft.
    try Data().write(to: URL(fileURLWithPath: draft.description + "-hold"))
    sweep()
    #expect(names == [])
  }
}
