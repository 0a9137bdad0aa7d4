import StorePlatform
import StoreWords
import StoreJSON
import StoreSQLite

/// A list of paths to audit, read as it arrives: one a line or ended by NUL, or JSON objects with a `path` and an `id`.
final class PathList {
  private let name: String
  private let descriptor: Int32
  private let separator: UInt8
  private let longest: Int
  private let interruption: Int32?
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  private var isAtStart = true

  /// The longest entry; no system opens a longer path.
  private static let longestEntry = 1 << 20
  private static let standardInput = "standard input"
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// - Parameters:
  ///   - path: the list; nil for standard input.
  ///   - isNULSeparated: whether entries end with NUL, as `find -print0` writes them.
  ///   - interruption: becomes readable when the list is no longer wanted.
  /// - Throws: `FileError` when it cannot be opened.
  init(_ path: PosixPath?, isNULSeparated: Bool, interruption: Int32? = nil) throws(FileError) {
    self.interruption = interruption
    separator = isNULSeparated ? 0 : UInt8(ascii: "\n")
    name = path?.description ?? Self.standardInput
    longest = Self.longestEntry
    guard let path else {
      descriptor = dup(STDIN_FILENO)
      return
    }
    descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileError(path: path.description, kind: .init(errno: errno)) }
  }

  /// A worker's requests on standard input: lines without a limit on length.
  init(standardInput: Void) {
    interruption = nil
    name = Self.standardInput
    longest = 64 << 20
    separator = UInt8(ascii: "\n")
    descriptor = dup(STDIN_FILENO)
  }

  deinit { close(descriptor) }

  /// The descriptor to wait for before the next entry can be read; nil where some of it, or the end, is there.
  var awaited: Int32? {
    isAtEnd || start < buffer.count || isReadable(descriptor) ? nil : descriptor
  }

  /// An entry of a list.
  struct Entry {
    var id: String?
    var path: PosixPath
    /// Why it has no path.
    var problem: String?
  }

  /// A list with a different separator than the options say.
  struct WrongSeparator: Error, CustomStringConvertible {
    var list: String

    var description: String { "cannot read \(quoted(list)): the list has NULs between its paths; say -0" }
  }

  /// The next entry that is not empty; nil at the end.
  ///
  /// - Throws: `FileError` when it cannot be read, so that a cut list does not pass for a whole one. `WrongSeparator`
  ///   for a line with a NUL, which no path contains: otherwise the whole list would be one path that does not exist.
  func next() throws -> Entry? {
    while var bytes = try nextBytes() {
      // Windows programs write one at the start of a text file.
      if isAtStart, bytes.starts(with: Self.byteOrderMark) { bytes.removeFirst(Self.byteOrderMark.count) }
      isAtStart = false
      if separator != 0, bytes.contains(0) { throw WrongSeparator(list: name) }
      if separator != 0, bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
      if !bytes.isEmpty { return entry(bytes) }
    }
    return nil
  }

  private func entry(_ bytes: [UInt8]) -> Entry {
    guard bytes.count <= Self.longestEntry else {
      return Entry(
        path: PosixPath(bytes: Array(bytes.prefix(64))), problem: "an entry of more than \(Self.longestEntry) bytes")
    }
    guard separator != 0, bytes.first == UInt8(ascii: "{") else { return Entry(path: PosixPath(bytes: bytes)) }
    do {
      return try object(JSONPlace(JSONValue(bytes)))
    } catch {
      return Entry(path: PosixPath(bytes: bytes), problem: "not an object with 'path' and 'id': \(error)")
    }
  }

  /// Members besides `path` and `id` are ignored.
  private func object(_ place: JSONPlace) throws(JSONError) -> Entry {
    var entry = Entry(path: PosixPath(bytes: []), problem: "it has no 'path'")
    for (name, member) in try place.entries() {
      switch name {
      case "path":
        entry.path = PosixPath(try member.string())
        entry.problem = nil
      case "id":
        if case .integer(let number) = member.value {
          entry.id = String(number)
        } else {
          entry.id = try member.string()
        }
      default: break
      }
    }
    return entry
  }

  /// The bytes up to the next separator; of an entry that is too long, only the beginning.
  ///
  /// - Throws: `FileError`, and `AuditError.interrupted`.
  func nextBytes() throws -> [UInt8]? {
    var entry: [UInt8] = []
    while true {
      let rest = buffer[start...]
      if let end = rest.firstIndex(of: separator) {
        entry += rest[..<end].prefix(longest + 1 - entry.count)
        start = end + 1
        return entry
      }
      entry += rest.prefix(longest + 1 - entry.count)
      guard try fill() else { return entry.isEmpty ? nil : entry }
    }
  }

  private func fill() throws -> Bool {
    buffer = []
    start = 0
    guard !isAtEnd else { return false }
    if let interruption {
      var polled = [descriptor, interruption].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      while poll(&polled, 2, -1) < 0 && errno == EINTR {}
      if polled[1].revents != 0 { throw AuditError.interrupted }
    }
    var read = -1
    buffer = [UInt8](unsafeUninitializedCapacity: 1 << 16) { space, count in
      repeat { read = readBytes(descriptor, space.baseAddress, space.count) } while read < 0 && errno == EINTR
      count = max(read, 0)
    }
    guard read >= 0 else { throw FileError(path: name, kind: .init(errno: errno)) }
    isAtEnd = buffer.isEmpty
    return !isAtEnd
  }
}

/// Whether a descriptor can be read, or is at its end, without waiting.
func isReadable(_ descriptor: Int32) -> Bool {
  var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&polled, 1, 0) > 0
}

private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
