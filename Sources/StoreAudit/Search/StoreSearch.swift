import StorePlaces
import StorePlatform
import StoreWords
import StoreSystem
import StoreCoreData
import StoreSQLite

/// Searches a folder and everything below it, in the order of names, for files that are or may be stores.
///
/// Recognised by content, whatever the name: a file that begins like a database, an archive, a write-ahead log without
/// its main file. Recognised by name only where content cannot tell: files with a store's or archive's name that are
/// empty, truncated, encrypted, links, devices or unreadable. Links are not followed: targets inside the folder are
/// found anyway, and others were not asked for.
struct StoreSearch: IteratorProtocol {
  private var folders: [Frame]
  /// The depth below which folders are not searched; a line says so.
  private let deepest: Int
  private let isInsideArchive: Bool
  private let isUnwanted: (() -> Bool)?
  private var looked = 0
  /// Whether it ended early because no more entries are wanted.
  private(set) var wasCut = false

  /// A folder on the way down, with the names still to be looked at, the next one last.
  private struct Frame {
    var path: PosixPath
    var waiting: [[UInt8]]
    var names: Set<[UInt8]>
    /// The path from the folder of a backup, with its slash; nil outside of backups.
    var inBackup: [UInt8]?
  }

  /// The most levels below the searched folder.
  static let deepest = 100

  /// - Parameters:
  ///   - isInsideArchive: whether the folder was unpacked; archives in it are not unpacked again.
  ///   - isUnwanted: asked now and then whether to end early, as there may be no store for a long time.
  init(
    _ folder: PosixPath, deepest: Int = deepest, isInsideArchive: Bool = false, isUnwanted: (() -> Bool)? = nil
  ) {
    self.isUnwanted = isUnwanted
    folders = []
    self.deepest = deepest
    self.isInsideArchive = isInsideArchive
    root = folder
  }

  private var root: PosixPath?

  /// The next thing found; nil at the end.
  mutating func next() -> AuditItem? {
    if let folder = root {
      root = nil
      if let item = enter(folder) { return item }
    }
    while let name = nextName() {
      looked &+= 1
      if looked & 0xFF == 0, isUnwanted?() == true {
        wasCut = true
        return nil
      }
      if let item = look(at: name) { return item }
    }
    return nil
  }

  private mutating func nextName() -> [UInt8]? {
    while let last = folders.indices.last {
      if let name = folders[last].waiting.popLast() { return name }
      folders.removeLast()
    }
    return nil
  }

  private mutating func enter(_ folder: PosixPath) -> AuditItem? {
    guard folders.count <= deepest else {
      return problem(at: folder, .tooDeep, message: "deeper than \(deepest) folders; audit it by itself")
    }
    guard let names = FileSystem.names(in: folder) else {
      return problem(
        at: folder, .notPermitted,
        message: "the folder cannot be listed, and there may be stores in it"
          + Platform.advice(onRefusalOf: folder.description))
    }
    var frame = Frame(path: folder, waiting: names.sorted { $1.lexicographicallyPrecedes($0) }, names: Set(names))
    let isWhole = !isInsideArchive && isBackup(names: names)
    if isWhole { frame.inBackup = [] }
    if folders.last?.inBackup == [], isFolderOfHashes(folder.name) {
      frame.inBackup = folder.name + [UInt8(ascii: "/")]
    }
    // The rest of it lies there under its own name.
    if let inBackup = frame.inBackup { frame.waiting.removeAll { isPartOfBackup(inBackup + $0) } }
    folders.append(frame)
    return isWhole ? AuditItem(folder, .archive) : nil
  }

  private mutating func look(at name: [UInt8]) -> AuditItem? {
    guard let frame = folders.last, !isDraft(name) else { return nil }
    let path = frame.path.appending(component: name)
    switch FileSystem.sight(of: path, followingLinks: false) {
    case .unseen(let code): return unseen(path, code: code)
    case .seen(.folder): return isPassedOver(folder: name) ? nil : enter(path)
    case .seen(.file): return file(name, at: path, besides: frame.names)
    case .seen(.link):
      guard EntryRole(name: name) == .namedStore else { return nil }
      return problem(at: path, .link, message: "a link, which a search does not follow; name what it leads to")
    // Opening it could wake a writer. If it has a store's name, its line says what it is.
    case .seen(.other), .nothing:
      return EntryRole(name: name) == .namedStore ? AuditItem(path, .store(wasNamed: true)) : nil
    }
  }

