import StorePlatform
import StoreWords
import StoreDataModel
import StoreJSON
import StoreSQLite

/// One line of a file, not parsed yet. Its bytes are valid and unchanged during the call it is passed to.
package struct AuditLineBytes: @unchecked Sendable {
  /// Without the line feed.
  package var bytes: UnsafeBufferPointer<UInt8>
  /// From 1 on; empty lines count.
  package var number: Int
  /// Where in the file it begins.
  package var offset: Int64
  /// Whether a line feed follows; a run that was cut short leaves a last line without.
  package var isTerminated: Bool
}

/// Why a line of a file cannot be read.
package struct AuditLineError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file, as given.
  package var file: String
  /// From 1 on.
  package var line: Int
  /// The problem; lower case, no full stop.
  package var message: String

  /// The message for the user.
  package var description: String { "cannot read line \(line) of \(quoted(file)): \(escapedForTerminal(message))" }
}

/// The longest line, in bytes. Real ones have a few thousand bytes; a model of a thousand entities makes a hundred
/// thousand.
private let longestLine = 64 << 20

/// Calls `body` with each line of a file that is not empty, in order; memory is that of the longest line.
///
/// - Throws: `FileError`, `AuditLineError` for a line that is too long, and what `body` throws.
package func forEachAuditLine(in path: PosixPath, _ body: (AuditLineBytes) throws -> Void) throws {
  try forEachPiece(of: path) { try $0.forEach(body) }
}

/// Calls `body` with the lines of a mebibyte at a time, or with a single longer one.
private func forEachPiece(of path: PosixPath, _ body: ([AuditLineBytes]) throws -> Void) throws {
  let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
  guard descriptor >= 0 else { throw FileError(path: path.description, kind: .init(errno: errno)) }
  defer { close(descriptor) }
  try forEachPiece(of: descriptor, named: path.description, body)
}

private func forEachPiece(
  of descriptor: Int32, named name: String, _ body: ([AuditLineBytes]) throws -> Void
) throws {
  var piece = Piece(name: name, descriptor: descriptor)
  while try piece.fill() { try piece.takeLines(body) }
  try piece.takeRest(body)
}

/// The part of a file that was read and not passed on yet.
private struct Piece {
  private let name: String
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 20)
  private var filled = 0
  /// Everything before this has been searched for line feeds.
  private var searched = 0
  private var offset: Int64 = 0
  private var number = 0

  init(name: String, descriptor: Int32) {
    self.name = name
    self.descriptor = descriptor
  }

  /// Reads more; false at the end.
  mutating func fill() throws -> Bool {
    if filled == buffer.count {
      guard filled < longestLine else {
        throw AuditLineError(file: name, line: number + 1, message: "more than \(longestLine) bytes")
      }
      buffer += [UInt8](repeating: 0, count: buffer.count)
    }
    var count = 0
    repeat {
      count = buffer.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw FileError(path: name, kind: .init(errno: errno)) }
    filled += count
    return count > 0
  }

  /// Passes on complete lines, and moves the rest to the front.
  mutating func takeLines(_ body: ([AuditLineBytes]) throws -> Void) throws {
    let (filled, searched, offset) = (filled, searched, offset)
    var (start, number) = (0, number)
    try buffer.withUnsafeMutableBufferPointer { buffer in
      let bytes = UnsafeBufferPointer(rebasing: buffer[..<filled])
      var lines: [AuditLineBytes] = []
      while let end = lineFeed(in: bytes, from: max(start, searched)) {
        number += 1
        let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
        lines.append(.init(bytes: line, number: number, offset: offset + Int64(start), isTerminated: true))
        start = end + 1
      }
      try body(lines.filter(\.isNotEmpty))
      if start > 0, start < filled, let base = buffer.baseAddress { memmove(base, base + start, filled - start) }
    }
    self.number = number
    self.offset += Int64(start)
    self.filled -= start
    self.searched = self.filled
  }

  /// Passes on what follows the last line feed.
  func takeRest(_ body: ([AuditLineBytes]) throws -> Void) throws {
    try buffer.withUnsafeBufferPointer { buffer in
      let bytes = UnsafeBufferPointer(rebasing: buffer[..<filled])
      let line = AuditLineBytes(bytes: bytes, number: number + 1, offset: offset, isTerminated: false)
      try body([line].filter(\.isNotEmpty))
    }
  }
}

private func lineFeed(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
  guard start < bytes.count, let base = bytes.baseAddress,
    let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
  else { return nil }
  return UnsafeRawPointer(found) - UnsafeRawPointer(base)
}

extension AuditLineBytes {
  /// Whether it has more than white space.
  fileprivate var isNotEmpty: Bool { bytes.contains { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 } }
}

/// Calls `body` with each line of a file, parsed.
///
/// - Throws: `FileError`, `AuditLineError`, and what `body` throws.
package func forEachAuditLine(
  in path: PosixPath, reading detail: AuditLine.Detail, _ body: (AuditLine) throws -> Void
) throws {
  try forEachAuditLine(in: path) { line in
    try body(try AuditLine(line, detail, in: path.description))
  }
}

/// The same with each line's bytes; lines of one piece are parsed on as many threads as there are cores.
package func forEachAuditLine(
  in path: PosixPath, reading detail: AuditLine.Detail, _ body: (AuditLine, AuditLineBytes) throws -> Void
) throws {
  let file = path.description
  try forEachPiece(of: path) { lines in
    let understood = concurrentlyUnderstood(lines) { line throws(AuditLineError) in
      try AuditLine(line, detail, in: file)
    }
    for (line, bytes) in zip(understood, lines) { try body(try line.get(), bytes) }
  }
}

/// Parses many lines on as many threads as there are cores; results are in the order of the lines.
package func concurrentlyUnderstood<Line: Sendable, Failure: Error>(
  _ lines: [Line], understand: @Sendable (Line) throws(Failure) -> AuditLine
) -> [Result<AuditLine, Failure>] {
  // In groups, since a line takes some microseconds, too little for a task of its own.
  let parts = stride(from: 0, to: lines.count, by: 64).map { lines[$0..<min($0 + 64, lines.count)] }
  return concurrently(parts) { part in
    part.map { line in Result { () throws(Failure) in try understand(line) } }
  }.flatMap { $0 }
}

extension AuditLine {
  /// - Throws: `AuditLineError` with the number of the line.
  package init(_ line: AuditLineBytes, _ detail: Detail, in file: String) throws(AuditLineError) {
    do throws(JSONError) {
      try self.init(line.bytes, detail)
    } catch {
      let cut = line.isTerminated ? "" : "; it is cut off, finish the run with '--resume'"
      throw AuditLineError(file: file, line: line.number, message: error.description + cut)
    }
  }
}
