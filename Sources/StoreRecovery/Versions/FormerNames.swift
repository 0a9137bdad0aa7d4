import StoreCoreData
import StoreDataModel

/// The names that entities and their tables had before they were renamed, as far as the store's model says.
///
/// A migration renames the table of a root entity with it, and `Z_PRIMARYKEY`'s row where it is made anew
/// (`migration-on-disk.md`, "Numbers, keys, counters, history").
struct FormerNames {
  /// Names of today by those of before.
  private(set) var today: [String: String] = [:]
  /// Tables of today by those of before.
  private(set) var tables: [String: String] = [:]
  private var former: [String: String] = [:]

  /// - Parameter store: the store as it is; a name that an entity of it has is nobody's former one.
  init(_ store: Store) {
    let entities = store.layout.entities
    let (names, existing) = (Set(entities.map(\.name)), Set(entities.filter(\.tableExists).map(\.table)))
    for entity in entities {
      guard let name = store.model?.entity(named: entity.modelName ?? entity.name)?.renamingIdentifier else { continue }
      if !names.contains(name), today[name] == nil { (today[name], former[entity.name]) = (entity.name, name) }
      let table = TablePlan.tableName(ofRoot: name)
      if entity.parent == nil, entity.tableExists, !existing.contains(table) { tables[table] = entity.table }
    }
  }

  /// The name that an entity of today had; its own where it was not renamed.
  func former(of name: String) -> String { former[name] ?? name }

  /// The name that an entity of before has today; its own where it was not renamed.
  func today(of name: String) -> String { today[name] ?? name }
}
