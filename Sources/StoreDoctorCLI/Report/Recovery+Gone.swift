import StoreRecovery
import StoreRows

extension Recovery {
  /// The deleted objects of a table, for `rows`.
  func gone(from table: String?) -> [GoneRow] {
    rows.filter { $0.table == table && table != nil }.map { row in
      GoneRow(
        key: row.key, entity: row.entity, state: "\(row.kind.rawValue) \(row.grade.rawValue)",
        values: Dictionary(row.values.map { ($0.column, $0.value) }) { first, _ in first })
    }
  }
}
