import StorePlatform
import StoreSQLite

/// A folder of its own for one test, gone with the value.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/storedoctor-sqlite-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemFailure(call: "mkdtemp") }
    // On macOS, /tmp is a link.
    let resolved = realpath(made, nil)
    defer { free(resolved) }
    path = String(cString: resolved ?? made)
  }

  deinit {
    for name in names() {
      chmod(file(name), 0o700)
      if unlink(file(name)) != 0 { rmdir(file(name)) }
    }
    rmdir(path)
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names in the folder, sorted.
  func names() -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  func bytes(_ name: String) throws -> [UInt8] {
    try StoreSQLiteTests.bytes(ofFile: file(name))
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw SystemFailure(call: "open") }
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { writeBytes(descriptor, UnsafeRawBufferPointer(rebasing: $0.dropFirst(done))) }
      guard count > 0 else { throw SystemFailure(call: "write") }
      done += count
    }
  }

  func remove(_ name: String) { unlink(file(name)) }

  /// Everything that reading could change: names, sizes, times, bytes.
  func state() throws -> [String: FileState] {
    var states: [String: FileState] = try ["": FileState(path)]
    for name in names() { states[name] = try FileState(file(name), bytes: bytes(name)) }
    return states
  }
}

struct SystemFailure: Error {
  var call: String
  var code = errno
}

/// The state of a file: what `ls -l --time-style=full-iso` and `sha256sum` would show.
struct FileState: Equatable {
  var inode: UInt64
  var mode: UInt32
  var size: Int64
  var times: [Int]
  var bytes: [UInt8]

  init(_ path: String, bytes: [UInt8] = []) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw SystemFailure(call: "lstat") }
    inode = UInt64(status.st_ino)
    mode = UInt32(status.st_mode)
    size = Int64(status.st_size)
    // The test itself reads through `EvidenceFile`, which leaves access times alone where it can. The folder's access time
    // changes when the test lists it.
    let isRead = status.st_mode & S_IFMT == S_IFDIR || Platform.withoutAccessTime == nil
    let stamps = [status.modificationTime, status.statusChangeTime] + (isRead ? [] : [status.accessTime])
    times = stamps.flatMap { [$0.tv_sec, $0.tv_nsec] }
    self.bytes = bytes
  }
}

func bytes(ofFile path: String) throws -> [UInt8] {
  let file = try EvidenceFile(PosixPath(path))
  return try file.read(at: 0, count: Int(file.size))
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
