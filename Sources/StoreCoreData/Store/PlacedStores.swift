import StorePlaces
import StorePlatform
import StoreSQLite
import StoreSystem
import StoreText
import StoreWords
import Synchronization

/// The stores of an archive or a backup, for the commands that read one.
package struct PlacedStores {
  /// The path of the archive, or of the backup's folder.
  let place: PosixPath
  let contents: PlaceContents
  private let spool: Spool

  /// Told what was not read of a place from which a store is read; each a sentence.
  package static var onNote: (@Sendable (String) -> Void)? {
    get { note.withLock { $0 } }
    set { note.withLock { $0 = newValue } }
  }

  private static let note = Mutex<(@Sendable (String) -> Void)?>(nil)

  /// Nil where the path is no archive and no backup, or nothing of it can be read as one.
  ///
  /// - Parameter wanted: what is looked for behind `!`; nil for everything.
  /// - Throws: `StoreError` for one that cannot be read.
  init?(_ place: PosixPath, wanted: [UInt8]? = nil) throws {
    var made: Spool?
    func spool(_ size: Int64) -> Spool {
      let spool = Self.privateSpool(size)
      made = spool
      return spool
    }
    do {
      guard let contents = try readPlace(place, spool: spool, wanted: wanted) else { return nil }
      self.contents = contents
    } catch let error as ArchiveError {
      switch error {
      case .damaged, .notAnArchive, .unreadable: return nil
      default: throw StoreError(path: place.description, .unreadable(error.description))
      }
    }
    self.place = place
    self.spool = made ?? spool(0)
  }

  /// Private files without names, which are gone with this process.
  package static func privateSpool(_ size: Int64) -> Spool {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return Spool(
      in: PosixPath(folder.isEmpty ? "/tmp" : folder), isNamed: false, limits: PlaceLimits.standard.archive,
      archiveSize: size)
  }

  /// Keeps private files for the rest of the run.
  static func keep(_ spool: Spool) { spools.withLock { $0.append(spool) } }

  /// The sets whose name behind `!` is this, or lies in a folder or archive of this name.
  func sets(named name: [UInt8]) -> [EvidenceSet] {
    let wanted = Self.plain(name)
    let text = String(decoding: wanted, as: UTF8.self)
    let equal = contents.sets.filter { Self.plain($0.shown) == wanted }
    if !equal.isEmpty { return equal }
    // A name may be composed here and decomposed there.
    let alike = contents.sets.filter { String(decoding: Self.plain($0.shown), as: UTF8.self) == text }
    if !alike.isEmpty { return alike }
    return contents.sets.filter { set in
      let shown = Self.plain(set.shown)
      return wanted.isEmpty
        || shown.starts(with: wanted) && [UInt8(ascii: "/"), UInt8(ascii: "!")].contains(shown[wanted.count])
    }
  }

  /// A slash at the front and at the end does not count.
  static func plain(_ name: [UInt8]) -> [UInt8] {
    Array(name.drop { $0 == UInt8(ascii: "/") }.reversed().drop { $0 == UInt8(ascii: "/") }.reversed())
  }

  /// What a set is as a store; nil for a database of another kind.
  ///
  /// - Throws: `StoreError` for one that cannot be read.
  func summary(of set: EvidenceSet) throws -> StoreSummary? {
    do {
      return try reading(set) { path in
        var summary = try StoreSummary(Store(path, options: Store.Options(readsModel: false)))
        if let container = set.container, !set.shown.contains(container) { summary.container = container }
        return summary
      }
    } catch let error as StoreError {
      if case .notCoreData = error.problem { return nil }
      throw error
    }
  }

  /// A set as a store, damaged or not; nil for one that is none.
  ///
  /// - Throws: `StoreError` for a database that cannot be read.
  func located(_ set: EvidenceSet) throws -> LocatedStore? {
    // One that has a store's name, and does not begin as a database.
    if !set.isDatabase {
      let isOne = try? reading(set) { path in try HeadlessDatabase.isOne(EvidenceFile(path), named: path.name) }
      guard isOne == true else { return nil }
    }
    do {
      return try summary(of: set).map { located(set, summary: $0) }
    } catch  where isOfDamagedPages(error) {
      return try reading(set) { path in located(set, summary: StoreSummary(damaged: path, error)) }
    }
  }

  /// Calls `body` with the path at which a set can be read meanwhile.
  func reading<Value>(_ set: EvidenceSet, _ body: (PosixPath) throws -> Value) throws -> Value {
    let shown = PosixPath(bytes: place.bytes + [UInt8(ascii: "!")] + set.shown)
    // What is readable for the rest of the run stays so.
    if MountedFiles.target(of: shown) != nil { return try body(shown) }
    let mark = spool.mark
    guard let prepared = try prepared(set) else {
      throw StoreError(path: shown.description, .unreadable("its bytes cannot be read"))
    }
    let path = prepared.mount(in: place)
    defer {
      prepared.unmount(from: place)
      spool.close(since: mark)
    }
    return try body(path)
  }

  /// A set as a store that was found.
  func located(_ set: EvidenceSet, summary: StoreSummary) -> LocatedStore {
    LocatedStore(
      path: PosixPath(bytes: place.bytes + [UInt8(ascii: "!")] + set.shown), summary: summary, member: (set, self))
  }

  /// Makes a set readable under its name, for the rest of the run.
  ///
  /// - Throws: `StoreError` where one of its files is not to be trusted.
  func open(_ set: EvidenceSet) throws -> PosixPath {
    let shown = PosixPath(bytes: place.bytes + [UInt8(ascii: "!")] + set.shown)
    guard let prepared = try prepared(set) else {
      throw StoreError(path: shown.description, .unreadable("its bytes cannot be read"))
    }
    for backup in contents.backups where set.prefix == backup.prefix {
      let path = PosixPath(
        bytes: place.bytes + (backup.prefix.isEmpty ? [] : [UInt8(ascii: "!")] + backup.prefix.dropLast()))
      Self.onNote?("\(quoted(path.description)) is \(backup.facts.words)")
    }
    if let container = set.container, !set.shown.contains(container) {
      Self.onNote?("\(quoted(shown.description)) lies in the container of \(quoted(container))")
    }
    for leftOut in contents.leftOut where leftOut.kind == .whole {
      Self.onNote?("of \(quoted(place.description)) not all was read: \(leftOut.reason)")
    }
    // Private files are there as long as what made them.
    Self.keep(spool)
    return prepared.mount(in: place)
  }

  private static let spools = Mutex<[Spool]>([])

  private func prepared(_ set: EvidenceSet) throws -> PreparedSet? {
    do {
      let (sets, leftOut) = try prepare([set], spool: spool)
      if let prepared = sets.first { return prepared }
      guard let doubt = leftOut.first else { return nil }
      let name = PosixPath(bytes: place.bytes + [UInt8(ascii: "!")] + doubt.name)
      throw StoreError(path: name.description, .unreadable(doubt.reason))
    } catch let error as ArchiveError {
      throw StoreError(path: place.description, .unreadable(error.description))
    }
  }

  /// Why there may be stores that were not found; nil where all was read.
  var gap: String? {
    let first = contents.leftOut.prefix(3).map { leftOut in
      (leftOut.name.isEmpty ? "" : quoted(String(decoding: leftOut.name, as: UTF8.self)) + ": ") + leftOut.reason
    }
    guard !first.isEmpty else { return nil }
    let more = contents.leftOut.count - first.count
    return first.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
  }
}

