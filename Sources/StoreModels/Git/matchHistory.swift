import StoreDataModel

/// Searches the git history of a repository, bare or not, for model files whose hashes match a store's.
///
/// Each distinct content is read once. Git runs without anything the repository configures (`GitRepository`).
/// - Throws: `GitError` when the repository cannot be read.
package func matchHistory(_ hashes: VersionHashes, repository path: String) throws -> HistoryMatch {
  let repository = try GitRepository(path: path)
  let changes = try repository.modelChanges()
  var search = HistorySearch(hashes: hashes, objects: try repository.objects())
  for change in changes { try search.look(at: change) }
  let occurrences = Occurrences(changes)
  let found = search.found
  let best = found.contains { $0.comparison.isEqual || $0.comparison.isPart } ? nil : search.nearest
  return HistoryMatch(
    repository: path, commits: Set(changes.map(\.commit)).count, models: search.modelsRead,
    matches: try found.prefix(HistorySearch.mostMatches).map {
      try describe($0, occurrences: occurrences, in: repository, search: search)
    },
    nearest: try best.map { try describe($0, occurrences: occurrences, in: repository, search: search) },
    unreadable: search.unreadable, isShallow: try repository.isShallow())
}

private func describe(
  _ model: HistorySearch.Model, occurrences: Occurrences, in repository: GitRepository, search: HistorySearch
) throws -> HistoryMatch.Match {
  let place = Occurrences.Place(path: model.path, object: model.object)
  let introduced = occurrences.introduced[place] ?? []
  let ended = occurrences.ended[place] ?? []
  return HistoryMatch.Match(
    path: String(decoding: model.path, as: UTF8.self), object: model.object.description, name: model.name,
    identifiers: model.identifiers, comparison: model.comparison, introduced: try introduced.map(search.objects.commit),
    ended: try ended.map(search.objects.commit),
    tags: try introduced.last.map { try repository.tags(containing: $0, without: ended) } ?? [])
}

/// Which commits introduced and ended each content of each file.
private struct Occurrences {
  struct Place: Hashable {
    var path: [UInt8]
    var object: GitObjectID
  }

  private(set) var introduced: [Place: [GitObjectID]] = [:]
  private(set) var ended: [Place: [GitObjectID]] = [:]

  init(_ changes: [GitChange]) {
    for change in changes {
      if let new = change.new { introduced[Place(path: change.path, object: new), default: []].append(change.commit) }
      for old in Set(change.old) where old != change.new {
        ended[Place(path: change.path, object: old), default: []].append(change.commit)
      }
    }
  }
}

/// Reads the model of each change, each content once, and keeps those that match.
private struct HistorySearch {
  /// A model that was read, at one path.
  struct Model {
    var path: [UInt8]
    var object: GitObjectID
    var name: String
    var identifiers: [String]
    var comparison: HashComparison
  }

  /// The result of reading one content, whatever its path.
  private enum Content {
    case model(identifiers: [String], HashComparison)
    case unreadable
  }

  /// The most matches that are described; a model is rarely at more paths.
  static let mostMatches = 100

  let hashes: VersionHashes
  let objects: GitObjects
  private var contents: [GitObjectID: Content] = [:]
  private var seen: Set<Occurrences.Place> = []
  private var fitting: [Model] = []
  private(set) var nearest: Model?
  private(set) var unreadable: [HistoryMatch.Unreadable] = []

  init(hashes: VersionHashes, objects: GitObjects) {
    self.hashes = hashes
    self.objects = objects
  }

  var modelsRead: Int { contents.count }

  /// The models with all of the store's hashes; if there is none, those that match part of them. Newest first.
  var found: [Model] {
    let equal = fitting.filter(\.comparison.isEqual)
    return equal.isEmpty ? fitting : equal
  }

  mutating func look(at change: GitChange) throws {
    guard let object = change.new,
      seen.insert(Occurrences.Place(path: change.path, object: object)).inserted
    else { return }
    let path = String(decoding: change.path, as: UTF8.self)
    guard case .model(let identifiers, let comparison) = try content(of: object, path: path) else { return }
    let model = Model(
      path: change.path, object: object, name: Self.name(of: path), identifiers: identifiers, comparison: comparison)
    if comparison.isEqual || comparison.isPart { fitting.append(model) }
    if comparison.similarity > nearest?.comparison.similarity ?? 0 { nearest = model }
  }

  private mutating func content(of object: GitObjectID, path: String) throws -> Content {
    if let known = contents[object] { return known }
    let content = try read(object, path: path)
    contents[object] = content
    return content
  }

  private mutating func read(_ object: GitObjectID, path: String) throws -> Content {
    switch try objects.read(object, limit: ModelSource.maximumFileSize) {
    case .missing: note(object, path: path, reason: "not in the repository (a shallow or partial clone?)")
    case .tooLarge(let bytes):
      note(object, path: path, reason: "\(bytes) bytes, more than \(ModelSource.maximumFileSize)")
    case .content(let bytes):
      do {
        let source = try ModelSource.read(bytes, path: path)
        guard let model = source.versions.first?.model else { break }
        return .model(
          identifiers: model.versionIdentifiers, HashComparison(store: hashes, model: model.versionHashes))
      } catch {
        note(object, path: path, reason: error.message)
      }
    }
    return .unreadable
  }

  private mutating func note(_ object: GitObjectID, path: String, reason: String) {
    unreadable.append(HistoryMatch.Unreadable(path: path, object: object.description, reason: reason))
  }

  /// "Notes 2" of `App/Notes.xcdatamodeld/Notes 2.xcdatamodel/contents` and of `Notes 2.mom`.
  private static func name(of path: String) -> String {
    var parts = path.split(separator: "/")
    if parts.last == "contents" { parts.removeLast() }
    let last = parts.last ?? "model"
    for ending in [".xcdatamodel", ".mom"] where last.hasSuffix(ending) { return String(last.dropLast(ending.count)) }
    return String(last)
  }
}
