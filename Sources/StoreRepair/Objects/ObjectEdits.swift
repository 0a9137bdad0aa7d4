import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

/// Edits of objects and links, in an order in which no unique index can be met half-way: what goes, goes first.
struct ObjectEdits {
  private let repair: Repair
  /// What stands before the summary of each operation: "merge 3 of 5 Trip objects with equal name: ".
  private let intention: String
  private var linkDeletions: [Operation] = []
  private var objectDeletions: [Operation] = []
  private var updates: [Operation] = []
  /// Rows whose lock counter has counted already.
  private var counted: [String: Set<Int64>] = [:]

  /// No edits yet.
  init(_ repair: Repair, intention: String = "") {
    self.repair = repair
    self.intention = intention
  }

  /// An object and what it gets.
  struct Row {
    var key: Int64
    var values: [SQLiteValue]
  }

  /// The links go: each by the values of the key columns.
  mutating func delete(
    _ links: some Collection<JoinLinks.Link>, of place: JoinLinks.Place, _ summary: (String) -> String
  ) {
    guard !links.isEmpty else { return }
    var edit = RowEdit(.delete, place.table, key: place.keyColumns)
    edit.rows.reserveCapacity(links.count * edit.width)
    for link in links { edit.add(key: link.keys) }
    let relationship = place.source.relationship
    linkDeletions.append(
      operation(
        summary(StoreWords.counted(links.count, "link") + " of \(quoted(relationship.description))"), .rows(edit),
        relationship.owner, relationship.layout.name))
  }

  /// The objects go.
  mutating func delete(_ keys: [Int64], of table: String, _ entity: EntityLayout?, _ summary: String) {
    guard !keys.isEmpty else { return }
    var edit = RowEdit(.delete, table)
    for key in keys.sorted() { edit.add(key) }
    objectDeletions.append(operation(summary, .rows(edit), entity, nil))
  }

  /// Links get other keys or places.
  mutating func update(_ edit: RowEdit, of relationship: StoredRelationship, _ summary: String) {
    guard edit.count > 0 else { return }
    updates.append(operation(summary, .rows(edit), relationship.owner, relationship.layout.name))
  }

  /// Objects get values. The lock counter of an object counts once, however many edits it is in.
  mutating func update(
    _ rows: [Row], of table: String, set columns: [String], _ entity: EntityLayout?, _ property: String,
    _ summary: (Int) -> String
  ) {
    var first = RowEdit.objects(table, set: columns)
    var again = RowEdit(.update, table, set: columns)
    for row in rows.sorted(by: { $0.key < $1.key }) {
      if counted[table, default: []].insert(row.key).inserted {
        first.add(row.key, set: row.values)
      } else {
        again.add(row.key, set: row.values)
      }
    }
    for edit in [first, again] where edit.count > 0 {
      updates.append(operation(summary(edit.count), .rows(edit), entity, property))
    }
  }

  private func operation(_ summary: String, _ edit: Edit, _ entity: EntityLayout?, _ property: String?) -> Operation {
    Operation(repair, intention + summary, entity: entity?.name, property: property, edit)
  }

  /// Everything, in order.
  func operations(_ grade: RepairGrade) -> [Operation] {
    (linkDeletions + objectDeletions + updates).map { operation in
      var operation = operation
      operation.grade = grade
      return operation
    }
  }
}

extension JoinLinks.Place {
  /// What tells a link apart.
  var keyColumns: [String] { [source.column, destination.column] }
}

extension JoinLinks.Link {
  /// The values of the key columns.
  var keys: [SQLiteValue] { [SQLiteValue(source), SQLiteValue(destination)] }
}

extension SQLiteValue {
  /// An integer, or NULL for none.
  init(_ number: Int64?) { self = number.map(SQLiteValue.integer) ?? .null }
}
