@testable import StoreDiagnosis
@testable import StoreRepair
import StoreDataModel
import StoreCoreData
import StoreSQLite
import StoreGenerator
import StoreTestSupport
import TestSupport

/// A small store in a workbench.
struct RepairBench {
  let bench: Workbench
  private let folder: TemporaryFolder

  /// - Parameter injury: SQL that changes `Z_PRIMARYKEY` of the finished store.
  init(_ model: Model, injury: String? = nil, _ fill: (StoreWriter) throws -> Void) throws {
    folder = try TemporaryFolder()
    let writer = try StoreWriter(
      creating: folder("Store.sqlite"), StoreDescription(model: model, framework: 1526, usesWAL: false))
    try fill(writer)
    try writer.finish()
    if let injury {
      let connection = try Connection(changing: PosixPath(folder("Store.sqlite")), locking: .shared)
      try connection.allowingWrites(to: ["Z_PRIMARYKEY"]) { try connection.execute(injury) }
      connection.close()
    }
    bench = try Workbench(
      copying: Store(path: folder("Store.sqlite")), generated: SeededValues(seed: 1, now: 0))
  }

  /// Performs the operations of a decision.
  func perform(_ decision: Decision) throws { try bench.perform(decision.operations) }

  /// The rows of a query, as "1|2|NULL".
  func rows(_ sql: String) throws -> [String] {
    let statement = try bench.connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map { statement.string($0) ?? "NULL" }.joined(separator: "|"))
    }
    return rows
  }

  /// The current findings.
  func findings() throws -> [String] { try diagnosis().findings.map(\.line) }

  /// What the diagnosis could not check, as "SD409 why".
  func skipped() throws -> [String] { try diagnosis().skipped.map(\.line) }

  private func diagnosis() throws -> Diagnosis {
    try diagnose(Examination(store: Store(reading: bench.connection, copiedFrom: bench.store)))
  }
}

extension Decision {
  /// The summaries of the operations.
  var summaries: [String] { operations.map { "\($0.summary) (\($0.expectedChanges))" } }
  /// The obstacles in a line each.
  var refusals: [String] {
    obstacles.filter(\.refusesPlan).map {
      "\([$0.entity, $0.property].compactMap(\.self).joined(separator: ".")) \($0.keys): \($0.message)"
    }
  }
}
