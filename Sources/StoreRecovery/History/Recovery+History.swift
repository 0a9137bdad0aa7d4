import StoreCoreData
import StoreSQLite
import StoreWords

extension Recovery {
  /// Proves by delete changes of the history, those that were trimmed included, and adds the objects of which only
  /// those are left.
  mutating func addHistory(_ store: Store, trimmed: TrimmedHistory) throws {
    guard let changes = store.shape.table(.change), store.shape.table(.transaction) != nil,
      ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"].allSatisfy(changes.has)
    else { return }
    var proof = try HistoryProof(store, trimmed, rows)
    let statement = try store.connection.prepare(
      """
      SELECT c.Z_PK, c.ZENTITY, c.ZENTITYPK, c.ZTRANSACTIONID, t.ZTIMESTAMP FROM \(HistoryTable.change) c
      LEFT JOIN \(HistoryTable.transaction) t ON t.Z_PK = c.ZTRANSACTIONID
      WHERE c.ZCHANGETYPE = 2 ORDER BY c.Z_PK LIMIT 5000000
      """)
    while try statement.step() {
      let object = ChangedObject(entity: statement.int64(1), key: statement.int64(2))
      var witness = RecoveredRow.Witness(
        shows: .absent, what: "delete change \(statement.int64(0)) in transaction \(statement.int64(3))",
        time: statement.isNull(4) ? nil : statement.double(4))
      witness.isDeletion = true
      switch try proof.add(object, witness: witness, to: &rows) {
      case .taken: break
      case .noEntity:
        notes.append(
          "change \(statement.int64(0)) deletes an object of entity \(object.entity), which the store does not have")
      // A delete change of an object that is there: a store that was put together, or a history of another one.
      case .exists(let entity): notes.append("\(witness.what) names \(entity) \(object.key), which exists")
      }
    }
    // Bytes that look like a change, but name no object of the store, are left out.
    for change in trimmed.changes where change.isDelete && proof.mayHaveBeen(change.object) {
      _ = try proof.add(change.object, witness: proof.witness(change, shows: .absent), to: &rows)
    }
  }
}

/// Statements of the history about objects that are gone.
private struct HistoryProof {
  /// The outcomes for a delete change.
  enum Outcome {
    case taken
    case noEntity
    case exists(entity: String)
  }

  private struct RowKey: Hashable {
    var table: String
    var key: Int64
  }

  private let store: Store
  private let trimmed: TrimmedHistory
  private let entities: [Int64: EntityLayout]
  /// The last insert or update of each object that a delete change names.
  private var lives: [ChangedObject: RecoveredRow.Witness] = [:]
  /// The rows of such objects.
  private var byKey: [RowKey: [Int]] = [:]
  private var owners: [Int64: RowOwner] = [:]

  init(_ store: Store, _ trimmed: TrimmedHistory, _ rows: [RecoveredRow]) throws {
    self.store = store
    self.trimmed = trimmed
    entities = Dictionary(store.layout.entities.filter { !$0.id.isInternal }.map { ($0.id.number, $0) }) { first, _ in
      first
    }
    let deletes = try store.connection.prepare(
      "SELECT ZENTITY, ZENTITYPK FROM \(HistoryTable.change) WHERE ZCHANGETYPE = 2 LIMIT 5000000")
    var gone = Set(trimmed.changes.filter(\.isDelete).map(\.object))
    while try deletes.step() { gone.insert(ChangedObject(entity: deletes.int64(0), key: deletes.int64(1))) }
    let named = Set(
      gone.compactMap { object in entities[object.entity].map { RowKey(table: $0.table, key: object.key) } })
    for (index, row) in rows.enumerated() {
      guard let table = row.table, let key = row.key, named.contains(RowKey(table: table, key: key)) else { continue }
      byKey[RowKey(table: table, key: key), default: []].append(index)
    }
    for change in trimmed.changes where !change.isDelete && gone.contains(change.object) {
      lives[change.object] = witness(change, shows: .present)
    }
    try readLives(of: gone)
  }

