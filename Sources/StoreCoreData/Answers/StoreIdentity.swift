import StoreDataModel
import StoreJSON
import StoreSQLite
import StoreText

/// The facts that identify a store: `store` in every JSON output.
public struct StoreIdentity: Sendable, Equatable {
  /// As the user gave it, or as found in the folder that was given.
  package var path: String
  /// The path byte for byte, if it is not valid UTF-8; `path` is then an approximation.
  package var pathBytes: [UInt8]?
  /// `Z_UUID`.
  package var uuid: String?
  /// Version of the framework that last wrote the metadata.
  package var frameworkVersion: Int64?
  /// Version identifiers, chosen by the developer.
  package var versionIdentifiers: [String]
  /// "cache", "given" or "inferred".
  package var modelSource: String
  /// The digest of the version hashes in the metadata, in base-64; nil if there are none.
  package var digest: String?
  /// The checksum of these hashes, in base-64; computed even if an older framework did not store it.
  package var checksum: String?
  /// The commit as of which it is read; nil for all that it holds.
  package var asOf: StoreMoment?
  /// What an answer about it rests on.
  package var reading = Reading()
}

extension StoreIdentity {
  /// The identity of an opened store.
  package init(_ store: Store) {
    self.init(
      path: store.path, pathBytes: store.location.isText ? nil : store.location.bytes, uuid: store.metadata.uuid,
      frameworkVersion: store.metadata.frameworkVersion, versionIdentifiers: store.metadata.versionIdentifiers,
      modelSource: store.modelSource.rawValue, digest: store.metadata.hashes.map { base64($0.digest) },
      checksum: store.metadata.hashes.map { base64($0.checksum) }, asOf: store.asOf,
      reading: Reading(store))
  }
}
