import StoreCoreData
import StoreDataModel
import StoreSQLite

/// The tables a migration starts from, with the place of each property of the store's model.
struct SourceTables {
  let store: Store
  let model: Model
  /// The number of each entity, by the model's name.
  let numbers: [String: Int64]
  let matches: TableMatches
  /// The objects of the file's schema, in its order.
  let objects: [SchemaObject]
  /// The entities of each root's table.
  let members: [String: [Entity]]
  /// The roles that have a column in each root's table.
  private let roles: [String: [TablePlan.Role]]

  /// - Throws: `MigrationRefused` for a store without a model, or whose tables are not those of its model.
  init(_ store: Store) throws {
    guard let model = store.model else {
      throw MigrationRefused([
        MigrationRefusal(
          nil, nil, "the store has no model cache, so its own version is not known",
          advice: "give the model it was made with by --store-model")
      ])
    }
    self.store = store
    self.model = model
    let names = ModelNames(
      model: model, entityMap: store.entityMap, isNamedInMetadata: store.metadata.names(model))
    numbers = names.numbers
    let plan = TablePlan(model, numbers: numbers, knownTables: Set(store.shape.tables.keys))
    matches = TableMatches(plan: plan, shape: store.shape, names: names)
    objects = try store.connection.schema()
    var roots: [String: String] = [:]
    for entity in model.entities { roots[entity.name] = model.root(of: entity.name)?.name ?? entity.name }
    members = Dictionary(grouping: model.entities) { roots[$0.name] ?? $0.name }
    roles = Dictionary(grouping: matches.column.keys) { role in
      let id = role.property
      switch role {
      case .attribute, .key, .companion, .orderKey: return roots[id.entity] ?? ""
      case .hiddenKey, .hiddenOrderKey:
        let destination = model.property(id.property, of: id.entity)?.relationship?.destination
        return destination.flatMap { roots[$0] } ?? ""
      }
    }
  }

  /// The joining tables, as the store has them.
  var joins: [JoinTableLayout] { store.layout.joinTables }

  /// The column of a role; nil if the store has none.
  func column(_ role: TablePlan.Role) -> String? { matches.column[role] }

  /// The table of a root entity, by the model's name.
  func table(ofRoot root: String) -> String? { matches.tableName[root] }

  /// Roles that have a column in the table of a root.
  func roles(ofRoot root: String) -> [TablePlan.Role] { roles[root] ?? [] }
}

/// A migration that is not performed.
public struct MigrationRefused: Error, Sendable, CustomStringConvertible {
  /// Why; at least one.
  public var refusals: [MigrationRefusal]

  package init(_ refusals: [MigrationRefusal]) { self.refusals = refusals }

  /// A line for each reason, and what to do.
  public var description: String {
    let lines = refusals.flatMap { ["  " + $0.message, "    " + $0.advice] }
    return (["this migration is not performed:"] + lines).joined(separator: "\n")
  }
}

extension Layout {
  /// The name in `Z_PRIMARYKEY` of an entity of the model, which differs from the model's after a rename.
  func name(ofModelEntity name: String) -> String { entities.first { ($0.modelName ?? $0.name) == name }?.name ?? name }
}
