import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

/// Checks that the model's uniqueness constraints hold after some operations.
struct UniquenessCheck {
  private let bench: Workbench
  private let edits: [RowEdit]

  /// Considers the row edits of these operations.
  init(_ bench: Workbench, _ operations: [Operation]) {
    self.bench = bench
    edits = operations.compactMap { if case .rows(let edit) = $0.edit { edit } else { nil } }
  }

  /// Every constraint that would be violated, with the changed objects that violate it.
  func obstacles(_ repair: Repair) throws -> [Obstacle] {
    try bench.store.layout.entities.filter { !$0.id.isInternal }.flatMap { entity in
      try entity.uniquenessConstraints.compactMap { constraint in
        let known = entity.uniqueColumns
        let columns = constraint.compactMap { known[$0] }
        guard columns.count == constraint.count, !columns.isEmpty else { return nil }
        let broken = try colliding(columns, of: entity.table)
        guard !broken.isEmpty else { return nil }
        let names = constraint.map(quoted).joined(separator: " and ")
        return Obstacle(
          repair, entity: entity.name, property: constraint.joined(separator: ","), count: broken.count, keys: broken,
          "\(counted(broken.count, "object")) would have the same \(names) as another, which are unique; "
            + "change or delete those first, or leave these out",
          refusesPlan: true)
      }
    }
  }

  /// The changed or inserted rows that would have the same values in `columns` as another row.
  private func colliding(_ columns: [String], of table: String) throws -> [Int64] {
    let changed = changes(of: columns, in: table)
    guard !changed.isEmpty else { return [] }
    let inserted = Set(edits.filter { $0.table == table && $0.action == .insert }.flatMap(\.objectKeys))
    let gone = KeySet(edits.filter { $0.table == table && $0.action == .delete }.flatMap(\.objectKeys))
    let list = (["Z_PK"] + columns).map(quotedIdentifier).joined(separator: ", ")
    var changedRows: [[SQLiteValue]: [Int64]] = [:]
    let one = try bench.connection.prepare("SELECT \(list) FROM \(quotedIdentifier(table)) WHERE Z_PK = ?1")
    for (key, values) in changed {
      one.reset()
      try one.bind(key, at: 1)
      let isPresent = try one.step()
      guard isPresent || inserted.contains(key) else { continue }
      let after = columns.indices.map { (values[columns[$0]] ?? (isPresent ? one.value($0 + 1) : .null)).normalized }
      if !after.contains(where: \.isNull) { changedRows[after, default: []].append(key) }
    }
    var broken = Set(changedRows.values.filter { $0.count > 1 }.joined())
    let all = try bench.connection.prepare("SELECT \(list) FROM \(quotedIdentifier(table)) NOT INDEXED")
    while try all.step() {
      let key = all.int64(0)
      guard changed[key] == nil, !gone.contains(key) else { continue }
      let values = columns.indices.map { all.value($0 + 1).normalized }
      if let same = changedRows[values] { broken.formUnion(same) }
    }
    return broken.sorted()
  }

  private func changes(of columns: [String], in table: String) -> [Int64: [String: SQLiteValue]] {
    var changed: [Int64: [String: SQLiteValue]] = [:]
    for edit in edits where edit.table == table && edit.action != .delete && edit.keyColumns == ["Z_PK"] {
      let places = edit.setColumns.indices.filter { columns.contains(edit.setColumns[$0]) }
      guard !places.isEmpty else { continue }
      for start in stride(from: 0, to: edit.rows.count, by: edit.width) {
        guard case .integer(let key) = edit.rows[start] else { continue }
        for place in places {
          changed[key, default: [:]][edit.setColumns[place]] =
            edit.shared.map { $0[place] } ?? edit.rows[start + 1 + place]
        }
      }
    }
    return changed
  }
}

extension SQLiteValue {
  /// As an index compares: 1.0 equals 1.
  var normalized: SQLiteValue {
    if case .real(let number) = self, let whole = Int64(exactly: number) { return .integer(whole) }
    return self
  }
}
