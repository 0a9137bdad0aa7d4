import StoreSQLite

extension RowEdit {
  /// The statement for one row; the key columns are the first parameters, then the values.
  ///
  /// "IS" also finds NULL, which keys of links may be, and uses an index as "=" does.
  var sql: String {
    let table = quotedIdentifier(table)
    let match = keyColumns.enumerated().map { "\(quotedIdentifier($1)) IS ?\($0 + 1)" }.joined(separator: " AND ")
    switch action {
    case .delete: return "DELETE FROM \(table) WHERE \(match)"
    case .insert:
      let columns = keyColumns + setColumns
      return "INSERT INTO \(table) (\(columns.map(quotedIdentifier).joined(separator: ", "))) VALUES ("
        + columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ") + ")"
    case .update:
      var sets = setColumns.enumerated().map { "\(quotedIdentifier($1)) = ?\(keyColumns.count + $0 + 1)" }
      if countsLock { sets.append("Z_OPT = \(Self.nextLockCounter)") }
      return "UPDATE \(table) SET \(sets.joined(separator: ", ")) WHERE \(match)"
    }
  }

  /// The statement for all rows between two keys that `KeyedRows` selects.
  ///
  /// It avoids indexes, because rows are needed in the order of their keys.
  func denseSQL(_ updates: UpdateRecording?) -> String {
    let table = "\(quotedIdentifier(table)) NOT INDEXED"
    let condition = "WHERE Z_PK BETWEEN ?1 AND ?2 AND \(updates?.condition ?? "storedoctor_picks(Z_PK)")"
    guard action == .update else { return "DELETE FROM \(table) \(condition)" }
    var values = setColumns.indices.map { shared == nil ? "storedoctor_value(Z_PK, \($0))" : "?\($0 + 3)" }
    if countsLock { values.append(Self.nextLockCounter) }
    let sets = zip(setColumns + (countsLock ? ["Z_OPT"] : []), values).map { column, value in
      updates?.assignment(of: column, value) ?? "\(quotedIdentifier(column)) = \(value)"
    }
    return "UPDATE \(table) SET \(sets.joined(separator: ", ")) \(condition)"
  }

  /// The keys, if they are so dense that reading all rows between them is faster than looking each up; otherwise nil.
  var denseKeys: [Int64]? {
    guard action != .insert, count >= 1000, keyColumns == ["Z_PK"] else { return nil }
    let keys = objectKeys
    guard keys.count == count, let first = keys.first, let last = keys.last else { return nil }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, span >= 0, span / 8 < Int64(keys.count) else { return nil }
    return zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } ? keys : nil
  }

  /// Starts at 1, and stays within SQLite's integers.
  static let nextLockCounter =
    "CASE WHEN Z_OPT > 0 AND Z_OPT < 9223372036854775807 THEN Z_OPT + 1 ELSE 1 END"
}
