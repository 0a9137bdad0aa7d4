import StoreCoreData
import StoreDataModel
import StorePropertyLists
import StoreSQLite

/// Core Data's own tables.
extension MigrationPlanner {
  /// `Z_PRIMARYKEY` is made anew only where the set of entities, a number or a parent changes.
  mutating func planEntityMap() throws {
    let rows = source.store.entityMap.rows.filter { !$0.id.isInternal }
    let isUntouched =
      rows.count == targets.count
      && targets.allSatisfy { entity in
        guard let old = map.difference.sourceEntity(of: entity.name), let number = source.numbers[old],
          number == numbers[entity.name], let row = source.store.entityMap[EntityID(number)]
        else { return false }
        return (row.parent?.number ?? 0) == (entity.parent.flatMap { numbers[$0] } ?? 0)
      }
    if isUntouched {
      guard let (old, entity) = nameOfAnother(targets) else { return }
      assume(
        "\(entity): Z_PRIMARYKEY would keep its old name '\(old)', which is another entity's now, so it is made anew")
    }
    let carried = self
    remakeEntityMap { carried.highWater(of: $0) }
  }

  /// The entities of the target in the order of their numbers.
  private var targets: [Entity] {
    map.target.entities.sorted { (numbers[$0.name] ?? 0) < (numbers[$1.name] ?? 0) }
  }

  /// Makes `Z_PRIMARYKEY` anew for the target's entities, with the highest key handed out for each.
  mutating func remakeEntityMap(highWater: (Entity) -> Int64) {
    add(.entityMap, sql: "ALTER TABLE Z_PRIMARYKEY RENAME TO Z_PRIMARYKEY_ORIG")
    if let sql = creation(of: "Z_PRIMARYKEY") { add(.entityMap, sql: sql) }
    for entity in targets {
      add(
        .entityMap, sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
        values: [
          .integer(numbers[entity.name] ?? 0), .text(entity.name),
          .integer(entity.parent.flatMap { numbers[$0] } ?? 0), .integer(highWater(entity)),
        ])
    }
    add(
      .entityMap,
      sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX "
        + "FROM Z_PRIMARYKEY_ORIG WHERE Z_ENT >= \(HistoryTable.firstEntityNumber)")
    add(.entityMap, sql: "DROP TABLE Z_PRIMARYKEY_ORIG")
  }

  /// An entity whose old name, which a rename leaves in `Z_PRIMARYKEY`, another entity of the target has.
  private func nameOfAnother(_ targets: [Entity]) -> (old: String, entity: String)? {
    targets.lazy.compactMap { entity -> (old: String, entity: String)? in
      guard let row = numbers[entity.name].flatMap({ source.store.entityMap[EntityID($0)] }), row.name != entity.name,
        map.target.entity(named: row.name) != nil
      else { return nil }
      return (row.name, entity.name)
    }.first
  }

  /// The highest key handed out, carried over by the entity; a root has that of all hierarchies its rows come from.
  private func highWater(of entity: Entity) -> Int64 {
    let old = map.difference.sourceEntity(of: entity.name)
    let own = old.flatMap { source.numbers[$0] }.flatMap { source.store.entityMap[EntityID($0)]?.highWater } ?? 0
    guard entity.parent == nil else { return old.map { map.source.entity(named: $0)?.parent == nil } == true ? 0 : own }
    let roots = map.family(of: entity.name)
      .compactMap { map.difference.sourceEntity(of: $0) }.compactMap { map.source.root(of: $0)?.name }
    return Set(roots).compactMap { source.numbers[$0] }
      .compactMap { source.store.entityMap[EntityID($0)]?.highWater }.reduce(own, max)
  }

  mutating func planMetadata() throws {
    let read = try source.store.connection.prepare(
      "SELECT Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION IS NOT 1, rowid LIMIT 1")
    guard try read.step(), let bytes = read.blob(0),
      case .dictionary(var entries) = try PropertyList(bytes).root.value()
    else {
      refusals.append(
        MigrationRefusal(
          nil, nil, "the metadata cannot be read", advice: "'storedoctor diagnose' says what is wrong with it"))
      return
    }
    let renewed = StoreMetadata.entries(of: map.target, framework: framework, present: Set(entries.keys))
    entries.merge(renewed) { _, new in new }
    add(
      .metadata,
      sql:
        "UPDATE Z_METADATA SET Z_PLIST = ? WHERE rowid = (SELECT rowid FROM Z_METADATA ORDER BY Z_VERSION IS NOT 1, rowid "
        + "LIMIT 1)", values: [.blob(PropertyListValue.dictionary(entries).binaryPropertyList())])
    guard source.store.shape.tables["Z_MODELCACHE"]?.has("Z_CONTENT") == true else { return }
    let cache = SQLiteValue.blob(try targetCache ?? ModelCache.content(of: map.target))
    let hasRow = try source.store.connection.prepare("SELECT 1 FROM Z_MODELCACHE LIMIT 1").step()
    add(
      .metadata,
      sql: hasRow ? "UPDATE Z_MODELCACHE SET Z_CONTENT = ?" : "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)",
      values: [cache])
  }

  /// One transaction by us, as Core Data leaves one of its own.
  mutating func planHistory() {
    guard let transactions = source.store.shape.table(.transaction), transactions.has("ZTIMESTAMP"),
      let tombstones = source.store.shape.table(.change)?.tombstoneColumns.count
    else { return }
    let needed =
      map.target.entities.map { entity in
        map.target.properties(of: entity.name).values.count { $0.property.attribute?.preservesValueInHistory == true }
      }.max() ?? 0
    if needed > tombstones {
      refusals.append(
        MigrationRefusal(
          nil, nil,
          "more attributes are kept in history than \(HistoryTable.change) has columns for, and how it gets them is not "
            + "known"))
    }
    var columns = ["Z_PK", "Z_ENT", "ZTIMESTAMP"]
    let saves = HistoryTable.transaction
    var values = ["(SELECT ifnull(max(Z_PK), 0) + 1 FROM \(saves))", String(saves.entityNumber), "?1"]
    let texts = HistoryTable.transactionString
    if let strings = source.store.shape.table(texts), strings.has("ZNAME") {
      add(
        .history,
        sql: "INSERT INTO \(texts) (Z_PK, Z_ENT, ZNAME) SELECT (SELECT ifnull(max(Z_PK), 0) + 1 FROM \(texts)), "
          + "\(texts.entityNumber), ? WHERE NOT EXISTS (SELECT 1 FROM \(texts) WHERE ZNAME = ?)",
        values: [.text(Self.ownName), .text(Self.ownName)])
      for column in ["ZAUTHORTS", "ZPROCESSIDTS"] where transactions.has(column) {
        columns.append(column)
        values.append("(SELECT Z_PK FROM \(texts) WHERE ZNAME = '\(Self.ownName)')")
      }
    } else {
      for column in ["ZAUTHOR", "ZPROCESSID"] where transactions.has(column) {
        columns.append(column)
        values.append("'\(Self.ownName)'")
      }
    }
    add(
      .history,
      sql: "INSERT INTO \(saves) (\(columns.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))",
      values: [.real(now)])
    for table in [saves, texts] where source.store.shape.table(table) != nil {
      add(
        .history,
        sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM \(table)) "
          + "WHERE Z_ENT >= \(HistoryTable.firstEntityNumber) AND Z_NAME = '\(table.entityName)'")
    }
  }

  /// The name in history for author and process.
  private static var ownName: String { "storedoctor" }
}
