import StoreJSON
import StoreFindings
import StoreDiagnosis
import StoreMigration
import StoreModels
import StoreScanning
import StoreDataModel
import StoreCoreData
import StoreDigests
import StoreSQLite

/// Who finds out what could be saved of a store that is too damaged to be opened.
package typealias SavableOfDamaged = @Sendable (PosixPath, Store.Options) throws -> Savable

/// How an audit examines every store.
package struct AuditSettings: Sendable {
  /// Options for the diagnosis.
  package var diagnosis: DiagnosisOptions
  /// The checks to run.
  package var checks: [Check]
  /// Whether only main files are read.
  package var ignoresWAL: Bool
  /// The log that is read in place of the one beside the store, of an audit of one; nil for that one.
  package var log: PosixPath?
  /// Who finds out what could be saved of a store that is too damaged to be opened; nil to leave that open.
  package var savable: SavableOfDamaged?
  /// A recipe to plan, or to apply to copies; nil for none.
  package var recipe: AuditRecipe?
  /// Whether, and how, each store's migration is rehearsed.
  package var rehearsal: AuditRehearsal?
  /// How a copy of each store is written that has nobody's values; nil for none.
  package var anonymizing: AuditAnonymizing?
  /// Whether lines tell how long they took.
  package var isTimed: Bool
  /// Digest of everything that decides the contents of lines; 16 hex digits.
  package private(set) var run: String

  /// By default all checks; indexes are checked only as far as `quick_check` goes, since a whole `integrity_check` of
  /// every store takes too long.
  package init(
    diagnosis: DiagnosisOptions = DiagnosisOptions(integrity: .quick), checks: [Check] = Check.all,
    ignoresWAL: Bool = false, log: PosixPath? = nil, recipe: AuditRecipe? = nil, rehearsal: AuditRehearsal? = nil,
    anonymizing: AuditAnonymizing? = nil, isTimed: Bool = false,
    decidedBy others: [String] = [],
    toolVersion: String
  ) {
    self.diagnosis = diagnosis
    self.diagnosis.countsRows = true
    // The other cores have other stores.
    self.diagnosis.rows = .usual(threads: 1)
    self.diagnosis.candidates.judgesSteps = false
    self.checks = checks
    self.ignoresWAL = ignoresWAL
    self.log = log
    self.recipe = recipe
    self.rehearsal = rehearsal
    self.anonymizing = anonymizing
    self.isTimed = isTimed
    run = ""
    run = digest(others + [toolVersion])
  }

  /// Whether a store is diagnosed here as a rehearsal diagnoses its result, so that the two can be compared.
  fileprivate var judgesAsRehearsed: Bool {
    checks.count == Check.all.count && diagnosis.storeModel == nil && diagnosis.unique.isEmpty
      && diagnosis.entities.isEmpty && diagnosis.configuration == nil && !diagnosis.judgesAsMirrored
      && diagnosis.allowedClasses.texts.isEmpty
      && diagnosis.integrity == .quick
  }

  /// Includes everything that may change a line; not the number of workers, or where lines go. Each list is preceded by
  /// its name and length, so that elements of two lists cannot be confused.
  private func digest(_ others: [String]) -> String {
    var words: [String] = []
    func add(_ name: String, values: [String]) { words += [name, "\(values.count)"] + values }
    add("others", values: others)
    add("checks", values: checks.map(\.id))
    add("log", values: [ignoresWAL ? "main file alone" : "with WAL"])
    if let log { add("named log", values: [log.description]) }
    add("recipe", values: [recipe?.text ?? ""])
    add("rehearsal", values: rehearsal.map { [$0.text] } ?? [])
    if let anonymizing { add("anonymizing", values: [anonymizing.text]) }
    add("diagnosis", values: ["\(diagnosis.examples)", "\(diagnosis.integrity)", "\(diagnosis.judgesAsMirrored)"])
    add("entities", values: diagnosis.entities)
    add("unique", values: diagnosis.unique.map { "\($0)" })
    if !diagnosis.allowedClasses.texts.isEmpty { add("allowed classes", values: diagnosis.allowedClasses.texts) }
    add("opening", values: [diagnosis.candidates.opening?.rawValue ?? "all"])
    add("stages", values: diagnosis.candidates.stages)
    add("order", values: diagnosis.candidates.planOrder)
    for source in diagnosis.candidates.models { add("model", values: source.words) }
    if let source = diagnosis.storeModel { add("store model", values: source.words) }
    if let configuration = diagnosis.configuration {
      add("severities", values: configuration.severities.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
      for mute in configuration.mutes {
        add("mute", values: [mute.check, mute.entity ?? "", mute.property ?? "", mute.reason])
      }
    }
    return hexadecimal(Digests.sha256(Array(words.joined(separator: "\0").utf8)).prefix(8))
  }
}

extension ModelSource {
  /// Everything that verdicts depend on, including what is not hashed, such as default values and renaming identifiers.
  fileprivate var words: [String] {
    [path, currentVersionName ?? "", plan.map { "\($0)" } ?? ""]
      + versions.flatMap { [$0.name, $0.model.json.lineText] }
  }
}

/// Audits one store after the other; a model that several have in common is decoded once.
package final class StoreAuditor {
  private let settings: AuditSettings
  private let knownModels = KnownModels()
  /// The maps of the last stores, the newest last.
  private var maps: [StoreMap] = []
  private let judgedModels = JudgedModels()
  /// Called when the work on a store reaches a new stage.
  private let onStage: (AuditStage) -> Void

  /// - Parameter onStage: called, on the working thread, when a new stage begins.
  package init(_ settings: AuditSettings, onStage: @escaping (AuditStage) -> Void = { _ in }) {
    self.settings = settings
    self.onStage = onStage
  }

  /// Audits an entry. There is a result whatever it contains.
  ///
  /// - Parameter known: fingerprints of findings, and words of verdicts, that a baseline hides.
  /// - Throws: `StoreError` where this process has no descriptor left to open it; another process can still read it.
  package func audit(_ item: AuditItem, known: Set<String> = []) throws(StoreError) -> AuditedStore {
    let start = ContinuousClock.now
    var result: AuditedStore
    switch item.kind {
    case .problem(let problem): result = AuditedStore(item, problem, run: settings.run, known: known)
    case .archive:
      result = AuditedStore(item, AuditProblem(.cannotUnpack, "it is an archive"), run: settings.run, known: known)
    case .store(let wasNamed):
      do {
        result = try read(item, known: known)
      } catch let error as StoreError where error.isOfThisProcess {
        throw error
      } catch {
        var problem = AuditProblem(error, wasNamed: wasNamed)
        problem.message = item.shownText(problem.message)
        result = AuditedStore(item, problem, run: settings.run, known: known)
        if isOfDamage(error), result.status.isStore {
          result.savable = try? settings.savable?(item.location, opening)
        }
      }
    }
    begin(.writing, of: item)
    if settings.isTimed {
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      result.milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
    return result
  }

  /// Reads without taking locks. A store that changes in the meantime is read once more, then given up.
  private func read(_ item: AuditItem, known: Set<String>) throws -> AuditedStore {
    do {
      return try readOnce(item, known: known)
    } catch let error as StoreError {
      guard case .changedWhileReading = error.problem else { throw error }
      return try readOnce(item, known: known)
    }
  }

  private func readOnce(_ item: AuditItem, known: Set<String>) throws -> AuditedStore {
    begin(.opening, of: item)
    // Taken before reading, so that later writes are noticed.
    let stamp = item.stamp
    var opening = opening
    if let source = settings.diagnosis.storeModel {
      opening.model = try source.version(describing: item.location, opening).model
    }
    let store = try openedWithItsModel(item.location, opening: opening, models: settings.diagnosis.candidates.models)
    begin(.checking, of: item)
    let (options, skipped) = settings.diagnosis.within(store)
    var examination = Examination(store: store, options: options)
    examination.map = map(of: store)
    examination.judgedModels = judgedModels
    let diagnosis = Result { try diagnose(examination, with: settings.checks) }
    // Checked first, because a store read while it was changing looks damaged without being so.
    try store.checkUnchanged()
    let found = try diagnosis.get()
    var result = content(of: store, diagnosis: found, item: item)
    result.stamp = stamp
    result.content?.diagnosis.skipped += skipped
    result.hide(known)
    if let rehearsal = settings.rehearsal {
      begin(.migrating, of: item)
      result.rehearsal = try rehearsal.outcome(
        of: store, diagnosis: settings.judgesAsRehearsed ? found : nil, item: item,
        candidates: settings.diagnosis.candidates)
    }
    if let anonymizing = settings.anonymizing {
      WorkerFault.strike(item, at: .anonymizing)
      result.copy = try anonymizing.carryOut(on: store, item: item, diagnosis: options, onStage: onStage)
    }
    if let recipe = settings.recipe {
      result.repair = try recipe.carryOut(on: store, item: item, diagnosis: settings.diagnosis, onStage: onStage)
    }
    return result
  }

  private var opening: Store.Options {
    var opening = Store.Options(ignoresWAL: settings.ignoresWAL, knownModels: knownModels)
    opening.log = settings.log
    return opening
  }

  private func map(of store: Store) -> StoreMap {
    if let known = maps.last(where: { $0.fits(store) }) { return known }
    let map = StoreMap(store)
    guard store.layout.entities.count <= Self.mostEntities else { return map }
    if maps.count == Self.mostMaps { maps.removeFirst() }
    maps.append(map)
    return map
  }

  /// The most entities of a store whose map is kept, and the most maps; the stores of a fleet have a few versions.
  private static let (mostEntities, mostMaps) = (1000, 32)

  private func begin(_ stage: AuditStage, of item: AuditItem) {
    onStage(stage)
    WorkerFault.strike(item, at: stage)
  }

  private func content(of store: Store, diagnosis: Diagnosis, item: AuditItem) -> AuditedStore {
    var diagnosis = diagnosis
    let findings = diagnosis.findings
    diagnosis.findings = []
    var audited = AuditedStore(
      run: settings.run, item: item, status: .audited, bytes: store.files.main.size + (store.files.wal?.size ?? 0),
      content: .init(
        diagnosis: diagnosis, checksum: diagnosis.store.checksum,
        version: diagnosis.models.first { $0.comparison?.isEqual == true }?.name),
      findings: findings)
    audited.savable = diagnosis.savable
    return audited
  }
}

extension StoreError {
  /// Whether the error is about this process and not about the store.
  fileprivate var isOfThisProcess: Bool { if case .noDescriptors = problem { true } else { false } }
}

extension DiagnosisOptions {
  /// The same options, restricted to what this store has: an old store may lack an entity that newer ones have, and
  /// should still be read.
  ///
  /// - Returns: the options, and the checks that are skipped therefore.
  fileprivate func within(_ store: Store) -> (options: DiagnosisOptions, skipped: [SkippedCheck]) {
    var options = self
    let inModels = Set(candidates.models.flatMap(\.versions).flatMap(\.model.entities).map(\.name))
    options.expectsEntities = false
    let absent = entities.filter { store.layout.entity(named: $0) == nil && !inModels.contains($0) }
    options.unique = unique.filter { key in
      guard let columns = store.layout.entity(named: key.entity)?.uniqueColumns else { return false }
      return key.properties.allSatisfy { columns[$0] != nil }
    }
    let missing =
      absent.map { ("--entity \($0)", "the store has no such entity") }
      + unique.filter { !options.unique.contains($0) }.map { ("--unique \($0)", "the store has no such properties") }
    return (options, missing.map { .init(check: $0.0, reason: $0.1) })
  }
}
