import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

/// Edits of objects and links, ordered so that no unique index is violated half-way: deletions come first.
struct ObjectEdits {
  private let repair: Repair
  /// The text before the summary of each operation: "merge 3 of 5 Trip objects with equal name: ".
  private let intention: String
  private var linkDeletions: [Operation] = []
  private var objectDeletions: [Operation] = []
  private var updates: [Operation] = []
  /// Rows whose lock counter (`Z_OPT`) an edit already raises, by table.
  private var counted: [String: Set<Int64>] = [:]

  /// No edits yet.
  init(_ repair: Repair, intention: String = "") {
    self.repair = repair
    self.intention = intention
  }

  /// An object and its new values.
  struct Row {
    var key: Int64
    var values: [SQLiteValue]
  }

  /// Deletes links, found by the values of their key columns.
  mutating func delete(
    _ links: some Collection<JoinLinks.Link>, of place: JoinLinks.Place, summary: (String) -> String
  ) {
    guard !links.isEmpty else { return }
    var edit = RowEdit(.delete, place.table, key: place.keyColumns)
    edit.rows.reserveCapacity(links.count * edit.width)
    for link in links { edit.add(key: link.keys) }
    let relationship = place.source.relationship
    linkDeletions.append(
      operation(
        summary(StoreWords.counted(links.count, "link") + " of \(quoted(relationship.description))"), edit: .rows(edit),
        entity: relationship.owner, property: relationship.layout.name))
  }

  /// Deletes objects.
  mutating func delete(_ keys: [Int64], of table: String, entity: EntityLayout?, summary: String) {
    guard !keys.isEmpty else { return }
    var edit = RowEdit(.delete, table)
    for key in keys.sorted() { edit.add(key) }
    objectDeletions.append(operation(summary, edit: .rows(edit), entity: entity, property: nil))
  }

  /// Gives links other keys or order keys.
  mutating func update(_ edit: RowEdit, of relationship: StoredRelationship, summary: String) {
    guard edit.count > 0 else { return }
    updates.append(
      operation(summary, edit: .rows(edit), entity: relationship.owner, property: relationship.layout.name))
  }

  /// Gives objects new values. The lock counter of an object is raised once, however many edits it is in.
  mutating func update(
    _ rows: [Row], of table: String, set columns: [String], entity: EntityLayout?, property: String,
    summary: (Int) -> String
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
      updates.append(operation(summary(edit.count), edit: .rows(edit), entity: entity, property: property))
    }
  }

  private func operation(_ summary: String, edit: Edit, entity: EntityLayout?, property: String?) -> Operation {
    Operation(repair, summary: intention + summary, entity: entity?.name, property: property, edit)
  }

  /// All operations, in the order to carry them out.
  func operations(_ grade: RepairGrade) -> [Operation] {
    (linkDeletions + objectDeletions + updates).map { operation in
      var operation = operation
      operation.grade = grade
      return operation
    }
  }
}

extension JoinLinks.Place {
  /// The columns that identify a link.
  var keyColumns: [String] { [source.column, destination.column] }
}

extension JoinLinks.Link {
  /// The values of the key columns.
  var keys: [SQLiteValue] { [SQLiteValue(source), SQLiteValue(destination)] }
}

extension SQLiteValue {
  /// An integer, or NULL for nil.
  init(_ number: Int64?) { self = number.map(SQLiteValue.integer) ?? .null }
}
