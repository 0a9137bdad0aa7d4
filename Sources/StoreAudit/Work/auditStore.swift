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

/// How every store of an audit is looked at.
public struct AuditSettings: Sendable {
  /// How it is diagnosed.
  public var diagnosis: DiagnosisOptions
  /// The checks that are run.
  public var checks: [Check]
  /// Read main files alone.
  public var ignoresWAL: Bool
  /// A recipe that is planned, or carried out on copies; nil for none.
  public var recipe: AuditRecipe?
  /// Whether lines say how long they took.
  public var isTimed: Bool
  /// Digest of all that decides what lines say; 16 hex digits.
  public private(set) var run: String

  /// All checks, with indexes held to quick_check alone unless said otherwise: `design.md` §2, "off in audit".
  public init(
    diagnosis: DiagnosisOptions = DiagnosisOptions(integrity: .quick), checks: [Check] = Check.all,
    ignoresWAL: Bool = false, recipe: AuditRecipe? = nil, isTimed: Bool = false, decidedBy others: [String] = [],
    toolVersion: String
  ) {
    self.diagnosis = diagnosis
    self.diagnosis.countsRows = true
    self.checks = checks
    self.ignoresWAL = ignoresWAL
    self.recipe = recipe
    self.isTimed = isTimed
    run = ""
    run = digest(others + [toolVersion])
  }

  /// Whatever may move a line goes in; the number of workers and where lines go do not. Each list has its name and its
  /// length before it, so that nothing of one can pass for another's.
  private func digest(_ others: [String]) -> String {
    var words: [String] = []
    func add(_ name: String, _ values: [String]) { words += [name, "\(values.count)"] + values }
    add("others", others)
    add("checks", checks.map(\.id))
    add("log", [ignoresWAL ? "main file alone" : "with WAL"])
    add("recipe", [recipe?.text ?? ""])
    add("diagnosis", ["\(diagnosis.examples)", "\(diagnosis.integrity)", "\(diagnosis.judgesAsMirrored)"])
    add("entities", diagnosis.entities)
    add("unique", diagnosis.unique.map { "\($0)" })
    add("opening", [diagnosis.candidates.opening?.rawValue ?? "all"])
    add("stages", diagnosis.candidates.stages)
    add("order", diagnosis.candidates.planOrder)
    for source in diagnosis.candidates.models { add("model", source.words) }
    if let source = diagnosis.storeModel { add("store model", source.words) }
    if let configuration = diagnosis.configuration {
      add("severities", configuration.severities.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
      for mute in configuration.mutes {
        add("mute", [mute.check, mute.entity ?? "", mute.property ?? "", mute.reason])
      }
    }
    return hexadecimal(Digests.sha256(Array(words.joined(separator: "\0").utf8)).prefix(8))
  }
}

extension ModelSource {
  /// All that verdicts come from: also what takes no part in hashes, as default values and renaming identifiers.
  fileprivate var words: [String] {
    [path, currentVersionName ?? "", plan.map { "\($0)" } ?? ""]
      + versions.flatMap { [$0.name, $0.model.json.lineText] }
  }
}

/// Looks at one store after the other; what several have in common, their model, is decoded once.
public final class StoreAuditor {
  private let settings: AuditSettings
  private let knownModels = KnownModels()
  /// Of the last stores; the newest is the last.
  private var maps: [StoreMap] = []
  private let judgedModels = JudgedModels()
  /// Told how far the work on a store has come.
  private let onStage: (AuditStage) -> Void

  /// - Parameter onStage: told, on the thread that works, when a new stage begins.
  public init(_ settings: AuditSettings, onStage: @escaping (AuditStage) -> Void = { _ in }) {
    self.settings = settings
    self.onStage = onStage
  }

