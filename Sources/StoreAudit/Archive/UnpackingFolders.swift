import StoreSystem
import StoreCoreData
import StoreSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where an audit unpacks archives: a private folder among the temporary ones, and in it one for each archive.
///
/// What lies there are people's stores, and must not stay. It goes with this value; where the audit is killed, its
/// workers remove it (`OrphanWatch`); and where they are killed with it, the next audit does: whoever uses such a folder
/// holds a lock on it, so one that nobody holds was left behind. Its name alone says little, somebody may have put stores
/// into a folder of that name: it is ours where it is marked, and holds nothing that we would not have made.
final class UnpackingFolders {
  private let parent: PosixPath
  private var root: HeldFolder?
  private var count = 0

  private static let name = "storedoctor-audit"

  /// Removes what was left behind; makes nothing yet.
  init(in parent: PosixPath) {
    self.parent = parent
    for name in FileSystem.names(in: parent) ?? [] where Self.isRoot(name) {
      // It is removed when the value goes, and held until then.
      let folder = parent.appending(component: name)
      if HeldFolder.isMarked(folder) { _ = HeldFolder.hold(folder) }
    }
  }

  private static func isRoot(_ name: [UInt8]) -> Bool { name.starts(with: Array((Self.name + "-").utf8)) }

  /// The folder that all archives of an audit are unpacked into; nil where `folder` is none of an archive.
  static func root(of folder: PosixPath) -> PosixPath? {
    let root = PosixPath(bytes: folder.sibling(named: []).bytes.dropLast())
    return isRoot(root.name) ? root : nil
  }

  /// A new, empty folder that only this user can enter.
  func next() throws(AuditError) -> DisposableFolder {
    let held = if let root { root } else { try makeRoot() }
    root = held
    count += 1
    let path = held.path.appending(component: Array("\(count)".utf8))
    guard path.withCString({ mkdir($0, 0o700) }) == 0 else { throw .noTemporaryFolder(parent.description) }
    return DisposableFolder(path)
  }

  private func makeRoot() throws(AuditError) -> HeldFolder {
    // Until it is marked no other audit takes it for one that was left behind.
    guard let folder = newPrivateFolder(named: Self.name, in: parent), let held = HeldFolder.hold(folder), held.mark()
    else { throw .noTemporaryFolder(parent.description) }
    return held
  }
}

/// A folder that is removed with all it holds when nobody needs it any more.
final class DisposableFolder {
  let path: PosixPath

  init(_ path: PosixPath) { self.path = path }

  deinit { try? removeFolder(path) }
}

/// A private folder that this process holds a lock on, and removes in the end.
private final class HeldFolder {
  let path: PosixPath
  private let lock: OpenFile

  private init(_ path: PosixPath, _ lock: OpenFile) {
    self.path = path
    self.lock = lock
  }

  deinit { try? removeFolder(path) }

  /// The file that says whose folder it is. Its name comes after numbers: it is removed last, so that what is left of a
  /// removal that was cut is still ours.
  private static let marker = Array("unpacked-by-storedoctor-audit".utf8)

  /// Says that the folder is an audit's; false where that cannot be said.
  func mark() -> Bool {
    let marker = PosixPath(bytes: Self.marker)
    let file = marker.withCString { openat(lock.number, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    if file >= 0 { close(file) }
    return file >= 0
  }

  /// Whether an audit has made the folder, and only audits have put things into it: the marker, and numbers.
  static func isMarked(_ path: PosixPath) -> Bool {
    guard FileSystem.kind(of: path, followingLinks: false) == .folder, let names = FileSystem.names(in: path),
      names.contains(marker)
    else { return false }
    return names.allSatisfy { name in
      name == marker || name.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    }
  }

  /// Takes hold of a folder; nil where somebody else does, or it is no folder of this user alone.
  static func hold(_ path: PosixPath) -> HeldFolder? {
    let number = path.withCString { open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    guard number >= 0 else { return nil }
    let lock = OpenFile(number)
    var (own, there) = (stat(), stat())
    guard flock(number, LOCK_EX | LOCK_NB) == 0, fstat(number, &own) == 0, path.withCString({ lstat($0, &there) }) == 0,
      own.st_ino == there.st_ino, own.st_dev == there.st_dev, own.st_uid == geteuid(), own.st_mode & 0o077 == 0
    else { return nil }
    return HeldFolder(path, lock)
  }
}