extension PlacedStores {
  private static let found = Mutex<[PosixPath: PosixPath]>([:])

  /// The store that a path names in an archive or a backup, `ARCHIVE!member/path`, or the only one of an archive or backup.
  ///
  /// - Parameter takesAny: whether any SQLite database is one.
  /// - Returns: the path under which it is read; nil for a path of the file system.
  /// - Throws: `StoreError` if there is none, or several; then with a summary of each.
  static func locate(_ path: PosixPath, takesAny: Bool = false) throws -> PosixPath? {
    if MountedFiles.target(of: path) != nil { return path }
    if let known = found.withLock({ $0[path] }) { return known }
    guard let located = try located(path, takesAny: takesAny) else { return nil }
    found.withLock { $0[path] = located }
    return located
  }

  private static func located(_ path: PosixPath, takesAny: Bool) throws -> PosixPath? {
    switch FileSystem.kind(of: path) {
    case .file:
      guard isArchive(path), let stores = try PlacedStores(path) else { return nil }
      return try stores.only(stores.contents.sets, of: path, takesAny: takesAny)
    // A backup, or what holds one, is searched as any other folder.
    case .folder, .link, .other: return nil
    case nil: break
    }
    for mark in path.bytes.indices where path.bytes[mark] == UInt8(ascii: "!") {
      let (place, name) = (PosixPath(bytes: Array(path.bytes[..<mark])), Array(path.bytes[(mark + 1)...]))
      guard let kind = FileSystem.kind(of: place), kind == .file || kind == .folder,
        let stores = try PlacedStores(place, wanted: name)
      else { continue }
      return try stores.store(named: name, of: path, takesAny: takesAny)
    }
    return nil
  }

