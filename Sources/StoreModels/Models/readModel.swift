import StoreDataModel
import StoreCoreData
import StoreSQLite

/// Reads the model, or all versions of it, at `path`: a `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel`,
/// storedoctor's JSON, Swift source with `@Model` classes, or a store, whose model cache is a model too. The content
/// decides, not the name. The folder of a project or a compiled app stands for the bundle of models in it.
///
/// - Parameters:
///   - readings: cache of parsed Swift source; new readings are added to it.
///   - store: the store that the model is for; among several bundles in a project, its own is taken.
///   - log: of a store, the write-ahead log that is read in place of the one beside it.
/// - Throws: `ModelSourceError`, `SwiftDataProgramError` or `StoreError` saying what is there instead and what to do.
package func readModel(
  _ path: PosixPath, readings: SourceReadings = SourceReadings(), for store: PosixPath? = nil,
  log: PosixPath? = nil
) throws -> ModelSource {
  do {
    return try ModelSource.read(path.description)
  } catch {
    if let found = try modelOfProject(at: path, error, for: store) { return found }
    if let found = try modelOfArchive(at: path, error, for: store) { return found }
    if let (path, version) = swiftSource(at: path, error) {
      var source = try ModelSource(readings.reading(of: path), path: path)
      source.passedOver = bundles(below: PosixPath(path))
      return try version.map { name throws(ModelSourceError) in try source.only(name) } ?? source
    }
    guard mayBeStore(path, error: error) else { throw error }
    do {
      return try modelCache(of: path, log: log)
    } catch let storeError as StoreError {
      // The folder holds neither model nor store, or is named like a model: report the model error, since a model was
      // asked for. The store error would only say that it is a model.
      switch storeError.problem {
      case .folderWithoutStore, .otherKind, .missing: throw error
      default: throw storeError
      }
    }
  }
}

private func mayBeStore(_ path: PosixPath, error: ModelSourceError) -> Bool {
  switch error.kind {
  case .database: true
  case .unsupported: FileSystem.kind(of: path) == .folder || PlacedStores.isArchive(path)
  // "Notes.sqlite@3" is the store as of commit 3, "App.zip!Notes.sqlite" one in an archive.
  case .missing: StoreReference(path).commit != nil || path.bytes.contains(UInt8(ascii: "!"))
  case .system, .mappingModel, .damaged, .refused, .swiftSource: false
  }
}

/// The Swift source at a path, and the version named after `#`.
private func swiftSource(at path: PosixPath, _ error: ModelSourceError) -> (path: String, version: String?)? {
  let text = path.description
  switch error.kind {
  case .swiftSource where error.path == text: return (text, nil)
  case .unsupported where SwiftFiles.areBelow(path): return (text, nil)
  case .unsupported, .missing:
    if ModelPresence(ofSourceIn: path) == .found { return (text, nil) }
    fallthrough
  case .swiftSource:
    return ModelSource.versionSpellings(of: text).first { spelling in
      let path = PosixPath(spelling.path)
      if FileSystem.kind(of: path) == .folder { return SwiftFiles.areBelow(path) }
      return spelling.path.hasSuffix(".swift") || ModelPresence(ofSourceIn: path) == .found
    }
  case .system, .database, .mappingModel, .damaged, .refused: return nil
  }
}

/// The model cache of a store, as a source of one version.
private func modelCache(of path: PosixPath, log: PosixPath?) throws -> ModelSource {
  let main = try StoreLocator.locate(path)
  var opening = Store.Options()
  opening.log = log
  let store = try Store(main, options: opening)
  try store.checkUnchanged()
  switch store.modelCache {
  case .model(let model):
    var source = ModelSource(path: main.description, format: .store, version: fileName(main), model: model)
    source.remarks = Reading(store).clauses
    return source
  case .absent, .empty:
    throw ModelSourceError(
      main.description, .unsupported,
      message: "the store carries no model (frameworks before 637 wrote none), only the hashes in its metadata; "
        + "'storedoctor model match' finds the version that has them among models you give")
  case .unreadable(let why):
    throw ModelSourceError(main.description, .damaged, message: "the store's model cache cannot be decoded: \(why)")
  }
}

private func fileName(_ path: PosixPath) -> String {
  path.description.split(separator: "/").last.map(String.init) ?? path.description
}

extension ModelSource {
  /// The version that describes a store: the one with its hashes, or else the deciding version.
  package func version(describing store: PosixPath, _ opening: Store.Options) throws -> Version {
    guard versions.count > 1 || versions.contains(where: { $0.doubt != nil }) else { return try decidingVersion() }
    var opening = opening
    opening.readsModel = false
    let metadata: StoreMetadata
    do {
      metadata = try Store(store, options: opening).metadata
    } catch  where isOfDamage(error) && opening.standIn != nil {
      // Which version made a store whose metadata are lost only the salvage that is given one may tell.
      return try decidingVersion().whole()
    }
    let source = settled(by: metadata)
    return try source.versions.first { $0.doubt?.gaps.isEmpty != false && $0.model.versionHashes == metadata.hashes }
      ?? source.decidingVersion().whole()
  }
}