  /// What is to be said of an entry. Whatever it holds, there is an answer.
  ///
  /// - Parameter known: fingerprints of findings, and words of verdicts, that a baseline hides.
  /// - Throws: `StoreError` where this process has no descriptor left to open it with; another can still read it.
  public func audit(_ item: AuditItem, known: Set<String> = []) throws(StoreError) -> AuditedStore {
    let start = ContinuousClock.now
    var result: AuditedStore
    switch item.kind {
    case .problem(let problem): result = AuditedStore(item, problem, run: settings.run, known: known)
    case .archive:
      result = AuditedStore(item, AuditProblem(.cannotUnpack, "it is an archive"), run: settings.run, known: known)
    case .store(let wasNamed):
      do {
        result = try read(item, known)
      } catch let error as StoreError where error.isOfThisProcess {
        throw error
      } catch {
        var problem = AuditProblem(error, wasNamed: wasNamed)
        problem.message = item.shownText(problem.message)
        result = AuditedStore(item, problem, run: settings.run, known: known)
      }
    }
    begin(.writing, item)
    if settings.isTimed {
      let (seconds, attoseconds) = (ContinuousClock.now - start).components
      result.milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
    return result
  }

  /// Reading takes no locks: a store that changes meanwhile is read once more, then given up (`design.md` §4).
  private func read(_ item: AuditItem, _ known: Set<String>) throws -> AuditedStore {
    do {
      return try readOnce(item, known)
    } catch let error as StoreError {
      guard case .changedWhileReading = error.problem else { throw error }
      return try readOnce(item, known)
    }
  }

  private func readOnce(_ item: AuditItem, _ known: Set<String>) throws -> AuditedStore {
    begin(.opening, item)
    // Before it is read: what is written meanwhile is to be noticed.
    let stamp = item.stamp
    var opening = Store.Options(ignoresWAL: settings.ignoresWAL, knownModels: knownModels)
    if let source = settings.diagnosis.storeModel {
      opening.model = try source.version(describing: item.location, opening).model
    }
    let store = try openedWithItsModel(item.location, opening, settings.diagnosis.candidates.models)
    begin(.checking, item)
    let (options, skipped) = settings.diagnosis.within(store)
    var examination = Examination(store: store, options: options)
    examination.map = map(of: store)
    examination.judgedModels = judgedModels
    let diagnosis = Result { try diagnose(examination, with: settings.checks) }
    // Before anything else is said: a torn read shows as damage, or as an error, that is none.
    try store.checkUnchanged()
    var result = try content(of: store, diagnosis.get(), item)
    result.stamp = stamp
    result.content?.diagnosis.skipped += skipped
    result.hide(known)
    if let recipe = settings.recipe {
      result.repair = try recipe.carryOut(on: store, item, diagnosis: settings.diagnosis, onStage)
    }
    return result
  }

  private func map(of store: Store) -> StoreMap {
    if let known = maps.last(where: { $0.fits(store) }) { return known }
    let map = StoreMap(store)
    guard store.layout.entities.count <= Self.mostEntities else { return map }
    if maps.count == Self.mostMaps { maps.removeFirst() }
    maps.append(map)
    return map
  }

  /// The most entities of a store whose map is kept, and the most maps; a fleet has a few versions between its stores.
  private static let (mostEntities, mostMaps) = (1000, 32)

  private func begin(_ stage: AuditStage, _ item: AuditItem) {
    onStage(stage)
    WorkerFault.strike(item, stage)
  }

  private func content(of store: Store, _ diagnosis: Diagnosis, _ item: AuditItem) -> AuditedStore {
    var diagnosis = diagnosis
    let findings = diagnosis.findings
    diagnosis.findings = []
    return AuditedStore(
      run: settings.run, item: item, status: .audited, bytes: store.files.main.size + (store.files.wal?.size ?? 0),
      content: .init(
        diagnosis: diagnosis, checksum: diagnosis.store.checksum,
        version: diagnosis.models.first { $0.comparison?.isEqual == true }?.name),
      findings: findings)
  }
}

extension StoreError {
  /// Whether it says nothing of the store.
  fileprivate var isOfThisProcess: Bool { if case .noDescriptors = problem { true } else { false } }
}

extension DiagnosisOptions {
  /// The same, asking only for what this store has: in a fleet an old store may lack an entity that a newer one has, and
  /// that is no reason not to read it.
  ///
  /// - Returns: the options, and what is not looked at because of that.
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
