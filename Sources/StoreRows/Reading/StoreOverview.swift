import StoreCoreData
import StoreScanning
import StoreWords

/// One entity of a store, as a person chooses among them.
package struct EntityOverview {
  /// The name in `Z_PRIMARYKEY`.
  package var name: String
  /// Its objects, without those of subentities; nil where they cannot be counted.
  package var rows: Int64?
  /// The attribute that looks like a title.
  package var title: String?
  /// The entity it inherits from.
  package var parent: String?
  /// The columns that `rows` shows of its objects.
  package var columns: [RowColumn]
}

/// The entities of a store with their objects.
package struct StoreOverview {
  /// The store.
  package private(set) var store: StoreIdentity
  /// The entities by number, without those of history and mirroring.
  package private(set) var entities: [EntityOverview] = []
  /// Problems of reading.
  package private(set) var problems: [String] = []

  /// Counts the objects of a store; reads each table once.
  package init(_ store: Store) {
    self.store = StoreIdentity(store)
    let loader = ColumnLoader(store, StoreMap(store))
    var counts: [String: RowCounts?] = [:]
    var strays: [String] = []
    for entity in store.layout.entities where !entity.id.isInternal && entity.tableExists {
      if counts[entity.table] == nil {
        do {
          let read = try store.rowCounts(of: entity.table)
          counts[entity.table] = .some(read)
          strays += [Self.strays(read, home: loader.map.home(of: entity.table)).words(entity.table, fate: "shown")]
            .compactMap(\.self)
        } catch {
          store.noteUnreadable(entity.table)
          problems.append("table \(quoted(entity.table)) cannot be read whole: \(error)")
          counts[entity.table] = .some(nil)
        }
      }
      entities.append(
        EntityOverview(
          name: entity.name, rows: counts[entity.table]?.map { $0.byEntity[entity.id] ?? 0 },
          title: entity.titleAttribute, parent: entity.parent,
          columns: RowPlan.allColumns(of: entity, [entity], in: loader.store)))
    }
    self.store.reading = Reading(store)
    self.store.reading.unread += strays
  }

  private static func strays(_ counts: RowCounts, home: Set<EntityID>) -> StrayRows {
    var strays = StrayRows()
    for (entity, rows) in counts.byEntity.sorted(by: { ($0.key?.number ?? .min) < ($1.key?.number ?? .min) })
    where entity.map({ !home.contains($0) }) ?? true {
      strays.add(entity?.number, rows: rows)
    }
    return strays
  }
}
