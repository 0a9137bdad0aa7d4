import StoreCoreData
import StorePlatform
import StoreSQLite
import StoreSystem
import Synchronization

/// Unfinished outputs: files under temporary names that a run leaves when it is ended from outside.
///
/// A file without a name (`O_TMPFILE`) would leave nothing, but SQLite needs a path, for its log too, and a support folder
/// has a name in any case. So the name has the number of the process: `.storedoctor-4711-9f3c2a.sqlite`. SIGINT, SIGTERM and
/// SIGHUP remove it; after SIGKILL a small process that waits for that does (`RemovalAtEnd`). What a power cut leaves, or the
/// end of all processes at once, is removed by the next run that writes into the folder.
package enum Leftovers {
  /// Whether signals that end the process remove what it has begun: for programs alone, since a library must not catch them.
  nonisolated(unsafe) package static var areRemovedOnSignals = false
  /// Told of each file that an ended run left, and that was removed.
  nonisolated(unsafe) package static var onRemoval: (@Sendable (PosixPath) -> Void)?

  /// A new temporary name beside `place`. It is short, because the target's may be as long as names can be.
  static func name(beside place: PosixPath) -> PosixPath {
    let number = String(UInt64.random(in: 0 ... .max), radix: 16)
    return place.sibling(named: Array("\(prefix)\(getpid())-\(number)\(suffix)".utf8))
  }

  private static let prefix = ".storedoctor-"
  private static let suffix = ".sqlite"

  /// Removes what ended runs left in a folder.
  ///
  /// - Parameter areHeldBeside: whether drafts are locked by a file beside them.
  static func sweep(_ folder: PosixPath, files: FileActions, areHeldBeside: Bool = !Platform.hasLocksApart) {
    guard let names = FileSystem.names(in: folder) else { return }
    var mains: Set<[UInt8]> = []
    for name in names { if let main = main(of: name) { mains.insert(main.name) } }
    for main in mains.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let draft = folder.appending(component: main)
      guard let process = Self.main(of: main)?.process,
        isEnded(process, holding: areHeldBeside ? draft.appending(DraftHold.suffix) : draft)
      else { continue }
      remove(folder.appending(component: main), files: files)
    }
  }

  /// The main file's name and the process, of a main file, side file or support folder of a draft; nil for other names.
  private static func main(of name: [UInt8]) -> (name: [UInt8], process: pid_t)? {
    guard let text = String(validating: name, as: UTF8.self) else { return nil }
    var base = text[...]
    if base.hasPrefix("."), base.hasSuffix("_SUPPORT") {
      base = base.dropLast("_SUPPORT".count)
      // The support folder of `.a.sqlite` is `..a_SUPPORT`.
      base = base.hasPrefix("..") ? base.dropFirst() : base
      return main(of: Array((base + suffix).utf8))
    }
    for side in sideFileSuffixes + [DraftHold.suffix] where base.hasSuffix(side) { base = base.dropLast(side.count) }
    guard base.hasPrefix(prefix), base.hasSuffix(suffix) else { return nil }
    let parts = base.dropFirst(prefix.count).dropLast(suffix.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let process = pid_t(parts[0]), process > 0, UInt64(parts[1], radix: 16) != nil else {
      return nil
    }
    return (Array(base.utf8), process)
  }

  /// Whether no process of that number runs here, and none elsewhere, as in another container, holds the file that is
  /// locked.
  private static func isEnded(_ process: pid_t, holding lock: PosixPath) -> Bool {
    guard process != getpid(), kill(process, 0) != 0, errno == ESRCH else { return false }
    guard FileSystem.kind(of: lock, followingLinks: false) == .file else { return true }
    return DraftHold(lock) != nil
  }

  /// The files of a draft: its main file, those of SQLite beside it, and the one that is locked.
  fileprivate static func files(of main: PosixPath) -> [PosixPath] {
    [main] + (sideFileSuffixes + [DraftHold.suffix]).map { main.appending($0) }
  }

  private static func remove(_ main: PosixPath, files: FileActions) {
    for path in Self.files(of: main) {
      guard FileSystem.kind(of: path, followingLinks: false) == .file, (try? files.unlink(path)) != nil else {
        continue
      }
      onRemoval?(path)
    }
    let support = Store.supportFolder(of: main)
    guard FileSystem.kind(of: support, followingLinks: false) == .folder else { return }
    if (try? files.removeTree(support)) != nil { onRemoval?(support) }
  }
}

