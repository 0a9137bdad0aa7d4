import Foundation
import StorePlatform

/// Everything about a folder that can be seen from outside: names, kinds, modes, times and bytes.
struct FolderState: Equatable, CustomStringConvertible {
  private var entries: [String: String] = [:]
  private var contents: [String: Data] = [:]

  /// Looks at a folder and all in it. Times come before bytes, and bytes are read without touching access times.
  init(of folder: String) {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    for name in names { entries[name] = Self.facts(folder + "/" + name) }
    entries["."] = Self.facts(folder)
    for name in names { contents[name] = Self.content(folder + "/" + name) }
  }

  var description: String {
    entries.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
  }

  private static func facts(_ path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0 else { return "gone" }
    let times = [status.modificationTime, status.statusChangeTime, status.accessTime]
    // Without the access times of folders and links, which reading this state changes.
    let isRead = [S_IFDIR, S_IFLNK].contains(status.st_mode & S_IFMT)
    let compared = isRead ? times.dropLast() : times[...]
    return "mode \(String(status.st_mode, radix: 8)) inode \(status.st_ino) size \(status.st_size) times "
      + compared.map { "\($0.tv_sec).\($0.tv_nsec)" }.joined(separator: " ")
  }

  private static func content(_ path: String) -> Data? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | (Platform.withoutAccessTime ?? 0))
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var content = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      content.append(contentsOf: buffer[..<count])
    }
    return content
  }
}
