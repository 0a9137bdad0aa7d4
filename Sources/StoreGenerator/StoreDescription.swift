import StoreJSON
import StoreDataModel
import StorePropertyLists

/// What a generated store is like, apart from its objects.
public struct StoreDescription: Sendable {
  /// The model the store is made for.
  public var model: Model
  /// Which framework's forms are written; 637 to 1526 are known.
  public var framework: Int
  /// Whether history tables are made.
  public var keepsHistory: Bool
  /// `Z_UUID`.
  public var uuid: String
  /// Further metadata, as apps add it.
  public var otherMetadata: [String: PropertyListValue]
  /// Whether the store is in WAL mode.
  public var usesWAL: Bool
  /// Names for join tables between two relationships of one entity, where the model leaves two to choose from.
  public var joinTableNames: Set<String>

  /// A store of framework 1344 in WAL mode unless said otherwise.
  public init(
    model: Model, framework: Int = 1344, keepsHistory: Bool = false,
    uuid: String = "00000000-0000-4000-8000-000000000000", otherMetadata: [String: PropertyListValue] = [:],
    usesWAL: Bool = true, joinTableNames: Set<String> = []
  ) {
    self.model = model
    self.framework = framework
    self.keepsHistory = keepsHistory
    self.uuid = uuid
    self.otherMetadata = otherMetadata
    self.usesWAL = usesWAL
    self.joinTableNames = joinTableNames
  }
}

extension StoreDescription {
  /// The metadata dictionary of such a store (`store-format.md` §5).
  var metadata: PropertyListValue {
    let hashes = model.versionHashes
    var entries: [String: PropertyListValue] = [
      "NSStoreType": .string("SQLite"),
      "NSStoreModelVersionHashes": .dictionary(hashes.byEntity.mapValues { .data($0.bytes) }),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionIdentifiers": .array(model.versionIdentifiers.map(PropertyListValue.string)),
      "NSPersistenceFrameworkVersion": .integer(Int64(framework)),
      "_NSAutoVacuumLevel": .string("2"),
    ]
    // "Absent in all of 241-866, present in all of 973-1526"; checksum from 1321, maximum version from 1522 on.
    if framework >= 973 { entries["NSStoreModelVersionHashesDigest"] = .string(base64(hashes.digest)) }
    if framework >= 1321 { entries["NSStoreModelVersionChecksumKey"] = .string(base64(hashes.checksum)) }
    if framework >= 1522 { entries["NSPersistenceMaximumFrameworkVersion"] = .integer(Int64(framework)) }
    return .dictionary(entries.merging(otherMetadata) { _, other in other })
  }
}
