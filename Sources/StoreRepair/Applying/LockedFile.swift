import StorePlatform
import StorePublishing
import StoreSQLite

/// A store's main file under an exclusive lock as SQLite takes it, read and written as bytes.
///
/// SQLite cannot be used to restore files: it could not even open what an interrupted undo leaves. Its locks are on 512
/// bytes at 1 GiB: PENDING, RESERVED, and SHARED of 510; a connection in WAL mode holds SHARED as long as it is open.
/// The lock belongs to the open file description and not to the process, so it also notices connections of this process.
///
/// https://www.sqlite.org/src/file/src/os.h (PENDING_BYTE), https://www.sqlite.org/lockingv3.html
final class LockedFile: ByteSource {
  let file: WritableFile
  let name: String
  let size: Int64

  /// Opens and locks the file at a path whose links are resolved.
  ///
  /// - Throws: `PublishingError` when another connection has it open, `RepairError`, and `FileActionError`.
  init(_ path: PosixPath, _ files: FileActions) throws {
    file = try files.change(path)
    name = path.description
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(LockBytes.start)
    lock.l_len = 512
    guard fcntl(file.descriptor, Platform.setLockOfOpenFile, &lock) == 0 else {
      if errno == EAGAIN || errno == EACCES { throw PublishingError(path, .inUse) }
      throw RepairError(path, .failed("it cannot be locked"))
    }
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw RepairError(path, .failed("it is not a regular file"))
    }
    size = Int64(status.st_size)
    try OtherProcess.refuse(path)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int {
    var done = 0
    while done < buffer.count {
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = pread(file.descriptor, part.baseAddress, part.count, off_t(offset + Int64(done)))
      if count > 0 {
        done += count
      } else if count == 0 {
        break
      } else if errno != EINTR {
        throw FileError(path: name, kind: .io(errno: errno))
      }
    }
    return done
  }
}
