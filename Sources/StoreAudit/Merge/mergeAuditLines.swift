import StoreWords
import StoreJSON
import StoreSQLite

/// Why lines cannot be merged into one report.
package enum AuditMergeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// They were made with different models, checks or options.
  case differentRuns(AuditLinePlace, AuditLinePlace)
  /// One store has two different lines.
  case conflict(String, AuditLinePlace, AuditLinePlace)

  /// The message for the user.
  package var description: String {
    switch self {
    case .differentRuns(let first, let second):
      "refusing to merge: \(first) and \(second) are of different runs (tool, models, checks or options differ); "
        + "audit the shards again with the same options"
    case .conflict(let key, let first, let second):
      "refusing to merge: \(first) and \(second) say different things of \(quoted(key)); "
        + "the store changed between two runs, remove one of the lines"
    }
  }
}

/// A line's place in a file.
package struct AuditLinePlace: Sendable, Equatable, CustomStringConvertible {
  /// The file, as given.
  package var file: String
  /// From 1 on.
  package var line: Int

  /// "line 3 of 'a.jsonl'".
  package var description: String { "line \(line) of \(quoted(file))" }
}

/// Merges the lines of several files of one run, in byte order of id or path, and drops repeated ones.
///
/// All lines are read once before `body` is called, with batches of a mebibyte or of a single longer line. Only keys
/// and places are kept, so memory is about 50 bytes a line and the keys. Lines that differ only in `milliseconds` and
/// `stamp` count as the same, and the first in byte order is taken.
///
/// - Throws: `AuditMergeError`, `AuditLineError`, `FileError`, and what `body` throws.
package func mergeAuditLines(_ files: [PosixPath], body: ([[UInt8]]) throws -> Void) throws {
  var index = MergeIndex(files: files)
  for (number, file) in files.enumerated() {
    try forEachAuditLine(in: file, reading: .facts) { line, bytes in try index.add(line, bytes: bytes, ofFile: number) }
  }
  index.sort()
  let reader = MergeReader(files)
  var (batch, count): ([[UInt8]], Int) = ([], 0)
  var start = 0
  while start < index.entries.count {
    let end = index.endOfKey(from: start)
    let line = try index.one(of: start..<end, reader) + [UInt8(ascii: "\n")]
    batch.append(line)
    count += line.count
    start = end
    if count >= 1 << 20 || start == index.entries.count {
      try body(batch)
      (batch, count) = ([], 0)
    }
  }
}

/// Identifies a line; with an id also by path, since a folder listed under one id may hold several stores.
func mergeKey(_ id: String?, path: [UInt8]) -> [UInt8] { id.map { Array($0.utf8) + [0] + path } ?? path }

/// The place and key of every line.
private struct MergeIndex {
  let files: [PosixPath]
  private(set) var entries: [Entry] = []
  private var keys: [UInt8] = []
  private var run: String?

  struct Entry {
    var keyStart: Int
    var keyCount: Int
    var file: Int
    var line: Int
    var offset: Int64
    var count: Int

    var key: Range<Int> { keyStart..<keyStart + keyCount }
  }

  init(files: [PosixPath]) { self.files = files }

  mutating func add(_ line: AuditLine, bytes: AuditLineBytes, ofFile file: Int) throws(AuditMergeError) {
    let key = mergeKey(line.id, path: line.pathInBytes)
    let entry = Entry(
      keyStart: keys.count, keyCount: key.count, file: file, line: bytes.number, offset: bytes.offset,
      count: bytes.bytes.count)
    if let run, let first = entries.first, run != line.run {
      throw .differentRuns(place(of: first), place(of: entry))
    }
    run = line.run
    keys += key
    entries.append(entry)
  }

  mutating func sort() {
    let keys = keys
    entries.sort { left, right in
      let (own, others) = (keys[left.key], keys[right.key])
      if own.lexicographicallyPrecedes(others) { return true }
      return own.elementsEqual(others) && (left.file, left.offset) < (right.file, right.offset)
    }
  }

  func endOfKey(from start: Int) -> Int {
    let key = key(of: entries[start])
    return entries[start...].firstIndex { !self.key(of: $0).elementsEqual(key) } ?? entries.count
  }

  /// The one line among those with the same key; throws if they differ.
  func one(of range: Range<Int>, _ reader: MergeReader) throws -> [UInt8] {
    let first = entries[range.lowerBound]
    var chosen = try reader.bytes(ofFile: first.file, at: first.offset, count: first.count)
    guard range.count > 1 else { return chosen }
    let facts = try withoutTiming(chosen, entry: first)
    for entry in entries[range].dropFirst() {
      let line = try reader.bytes(ofFile: entry.file, at: entry.offset, count: entry.count)
      guard try withoutTiming(line, entry: entry) == facts else {
        throw AuditMergeError.conflict(
          String(decoding: key(of: first), as: UTF8.self), place(of: first), place(of: entry))
      }
      if line.lexicographicallyPrecedes(chosen) { chosen = line }
    }
    return chosen
  }

  private func key(of entry: Entry) -> ArraySlice<UInt8> { keys[entry.key] }

  private func place(of entry: Entry) -> AuditLinePlace {
    AuditLinePlace(file: files[entry.file].description, line: entry.line)
  }

  /// The line without the members that say nothing about the store: `milliseconds` and `stamp`.
  private func withoutTiming(_ line: [UInt8], entry: Entry) throws -> [UInt8] {
    var facts: [ArraySlice<UInt8>] = []
    do {
      try line.withUnsafeBufferPointer { bytes in
        var cursor = JSONCursor(bytes)
        var members = try cursor.object()
        var start = cursor.offset
        while let name = try cursor.nextMember(in: &members) {
          let isFact =
            switch name {
            case "milliseconds", "stamp": false;
            case _: true
            }
          try cursor.skip()
          // Without the comma before it, which the first member does not have.
          if isFact { facts.append(line[start..<cursor.offset].drop { $0 == UInt8(ascii: ",") }) }
          start = cursor.offset
        }
      }
    } catch {
      throw FileError(path: files[entry.file].description, kind: .changed)
    }
    return Array(facts.joined(separator: [UInt8(ascii: ",")]))
  }
}
