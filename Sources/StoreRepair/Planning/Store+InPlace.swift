import StoreCoreData
import StoreFindings
import StoreSQLite

extension Store {
  /// Why the store may only be repaired in a copy; nil where it may be changed in place.
  ///
  /// Planning says it too, so that nobody learns it from a plan that was reviewed already.
  func refusalInPlace(_ before: RepairPlan.Condition) throws -> RepairPlanError? {
    if before.findings.contains(where: { $0.id == CheckID.corruptPage.rawValue }) { return .damaged(path: path) }
    // SQLite 3.40's session extension answers `SQLITE_SCHEMA` for a table with generated columns.
    for table in try connection.schema() where table.isOrdinaryTable {
      let isGenerated = try connection.columns(of: table.name).contains {
        $0.kind == .generatedVirtual || $0.kind == .generatedStored
      }
      if isGenerated { return .generatedColumns(path: path, table: table.name) }
    }
    return nil
  }
}
