import StoreScanning
import StoreWords
import StoreCoreData
import StoreSQLite

/// Attributes: the survivor keeps its values, and takes those it lacks from the others.
extension Merge {
  /// The new values of survivors, by property.
  private struct Fills {
    var rows: [ObjectColumns.Part: [ObjectEdits.Row]] = [:]
  }

  mutating func fillAttributes() throws {
    let columns = ObjectColumns(of: Set(merging.entities.values), bench.map)
    let list = (["Z_ENT"] + columns.names).map(quotedIdentifier).joined(separator: ", ")
    let rows = try bench.connection.prepare(
      "SELECT \(list) FROM \(quotedIdentifier(merging.table)) WHERE Z_PK = ?1")
    var fills = Fills()
    for group in twins { try fill(group, columns: columns, from: rows, into: &fills) }
    for (part, rows) in fills.rows.sorted(by: { codeUnitsPrecede($0.key.name, $1.key.name) }) {
      let entity = bench.map.entity(named: String(part.name.prefix { $0 != "." }))
      edits.update(
        rows, of: merging.table, set: part.indexes.map { columns.names[$0] }, entity: entity, property: part.property
      ) {
        "fill \(quoted(part.name)) of \(counted($0, "object")) from the others"
      }
    }
  }

  private mutating func fill(
    _ group: Twins, columns: ObjectColumns, from rows: Statement, into fills: inout Fills
  ) throws {
    let parts = merging.entities[group.survivor].flatMap { columns.attributes[$0] } ?? []
    guard try stand(rows, on: group.survivor) else { return }
    var values = parts.map { part in part.values(rows) }
    var filled: Set<Int> = []
    for key in group.others {
      guard try stand(rows, on: key) else { continue }
      let theirs = columns.attributes[EntityID(rows.int64(0))] ?? []
      for part in theirs {
        guard let index = parts.firstIndex(where: { $0.indexes == part.indexes }) else {
          // The survivor's entity has no such attribute.
          if !part.isNull(rows) { lose(part, in: rows, at: group.survivor) }
          continue
        }
        let value = part.values(rows)
        if value.allSatisfy(\.isNull) { continue }
        if values[index].allSatisfy(\.isNull) {
          values[index] = value
          filled.insert(index)
        } else if zip(value, values[index]).contains(where: { !$0.isSame(as: $1) }) {
          lose(part, in: rows, at: group.survivor)
        } else {
          lostFiles += part.files(rows)
        }
      }
    }
    for index in filled.sorted() {
      fills.rows[parts[index], default: []].append(.init(key: group.survivor, values: values[index]))
    }
  }

  private mutating func lose(_ part: ObjectColumns.Part, in rows: Statement, at survivor: Int64) {
    conflicts.note(part.name, at: survivor)
    lostFiles += part.files(rows)
  }

  private func stand(_ rows: Statement, on key: Int64) throws -> Bool {
    rows.reset()
    try rows.bind(key, at: 1)
    return try rows.step()
  }
}

extension ObjectColumns.Part {
  /// Its values in a row whose first column is not one of `names`.
  fileprivate func values(_ row: Statement) -> [SQLiteValue] { indexes.map { row.value($0 + 1) } }

  fileprivate func isNull(_ row: Statement) -> Bool { indexes.allSatisfy { row.isNull($0 + 1) } }

  /// How many of its values are references to external files: 38 bytes that start with 2.
  fileprivate func files(_ row: Statement) -> Int {
    external.count { index in row.withBytes(index + 1) { $0.count == 38 && $0.first == 2 } }
  }
}

extension SQLiteValue {
  /// Whether Core Data reads the same value from both; 1 and 1.0 are the same.
  fileprivate func isSame(as other: SQLiteValue) -> Bool {
    switch (self, other) {
    case (.integer(let whole), .real(let number)), (.real(let number), .integer(let whole)):
      Int64(exactly: number) == whole
    case (.null, _), (.integer, _), (.real, _), (.text, _), (.blob, _): self == other
    }
  }
}
