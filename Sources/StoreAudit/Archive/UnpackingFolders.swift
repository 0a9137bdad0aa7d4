import StorePlatform
import StoreSystem
import StoreCoreData
import StoreSQLite

/// Where an audit unpacks archives: a private folder in the temporary one, with a subfolder for each archive.
///
/// It holds people's stores, so it must not be left behind. It is removed with this object; if the audit is killed, by
/// its workers (`OrphanWatch`); and if these are killed too, by the next audit. An audit holds a lock on its folder, so
/// one without a lock was left behind. The name alone does not prove that, since somebody may have put stores into a
/// folder of that name: it must also have the marker, and contain nothing that an audit would not have made.
final class UnpackingFolders {
  private let parent: PosixPath
  private var root: HeldFolder?
  private var count = 0

  private static let name = "storedoctor-audit"

  /// Removes folders that were left behind; creates nothing yet.
  init(in parent: PosixPath) {
    self.parent = parent
    for name in FileSystem.names(in: parent) ?? [] where Self.isRoot(name) {
      // It is removed when the value is released.
      let folder = parent.appending(component: name)
      if HeldFolder.isMarked(folder) { _ = HeldFolder.hold(folder) }
    }
  }

  private static func isRoot(_ name: [UInt8]) -> Bool { name.starts(with: Array((Self.name + "-").utf8)) }

  /// The folder in which an audit unpacks all archives; nil where `folder` is not one of an archive.
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
    // Without the marker no other audit takes the folder for one left behind.
    guard let folder = newPrivateFolder(named: Self.name, in: parent), let held = HeldFolder.hold(folder), held.mark()
    else { throw .noTemporaryFolder(parent.description) }
    return held
  }
}

/// A folder that is removed with its contents when this object goes away.
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

  /// The marker file. Its name sorts after numbers, so it is removed last, and an interrupted removal leaves a folder
  /// that is still marked.
  private static let marker = Array("unpacked-by-storedoctor-audit".utf8)

  /// Creates the marker; false where that fails.
  func mark() -> Bool {
    let marker = PosixPath(bytes: Self.marker)
    let file = marker.withCString { openat(lock.number, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    if file >= 0 { close(file) }
    return file >= 0
  }

  /// Whether the folder has the marker, and otherwise only numbered folders.
  static func isMarked(_ path: PosixPath) -> Bool {
    guard FileSystem.kind(of: path, followingLinks: false) == .folder, let names = FileSystem.names(in: path),
      names.contains(marker)
    else { return false }
    return names.allSatisfy { name in
      name == marker || name.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    }
  }

  /// Locks a folder; nil where another process holds the lock, or it is not a folder private to this user.
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
