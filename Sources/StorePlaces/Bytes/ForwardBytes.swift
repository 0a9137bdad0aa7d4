import StoreSQLite

/// Bytes that are read from front to back: those of a file, or of what is packed in one.
protocol ForwardBytes: AnyObject {
  /// How many bytes were read or passed over.
  var position: Int64 { get }
  /// Whether there was no more, although more was to come, or what came made no sense.
  var isDamaged: Bool { get }
  /// Fills the front of `buffer`.
  ///
  /// - Returns: how many bytes it has; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
  /// Passes over `count` bytes, or to the end.
  func skip(_ count: Int64) throws
}

extension ForwardBytes {
  /// The next `count` bytes; fewer at the end.
  func read(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    var done = 0
    while done < bytes.count {
      let more = try bytes.withUnsafeMutableBytes {
        try read(into: UnsafeMutableRawBufferPointer(rebasing: $0[done...]))
      }
      guard more > 0 else { break }
      done += more
    }
    return done == bytes.count ? bytes : Array(bytes.prefix(done))
  }

  /// Hands over the next `count` bytes, a piece at a time.
  ///
  /// - Returns: how many there were.
  func forEachPiece(of count: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Int64 {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(clamping: max(1, min(count, 256 << 10))), alignment: 16)
    defer { buffer.deallocate() }
    var done: Int64 = 0
    while done < count {
      let wanted = Int(clamping: min(Int64(buffer.count), count - done))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
      let more = try read(into: part)
      guard more > 0 else { break }
      try body(UnsafeRawBufferPointer(rebasing: part[..<more]))
      done += Int64(more)
    }
    return done
  }
}

/// A part of a source as it is.
final class PlainBytes: ForwardBytes {
  private let source: any ByteSource
  private let start: Int64
  private let size: Int64
  private(set) var position: Int64 = 0
  private(set) var isDamaged = false

  /// - Parameters:
  ///   - start: where the part begins.
  ///   - size: its length; what lies beyond the source is missing.
  init(_ source: any ByteSource, from start: Int64 = 0, size: Int64? = nil) {
    self.source = source
    self.start = max(0, start)
    self.size = max(0, size ?? (source.size - max(0, start)))
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let wanted = Int(clamping: min(Int64(buffer.count), size - position))
    guard wanted > 0 else { return 0 }
    let (offset, isBeyond) = start.addingReportingOverflow(position)
    let count =
      isBeyond ? 0 : try source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: offset)
    if count == 0 { isDamaged = true }
    position += Int64(count)
    return count
  }

  func skip(_ count: Int64) {
    let there = max(0, min(size, source.size - start))
    let (target, isBeyond) = position.addingReportingOverflow(max(0, count))
    if isBeyond || target > there { isDamaged = true }
    position = max(position, isBeyond ? there : min(target, there))
  }
}

/// What a part of a source unpacks to: a deflate stream, or the members of a gzip file one after the other.
final class InflatedBytes: ForwardBytes {
  private let source: any ByteSource
  private let inflater: Inflater
  private let format: Inflater.Format
  private var next: Int64
  private let end: Int64
  private var input: [UInt8] = []
  private var used = 0
  private var isAtEnd = false
  private let mostBytes: Int64
  private(set) var position: Int64 = 0
  private(set) var isDamaged = false

  private static let inputSize = 128 << 10

  /// Nil where zlib has not enough memory.
  ///
  /// - Parameters:
  ///   - limit: throws where more than this comes out.
  init?(
    _ source: any ByteSource, from start: Int64 = 0, size: Int64? = nil, _ format: Inflater.Format,
    limit: Int64 = .max
  ) {
    guard let inflater = Inflater(format) else { return nil }
    self.inflater = inflater
    self.source = source
    self.format = format
    next = max(0, start)
    let (end, isBeyond) = next.addingReportingOverflow(max(0, size ?? .max))
    self.end = min(source.size, isBeyond ? .max : end)
    mostBytes = limit
  }

  /// More came out than may.
  struct TooMuch: Error, CustomStringConvertible {
    var description: String { "more came out than may" }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard !isAtEnd, buffer.count > 0 else { return 0 }
    while true {
      if used == input.count, next < end {
        input = try source.read(at: next, count: Int(clamping: min(Int64(Self.inputSize), end - next)))
        used = 0
        next += Int64(input.count)
        if input.isEmpty { next = end }
      }
      let step = input[used...].withUnsafeBytes { inflater.step($0, into: buffer) }
      used += step.used
      position += Int64(step.filled)
      guard position <= mostBytes else { throw TooMuch() }
      switch step.state {
      case .end: finishStream()
      case .damaged:
        isDamaged = true
        isAtEnd = true
      case .more:
        if step.filled == 0, step.used == 0, used == input.count, next >= end {
          isDamaged = true
          isAtEnd = true
        }
      }
      if step.filled > 0 || isAtEnd { return step.filled }
    }
  }

  /// A gzip file may be several, joined; zeros or anything else behind them are no part of it.
  private func finishStream() {
    guard format == .gzip else {
      isAtEnd = true
      return
    }
    var head = Array(input[used...].prefix(2))
    if head.count < 2, let more = try? source.read(at: next, count: 2 - head.count) { head += more }
    guard head == [0x1f, 0x8b] else {
      isAtEnd = true
      return
    }
    inflater.reset()
  }

  func skip(_ count: Int64) throws {
    _ = try forEachPiece(of: count) { _ in }
  }
}

/// A part of a source as a source of its own: an archive that lies in another as it is.
struct SlicedBytes: ByteSource {
  let base: any ByteSource
  let start: Int64
  let size: Int64
  let name: String

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileError) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    let wanted = Int(clamping: min(Int64(buffer.count), size - offset))
    let (place, isBeyond) = start.addingReportingOverflow(offset)
    guard !isBeyond else { return 0 }
    return try base.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: place)
  }
}
