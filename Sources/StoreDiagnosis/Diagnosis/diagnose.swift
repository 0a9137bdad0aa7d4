import StoreFindings
import StoreMigration
import StoreModels
import StoreScanning
import StoreDataModel
import StoreCoreData
import StoreSQLite

// How a diagnosis works
// ---------------------
//
//   Store ──► Check.prepare(…)  ──► Scan.read() ──► Judgement() ──► [Finding] ──► Diagnosis
//             every check             each table      every check
//             registers its needs     once            decides
//
// A *check* (`Check`, one file each under `Checks/`, one line each in `Checks.swift`) is a value: id, name, severity,
// texts, and a function. The function asks the *scan* for facts and returns a closure to evaluate them after the read,
// its *judgement*; it reads no table itself.
//
// The *scan* (`Scan`) collects the requests of all checks and then reads each table once, in the order of its keys
// (`TableScan`). Checks can ask for:
//
//   scan.table(name)     the keys of its rows by entity (`KeySet`)
//   scan.visit(table)    every row of some entities: a `RowVisitor` is called with the row's values, without copies,
//                        and keeps what it needs
//   scan.keyColumns()    for every to-one relationship and hidden key, all links with their rows (`KeyColumn`)
//   scan.joinLinks()     for every many-to-many relationship, all links (`JoinLinks`)
//   scan.values(defects) for every column of an attribute, the rows with one of these defects (`ValueColumn`)
//   scan.externalColumns()  for every column with external storage, the references (`ExternalColumn`)
//
// Checks of candidate models (`ofCandidates`) get the verdicts (`Candidates`), which makes its own requests to the scan
// first.
//
// References: candidates and judgements hold the scan, the scan holds tables and visitors, visitors hold tables. There
// is no cycle, so a store is closed as soon as its diagnosis is finished.
//
// A repeated request is collected once. New groups of checks add visitors; if several checks share one, a method of
// `Scan` like those above returns the shared one.
//
// Nothing is skipped silently: a table or relationship that is missing or cannot be read completely is listed as
// skipped for each check that asked for it (by `Scan.skip`, or automatically for an incompletely read table).

/// The input of a diagnosis: an opened store, the options, and what earlier diagnoses left for reuse.
package struct Examination {
  /// The store.
  package let store: Store
  /// How to diagnose.
  package let options: DiagnosisOptions
  /// A map that matches the store, if one was made before.
  package var map: StoreMap?
  /// Cache of judged models.
  package var judgedModels = JudgedModels()

  /// An examination without cached maps or models.
  package init(store: Store, options: DiagnosisOptions = DiagnosisOptions()) {
    self.store = store
    self.options = options
  }

  fileprivate var candidates: Candidates? {
    get throws {
      options.candidates.models.isEmpty
        ? nil : try Candidates(of: store, options: options.candidates, judgedModels: judgedModels)
    }
  }
}

