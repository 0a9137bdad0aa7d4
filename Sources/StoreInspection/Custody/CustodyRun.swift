import StoreCoreData
import StoreDigests
import StorePlatform
import StoreSQLite

/// The files of a run: what was there before, what is there after it, and what is new.
package struct CustodyRun {
  private var files: [Found] = []
  private var before: [PosixPath: CustodyRecord.State] = [:]
  private var problems: [PosixPath: String] = [:]
  private let words: [PosixPath]
  /// Names beside each store that begin with its name.
  private var siblings: [PosixPath: Set<[UInt8]>] = [:]
  private var gaps: [String] = []

  private struct Found: Hashable {
    var path: PosixPath
    var role: CustodyRecord.Role
  }

  /// The most files that one run records.
  private static let mostFiles = 200_000
  private static let mostLevels = 32

  /// Takes down the files that the words of a command line name: of a store its side files and support folder too, of a
  /// folder all that is in it.
  package init(words: [PosixPath]) {
    self.words = words
    for word in words { add(word) }
    for file in files { before[file.path] = state(of: file.path) }
  }

  /// Ends the record: with the state of the files now, and the facts of the run.
  package mutating func finish(into record: inout CustodyRecord) {
    let known = files
    for store in known where store.role == .main { addStore(store.path) }
    record.files = files.map { file in
      let after = state(of: file.path)
      return CustodyRecord.File(
        path: file.path.description, pathBytes: file.path.isText ? nil : file.path.bytes, role: file.role,
        before: before[file.path], after: after, problem: problems[file.path])
    }
    for path in newFiles() {
      guard let content = state(of: path)?.content else { continue }
      record.outputs.append(
        .init(path: path.description, pathBytes: path.isText ? nil : path.bytes, content: content))
    }
    record.gaps += gaps
  }

  /// Files that the words name now and did not before, and new names beside a store, such as a journal.
  private mutating func newFiles() -> [PosixPath] {
    var new = CustodyRun()
    for word in words { new.add(word) }
    for (store, names) in siblings {
      for name in Self.siblings(of: store).subtracting(names).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        new.add(store.sibling(named: name))
      }
    }
    gaps += new.gaps.filter { !gaps.contains($0) }
    let old = Set(files.map(\.path))
    var seen: Set<PosixPath> = []
    return new.files.map(\.path).filter { !old.contains($0) && seen.insert($0).inserted }
  }

  private init() { words = [] }

  private mutating func add(_ word: PosixPath) {
    let path = StoreReference(word).file
    switch FileSystem.kind(of: path) {
    case .file: addFile(path)
    case .folder: addFolder(path, level: 0)
    case .link, .other, nil: break
    }
  }

  private mutating func addFolder(_ folder: PosixPath, level: Int) {
    guard level < Self.mostLevels, let names = FileSystem.names(in: folder) else {
      gaps.append("the folder \(folder.description) could not be listed")
      return
    }
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let path = folder.appending(component: name)
      switch FileSystem.kind(of: path, followingLinks: false) {
      case .file: addFile(path)
      case .folder: addFolder(path, level: level + 1)
      case .link, .other, nil: break
      }
    }
  }

  private mutating func addFile(_ path: PosixPath) {
    if let head = try? EvidenceFile(path).read(at: 0, count: 16), head == DatabaseHeader.magic {
      siblings[path] = siblings[path] ?? Self.siblings(of: path)
      addStore(path)
    } else {
      note(path, as: .input)
    }
  }

  /// The files of a database. Side files are those of a link's target.
  private mutating func addStore(_ path: PosixPath) {
    note(path, as: .main)
    let location = (try? path.resolved()) ?? path
    let isLink = FileSystem.kind(of: path, followingLinks: false) == .link
    let beside = isLink ? location : path
    for (suffix, role) in [("-wal", CustodyRecord.Role.wal), ("-shm", .shm), ("-journal", .journal)]
    where FileSystem.kind(of: beside.appending(suffix)) == .file {
      note(beside.appending(suffix), as: role)
    }
    addSupport(Store.supportFolder(of: beside), level: 0)
  }

  private mutating func addSupport(_ folder: PosixPath, level: Int) {
    guard level < Self.mostLevels, FileSystem.kind(of: folder, followingLinks: false) == .folder,
      let names = FileSystem.names(in: folder)
    else { return }
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let path = folder.appending(component: name)
      switch FileSystem.kind(of: path, followingLinks: false) {
      case .file: note(path, as: .support)
      case .folder: addSupport(path, level: level + 1)
      case .link, .other, nil: break
      }
    }
  }

  private mutating func note(_ path: PosixPath, as role: CustodyRecord.Role) {
    guard !isNoted(path, as: role) else { return }
    guard files.count < Self.mostFiles else {
      let gap = "more than \(Self.mostFiles) files; the others are not recorded"
      if gaps.last != gap { gaps.append(gap) }
      return
    }
    positions[path] = files.count
    files.append(Found(path: path, role: role))
  }

  private var positions: [PosixPath: Int] = [:]

  /// Whether it is there already; one that was only an input becomes what it is of a store.
  private mutating func isNoted(_ path: PosixPath, as role: CustodyRecord.Role) -> Bool {
    guard let position = positions[path] else { return false }
    if files[position].role == .input { files[position].role = role }
    return true
  }

  /// Names beside a store that begin with its name, such as those of journals.
  private static func siblings(of store: PosixPath) -> Set<[UInt8]> {
    let folder = store.sibling(named: [])
    let names = FileSystem.names(in: folder.bytes.isEmpty ? PosixPath(".") : folder) ?? []
    return Set(names.filter { $0.starts(with: Store.stem(of: store.name)) })
  }

  private mutating func state(of path: PosixPath) -> CustodyRecord.State? {
    guard FileSystem.kind(of: path) != nil else { return nil }
    do {
      // Times first: where access times cannot be kept, reading changes them.
      let accessed = Self.accessTime(of: path)
      let file = try EvidenceFile(path)
      return CustodyRecord.State(
        content: try CustodyRecord.Content(of: file), modified: file.identity.modified,
        changed: file.identity.statusChanged, accessed: accessed)
    } catch {
      problems[path] = "\(error)"
      return nil
    }
  }

  private static func accessTime(of path: PosixPath) -> Int64 {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return 0 }
    let time = status.accessTime
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension CustodyRecord.Content {
  /// The content of a file, read once.
  ///
  /// - Throws: `FileError` when it cannot be read or becomes shorter.
  package init(of file: EvidenceFile) throws(FileError) {
    var stream = FileDigestStream()
    while stream.bytes < file.size {
      let piece = try file.read(at: stream.bytes, count: 1 << 20)
      guard !piece.isEmpty else { throw FileError(path: file.name, kind: .changed) }
      piece.withUnsafeBytes { stream.update($0) }
    }
    self.init(bytes: stream.bytes, digests: stream.digests)
  }
}
