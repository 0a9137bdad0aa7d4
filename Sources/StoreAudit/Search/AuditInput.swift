import StorePlaces
import StoreSystem
import StoreCoreData
import StoreDigests
import StoreSQLite

/// The things to be audited, as the user named them.
package struct AuditInput: Sendable {
  /// Files, folders and archives, in order.
  package var paths: [PosixPath]
  /// Lists of more paths, which come after `paths`.
  package var lists: [List]
  /// The part of all entries to audit; nil for all.
  package var shard: Shard?
  /// Called for each path of a list before it is used; what it throws ends the audit.
  package var admit: @Sendable (PosixPath) throws -> Void = { _ in }

  /// A list of paths.
  package struct List: Sendable {
    /// The file; nil for standard input.
    package var path: PosixPath?
    /// Whether its entries end with NUL instead of a line feed.
    package var isNULSeparated: Bool

    /// A list in a file, or on standard input.
    package init(_ path: PosixPath?, isNULSeparated: Bool = false) {
      self.path = path
      self.isNULSeparated = isNULSeparated
    }
  }

  /// Paths, and lists of them.
  package init(_ paths: [PosixPath] = [], lists: [List] = [], shard: Shard? = nil) {
    self.paths = paths
    self.lists = lists
    self.shard = shard
  }
}

/// One of several parts of an input. An entry's part depends only on its id, or its path as given or found, so every
/// machine with the same names computes the same parts.
package struct Shard: Sendable, Equatable {
  /// From 1 to `count`.
  package var number: Int
  /// The number of parts.
  package var count: Int

  /// "2/8": the second of eight.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]), count >= 1,
      (1...count).contains(number)
    else { return nil }
    self.number = number
    self.count = count
  }

  /// Whether an entry belongs to this part: the first eight bytes of the SHA-256 of its key, as a number, modulo
  /// `count`.
  package func holds(_ key: [UInt8]) -> Bool {
    let digest = Digests.sha256(key).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return digest % UInt64(count) == UInt64(number - 1)
  }
}

/// Entries of an input that were named more than once, and are audited once.
package struct Repetitions: Sendable {
  /// How many repetitions there are.
  package private(set) var count = 0
  /// The paths of the first few, as given or found.
  package private(set) var first: [PosixPath] = []

  mutating func add(_ item: AuditItem) {
    count += 1
    if first.count < 3 { first.append(item.shown) }
  }
}

/// The entries of an input, one after the other; folders are searched as they are reached. An id or path named twice is
/// one entry, because lines are identified by it and a merged report would count it once.
final class AuditItems {
  private var paths: ArraySlice<PosixPath>
  private var lists: ArraySlice<AuditInput.List>
  private let shard: Shard?
  private let admit: @Sendable (PosixPath) throws -> Void
  private let interruption: Int32?
  private var list: PathList?
  private var search: Search?
  /// The keys so far, each as two hashes: some 40 bytes an entry.
  private var seen: Set<Key> = []
  /// Entries that were named before.
  private(set) var repetitions = Repetitions()

  private struct Key: Hashable {
    var first: Int
    var second: Int

    init(_ bytes: [UInt8]) {
      first = bytes.hashValue
      var hasher = Hasher()
      hasher.combine(1)
      hasher.combine(bytes)
      second = hasher.finalize()
    }
  }

  /// A folder being searched.
  private struct Search {
    var items: StoreSearch
    var id: String?
    var folder: PosixPath
    var hasFound = false
  }

  /// - Parameter interruption: becomes readable when no more entries are wanted.
  init(_ input: AuditInput, interruption: Int32? = nil) {
    self.interruption = interruption
    paths = input.paths[...]
    lists = input.lists[...]
    shard = input.shard
    admit = input.admit
  }

  /// The next entry of the shard; nil at the end.
  ///
  /// - Throws: `FileError` and `PathList.WrongSeparator` when a list cannot be read, `AuditError.interrupted`, and what
  ///   `admit` throws.
  func next() throws -> AuditItem? {
    while let item = try nextOfAll() {
      guard shard?.holds(item.key) ?? true else { continue }
      if isNew(item) { return item }
      repetitions.add(item)
    }
    return nil
  }

  /// A path that a search only reports, such as a link, is still audited where the user names it: these are two
  /// different lines.
  private func isNew(_ item: AuditItem) -> Bool {
    let key = mergeKey(item.id, path: item.shown.bytes)
    switch item.kind {
    case .problem: return true
    case .archive, .store(wasNamed: true): return seen.insert(Key(key)).inserted
    case .store(wasNamed: false): return seen.insert(Key(key + [0])).inserted
    }
  }

  private func nextOfAll() throws -> AuditItem? {
    while true {
      if let item = try nextOfSearch() { return item }
      if let path = paths.popFirst() {
        if let item = begin(path, id: nil) { return item }
      } else if let entry = try list?.next() {
        if let problem = entry.problem {
          return AuditItem(id: entry.id, entry.path, .problem(AuditProblem(.badLine, problem)))
        }
        try admit(entry.path)
        if let item = begin(entry.path, id: entry.id) { return item }
      } else if let next = lists.popFirst() {
        list = try PathList(next.path, isNULSeparated: next.isNULSeparated, interruption: interruption)
      } else {
        return nil
      }
    }
  }

  /// The descriptor to wait for before the next entry is known; nil where it is known already.
  var awaited: Int32? { search == nil && paths.isEmpty ? list?.awaited : nil }

  private func nextOfSearch() throws -> AuditItem? {
    if var item = search?.items.next() {
      search?.hasFound = true
      item.id = search?.id
      if let search, search.id != nil { item.within = Array(item.shown.bytes.dropFirst(search.folder.bytes.count)) }
      return item
    }
    guard let ended = search else { return nil }
    if ended.items.wasCut { throw AuditError.interrupted }
    search = nil
    guard !ended.hasFound else { return nil }
    return AuditItem(
      id: ended.id, ended.folder, .problem(AuditProblem(.noStore, "no store was found in this folder")))
  }

  /// The entry of a file; for a folder, starts searching it.
  private func begin(_ path: PosixPath, id: String?) -> AuditItem? {
    guard FileSystem.kind(of: path) == .folder else {
      return AuditItem(id: id, path, kind(of: path))
    }
    let isUnwanted = interruption.map { interruption in { isReadable(interruption) } }
    search = Search(items: StoreSearch(path, isUnwanted: isUnwanted), id: id, folder: path)
    return nil
  }

  private func kind(of path: PosixPath) -> AuditItem.Kind {
    guard let file = try? EvidenceFile(path), let head = try? file.read(at: 0, count: ArchiveKind.usefulBytes) else {
      return .store(wasNamed: true)
    }
    if isArchive(name: nil, head: head) || ArchiveKind.isNamedZip(path.name) && hasZipDirectory(file) {
      return .archive
    }
    if ArchiveKind.isPackedTar(path.name, head: head), ArchiveStream.isProgramThere { return .archive }
    // The user named it, so it gets a line in any case.
    let reason = FileSniff(head) == .sqlite ? nil : reasonNotUnpacked(name: path.name, head: head)
    return reason.map { .problem(AuditProblem(.cannotUnpack, $0.description)) } ?? .store(wasNamed: true)
  }
}