/// Diagnoses a store.
///
/// - Throws: `SQLiteError` if reading was stopped, by a deadline or on request; `UnknownEntity` or `UnknownProperty`
///   if the options name something the store lacks; `StagePlanError` for stages that name an unknown version;
///   `ModelSourceError` if the verdict depends on something a model's source does not tell. Damage is a finding, or
///   listed as skipped.
package func diagnose(_ examination: Examination, with checks: [Check] = Check.all) throws -> Diagnosis {
  try examination.checkNames()
  try examination.checkEntityNames()
  let scan = Scan(examination.store, examination.options.scan, map: examination.map)
  let candidates = try examination.candidates
  // The conditions of the models are always registered, whatever checks are wanted: the verdict depends on them.
  scan.asking(Check.dataBlocksMigration.id) { candidates?.ask(scan) }
  if examination.options.countsRows { _ = scan.objectTables() }
  let subject = CheckSubject(scan: scan, candidates: candidates, options: examination.options)
  let judgements = try checks.map { check in
    (check: check.id, judge: try scan.asking(check.id) { try check.prepare(subject) })
  }
  try scan.read()
  try candidates?.confirm(scan)
  func judged() throws -> [Finding] { try judgements.flatMap { try scan.asking($0.check, body: $0.judge) } }
  var findings = try judged()
  // A row that was not found may be hidden by damage; this is checked only if rows are missing.
  let missing = findings.filter { $0.traits.contains(.missingRows) }
  if !missing.isEmpty {
    let missed = missing.map(scan.tablesMissed)
    let hiding = try scan.tablesHidingRows(
      among: Set(missed.compactMap(\.self).joined()), orOthers: missed.contains(nil))
    if !hiding.isEmpty {
      scan.distrust(hiding)
      findings = try judged()
    }
  }
  let savable = examination.savable(findings, scan)
  if let savable { findings = findings.map { $0.saying(savable) } }
  findings.sort(by: Finding.precedes)
  let (shown, use, scope) = examination.selected(findings, of: checks)
  // Findings of other entities still count, and muted damage is still damage.
  let verdict = Verdict(shown + (scope?.leftOut ?? []), damage: findings)
  var summary = Diagnosis.StoreSummary(examination.store)
  // What is damaged the findings say.
  (summary.reading.sound, summary.reading.damage) = (scan.soundness, [])
  var diagnosis = Diagnosis(
    store: summary, verdict: candidates?.deciding?.verdict ?? verdict,
    models: candidates?.verdicts ?? [], findings: shown.gatheringOrphans(limit: scan.exampleLimit),
    // Rows are counted for no check.
    skipped: scan.skipped.filter { !$0.check.isEmpty }, config: use, scope: scope,
    chosenVersion: examination.options.candidates.chosenVersion,
    population: examination.options.countsRows ? scan.population : nil)
  diagnosis.savable = savable
  return diagnosis
}

extension Examination {
  /// What could be saved, where pages of the store are damaged.
  fileprivate func savable(_ findings: [Finding], _ scan: Scan) -> Savable? {
    let damage: [CheckID] = [.unreadableFile, .corruptPage]
    guard let reader = options.savable, store.asOf == nil,
      let found = findings.first(where: { $0.check.map(damage.contains) == true && $0.severity == .error })
    else { return nil }
    do {
      return try reader(store)
    } catch {
      // `Error` of any module: its words are for people.
      scan.asking(found.id) { scan.skip("what 'storedoctor salvage' would save cannot be told: \(error)") }
      return nil
    }
  }
}

/// Opens the store at `path`, diagnoses it, and checks that it did not change meanwhile.
///
/// Reading takes no locks, so parts of a store from different moments could be read while another process writes. If
/// the store changed, it is read once more; if it changed again, that is an error.
/// - Throws: `StoreError` if the file cannot be read as a store, or keeps changing.
package func diagnose(
  path: String, opening: Store.Options = Store.Options(), options: DiagnosisOptions = DiagnosisOptions(),
  with checks: [Check] = Check.all
) throws -> Diagnosis {
  try diagnose(PosixPath(path), opening: opening, options: options, with: checks)
}

/// The same for a path that need not be UTF-8.
package func diagnose(
  _ path: PosixPath, opening: Store.Options = Store.Options(), options: DiagnosisOptions = DiagnosisOptions(),
  with checks: [Check] = Check.all
) throws -> Diagnosis {
  let path = try StoreLocator.locate(path)
  var opening = opening
  if let source = options.storeModel { opening.model = try source.version(describing: path, opening).model }
  func once() throws -> Diagnosis {
    let store = try openedWithItsModel(path, opening: opening, models: options.candidates.models)
    let result = Result { try diagnose(Examination(store: store, options: options), with: checks) }
    // Checked before errors are thrown, since reading a changing store may show damage that is not there.
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

/// Opens a store. If its own model is missing or has other hashes than its metadata, and one of the given versions
/// has those hashes, that version describes the store.
package func openedWithItsModel(
  _ path: PosixPath, opening: Store.Options, models: [ModelSource]
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
