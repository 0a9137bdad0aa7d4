import StoreFindings
import StoreMigration
import StoreModels
import StoreScanning
import StoreDataModel
import StoreCoreData
import StoreSQLite

// How a diagnosis is made
// -----------------------
//
//   Store ──► Check.prepare(…)  ──► Scan.read() ──► Judgement() ──► [Finding] ──► Diagnosis
//             every check asks        each table      every check
//             for what it wants       once            decides
//
// A *check* (`Check`, one file each under `Checks/`, one line each in `Checks.swift`) is a value: id, name, severity,
// words, and a function. The function asks the *scan* for facts and returns what to do when they are there, its
// *judgement*; it reads no table itself.
//
// The *scan* (`Scan`) collects what all checks ask for and then reads each table once, in the order of its keys
// (`TableScan`). What can be asked for:
//
//   scan.table(name)     the keys of its rows by entity (`KeySet`)
//   scan.visit(table)    a look at every row of some entities: a `RowVisitor` sees the row's values where SQLite has
//                        them, and keeps what it wants
//   scan.keyColumns()    for every to-one relationship and hidden key all links with their rows (`KeyColumn`)
//   scan.joinLinks()     for every many-to-many relationship all links (`JoinLinks`)
//   scan.values(defects) for every column of an attribute the rows with one of these defects (`ValueColumn`)
//   scan.externalColumns()  for every column with external storage the references (`ExternalColumn`)
//
// Checks of models (`ofCandidates`) are given what would happen with each (`Candidates`), which has put its own questions
// to the scan before.
//
// Who holds whom: candidates and judgements hold the scan, the scan holds tables and visitors, visitors hold tables. No
// arrow points back, so that a store is closed when its answer is there.
//
// The same thing asked for twice is collected once. New groups of checks add visitors; where several checks share one,
// a method of `Scan` like those three hands out the shared one.
//
// Nothing passes in silence: a table or relationship that is not there, or cannot be read whole, is listed as skipped
// for each check that asked for it (`Scan.skip`, and by itself for a table that breaks off).

/// The input of a diagnosis: an opened store, the options, and what was worked out for earlier stores.
public struct Examination {
  /// The store.
  public let store: Store
  /// How to diagnose.
  public let options: DiagnosisOptions
  /// A map that fits the store, where one was made before.
  package var map: StoreMap?
  /// What was worked out of models for stores before.
  package var judgedModels = JudgedModels()

  /// A store with no candidate models.
  public init(store: Store, options: DiagnosisOptions = DiagnosisOptions()) {
    self.store = store
    self.options = options
  }

  fileprivate var candidates: Candidates? {
    get throws {
      options.candidates.models.isEmpty ? nil : try Candidates(store, options.candidates, judgedModels)
    }
  }
}

/// Finds what is wrong with a store.
///
/// - Throws: `SQLiteError` when reading was ended, by a deadline or on request; `UnknownEntity` or `UnknownProperty` when
///   the options name what the store does not have; `StagePlanError` for stages that name no version of the models;
///   `ModelSourceError` where the verdict depends on what the source of a model does not tell. Damage is a finding, or
///   listed as skipped.
public func diagnose(_ examination: Examination, with checks: [Check] = Check.all) throws -> Diagnosis {
  try examination.checkNames()
  try examination.checkEntityNames()
  let scan = Scan(examination.store, examination.options.scan, map: examination.map)
  let candidates = try examination.candidates
  // What models ask of the rows is asked whatever checks are wanted: the verdict rests on it.
  scan.asking(Check.dataBlocksMigration.id) { candidates?.ask(scan) }
  if examination.options.countsRows { _ = scan.objectTables() }
  let subject = CheckSubject(scan: scan, candidates: candidates, options: examination.options)
  let judgements = try checks.map { check in
    (check: check.id, judge: try scan.asking(check.id) { try check.prepare(subject) })
  }
  try scan.read()
  try candidates?.confirm(scan)
  func judged() throws -> [Finding] { try judgements.flatMap { try scan.asking($0.check, $0.judge) } }
  var findings = try judged()
  // A row that was not found may be on a damaged page; only where one is missing do pages have to be looked at.
  if findings.contains(where: { $0.traits.contains(.missingRows) }) {
    let damaged = try scan.tablesWithDamagedPages()
    if !damaged.isEmpty {
      scan.distrust(damaged)
      findings = try judged()
    }
  }
  findings.sort(by: Finding.precedes)
  let (shown, use, scope) = examination.selected(findings, of: checks)
  // What is not asked for is still wrong with the store, and what is muted may still damage it.
  let verdict = Verdict(shown + (scope?.leftOut ?? []), damage: findings)
  return Diagnosis(
    store: .init(examination.store), verdict: candidates?.deciding?.verdict ?? verdict,
    models: candidates?.verdicts ?? [], findings: shown, skipped: scan.skipped, config: use, scope: scope,
    population: examination.options.countsRows ? scan.population : nil)
}

/// Opens the store at `path`, diagnoses it, and makes sure it did not change meanwhile.
///
/// Reading takes no locks, so a store that another process writes could be read torn: on a change it reads once more,
/// then gives up.
/// - Throws: `StoreError` when the file cannot be read as a store, or keeps changing.
public func diagnose(
  path: String, opening: Store.Options = Store.Options(), options: DiagnosisOptions = DiagnosisOptions(),
  with checks: [Check] = Check.all
) throws -> Diagnosis {
  try diagnose(PosixPath(path), opening: opening, options: options, with: checks)
}

/// The same for a path that need not be UTF-8.
public func diagnose(
  _ path: PosixPath, opening: Store.Options = Store.Options(), options: DiagnosisOptions = DiagnosisOptions(),
  with checks: [Check] = Check.all
) throws -> Diagnosis {
  let path = try StoreLocator.locate(path)
  var opening = opening
  if let source = options.storeModel { opening.model = try source.version(describing: path, opening).model }
  func once() throws -> Diagnosis {
    let store = try openedWithItsModel(path, opening, options.candidates.models)
    let result = Result { try diagnose(Examination(store: store, options: options), with: checks) }
    // Before anything else is said: a torn read shows as damage, or as an error, that is none.
    try store.checkUnchanged()
    return try result.get()
  }
  do {
    return try once()
  } catch let error as StoreError {
    guard case .changedWhileReading = error.problem else { throw error }
    return try once()
  }
}

/// Opens a store. Where its own model is missing, or has other hashes than its metadata, and one of the versions given
/// has those, that version describes it.
package func openedWithItsModel(
  _ path: PosixPath, _ opening: Store.Options, _ models: [ModelSource]
) throws -> Store {
  let store = try Store(path, options: opening)
  guard opening.model == nil, !models.isEmpty, let hashes = store.metadata.hashes, store.computedHashes != hashes,
    let version = models.lazy.flatMap({ $0.settled(by: store.metadata).versions }).first(where: {
      $0.doubt?.gaps.isEmpty != false && $0.model.versionHashes == hashes
    })
  else { return store }
  var opening = opening
  opening.model = version.model
  return try Store(path, options: opening)
}
