import StorePlatform
import StoreSQLite

/// Many lists of texts, each in order, that are put into one order without being in memory together: they lie behind each
/// other in a private file without a name, which is gone with this process.
///
/// Memory is bounded by `buffered`, however many and however long the lists are.
package final class SortedRuns {
  private let file: OpenFile
  private var runs: [Range<Int64>] = []
  private var pending: [UInt8] = []
  private var size: Int64 = 0
  /// Bytes that are read ahead in all lists together.
  private let buffered: Int

  /// Why a list cannot be kept, or read again.
  package struct Failure: Error, CustomStringConvertible {
    /// A sentence.
    package var description: String
  }

  /// - Parameters:
  ///   - folder: where the file is made.
  ///   - buffered: how many bytes may be read ahead in all.
  /// - Throws: `Failure`.
  package init(in folder: PosixPath, buffered: Int = 32 << 20) throws(Failure) {
    self.buffered = buffered
    guard let parent = newPrivateFolder(named: "storedoctor-lines", in: folder) else {
      throw Failure(description: "cannot make a private folder in '\(folder)': \(systemMessage())")
    }
    defer { _ = parent.withCString { rmdir($0) } }
    let path = parent.appending(component: Array("lines".utf8))
    let number = path.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    guard number >= 0 else { throw Failure(description: "cannot make '\(path)': \(systemMessage())") }
    _ = path.withCString { unlink($0) }
    file = OpenFile(number)
  }

  /// Begins the next list.
  package func beginRun() { runs.append(size..<size) }

  /// Adds a text to the list.
  ///
  /// - Parameter key: not smaller than that of the text before.
  package func append(_ text: String, key: Double) throws(Failure) {
    let bytes = Array(text.utf8)
    withUnsafeBytes(of: key.bitPattern.littleEndian) { pending.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt32(clamping: bytes.count).littleEndian) { pending.append(contentsOf: $0) }
    pending += bytes
    size += Int64(Self.head + bytes.count)
    if let last = runs.indices.last { runs[last] = runs[last].lowerBound..<size }
    if pending.count >= 1 << 20 { try flush() }
  }

  private func flush() throws(Failure) {
    do throws(EntryPath.Refusal) {
      try file.write(pending[...], at: size - Int64(pending.count))
    } catch {
      let reason = if case .system(let message) = error { message } else { "\(error)" }
      throw Failure(description: "lines cannot be kept in a private file: \(reason)")
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// Calls `body` with each text in the order of keys; of equal ones in the order of the lists.
  package func forEach(_ body: (String) throws -> Void) throws {
    try flush()
    let share = min(1 << 16, max(4096, buffered / max(1, runs.count)))
    var readers = runs.map { RunReader(file: file, range: $0, share: share) }
    // The lists by their next key: a heap.
    var heap: [(key: Double, run: Int)] = []
    func precedes(_ one: (key: Double, run: Int), _ other: (key: Double, run: Int)) -> Bool {
      one.key != other.key ? one.key < other.key : one.run < other.run
    }
    func sink(_ start: Int) {
      var place = start
      while true {
        var least = place
        for child in [2 * place + 1, 2 * place + 2] where child < heap.count && precedes(heap[child], heap[least]) {
          least = child
        }
        guard least != place else { return }
        heap.swapAt(place, least)
        place = least
      }
    }
    for position in readers.indices {
      if let key = try readers[position].nextKey() { heap.append((key, position)) }
    }
    for place in stride(from: heap.count / 2, through: 0, by: -1) where place < heap.count { sink(place) }
    while let first = heap.first {
      try body(try readers[first.run].text())
      if let key = try readers[first.run].nextKey() {
        heap[0] = (key, first.run)
      } else {
        heap[0] = heap[heap.count - 1]
        heap.removeLast()
      }
      if !heap.isEmpty { sink(0) }
    }
  }

  /// Bytes before each text: its key, and its length.
  fileprivate static let head = 12
}

/// Reads one list from the front.
private struct RunReader {
  let file: OpenFile
  var range: Range<Int64>
  let share: Int
  private var buffer: [UInt8] = []
  private var place = 0

  init(file: OpenFile, range: Range<Int64>, share: Int) { (self.file, self.range, self.share) = (file, range, share) }

  /// The key of the next text; nil at the end.
  mutating func nextKey() throws -> Double? {
    guard try fill(SortedRuns.head) else { return nil }
    return Double(bitPattern: number(at: place, count: 8))
  }

  mutating func text() throws -> String {
    let length = Int(number(at: place + 8, count: 4))
    guard try fill(SortedRuns.head + length) else { throw SortedRuns.Failure(description: "the private file was cut") }
    let start = place + SortedRuns.head
    place = start + length
    return String(decoding: buffer[start..<place], as: UTF8.self)
  }

  private func number(at start: Int, count: Int) -> UInt64 {
    buffer[start..<start + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads on until so many bytes are there; false at the end.
  private mutating func fill(_ count: Int) throws -> Bool {
    while buffer.count - place < count {
      guard !range.isEmpty else { return false }
      buffer.removeFirst(place)
      place = 0
      let wanted = Int(min(Int64(max(share, count - buffer.count)), Int64(range.count)))
      let old = buffer.count
      buffer.append(contentsOf: repeatElement(0, count: wanted))
      let read = buffer.withUnsafeMutableBytes {
        pread(file.number, $0.baseAddress?.advanced(by: old), wanted, off_t(range.lowerBound))
      }
      if read < 0 && errno == EINTR {
        buffer.removeLast(wanted)
        continue
      }
      guard read > 0 else {
        throw SortedRuns.Failure(description: "the private file cannot be read: \(systemMessage())")
      }
      buffer.removeLast(wanted - read)
      range = (range.lowerBound + Int64(read))..<range.upperBound
    }
    return true
  }
}
