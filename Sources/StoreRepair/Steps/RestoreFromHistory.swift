import StoreScanning
import StoreWords
import StoreDataModel
import StoreCoreData
import StoreSQLite

// When an object is deleted, persistent history keeps the values of attributes that are "preserved after deletion" in
// the columns ZTOMBSTONE0, ZTOMBSTONE1, … of the deletion's row in ACHANGE.
//
// Which column belongs to which attribute is not recorded. It is not always the order of names: Photos' stores have
// `cloudDeleteState, uuid`, and `knowledgec-10.13` has `uuid, shouldSync`. So a value is used only where its storage
// class leaves a single possibility.

extension Workbench {
  /// Restores missing objects that to-one relationships lead to (SD401), from what persistent history kept of them.
  /// Where that is not enough for a valid object, the key is left as it is.
  func restoreFromHistory() throws -> Decision {
    guard let history = store.shape.table(.change), history.has("ZTOMBSTONE0") else {
      return .refusal(.restoreFromHistory, message: "the store keeps no history with values of deleted objects")
    }
    let scan = scan()
    let columns = scan.keyColumns().filter { !$0.place.isHidden }
    try scan.read()
    var wanted: [String: (keys: Set<Int64>, kinds: Set<EntityID>)] = [:]
    for column in columns {
      guard let targets = column.targets(scan) else { continue }
      column.forEachLink { link in
        guard let key = link.key, targets.standing(of: key) == .missing else { return }
        wanted[column.place.targetTable, default: ([], [])].keys.insert(key)
        wanted[column.place.targetTable]?.kinds.formUnion(column.place.targets)
      }
    }
    var decision = Decision()
    for (table, objects) in wanted.sorted(by: { $0.key < $1.key }) {
      decision += try restore(objects.keys, of: objects.kinds, in: table, from: history)
    }
    return decision
  }

  private func restore(
    _ keys: Set<Int64>, of kinds: Set<EntityID>, in table: String, from history: Shape.Table
  ) throws -> Decision {
    let tombstones = history.tombstoneColumns
    let list = tombstones.map(quotedIdentifier).joined(separator: ", ")
    let rows = try connection.prepare(
      "SELECT ZENTITY, ZENTITYPK, \(list) FROM \(HistoryTable.change) WHERE ZCHANGETYPE = 2 ORDER BY Z_PK")
    var found: [Int64: (entity: EntityID, values: [SQLiteValue])] = [:]
    while try rows.step() {
      let (entity, key) = (EntityID(rows.int64(0)), rows.int64(1))
      // The last deletion of a key counts.
      if keys.contains(key), kinds.contains(entity) {
        found[key] = (entity, tombstones.indices.map { rows.value($0 + 2) })
      }
    }
    var decision = Decision()
    var lost: [Int64] = []
    var edits: [EntityID: (columns: [String], edit: RowEdit)] = [:]
    for key in keys.sorted() {
      guard let object = found[key], let entity = map.entity(object.entity),
        let columns = entity.restored(from: object.values)
      else {
        lost.append(key)
        continue
      }
      let names = columns.map(\.column)
      var edit = edits[object.entity]?.edit ?? RowEdit(.insert, table, set: ["Z_ENT", "Z_OPT"] + names)
      edit.add(key, set: [.integer(object.entity.number), .integer(1)] + columns.map(\.value))
      edits[object.entity] = (names, edit)
    }
    for (entity, rows) in edits.sorted(by: { $0.key < $1.key }) {
      let name = map.entity(entity)?.name
      decision.operations.append(
        Operation(
          .restoreFromHistory,
          summary: "make \(counted(rows.edit.count, name ?? "object")) again from persistent history",
          entity: name, .rows(rows.edit), grade: .named))
    }
    decision.operations += raisedHighWater(table, keys: keys.subtracting(lost), .restoreFromHistory)
    if !lost.isEmpty {
      decision.obstacles.append(
        Obstacle(
          .restoreFromHistory, entity: map.entity(ofTable: table)?.name, count: lost.count, keys: lost,
          "\(counted(lost.count, "missing object")) cannot be made again: history holds no deletion of "
            + "\(lost.count == 1 ? "it" : "them"), or not all that is required; 'dangling: nullify' empties the keys",
          refusesPlan: false))
    }
    return decision
  }
}

extension EntityLayout {
  /// The columns and values of an object, from its tombstones; nil where they are not enough, or are ambiguous.
  fileprivate func restored(from tombstones: [SQLiteValue]) -> [(column: String, value: SQLiteValue)]? {
    guard !isAbstract, relationships.allSatisfy({ $0.isOptional || $0.isToMany }) else { return nil }
    let kept = attributes.filter { $0.property.attribute?.preservesValueInHistory == true }
    let values = tombstones.filter { !$0.isNull }
    var restored: [(column: String, value: SQLiteValue)] = []
    for attribute in attributes where attribute.property.attribute?.derivation == nil {
      guard let column = attribute.columns.first?.name, attribute.columns.count == 1 else {
        if attribute.columns.isEmpty { continue }
        return nil
      }
      let fitting = values.filter { attribute.holds($0) }
      if kept.contains(where: { $0.property.name == attribute.property.name }), let value = fitting.first {
        // Ambiguous if the value fits another attribute too, or another value fits this one.
        guard fitting.count == 1, kept.filter({ $0.holds(value) }).count == 1 else { return nil }
        restored.append((column, value))
      } else if let value = attribute.property.attribute?.storedDefault {
        restored.append((column, value))
      } else if !attribute.property.isOptional {
        return nil
      }
    }
    return restored
  }
}

extension AttributeLayout {
  /// Whether a value has a storage class of the attribute's type.
  fileprivate func holds(_ value: SQLiteValue) -> Bool {
    switch (property.attribute?.type.declaredColumnType, value) {
    case ("INTEGER", .integer), ("VARCHAR", .text), ("BLOB", .blob), ("DECIMAL", .integer), ("DECIMAL", .real),
      ("FLOAT", .real), ("TIMESTAMP", .real), ("TIMESTAMP", .integer):
      true
    default: false
    }
  }
}
