import StoreCoreData
import StorePlatform
import StorePublishing
import StoreSQLite
import StoreWords

/// Another process that has a file open.
///
/// In rollback-journal mode an app that is not reading or writing at the moment holds no lock, so SQLite cannot tell
/// that it is there; but it keeps objects in memory, and would save over what was repaired. Linux lists the open files
/// of each process in `/proc/PID/fd`. Not seen: processes of other users (unless run by root), those in other
/// containers and on other machines, and on other systems all of them.
struct OtherProcess: Equatable {
  /// Its number.
  var id: Int32
  /// Its name for itself.
  var name: String

  /// Throws when another process has the file open. Links of `path` are resolved.
  static func refuse(_ path: PosixPath) throws(RepairError) {
    guard let process = lasting(path) else { return }
    throw RepairError(path, .openIn(process: "\(process.id) (\(escapedForTerminal(process.name)))"))
  }

  /// A process that has the file open for longer than a moment: one that is just being started has all files of the one
  /// that starts it.
  private static func lasting(_ path: PosixPath) -> OtherProcess? {
    guard let file = FileKey(path) else { return nil }
    var holders = processes(withOpen: file)
    for _ in 0..<4 where !holders.isEmpty {
      usleep(20_000)
      holders.formIntersection(processes(withOpen: file))
    }
    return holders.min().map { OtherProcess(id: $0, name: name(of: $0)) }
  }

  /// The numbers of the other processes that have a file open, as far as the system tells.
  private static func processes(withOpen file: FileKey) -> Set<Int32> {
    #if os(Linux)
      let ids = (FileSystem.names(in: PosixPath("/proc")) ?? []).compactMap {
        Int32(String(decoding: $0, as: UTF8.self))
      }
      return Set(
        ids.filter { id in
          let descriptors = PosixPath("/proc/\(id)/fd")
          return id != getpid()
            && (FileSystem.names(in: descriptors) ?? []).contains {
              FileKey(descriptors.appending(component: $0)) == file
            }
        })
    #else
      return []
    #endif
  }

  private static func name(of id: Int32) -> String {
    let descriptor = open("/proc/\(id)/comm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "?" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
