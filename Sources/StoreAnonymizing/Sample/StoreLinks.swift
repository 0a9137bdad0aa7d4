import StoreCoreData
import StoreDataModel
import StoreScanning

/// Where the links between objects of a store are, for choosing some of its objects.
struct StoreLinks {
  /// A column with keys of objects.
  struct Column {
    /// Its name, and the columns that mean nothing without it: the companion's entity number and the order key.
    let name: String
    let companions: [String]
    /// The table of the objects that it names.
    let target: String
    /// Whether the object may be without it.
    let isOptional: Bool
  }

  /// A to-many relationship, seen from its owner.
  struct Members {
    /// The table with a row for each member, its column with the owner's key, and the one with the member's.
    let table: String
    let owner: String
    let member: String
    /// The members' own table.
    let target: String
    /// How many there have to be where there is any.
    let least: Int
  }

  /// A join table: columns, and the tables of the objects that they name.
  struct Join {
    let table: String
    let ends: [(column: String, target: String)]
  }

  /// The tables of objects, with the entities in each; not those of history and CloudKit.
  private(set) var tables: [String] = []
  private(set) var columns: [EntityID: [Column]] = [:]
  private(set) var members: [EntityID: [Members]] = [:]
  private(set) var joins: [Join] = []
  /// The table of each entity.
  private(set) var home: [EntityID: String] = [:]

  init(_ store: Store, _ map: StoreMap) {
    for entity in store.layout.entities where !entity.id.isInternal && entity.tableExists {
      home[entity.id] = entity.table
      if !tables.contains(entity.table) { tables.append(entity.table) }
    }
    for relationship in map.relationships { add(relationship, map) }
    for join in store.layout.joinTables {
      guard let source = home(of: join.source.entity, map), let destination = home(of: join.destination.entity, map)
      else { continue }
      joins.append(
        Join(table: join.name, ends: [(join.source.column, source), (join.destination.column, destination)]))
      for (end, other, target) in [
        (join.source, join.destination, destination), (join.destination, join.source, source),
      ] {
        guard let relationship = map.relationship(end.relationship, of: end.entity) else { continue }
        let rows = Members(
          table: join.name, owner: end.column, member: other.column, target: target, least: Self.least(relationship))
        for kind in map.kinds(of: relationship.owner.id) { members[kind, default: []].append(rows) }
      }
    }
  }

  /// The table of an entity; nil where it is missing.
  private func home(of entity: String, _ map: StoreMap) -> String? {
    map.entity(named: entity).flatMap { $0.tableExists ? $0.table : nil }
  }

  private mutating func add(_ relationship: StoredRelationship, _ map: StoreMap) {
    let kinds = map.kinds(of: relationship.owner.id)
    guard let destination = relationship.destination, destination.tableExists else { return }
    func addMembers(_ table: String, _ column: String) {
      let rows = Members(
        table: table, owner: column, member: "Z_PK", target: table, least: Self.least(relationship))
      for kind in kinds { members[kind, default: []].append(rows) }
    }
    switch relationship.layout.storage {
    case .key(let column?, let companion, let order):
      let own = Column(
        name: column, companions: [companion, order].compactMap(\.self), target: destination.table,
        isOptional: relationship.layout.isOptional)
      for kind in kinds { columns[kind, default: []].append(own) }
      // Seen from what is named: who names it.
      let back = Members(
        table: relationship.owner.table, owner: column, member: "Z_PK", target: relationship.owner.table, least: 0)
      for kind in map.kinds(of: destination.id) { members[kind, default: []].append(back) }
    case .inverseKey(let table, let column?): addMembers(table, column)
    case .hiddenKey(let table, let column?, let order):
      let own = Column(
        name: column, companions: [order].compactMap(\.self), target: relationship.owner.table, isOptional: true)
      for kind in map.kinds(of: destination.id) { columns[kind, default: []].append(own) }
      addMembers(table, column)
    case .key, .inverseKey, .hiddenKey, .joinTable, .none: break
    }
  }

  /// How many members an owner needs where it has any.
  private static func least(_ relationship: StoredRelationship) -> Int {
    max(Int(relationship.model?.minimumCount ?? 0), relationship.layout.isOptional ? 0 : 1)
  }

  /// The columns with keys in a table, each once.
  func keyColumns(of table: String) -> [Column] {
    var seen: Set<String> = []
    return home.filter { $0.value == table }.keys.sorted().flatMap { columns[$0] ?? [] }
      .filter { seen.insert($0.name).inserted }
  }
}