  package static func isArchive(_ path: PosixPath) -> Bool {
    guard let file = try? EvidenceFile(path), let head = try? file.read(at: 0, count: ArchiveKind.usefulBytes) else {
      return false
    }
    // Some disk images are zips.
    if case .diskImage? = FileSignature.kind(head: head, tail: []) { return false }
    return ArchiveKind(head: head) != nil || ArchiveKind.isNamedZip(path.name)
  }

  private func store(named name: [UInt8], of path: PosixPath, takesAny: Bool) throws -> PosixPath? {
    let sets = sets(named: name)
    if sets.count == 1, let set = sets.first { return try open(set) }
    if !sets.isEmpty { return try only(sets, of: path, takesAny: takesAny) }
    // "@3" behind the name is a commit of the store's log.
    if let at = name.lastIndex(of: UInt8(ascii: "@")), name[(at + 1)...].allSatisfy(isDigit), at + 1 < name.endIndex {
      let stem = self.sets(named: Array(name[..<at]))
      if stem.count == 1, let set = stem.first {
        return try open(set).appending(String(decoding: name[at...], as: UTF8.self))
      }
    }
    if let reason = contents.leftOut.first(where: { !$0.name.isEmpty && $0.name == name })?.reason {
      throw StoreError(path: path.description, .unreadable(reason))
    }
    let holds = contents.sets.filter(\.isDatabase).prefix(5).map { quoted(String(decoding: $0.shown, as: UTF8.self)) }
    let advice = holds.isEmpty ? gap.map { "; \($0)" } ?? "" : "; it holds \(holds.joined(separator: ", "))"
    throw StoreError(path: path.description, .unreadable("there is no store of this name in it\(advice)"))
  }

  private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// The only store among sets, or the only database where any is one.
  private func only(_ sets: [EvidenceSet], of path: PosixPath, takesAny: Bool) throws -> PosixPath {
    if takesAny {
      let databases = sets.filter(\.isDatabase)
      guard databases.count == 1, let only = databases.first else {
        let names = databases.prefix(5).map { quoted(String(decoding: $0.shown, as: UTF8.self)) }
        let more = databases.count > names.count ? ", and \(databases.count - names.count) more" : ""
        let advice =
          databases.isEmpty
          ? "there is no SQLite database in it\(gap.map { "; \($0)" } ?? "")"
          : "there are several databases in it; name one behind '!': \(names.joined(separator: ", "))\(more)"
        throw StoreError(path: path.description, .unreadable(advice))
      }
      if let gap {
        Self.onNote?("\(quoted(path.description)) may hold more databases than the one that is read: \(gap)")
      }
      return try open(only)
    }
    let located = try located(among: sets)
    guard let only = located.only, let set = only.member?.set else { throw located.error(at: path) }
    if let gap = located.gap(besides: only) {
      Self.onNote?("\(quoted(path.description)) may hold more stores than the one that is read: \(gap)")
    }
    return try open(set)
  }

  /// The stores among sets.
  private func located(among sets: [EvidenceSet], most: Int = .max) throws -> LocatedStores {
    var located = LocatedStores(filesLookedAt: contents.filesSeen, incomplete: gap)
    for set in sets where located.all.count <= most {
      do {
        guard let store = try self.located(set) else { continue }
        located.all.append(store)
      } catch let error as StoreError {
        // A database that cannot be read may be the intended store.
        located.incomplete = error.description
        located.unreadable.append(error.description)
      }
    }
    return located
  }

  /// The stores of an archive, or of a part of an archive or a backup; nil for a path that names neither.
  ///
  /// - Parameter most: the search ends when there are more.
  static func stores(at path: PosixPath, most: Int) throws -> LocatedStores? {
    if FileSystem.kind(of: path) == .file {
      guard isArchive(path), let placed = try PlacedStores(path) else { return nil }
      return try placed.located(among: placed.contents.sets, most: most)
    }
    guard FileSystem.kind(of: path) == nil else { return nil }
    for mark in path.bytes.indices where path.bytes[mark] == UInt8(ascii: "!") {
      let (place, name) = (PosixPath(bytes: Array(path.bytes[..<mark])), Array(path.bytes[(mark + 1)...]))
      guard let kind = FileSystem.kind(of: place), kind == .file || kind == .folder,
        let placed = try PlacedStores(place, wanted: name)
      else { continue }
      return try placed.located(among: placed.sets(named: name), most: most)
    }
    return nil
  }
}

extension [UInt8] {
  /// Whether a name has this text in it.
  fileprivate func contains(_ text: String) -> Bool { String(decoding: self, as: UTF8.self).contains(text) }
}
