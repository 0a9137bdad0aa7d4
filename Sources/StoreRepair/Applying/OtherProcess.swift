import StoreCoreData
import StorePlatform
import StorePublishing
import StoreSQLite
import StoreWords

/// Another process that has a file open.
///
/// In rollback-journal mode an app that is not reading or writing at the moment holds no lock, so SQLite cannot tell
/// that it is there; but it keeps objects in memory, and would save over what was repaired. The system says who has a
/// file open. Not seen: processes of other users (unless run by root), those in other containers and on other machines.
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
    var holders = processes(withOpen: path)
    for _ in 0..<4 where !holders.isEmpty {
      usleep(20_000)
      holders.formIntersection(processes(withOpen: path))
    }
    return holders.min().map {
      OtherProcess(id: $0, name: String(decoding: Platform.name(ofProcess: $0) ?? Array("?".utf8), as: UTF8.self))
    }
  }

  /// The numbers of the other processes that have a file open, as far as the system tells.
  private static func processes(withOpen path: PosixPath) -> Set<Int32> {
    var status = stat()
    var ids: Set<Int32> = []
    _ = path.withCString { text in
      guard stat(text, &status) == 0 else { return -1 }
      ids = Platform.processes(withOpen: status, at: text)
      return 0
    }
    return ids
  }
}
