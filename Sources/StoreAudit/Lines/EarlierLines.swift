import StoreSQLite

/// The lines of an interrupted audit, to be continued.
///
/// They are the beginning of what the whole audit would write, in the order of its input; the last one may be
/// incomplete. Entries that have a line are not read again unless their files changed. If any did, all lines are
/// written again, with new ones for the changed entries.
package final class EarlierLines {
  private let reader: LineReader
  private var next: Line?
  private var number = 0
  private let run: String
  /// The numbers of lines that are out of date.
  private let changed: Set<Int>

  /// Which entry a line is about.
  private struct Line {
    var id: String?
    var path: [UInt8]
    /// With its line feed.
    var bytes: [UInt8]
  }

  /// - Parameters:
  ///   - path: a file of lines, which ends with a complete line.
  ///   - run: the digest of what decides the contents of lines now.
  ///   - changed: the numbers of lines, from 1 on, whose entries are read again.
  /// - Throws: `FileError`, `JSONError`, or `AuditResumeError` where the lines come from a different run.
  package init(_ path: PosixPath, run: String, changed: Set<Int> = []) throws {
    self.run = run
    self.changed = changed
    reader = try LineReader(path)
    try advance()
  }

  /// The numbers of lines, from 1 on, whose files have changed since.
  ///
  /// - Throws: `FileError`, `AuditLineError`.
  package static func changed(in path: PosixPath) throws -> Set<Int> {
    var changed: Set<Int> = []
    try forEachAuditLine(in: path, reading: .facts) { line, bytes in
      if FileStamp.ofFile(shownAs: line.pathInBytes).text != line.stamp { changed.insert(bytes.number) }
    }
    return changed
  }

  private func advance() throws {
    guard let bytes = try reader.next() else {
      next = nil
      return
    }
    number += 1
    let line = try AuditLine(bytes, .facts)
    guard line.run == run else { throw AuditResumeError.otherRun(line: number) }
    next = Line(id: line.id, path: line.pathInBytes, bytes: bytes + [UInt8(ascii: "\n")])
  }

  /// The earlier lines for an entry.
  enum Standing {
    /// Nothing.
    case isNew
    /// All of its lines, to be written again.
    case isDone([[UInt8]])
    /// Lines of some of an archive's entries; more entries may follow.
    case isBegun(Entries)
  }

  /// Entries of an archive that have lines, in their order.
  struct Entries {
    /// The number of the first of these lines.
    var number: Int
    /// The paths that the lines show.
    var paths: [[UInt8]]

    /// The archive's entries after these.
    ///
    /// - Throws: `AuditError.otherInput` where these are not the archive's first.
    func rest(of items: [AuditItem]) throws(AuditError) -> ArraySlice<AuditItem> {
      for (position, path) in paths.enumerated() {
        let expected = position < items.count ? items[position].shown : nil
        guard expected?.bytes != path else { continue }
        throw .otherInput(
          line: number + position, found: String(decoding: path, as: UTF8.self), expected: expected?.description)
      }
      return items.dropFirst(paths.count)
    }
  }

  /// The earlier lines of the next entry of the input.
  ///
  /// - Parameter following: the entry after it, whose line does not belong to the archive, whatever its name.
  func standing(of item: AuditItem, before following: AuditItem?) throws -> Standing {
    guard let line = next else { return .isNew }
    let first = number
    if line.path == item.shown.bytes, line.id == item.id {
      try advance()
      return done([line], from: first)
    }
    guard case .archive = item.kind else {
      throw AuditError.otherInput(
        line: number, found: String(decoding: line.path, as: UTF8.self), expected: item.shown.description)
    }
    let prefix = item.shown.bytes + [UInt8(ascii: "!")]
    var entries = Entries(number: number, paths: [])
    var lines: [Line] = []
    while let line = next, line.path.starts(with: prefix), line.id == item.id, line.path != following?.shown.bytes,
      // A path occurs once in an archive; the same path again is another entry of the input.
      line.path != entries.paths.first
    {
      entries.paths.append(line.path)
      if !changed.isEmpty { lines.append(line) }
      try advance()
    }
    guard !entries.paths.isEmpty else {
      throw AuditError.otherInput(
        line: number, found: String(decoding: line.path, as: UTF8.self), expected: item.shown.description)
    }
    // The archive's own line, if there is one, is the last of its lines.
    if let line = next, line.path == item.shown.bytes, line.id == item.id {
      try advance()
      return done(lines + [line], from: first)
    }
    // If a line of something else follows, the archive was finished.
    if next != nil { return done(lines, from: first) }
    return changed.isEmpty ? .isBegun(entries) : .isNew
  }

  private func done(_ lines: [Line], from first: Int) -> Standing {
    if changed.isEmpty { return .isDone([]) }
    return changed.isDisjoint(with: first..<first + lines.count) ? .isDone(lines.map(\.bytes)) : .isNew
  }

  /// Whether all lines have been used.
  var isExhausted: Bool { next == nil }

  /// Throws where lines remain and there are no more entries.
  func expectEnd() throws {
    guard let line = next else { return }
    throw AuditError.otherInput(line: number, found: String(decoding: line.path, as: UTF8.self), expected: nil)
  }
}

/// Why lines cannot be continued.
package enum AuditResumeError: Error, CustomStringConvertible {
  /// They come from other options, models, or another version of storedoctor.
  case otherRun(line: Int)

  /// The message for the user.
  package var description: String {
    switch self {
    case .otherRun(let line):
      "cannot resume: line \(line) was made with other models, checks or options, or another version of storedoctor; "
        + "repeat the first command as it was, or begin a new file"
    }
  }
}

/// Reads the lines of a file one after the other.
private final class LineReader {
  private let file: EvidenceFile
  private var offset: Int64 = 0
  private var buffer: [UInt8] = []
  private var start = 0

  init(_ path: PosixPath) throws(FileError) { file = try EvidenceFile(path) }

  /// The longest line.
  private static let longest = 64 << 20

  /// The next line without its line feed; nil at the end.
  ///
  /// - Throws: `FileError`, also for an incomplete line, so that unreadable lines do not count as missing.
  func next() throws(FileError) -> [UInt8]? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      searched = buffer.count
      let more = try file.read(at: offset, count: 1 << 18)
      if more.isEmpty { return nil }
      guard buffer.count - start <= Self.longest else { throw FileError(path: file.path, kind: .tooShort) }
      offset += Int64(more.count)
      buffer.removeFirst(start)
      searched -= start
      start = 0
      buffer += more
    }
  }
}