  /// The item for a path whose status cannot be read.
  private mutating func unseen(_ path: PosixPath, code: Int32) -> AuditItem {
    if code == ENAMETOOLONG {
      return problem(at: path, .tooDeep, message: "its path is too long; audit a folder further down")
    }
    guard code == EACCES, let folder = folders.popLast() else { return AuditItem(path, .store(wasNamed: true)) }
    // The same holds for everything else in the folder.
    return problem(
      at: folder.path, .notPermitted, message: "the folder cannot be entered, and there may be stores in it")
  }

  private func file(_ name: [UInt8], at path: PosixPath, besides names: Set<[UInt8]>) -> AuditItem? {
    // A worker will read it in any case, so the search, which runs on one core, does not open it too.
    if EntryRole(name: name) == .namedStore, !EntryRole.isNamedAppleDouble(name) {
      return AuditItem(path, .store(wasNamed: true))
    }
    guard let file = try? EvidenceFile(path), let head = try? file.read(at: 0, count: ArchiveKind.usefulBytes) else {
      // A journal comes and goes. Anything else that cannot be read may be a store.
      let isGone = FileSystem.kind(of: path, followingLinks: false) == nil
      return isGone && EntryRole(name: name) != .namedStore ? nil : AuditItem(path, .store(wasNamed: true))
    }
    switch EntryRole(name: name, head: head) {
    case .database: return AuditItem(path, .store(wasNamed: EntryRole(name: name) == .namedStore))
    case .namedStore: return AuditItem(path, .store(wasNamed: true))
    case .sideFile: return sideFile(name, path: path, head: head, besides: names)
    case .archive:
      // Something may have been put before a zip.
      if isArchive(name: name, head: head) || ArchiveKind.isNamedZip(name) && hasZipDirectory(file) {
        return archive(path)
      }
      if ArchiveKind.isPackedTar(name, head: head), ArchiveStream.isProgramThere { return archive(path) }
      let reason = reasonNotUnpacked(name: name, head: head) ?? .notAnArchive
      return problem(
        at: path, reason == .unsupported ? .unsupportedArchive : .cannotUnpack, message: reason.description)
    case .externalData: return nil
    case .other: return HeadlessDatabase.isOne(file, named: name) ? AuditItem(path, .store(wasNamed: false)) : nil
    }
  }

  private func sideFile(
    _ name: [UInt8], path: PosixPath, head: [UInt8], besides names: Set<[UInt8]>
  ) -> AuditItem? {
    guard name.hasSuffix("-wal"), FileSniff(head) == .writeAheadLog else { return nil }
    let main = Array(name.dropLast("-wal".utf8.count))
    guard !names.contains(main) else { return nil }
    return problem(
      at: path, .orphanWAL,
      message:
        "a write-ahead log without its store \(quoted(String(decoding: main, as: UTF8.self))), with rows that may be "
        + "nowhere else; look for the store it was copied without")
  }

  private func archive(_ path: PosixPath) -> AuditItem {
    isInsideArchive
      ? problem(
        at: path, .nestedArchive, message: "an archive in an archive is not unpacked; unpack it and audit it by itself")
      : AuditItem(path, .archive)
  }

  private func problem(at path: PosixPath, _ kind: AuditProblem.Kind, message: String) -> AuditItem {
    AuditItem(path, .problem(AuditProblem(kind, message)))
  }
}

/// Whether a file is a copy that a repair was writing when it was killed, and so no store.
private func isDraft(_ name: [UInt8]) -> Bool { name.starts(with: ".storedoctor-".utf8) }

/// Whether a folder is not searched: models, external data of a store, and the journals and backups of storedoctor's
/// own repairs.
private func isPassedOver(folder name: [UInt8]) -> Bool {
  let infix = Array(".storedoctor-".utf8)
  let isOfValues = name.first == UInt8(ascii: ".") && name.hasSuffix("_SUPPORT")
  return isOfValues || [".momd", ".xcdatamodeld", ".xcdatamodel"].contains(where: name.hasSuffix)
    || name.indices.contains { name[$0...].starts(with: infix) }
}
