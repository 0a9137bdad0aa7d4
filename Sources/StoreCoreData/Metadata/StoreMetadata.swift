import StoreDigests
import StoreText
import StoreWords
import StoreDataModel
import StorePropertyLists

/// The content of `Z_METADATA`: one row with `Z_UUID` and a binary property list.
///
/// Damage is no error: if the list is NULL or cannot be decoded, the fields are empty and `problems` says why.
package struct StoreMetadata: Sendable, Equatable {
  /// `Z_UUID`.
  package var uuid: String?
  /// `NSPersistenceFrameworkVersion`: of the framework that last wrote the metadata, not of the one that made the
  /// tables.
  package var frameworkVersion: Int64?
  /// `NSPersistenceMaximumFrameworkVersion` (frameworks 1522 and later).
  package var maximumFrameworkVersion: Int64?
  /// `NSStoreModelVersionIdentifiers`; text given by the developer.
  package var versionIdentifiers: [String] = []
  /// `NSStoreModelVersionHashesVersion`; 3 in every real store.
  package var hashesVersion: Int64?
  /// `NSStoreModelVersionHashes`, which decides what model the store was made with; nil if absent.
  package var hashes: VersionHashes?
  /// `NSStoreModelVersionHashesDigest`, base-64 of 64 bytes (frameworks from 973 on).
  package var digest: String?
  /// `NSStoreModelVersionChecksumKey`, base-64 of 32 bytes (frameworks from 1321 on).
  package var checksum: String?
  /// `NSStoreType`.
  package var storeType: String?
  /// Hashes of persistent history's own entities (framework 851), by their key.
  package var ancillaryHashes: [String: VersionHashes] = [:]
  /// Every key of the list, sorted by code units.
  package var keys: [String] = []
  /// Values of the app's own keys as text; may be secret, shown only if asked for.
  package var otherValues: [String: String] = [:]
  /// Dates among the values of the app's own keys, seconds since 2001-01-01 UTC.
  package var dates: [String: Double] = [:]
  /// Why something could not be read, one sentence each.
  package var problems: [String] = []

  /// What is said of a store that has lost the table.
  static let lost = "the table Z_METADATA is missing"

  /// Whether there is a row to look at.
  package var isThere: Bool { !problems.contains(Self.lost) && !problems.contains("Z_METADATA has no row") }

  /// Empty metadata.
  package init() {}

  /// Keys that are not Core Data's own but the app's; their values may be secret and are only shown if asked for.
  package var otherKeys: [String] { keys.filter { !Self.knownKeys.contains($0) } }

  /// Whether the stored digest follows from the stored hashes; nil if either is missing.
  package var digestIsConsistent: Bool? {
    guard let digest, let hashes else { return nil }
    return digest == base64(hashes.digest)
  }

  /// Whether the stored checksum follows from the stored hashes; nil if either is missing.
  package var checksumIsConsistent: Bool? {
    guard let checksum, let hashes else { return nil }
    return checksum == base64(hashes.checksum)
  }

  private static let knownKeys: Set<String> = [
    "NSStoreType", "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion",
    "NSStoreModelVersionIdentifiers", "NSPersistenceFrameworkVersion", "_NSAutoVacuumLevel",
    "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey", "NSPersistenceMaximumFrameworkVersion",
    "_NSStoreAncillaryModelVersionHashesMetadataKey", "NSPersistentStoreRebuildIndicies", "NSStoreUUID",
  ]
}

extension StoreMetadata {
  /// Decodes the property list of `Z_PLIST`; unreadable parts are described in `problems`.
  package init(propertyList bytes: [UInt8]) {
    self.init()
    let root: PropertyList.Node
    do throws(PropertyListError) {
      root = try PropertyList(bytes).root
    } catch {
      problems.append("the metadata property list cannot be decoded: \(error)")
      return
    }
    guard let entries = root.entries else {
      problems.append("the metadata property list is not a dictionary")
      return
    }
    keys = Set(entries.map(\.key)).sorted(by: codeUnitsPrecede)
    frameworkVersion = value(in: root, "NSPersistenceFrameworkVersion", as: \.integer)
    maximumFrameworkVersion = value(in: root, "NSPersistenceMaximumFrameworkVersion", as: \.integer)
    hashesVersion = value(in: root, "NSStoreModelVersionHashesVersion", as: \.integer)
    storeType = value(in: root, "NSStoreType", as: \.string)
    digest = value(in: root, "NSStoreModelVersionHashesDigest", as: \.string)
    checksum = value(in: root, "NSStoreModelVersionChecksumKey", as: \.string)
    versionIdentifiers = (value(in: root, "NSStoreModelVersionIdentifiers", as: \.elements) ?? []).compactMap(\.string)
    hashes = value(in: root, "NSStoreModelVersionHashes", as: \.entries).map {
      hashList($0, key: "NSStoreModelVersionHashes")
    }
    if hashes == nil, !keys.contains("NSStoreModelVersionHashes") {
      problems.append("the metadata has no 'NSStoreModelVersionHashes'")
    }
    for (key, node) in entries where !Self.knownKeys.contains(key) {
      otherValues[key] = node.words
      if node.kind == .date, let date = node.date { dates[key] = date }
    }
    let ancillaryKey = "_NSStoreAncillaryModelVersionHashesMetadataKey"
    for (name, list) in value(in: root, ancillaryKey, as: \.entries) ?? [] {
      if let entries = list.entries { ancillaryHashes[name] = hashList(entries, key: name) }
    }
  }

  /// The value of a key. A value of an unexpected type is a problem, a missing one is not.
  private mutating func value<Value>(
    in root: PropertyList.Node, _ key: String, as: (PropertyList.Node) -> Value?
  ) -> Value? {
    guard let node = root[key] else { return nil }
    if let value = `as`(node) { return value }
    problems.append("'\(key)' in the metadata has the unexpected type '\(node.kind)'")
    return nil
  }

  private mutating func hashList(
    _ entries: [(key: String, value: PropertyList.Node)], key: String
  ) -> VersionHashes {
    var list: [String: VersionHash] = [:]
    for (entity, node) in entries {
      guard let hash = node.data.flatMap({ VersionHash($0) }) else {
        problems.append("the hash of \(quoted(entity)) in \(quoted(key)) is not 32 bytes of data")
        continue
      }
      list[entity] = hash
    }
    return VersionHashes(list)
  }
}

extension PropertyList.Node {
  /// The value as text: scalars as they are, data in hex, containers by their size.
  fileprivate var words: String {
    if let string { return string }
    if let boolean { return boolean ? "true" : "false" }
    if kind == .date, let date { return dateWords(date) }
    if let integer { return String(integer) }
    if let real { return String(real) }
    if let data { return hexadecimal(data.prefix(64)) + (data.count > 64 ? "... (\(data.count) bytes)" : "") }
    return "\(kind) of \(count)"
  }

  /// A date and time in UTC, to the second; a number that is no date stays one.
  private func dateWords(_ seconds: Double) -> String {
    DateText.text(secondsSince2001: seconds) ?? "\(seconds) seconds since 2001"
  }
}
