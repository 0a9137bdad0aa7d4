import CoreDataModel
import CoreDataStore
import SQLite

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
  /// What the diagnosis of the copy is to look at.
  let options: DiagnosisOptions

  private let source: Store

  /// A copy of `source`.
  init(copying source: Store, options: DiagnosisOptions = DiagnosisOptions()) throws {
    self.source = source
    self.options = options
    connection = try Connection(scratchCopyOf: source.connection)
    store = try Store(reading: connection, copiedFrom: source)
    map = StoreMap(store)
  }

  /// A read of the tables; ask it for what you want, then call its `read`.
  func scan() -> Scan { Scan(store, options) }

  /// Carries operations out on the copy.
  ///
  /// - Throws: `RepairPlanError` where another number of rows changes than was said.
  func perform(_ operations: [Operation]) throws {
    guard !operations.isEmpty else { return }
    // One transaction takes a twentieth of the time that one for each row does. There is no journal to roll back with: a
    // copy on which something failed is not used again.
    try connection.execute("BEGIN")
    let result = Result { try StoreDoctor.perform(operations, on: connection) }
    try connection.execute("COMMIT")
    try result.get()
    if operations.contains(where: \.edit.changesLayout) {
      store = try Store(reading: connection, copiedFrom: source)
      map = StoreMap(store)
    }
  }
}

extension Edit {
  /// Whether what a store says of itself is another afterwards.
  var changesLayout: Bool {
    switch self {
    case .rows, .reindex, .moveExternalFile: false
    case .createUniqueIndex, .highWater, .renameEntity, .metadata: true
    }
  }
}
