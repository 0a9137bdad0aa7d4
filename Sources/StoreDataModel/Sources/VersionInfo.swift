import StorePropertyLists
import StoreText

/// The `VersionInfo.plist` of a compiled bundle.
///
/// | key | value |
/// | --- | --- |
/// | `NSManagedObjectModel_CurrentVersionName` | name of a `.mom` without its ending |
/// | `NSManagedObjectModel_VersionHashes` | version → entity → 32 bytes |
/// | `NSManagedObjectModel_VersionChecksums` | version → base64 of 32 bytes |
struct VersionInfo: Sendable {
  private(set) var currentName: String?
  private var hashes: [String: VersionHashes] = [:]
  private var checksums: [String: [UInt8]] = [:]

  /// For a bundle without the file.
  init() {}

  /// The contents of the list; values of wrong types are ignored.
  init(_ list: PropertyList) {
    currentName = list.root["NSManagedObjectModel_CurrentVersionName"]?.string
    for (version, node) in list.root["NSManagedObjectModel_VersionHashes"]?.entries ?? [] {
      hashes[version] = Self.hashes(node)
    }
    for (version, node) in list.root["NSManagedObjectModel_VersionChecksums"]?.entries ?? [] {
      checksums[version] = node.data ?? node.string.flatMap(Base64.decode)
    }
  }

  /// The versions with recorded hashes.
  var names: [String] { Array(hashes.keys) }

  func recorded(for version: String) -> ModelSource.RecordedHashes? {
    let recorded = ModelSource.RecordedHashes(hashes: hashes[version], checksum: checksums[version])
    return recorded.hashes == nil && recorded.checksum == nil ? nil : recorded
  }

  /// Nil if a value is not a hash: an incomplete list would look like another model.
  private static func hashes(_ node: PropertyList.Node) -> VersionHashes? {
    var byEntity: [String: VersionHash] = [:]
    for (entity, value) in node.entries ?? [] {
      guard let hash = value.data.flatMap({ VersionHash($0) }) else { return nil }
      byEntity[entity] = hash
    }
    return VersionHashes(byEntity)
  }
}
