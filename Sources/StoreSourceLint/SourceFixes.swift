import StorePlatform
import StoreWords
import StoreDigests
import StoreSQLite
import StoreSwiftDataSchemas

/// The file changes of all certain fixes, computed before anything is written so that they can be shown.
package struct SourceFixes: Sendable {
  /// One file before and after.
  package struct File: Sendable {
    /// Its path.
    package var path: String
    /// Its present content.
    package var before: [UInt8]
    /// Its content after the fixes.
    package var after: [UInt8]
  }

  /// The files that change, by path.
  package private(set) var files: [File] = []
  /// How many findings are fixed.
  package private(set) var count = 0

  /// - Throws: ``SourceFixError`` if a file cannot be read, or has changed since it was linted.
  package init(_ report: SourceReport) throws(SourceFixError) {
    var edits: [String: [SourceFinding.Edit]] = [:]
    for fix in report.findings.compactMap(\.fix) where fix.isCertain {
      // Of two overlapping fixes the first is made; the next run makes the other.
      let isFree = fix.edits.allSatisfy { edit in edits[edit.file, default: []].allSatisfy { !$0.overlaps(edit) } }
      guard isFree else { continue }
      count += 1
      for edit in fix.edits { edits[edit.file, default: []].append(edit) }
    }
    for (path, edits) in edits.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
      let before = try Self.read(path, digest: report.digests[path])
      files.append(File(path: path, before: before, after: try Self.apply(edits, to: before, at: path)))
    }
  }

  private static func read(_ path: String, digest: String?) throws(SourceFixError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) {
      let file = try EvidenceFile(PosixPath(path))
      bytes = try file.read(at: 0, count: Int(clamping: file.size))
    } catch {
      throw SourceFixError(path: path, reason: error.reason)
    }
    guard hexadecimal(Digests.sha256(bytes)) == digest else {
      throw SourceFixError(path: path, reason: "it changed since it was read; lint it again")
    }
    return bytes
  }

  private static func apply(
    _ edits: [SourceFinding.Edit], to before: [UInt8], at path: String
  ) throws(SourceFixError) -> [UInt8] {
    var after = before
    for edit in edits.sorted(by: { $0.offset > $1.offset }) {
      let (end, overflow) = edit.offset.addingReportingOverflow(edit.length)
      guard !overflow, edit.offset >= 0, edit.length >= 0, end <= after.count else {
        throw SourceFixError(path: path, reason: "an edit is not within it")
      }
      after.replaceSubrange(edit.offset..<end, with: edit.replacement.utf8)
    }
    return after
  }

  /// Writes the files. Each is replaced in one step, so that a reader sees the old content or the new.
  ///
  /// - Throws: ``SourceFixError``; files before the one that fails are written.
  package func write() throws(SourceFixError) {
    for file in files { try Self.write(file) }
  }

  private static func write(_ file: File) throws(SourceFixError) {
    // A symbolic link stays; the file it points to is replaced.
    guard let path = try? PosixPath(file.path).resolved() else {
      throw SourceFixError(path: file.path, reason: "it is gone")
    }
    guard try read(file.path, digest: hexadecimal(Digests.sha256(file.before))) == file.before else { return }
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else {
      throw SourceFixError(path: file.path, code: errno)
    }
    let temporary = path.sibling(named: path.name + Array(".storedoctor-\(getpid())".utf8))
    let descriptor = temporary.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { throw SourceFixError(path: file.path, code: errno) }
    let isWritten =
      file.after.withUnsafeBytes { writeWhole($0, to: descriptor) } && fchmod(descriptor, status.st_mode & 0o7777) == 0
      && fsync(descriptor) == 0
    let code = errno
    guard close(descriptor) == 0, isWritten,
      temporary.withCString({ from in path.withCString { rename(from, $0) } }) == 0
    else {
      _ = temporary.withCString { unlink($0) }
      throw SourceFixError(path: file.path, code: isWritten ? errno : code)
    }
  }

  private static func writeWhole(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = systemWrite(descriptor, rest)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
    return true
  }
}

/// The system's `write`; the type has a method of the same name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

extension SourceFinding.Edit {
  /// Whether two edits share a byte, or insert at the same place.
  fileprivate func overlaps(_ other: SourceFinding.Edit) -> Bool {
    guard file == other.file else { return false }
    if offset == other.offset { return true }
    let (first, second) = offset < other.offset ? (self, other) : (other, self)
    return second.offset - first.offset < first.length
  }
}

/// Why fixes could not be made.
package struct SourceFixError: Error, Equatable, CustomStringConvertible {
  /// The file.
  package var path: String
  /// The problem; lower case, no full stop.
  package var reason: String

  init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  init(path: String, code: Int32) {
    self.init(path: path, reason: strerror(code).map { String(cString: $0) } ?? "error \(code)")
  }

  /// The sentence shown to people.
  package var description: String { "cannot fix '\(path)': \(reason)" }
}
