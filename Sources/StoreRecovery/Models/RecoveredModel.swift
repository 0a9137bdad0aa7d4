import StoreCoreData
import StoreDataModel
import StoreSQLite

/// The rest of an earlier version of a store's model: a former content of `Z_METADATA`, which has the version hashes of
/// all entities, or of `Z_MODELCACHE`, which has the model itself.
package struct RecoveredModel: Sendable {
  /// Where the version was written.
  package enum Source: String, Sendable {
    /// In `Z_METADATA`: hashes and identifiers.
    case metadata
    /// In `Z_MODELCACHE`: entities and their properties.
    case cache
  }

  /// Where it was written.
  package var source: Source
  /// The version hashes: those in the metadata, or computed from the model.
  package var hashes: VersionHashes
  /// The identifiers that the app's developer gave it.
  package var versionIdentifiers: [String]
  /// The framework that wrote the metadata; nil for a model of the cache.
  package var frameworkVersion: Int64?
  /// The model; nil for metadata.
  package var model: Model?
  /// Entities whose hash is another than in the store now, or that one of the two does not have; nil where the store
  /// has no hashes to compare with.
  package var changedEntities: [String]?
  /// The row that it was read from, with grade, witnesses and places.
  package var row: RecoveredRow

  /// Whether the store has the same version now: then only other metadata changed. Nil where it has no hashes.
  package var isCurrent: Bool? { changedEntities.map(\.isEmpty) }
}

extension RecoveredModel {
  /// The tables that have models.
  static let tables: Set<String> = ["Z_METADATA", "Z_MODELCACHE"]

  /// The version that a row of one of these tables has; nil where its value cannot be read whole, as for most of what
  /// looks like such a row.
  init?(_ row: RecoveredRow, now: VersionHashes?) {
    func blob(_ column: String) -> [UInt8]? {
      guard case .blob(let bytes)? = row.values.first(where: { $0.column == column })?.value else { return nil }
      return bytes
    }
    if row.table == "Z_METADATA" {
      guard let list = blob("Z_PLIST") else { return nil }
      let metadata = StoreMetadata(propertyList: list)
      guard let hashes = metadata.hashes, !hashes.byEntity.isEmpty, metadata.problems.isEmpty else { return nil }
      self.init(
        source: .metadata, hashes: hashes, versionIdentifiers: metadata.versionIdentifiers,
        frameworkVersion: metadata.frameworkVersion, row: row)
    } else {
      guard let content = blob("Z_CONTENT"), let model = ModelCache(content: content).model, !model.entities.isEmpty
      else { return nil }
      self.init(
        source: .cache, hashes: model.versionHashes, versionIdentifiers: model.versionIdentifiers.sorted(),
        model: model,
        row: row)
    }
    changedEntities = now.map { now in
      Set(hashes.names + now.names).filter { hashes.byEntity[$0] != now.byEntity[$0] }.sorted()
    }
  }

  private init(
    source: Source, hashes: VersionHashes, versionIdentifiers: [String], frameworkVersion: Int64? = nil,
    model: Model? = nil, row: RecoveredRow
  ) {
    self.source = source
    self.hashes = hashes
    self.versionIdentifiers = versionIdentifiers
    self.frameworkVersion = frameworkVersion
    self.model = model
    self.row = row
  }
}