/// A lock of a draft for as long as it is written: another process, which may not see this one, leaves it alone.
///
/// It is on the draft itself where locks of whole files and SQLite's locks of bytes do not hinder one another. Elsewhere
/// (Darwin) it is on an empty file beside the draft, which is there before it and goes with this object.
final class DraftHold {
  /// What the file beside a draft is called after it.
  static let suffix = "-hold"

  private let descriptor: Int32
  /// The file beside the draft; nil where the draft itself is locked.
  private let own: PosixPath?

  /// Locks a file that is there. Nil where another process has it, or the file system has no locks.
  init?(_ path: PosixPath) {
    own = nil
    descriptor = path.withCString { open($0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
  }

  /// Makes a file beside a draft and locks it. Nil where that cannot be: the draft has its process's number alone then.
  init?(beside main: PosixPath) {
    let path = main.appending(Self.suffix)
    descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    own = descriptor >= 0 ? path : nil
    guard descriptor >= 0 else { return nil }
    // Nobody else knows the name yet.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      _ = path.withCString { unlink($0) }
      return nil
    }
  }

  deinit {
    if let own { _ = own.withCString { unlink($0) } }
    close(descriptor)
  }
}

// MARK: Signals

extension Leftovers {
  /// Room for the paths of several drafts; those of more are left for the next run.
  private static let room = 64
  /// What a signal removes. A path's bytes are never freed, since the signal may come while they are read.
  nonisolated(unsafe) fileprivate static let paths: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = {
    let paths = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: room)
    paths.initialize(repeating: nil, count: room)
    return paths
  }()
  private static let isCatching = Mutex(false)

  /// Has the files of a draft removed by a signal that ends the process.
  ///
  /// - Returns: what removes them after SIGKILL, for as long as it is kept.
  static func guardDraft(_ main: PosixPath) -> RemovalAtEnd? {
    guard areRemovedOnSignals else { return nil }
    isCatching.withLock { isCatching in
      for path in files(of: main) {
        guard let free = (0..<room).first(where: { paths[$0] == nil }) else { break }
        _ = path.withCString { name in
          paths[free] = strdup(name)
          return 0
        }
      }
      guard !isCatching else { return }
      isCatching = true
      for number in [SIGINT, SIGTERM, SIGHUP] {
        let before = signal(number) { removeDrafts($0) }
        // One that is ignored, or has a handler of its own, keeps it.
        if unsafeBitCast(before, to: Int.self) != unsafeBitCast(SIG_DFL, to: Int.self) { signal(number, before) }
      }
    }
    return RemovalAtEnd(of: files(of: main), folder: Store.supportFolder(of: main))
  }

  /// Leaves the files of a draft alone again.
  static func release(_ main: PosixPath) {
    guard areRemovedOnSignals else { return }
    isCatching.withLock { _ in
      for path in files(of: main) {
        _ = path.withCString { name in
          for place in 0..<room { if let held = paths[place], strcmp(held, name) == 0 { paths[place] = nil } }
          return 0
        }
      }
    }
  }

  fileprivate static func unlinkAll() { for place in 0..<room { if let path = paths[place] { unlink(path) } } }
}

private func removeDrafts(_ number: Int32) {
  Leftovers.unlinkAll()
  signal(number, SIG_DFL)
  raise(number)
}
