import StoreDataModel
import StoreJSON
import StoreSQLite

/// What a store says of itself, in short: `store` in every JSON.
public struct StoreIdentity: Sendable, Equatable {
  /// As the user gave it, or as found in the folder that was given.
  public var path: String
  /// The path byte for byte, where it is not UTF-8 and `path` is a repaired one.
  public var pathBytes: [UInt8]?
  /// `Z_UUID`.
  public var uuid: String?
  /// Of the framework that last wrote the metadata.
  public var frameworkVersion: Int64?
  /// Text given by the developer.
  public var versionIdentifiers: [String]
  /// "cache", "given" or "inferred".
  public var modelSource: String
  /// The digest of the version hashes in the metadata, in base-64; nil where there are none.
  public var digest: String?
  /// Their checksum, in base-64; also where an older framework did not store it.
  public var checksum: String?
}

extension StoreIdentity {
  /// That of an opened store.
  package init(_ store: Store) {
    self.init(
      path: store.path, pathBytes: store.location.isText ? nil : store.location.bytes, uuid: store.metadata.uuid,
      frameworkVersion: store.metadata.frameworkVersion, versionIdentifiers: store.metadata.versionIdentifiers,
      modelSource: store.modelSource.rawValue, digest: store.metadata.hashes.map { base64($0.digest) },
      checksum: store.metadata.hashes.map { base64($0.checksum) })
  }
}
