import StoreDiagnosis
import StoreScanning
import StoreCoreData
import StoreSQLite

/// A private copy of a store to plan on: every operation is carried out there as soon as it is decided, so that the
/// next is decided on its result.
///
/// The copy is a temporary SQLite database without a name: no other process sees it, and it vanishes with this one.
/// Small ones stay in memory.
final class Workbench {
  /// The copy.
  let connection: Connection
  /// The copy as a store; read again when the schema or metadata change.
  private(set) var store: Store
  /// The store's layout, by name and number.
  private(set) var map: StoreMap
  /// Generated values, the same ones when the plan is made again.
  let generated: SeededValues
  /// Options for diagnosing the copy.
  let options: DiagnosisOptions

  /// Required relationships of the model that the store is repaired for, as "Note.folder", with that model's name. The
  /// safe part of `dangling` leaves their keys alone.
  var requiredByAim: [String: String] = [:]
  /// The defaults that a structural step wrote into rows, by entity and attribute: there they count as missing values.
  var defaults: [String: [String: SQLiteValue]] = [:]
  /// What a recipe asked to put back and was decided on.
  var restored: [Recipe.Restore] = []
  /// The stores whose objects a recipe asked to take and that were decided on.
  var merged: [Recipe.MergedStore] = []
  /// Called with the share of the operations that is done, while they are carried out.
  var onShare: ((Double) -> Void)?

  /// Whether what the store's own triggers change becomes operations; not during a migration, which plans no rows.
  private let namesTriggered: Bool
  private let read: (Set<[UInt8]>) throws -> Store
  private let past: PastVersion?
  private let damagedTables: Set<String>
  private var movedFiles: Set<[UInt8]> = []
  /// The recorder of changes to the copy that becomes the result; nil for a copy that vanishes, which has no
  /// transaction of its caller's either.
  private let recorder: ChangeRecorder?

  /// A copy of `source`.
  ///
  /// - Parameter damagedTables: tables of which some rows may be unreadable.
  init(
    copying source: Store, damagedTables: Set<String> = [], options: DiagnosisOptions = DiagnosisOptions(),
    generated: SeededValues = SeededValues(seed: 0, now: 0)
  ) throws {
    self.damagedTables = damagedTables
    self.generated = generated
    self.options = options
    recorder = nil
    past = nil
    namesTriggered = true
    let connection = try Connection.scratch()
    self.connection = connection
    try source.connection.copy(to: connection)
    try connection.learnSchema()
    read = { try Store(reading: connection, copiedFrom: source, absentFiles: $0) }
    store = try read([])
    map = StoreMap(store)
  }

  /// Tables like those of `source` that are there already, with other rows: only to be looked up in.
  init(lookingIn connection: Connection, like source: Store) throws {
    damagedTables = []
    generated = SeededValues(seed: 0, now: 0)
    options = DiagnosisOptions()
    recorder = nil
    past = nil
    namesTriggered = true
    self.connection = connection
    try connection.learnSchema()
    read = { try Store(reading: connection, copiedFrom: source, absentFiles: $0) }
    store = try read([])
    map = StoreMap(store)
  }

  /// A copy of `source` that is there already, within a transaction of the caller's: what is tried out on it is done.
  init(
    on connection: Connection, copiedFrom source: Store, _ recorder: ChangeRecorder, damagedTables: Set<String>,
    options: DiagnosisOptions, generated: SeededValues
  ) throws {
    self.damagedTables = damagedTables
    self.generated = generated
    self.options = options
    self.recorder = recorder
    self.connection = connection
    past = nil
    namesTriggered = true
    read = { try Store(reading: connection, copiedFrom: source, absentFiles: $0) }
    store = try read([])
    map = StoreMap(store)
  }

  /// A copy that is being migrated, within a transaction of the caller's: what is tried out on it is done.
  init(
    on connection: Connection, past: PastVersion?, generated: SeededValues, reading read: @escaping () throws -> Store
  ) throws {
    damagedTables = []
    namesTriggered = false
    self.generated = generated
    options = DiagnosisOptions()
    recorder = ChangeRecorder()
    self.connection = connection
    self.past = past
    self.read = { _ in try read() }
    store = try read()
    map = StoreMap(store, layout: past?.added(to: store.layout))
  }

  /// Whether rows of some tables may be unreadable.
  var hasDamagedTables: Bool { !damagedTables.isEmpty }

  /// A scan of the copy's tables: add requests, then call its `read`.
  func scan() -> Scan {
    let scan = Scan(store, options.scan)
    scan.damagedTables = damagedTables
    return scan
  }

  /// Carries operations out on the copy.
  ///
  /// - Returns: the operations, each followed by what the store's own triggers change because of it.
  /// - Throws: `RepairPlanError` where the number of changed rows differs from what the operation says.
  @discardableResult
  func perform(_ operations: [Operation]) throws -> [Operation] {
    guard !operations.isEmpty else { return [] }
    var done = operations
    if let recorder {
      done = try carryOut(operations, recorder)
    } else {
      // One transaction takes a twentieth of the time of one for each row. The copy has no journal to roll back with;
      // after a failure it is not used again.
      try connection.runOwn("BEGIN")
      let result = Result { try carryOut(operations, ChangeRecorder()) }
      try connection.runOwn("COMMIT")
      done = try result.get()
    }
    // The copy that becomes the result is written anew by who publishes it.
    if recorder == nil, operations.contains(where: \.edit.isCompaction) { try connection.compact() }
    for case .moveExternalFile(let name) in operations.map(\.edit) { movedFiles.insert(Array(name.utf8)) }
    if operations.contains(where: \.edit.changesStore) {
      store = try read(movedFiles)
      map = StoreMap(store, layout: past?.added(to: store.layout))
    }
    return done
  }

  private func carryOut(_ operations: [Operation], _ recorder: ChangeRecorder) throws -> [Operation] {
    guard namesTriggered, !store.shape.triggers.isEmpty else {
      try StoreRepair.perform(operations, on: connection, recorder: recorder, onShare: onShare)
      return operations
    }
    let schema = try connection.schema()
    let total = operations.reduce(0.0) { $0 + Double($1.expectedChanges) }
    var share = 0.0
    var done: [Operation] = []
    for operation in operations {
      let triggered = TriggeredChanges(of: operation, on: connection, schema: schema)
      let watching = try ChangeRecorder(connection) { try triggered.add($0) }
      try StoreRepair.perform([operation], on: connection, recorder: watching)
      try watching.finish()
      for entry in watching.entries { recorder.note(entry) }
      done.append(operation)
      done += triggered.operations(causedBy: operation, in: store, map: map)
      share += Double(operation.expectedChanges)
      onShare?(share / max(total, 1))
    }
    return done
  }
}

extension Edit {
  /// Whether the edit changes what `Store` reads when it is opened.
  fileprivate var changesStore: Bool {
    switch self {
    case .rows, .reindex: false
    case .moveExternalFile, .createUniqueIndex, .highWater, .renameEntity, .metadata, .compact: true
    }
  }
}
