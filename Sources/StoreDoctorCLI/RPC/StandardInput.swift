import StorePlatform

/// Standard input for protocols that take a line, or a number of bytes, at a time. Holds no more than the longest of them and
/// a piece of 64 KiB.
struct StandardInput {
  /// A line without its line feed.
  enum Line {
    case whole([UInt8])
    /// It was longer than was asked for, and skipped.
    case tooLong
  }

  private var buffer: [UInt8] = []
  private var start = 0
  private var hasEnded = false

  /// Whether more can be taken without waiting: bytes, or the end.
  var isReady: Bool {
    if start < buffer.count || hasEnded { return true }
    var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, 0) > 0
  }

  /// The next line; nil at the end.
  ///
  /// - Parameter limit: the most bytes of a line.
  mutating func line(limit: Int) -> Line? {
    var isTooLong = false
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[start..<end]
        start = end + 1
        return isTooLong || line.count > limit ? .tooLong : .whole(Array(line))
      }
      if buffer.count - start > limit {
        isTooLong = true
        start = buffer.count
      }
      let waiting = buffer.count - start
      guard fill() else {
        defer { start = buffer.count }
        guard isTooLong || waiting > 0 else { return nil }
        return isTooLong ? .tooLong : .whole(Array(buffer[start...]))
      }
      searched = waiting
    }
  }

  /// The next `count` bytes; nil where the input ends before.
  mutating func bytes(_ count: Int) -> [UInt8]? {
    while buffer.count - start < count { guard fill() else { return nil } }
    defer { start += count }
    return Array(buffer[start..<start + count])
  }

  /// Passes over the next `count` bytes; false where the input ends before.
  mutating func skip(_ count: Int) -> Bool {
    var left = count
    while true {
      let taken = min(left, buffer.count - start)
      (left, start) = (left - taken, start + taken)
      guard left > 0 else { return true }
      guard fill() else { return false }
    }
  }

  /// Reads a piece behind what is left, which then begins the buffer; false at the end.
  private mutating func fill() -> Bool {
    buffer.removeFirst(start)
    start = 0
    guard !hasEnded else { return false }
    var part = [UInt8](repeating: 0, count: 1 << 16)
    var count: Int
    repeat { count = StorePlatform.read(STDIN_FILENO, &part, part.count) } while count < 0 && errno == EINTR
    hasEnded = count <= 0
    if count > 0 { buffer += part[..<count] }
    return count > 0
  }
}
