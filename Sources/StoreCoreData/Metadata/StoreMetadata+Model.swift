import StoreDataModel
import StorePropertyLists
import StoreText

extension StoreMetadata {
  /// The keys of the metadata that say which model a store is of.
  ///
  /// The digest is absent up to framework 866 and present from 973 on; the checksum from 1321.
  ///
  /// - Parameter present: keys that the store has already, which it keeps whatever the framework.
  package static func entries(
    of model: Model, framework: Int, present: Set<String> = []
  ) -> [String: PropertyListValue] {
    let hashes = model.versionHashes
    var entries: [String: PropertyListValue] = [
      "NSStoreModelVersionHashes": .dictionary(hashes.byEntity.mapValues { .data($0.bytes) }),
      "NSStoreModelVersionIdentifiers": .array(model.versionIdentifiers.map(PropertyListValue.string)),
    ]
    for (key, value, first) in [
      ("NSStoreModelVersionHashesDigest", base64(hashes.digest), 973),
      ("NSStoreModelVersionChecksumKey", base64(hashes.checksum), 1321),
    ] where framework >= first || present.contains(key) {
      entries[key] = .string(value)
    }
    return entries
  }

  /// Whether the version hashes are of entities with the names of a model's, no more and no fewer: as far as names can
  /// tell, the model is the store's.
  package func names(_ model: Model) -> Bool {
    guard let hashes, hashes.byEntity.count == model.entities.count else { return false }
    return model.entities.allSatisfy { hashes.byEntity[$0.name] != nil }
  }
}

extension ModelCache {
  /// The content of `Z_MODELCACHE` for a model.
  ///
  /// - Throws: an error of the compression.
  package static func content(of model: Model) throws -> [UInt8] {
    try RawDeflate.deflate(ModelArchive.archive(model))
  }
}