  private mutating func readLives(of gone: Set<ChangedObject>) throws {
    let statement = try store.connection.prepare(
      """
      SELECT c.Z_PK, c.ZENTITY, c.ZENTITYPK, c.ZTRANSACTIONID, t.ZTIMESTAMP, c.ZCHANGETYPE FROM \(HistoryTable.change) c
      LEFT JOIN \(HistoryTable.transaction) t ON t.Z_PK = c.ZTRANSACTIONID
      WHERE c.ZCHANGETYPE IN (0, 1) ORDER BY c.Z_PK LIMIT 5000000
      """)
    while try statement.step() {
      let object = ChangedObject(entity: statement.int64(1), key: statement.int64(2))
      guard gone.contains(object) else { continue }
      let kind = statement.int64(5) == 0 ? "insert" : "update"
      lives[object] = RecoveredRow.Witness(
        shows: .present, what: "\(kind) change \(statement.int64(0)) in transaction \(statement.int64(3))",
        time: statement.isNull(4) ? nil : statement.double(4))
    }
  }

  /// A change that was trimmed, as a witness.
  func witness(_ change: TrimmedHistory.Change, shows: RecoveredRow.Witness.Shows) -> RecoveredRow.Witness {
    let name = (change.isDelete ? "delete change" : "change") + (change.key.map { " \($0)" } ?? "")
    var witness = RecoveredRow.Witness(
      shows: shows, what: "\(name) in transaction \(change.transaction), trimmed from the history",
      time: trimmed.times[change.transaction])
    (witness.isTrimmed, witness.isDeletion) = (true, change.isDelete)
    return witness
  }

  /// Whether the store can have had an object: its entity is there, and its key was handed out.
  func mayHaveBeen(_ object: ChangedObject) -> Bool {
    guard let entity = entities[object.entity], object.key >= 1,
      let root = store.layout.entities.first(where: { $0.table == entity.table && $0.parent == nil })
    else { return false }
    return object.key <= store.entityMap[root.id]?.highWater ?? 0
  }

  /// Proves what was found of an object, or adds a row for it where nothing was.
  mutating func add(
    _ object: ChangedObject, witness: RecoveredRow.Witness, to rows: inout [RecoveredRow]
  ) throws -> Outcome {
    guard let entity = entities[object.entity] else { return .noEntity }
    let key = RowKey(table: entity.table, key: object.key)
    let known = (byKey[key] ?? []).filter { rows[$0].kind == .deleted }
    for index in known {
      rows[index].grade = .proved
      for one in [lives[object], witness].compactMap(\.self) { rows[index].add(one) }
    }
    guard known.isEmpty else { return .taken }
    if try store.connection.hasRow(entity.table, key: object.key) { return .exists(entity: entity.name) }
    let owner =
      owners[object.entity] ?? RowOwner(entity: entity.name, table: entity.table, missing: entity.storedNames)
    owners[object.entity] = owner
    var row = RecoveredRow(grade: .proved, key: object.key, owner: owner)
    row.witnesses = [lives[object], witness].compactMap(\.self)
    byKey[key, default: []].append(rows.count)
    rows.append(row)
    return .taken
  }
}

extension Connection {
  fileprivate func hasRow(_ table: String, key: Int64) throws -> Bool {
    let statement = try prepare("SELECT 1 FROM \(quotedIdentifier(table)) WHERE Z_PK = ?")
    try statement.bind(key, at: 1)
    return try statement.step()
  }
}

extension EntityLayout {
  /// The names of everything a row of this entity stores.
  fileprivate var storedNames: [String] {
    attributes.filter { !$0.columns.isEmpty }.map(\.property.name)
      + relationships.compactMap { relationship in
        if case .key(_?, _, _) = relationship.storage { relationship.name } else { nil }
      }
  }
}
