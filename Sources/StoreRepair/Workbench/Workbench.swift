import StoreDiagnosis
import StoreScanning
import StoreCoreData
import StoreSQLite

/// A private copy of a store on which a plan is tried out: every operation is carried out there as soon as it has been
/// decided, so that the next is decided on what it left.
///
/// The copy is a temporary database of SQLite's without a name: nothing of it can be seen, and nothing is left of it
/// when the process ends, however that happens. It lies in memory as long as it is small.
final class Workbench {
  /// The copy.
  let connection: Connection
  /// The copy as a store, read anew when the schema changes.
  private(set) var store: Store
  /// The store's layout, by name and number.
  private(set) var map: StoreMap
  /// What is made up, and stays the same when the plan is made anew.
  let generated: SeededValues
  /// What the diagnosis of the copy is to look at.
  let options: DiagnosisOptions

  private let source: Store
  private let damagedTables: Set<String>
  private var movedFiles: Set<[UInt8]> = []

  /// A copy of `source`.
  ///
  /// - Parameter damagedTables: tables of which not all may be seen.
  init(
    copying source: Store, damagedTables: Set<String> = [], options: DiagnosisOptions = DiagnosisOptions(),
    generated: SeededValues = SeededValues(seed: 0, now: 0)
  ) throws {
    self.source = source
    self.damagedTables = damagedTables
    self.generated = generated
    self.options = options
    connection = try Connection.scratch()
    try source.connection.copy(to: connection)
    try connection.learnSchema()
    store = try Store(reading: connection, copiedFrom: source)
    map = StoreMap(store)
  }

  /// A read of the tables; ask it for what you want, then call its `read`.
  func scan() -> Scan {
    let scan = Scan(store, options.scan)
    scan.damagedTables = damagedTables
    return scan
  }

  /// Carries operations out on the copy.
  ///
  /// - Throws: `RepairPlanError` where another number of rows changes than was said.
  func perform(_ operations: [Operation]) throws {
    guard !operations.isEmpty else { return }
    // One transaction takes a twentieth of the time that one for each row does. There is no journal to roll back with: a
    // copy on which something failed is not used again.
    try connection.runOwn("BEGIN")
    let result = Result { try StoreRepair.perform(operations, on: connection, ChangeRecorder()) }
    try connection.runOwn("COMMIT")
    try result.get()
    for case .moveExternalFile(let name) in operations.map(\.edit) { movedFiles.insert(Array(name.utf8)) }
    if operations.contains(where: \.edit.changesStore) {
      store = try Store(reading: connection, copiedFrom: source, absentFiles: movedFiles)
      map = StoreMap(store)
    }
  }
}

extension Edit {
  /// Whether what a store says of itself is another afterwards.
  fileprivate var changesStore: Bool {
    switch self {
    case .rows, .reindex: false
    case .moveExternalFile, .createUniqueIndex, .highWater, .renameEntity, .metadata: true
    }
  }
}
