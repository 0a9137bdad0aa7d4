import StoreJSON
import StoreCoreData
import StoreDigests
import StorePublishing
import StoreSQLite

extension Journal {
  /// Makes the folder with copies of a store's files, read through `evidence`, in state `prepared`.
  ///
  /// The fingerprint is computed from the bytes as they are copied. On any failure, and when the fingerprint is not
  /// `expected`, the folder is removed.
  static func prepare(
    _ target: JournalTarget, of evidence: DatabaseFiles, uuid: String?, expecting expected: Fingerprint?,
    files: FileActions
  ) throws -> Journal {
    let folder = try target.make(for: evidence.location, files)
    do {
      var backups: [Role: File] = [:]
      var stream = SHA256Stream()
      try files.copy(evidence.main, into: files.create(path(of: .main, in: folder)), digesting: &stream)
      backups[.main] = File(size: evidence.main.size, sha256: stream.digest)
      let before = try Fingerprint(of: stream, mainSize: evidence.main.size, wal: evidence.wal)
      guard expected == nil || before == expected else {
        throw RepairError(evidence.location, .changed(since: "the plan was made"))
      }
      for (role, source) in [(Role.wal, evidence.wal), (.journal, evidence.journal)] {
        guard let source else { continue }
        let sum = try files.copy(source, to: path(of: role, in: folder))
        backups[role] = File(size: source.size, sha256: sum)
      }
      var journal = Journal(
        folder: folder, id: randomID(), store: evidence.location, uuid: uuid, state: .prepared, before: before)
      journal.undoes = target.undoes?.id
      journal.backups = backups
      try journal.write(files)
      return journal
    } catch {
      remove(folder, changes: 0, files: files)
      throw error
    }
  }

  private static func randomID() -> String {
    hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255) })
  }

  /// Saves one more changeset.
  mutating func keep(_ changeset: Changeset, files: FileActions) throws {
    try files.writeNew(changeset.bytes, to: path(ofChanges: changes.count))
    changes.append(File(size: Int64(changeset.bytes.count), sha256: Digests.sha256(changeset.bytes)))
  }

  /// Replaces `journal.json` with this value, atomically even across a power cut.
  func write(_ files: FileActions) throws {
    try files.replace(document, with: Array(json.text.utf8))
  }

  /// Enters another state and saves it.
  mutating func proceed(to state: State, _ files: FileActions) throws {
    self.state = state
    try write(files)
  }

  /// Creates the mark that keeps other commands away from the store. It is created atomically: one with half a path
  /// would keep them away for ever.
  func putMark(naming journal: Journal, _ files: FileActions) throws {
    try files.replace(mark, with: journal.folder.bytes)
  }

  /// Removes the mark.
  func removeMark(_ files: FileActions) throws {
    try files.unlink(mark)
    try files.sync(folder: folder)
  }

  /// Removes the folder and everything made in it, as far as possible.
  func remove(_ files: FileActions) { Self.remove(folder, changes: changes.count, files: files) }

  private static func remove(_ folder: PosixPath, changes: Int, files: FileActions) {
    let documents = [document(in: folder), mark(in: folder)]
    let changes = (0...changes).map { path(ofChanges: $0, in: folder) }
    let roles = Role.allCases.map { path(of: $0, in: folder) }
    for path in documents.map({ $0.appending(".new") }) + documents + roles + changes { try? files.unlink(path) }
    try? files.removeFolder(folder)
  }

  /// Moves external files aside, or back from where `other` keeps them, after the rows were committed. A file that
  /// cannot be moved stays and is listed in `unmoved`; one that an earlier attempt moved counts as moved.
  mutating func moveFiles(_ files: FileActions, movedBackFrom other: Journal? = nil) {
    let external = Store.supportFolder(of: store).appending(component: Array("_EXTERNAL_DATA".utf8))
    for entry in entries {
      guard case .externalFile(let name, let isMovedAside) = entry else { continue }
      let outside = external.appending(component: name)
      let inside = (isMovedAside ? self : other ?? self).movedFiles.appending(component: name)
      let (source, target) = isMovedAside ? (outside, inside) : (inside, outside)
      do {
        if isMovedAside, FileSystem.kind(of: movedFiles) == nil { try files.makeFolder(movedFiles) }
        try files.move(source, to: target)
      } catch {
        if isThere(target), !isThere(source) { continue }
        if !isMovedAside, isBeginning(source, of: target) {
          // Moving it to another file system stopped before the file itself was removed.
          try? files.unlink(source)
          continue
        }
        if isThere(source) { unmoved.append("\(error)") }
        entries.removeAll { $0 == entry }
      }
    }
  }

  /// Whether a file has the first bytes of another one, or all of them.
  private func isBeginning(_ part: PosixPath, of whole: PosixPath) -> Bool {
    guard isThere(part), isThere(whole), let part = try? EvidenceFile(part), let whole = try? EvidenceFile(whole),
      part.size <= whole.size
    else { return false }
    var offset: Int64 = 0
    while offset < part.size {
      let count = Int(clamping: min(1 << 20, part.size - offset))
      guard let bytes = try? part.read(at: offset, count: count), bytes.count == count,
        (try? whole.read(at: offset, count: count)) == bytes
      else { return false }
      offset += Int64(count)
    }
    return true
  }

  private func isThere(_ path: PosixPath) -> Bool { FileSystem.kind(of: path, followingLinks: false) == .file }
}
