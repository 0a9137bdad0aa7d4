import StoreCoreData
import StoreDataModel
import StorePropertyLists

/// The properties of a generated store, apart from its objects.
package struct StoreDescription: Sendable {
  /// The model the store is made for.
  package var model: Model
  /// The framework whose forms are written; 637 to 1526 are known.
  package var framework: Int
  /// Whether history tables are created.
  package var keepsHistory: Bool
  /// `Z_UUID`.
  package var uuid: String
  /// Additional metadata, as apps add it.
  package var otherMetadata: [String: PropertyListValue]
  /// Whether the store is in WAL mode.
  package var usesWAL: Bool
  /// Bytes of a page, a power of two from 512 to 65536.
  package var pageSize: Int
  /// Names for join tables between two relationships of one entity, for which the model allows two names.
  package var joinTableNames: Set<String>

  /// By default framework 1344, in WAL mode.
  package init(
    model: Model, framework: Int = 1344, keepsHistory: Bool = false,
    uuid: String = "00000000-0000-4000-8000-000000000000", otherMetadata: [String: PropertyListValue] = [:],
    usesWAL: Bool = true, pageSize: Int = 4096, joinTableNames: Set<String> = []
  ) {
    self.model = model
    self.framework = framework
    self.keepsHistory = keepsHistory
    self.uuid = uuid
    self.otherMetadata = otherMetadata
    self.usesWAL = usesWAL
    self.pageSize = pageSize
    self.joinTableNames = joinTableNames
  }
}

extension StoreDescription {
  /// The metadata dictionary of such a store.
  package var metadata: PropertyListValue {
    var entries = StoreMetadata.entries(of: model, framework: framework)
    entries["NSStoreType"] = .string("SQLite")
    entries["NSStoreModelVersionHashesVersion"] = .integer(3)
    entries["NSPersistenceFrameworkVersion"] = .integer(Int64(framework))
    entries["_NSAutoVacuumLevel"] = .string("2")
    // Present from 1522 on.
    if framework >= 1522 { entries["NSPersistenceMaximumFrameworkVersion"] = .integer(Int64(framework)) }
    return .dictionary(entries.merging(otherMetadata) { _, other in other })
  }
}
