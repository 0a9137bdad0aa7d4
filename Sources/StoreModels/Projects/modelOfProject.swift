import StoreCoreData
import StoreDataModel
import StoreSQLite
import StoreWords

/// The bundle of models in the folder of a project or app; nil where the path is no folder or has no bundle below it. Where
/// there is Swift source with `@Model` classes too, that is the model, unless the store is one of a bundle's.
///
/// - Throws: `ModelSourceError` naming the bundles if there are several and the store does not tell which is its own.
func modelOfProject(
  at path: PosixPath, _ error: ModelSourceError, for store: PosixPath?
) throws -> ModelSource? {
  guard error.kind == .unsupported || error.kind == .swiftSource || error.kind == .missing else { return nil }
  for (path, version) in spellings(of: path) where FileSystem.kind(of: path) == .folder && !path.isModelBundle {
    let search = ProjectSearch(below: path)
    guard !search.models.isEmpty else { continue }
    if search.hasSwift, SwiftFiles.declareModels(below: path) {
      guard var source = store.flatMap({ own(of: $0, among: search.models) }) else { continue }
      source.foundBelow = path.description
      return try version.map { name throws(ModelSourceError) in try source.only(name) } ?? source
    }
    let source = try chosen(among: search, below: path, for: store)
    return try version.map { name throws(ModelSourceError) in try source.only(name) } ?? source
  }
  return nil
}

/// The bundles of models in a folder whose Swift source is the model.
func bundles(below folder: PosixPath) -> [String] {
  FileSystem.kind(of: folder) == .folder ? ProjectSearch(below: folder).models.map(\.description) : []
}

extension ModelSource {
  /// "'App' has Swift source, which is read, and 'App/Old.xcdatamodeld' too, which is not; ...": what to know of a folder
  /// with Swift source and bundles of models; nil for any other source.
  package var passedOverWords: String? {
    guard let first = passedOver.first else { return nil }
    let rest = passedOver.count > 1 ? " and \(passedOver.count - 1) more bundles" : ""
    return "\(quoted(path)) has Swift source, which is read, and \(quoted(first))\(rest) too, which is not; name that "
      + "in place of the folder to read it"
  }
}

/// The path itself, or what is before and after each `#` in it.
private func spellings(of path: PosixPath) -> [(path: PosixPath, version: String?)] {
  [(path, nil)] + ModelSource.versionSpellings(of: path.description).map { (PosixPath($0.path), $0.version) }
}

/// The most bundles of one folder that are read to find a store's own.
private let mostBundles = 100

private func chosen(
  among search: ProjectSearch, below folder: PosixPath, for store: PosixPath?
) throws -> ModelSource {
  func read(_ path: PosixPath) throws(ModelSourceError) -> ModelSource {
    var source = try ModelSource.read(path.description)
    source.foundBelow = folder.description
    return source
  }
  if search.models.count == 1 { return try read(search.models[0]) }
  let own = store.map { hashes(of: $0) } ?? nil
  guard let own else { throw severalBundles(search.models, below: folder) }
  let fitting = search.models.prefix(mostBundles).compactMap { try? read($0) }.filter { source in
    source.versions.contains { $0.failure == nil && $0.model.versionHashes == own }
  }
  guard fitting.count == 1 else {
    throw severalBundles(fitting.isEmpty ? search.models : fitting.map { PosixPath($0.path) }, below: folder)
  }
  return fitting[0]
}

/// The only bundle with a version that has a store's hashes, or else with entities of most of its names.
private func own(of store: PosixPath, among bundles: [PosixPath]) -> ModelSource? {
  guard let hashes = hashes(of: store), !hashes.byEntity.isEmpty else { return nil }
  let sources = bundles.prefix(mostBundles).compactMap { try? ModelSource.read($0.description) }
  func only(_ isOwn: (ModelSource.Version) -> Bool) -> ModelSource? {
    let found = sources.filter { $0.versions.contains { $0.failure == nil && isOwn($0) } }
    return found.count == 1 ? found[0] : nil
  }
  return only { $0.model.versionHashes == hashes }
    ?? only { version in
      version.model.entities.count { hashes.byEntity[$0.name] != nil } * 2 > hashes.byEntity.count
    }
}

func hashes(of store: PosixPath) -> VersionHashes? {
  var options = Store.Options()
  options.readsModel = false
  guard let path = try? StoreLocator.locate(store) else { return nil }
  return (try? Store(path, options: options))?.metadata.hashes
}

func severalBundles(_ paths: [PosixPath], below folder: PosixPath) -> ModelSourceError {
  let shown = paths.prefix(10).map { quoted($0.description) }.joined(separator: ", ")
  let more = paths.count > 10 ? " and \(paths.count - 10) more" : ""
  return ModelSourceError(
    folder.description, .unsupported, message: "several models lie in it: \(shown)\(more); name one of them")
}
