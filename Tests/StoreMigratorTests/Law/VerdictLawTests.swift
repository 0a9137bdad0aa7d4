import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreFindings
import StoreGenerator
import StoreMigration
import StoreModels
import StoreRows
import StoreSQLite
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import StoreMigrator

/// One judgement: the conditions of `model diff`, the verdict of `diagnose` and what `migrate` does are the same, and they
/// are what Core Data does as far as that is known.
@Suite struct VerdictLawTests {
  // MARK: Random pairs

  private static let seeds = LongRuns.seeds(120, whole: 2000)

  @Test(arguments: seeds) func holdsForRandomPairs(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var maker = PairMaker()
    let (old, new) = try maker.pair(&random)
    let rows = MadeRows(old, &random)
    let subject = try LawSubject(old, new, rows)
    guard subject.isRelated else { return }
    try subject.check("seed \(seed)")
  }

  /// Neither names, nor order, nor what has nothing to do with it.
  @Test(arguments: seeds) func verdictsDoNotDependOnNames(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var maker = PairMaker()
    let (old, new) = try maker.pair(&random)
    let rows = MadeRows(old, &random)
    let names = OtherNames(old, new, &random)
    let subject = try LawSubject(old, new, rows)
    let other = try LawSubject(names.model(old), names.model(new), rows.renamed(names))
    #expect(subject.answer == other.answer, "seed \(seed)")
  }

  // MARK: What is kept in the project

  @Test(arguments: MigrationCase.all.filter { $0.plan == nil && $0.setup == nil })
  func holdsForCases(_ migration: MigrationCase) throws {
    let old = try ModelNotation.model(migration.source ?? [])
    let rows = MadeRows(old, rows: migration.rows)
    let store = try CaseStore(old, migration.rows)
    let subject = try LawSubject(old, migration.targetModel(), rows, at: store.path)
    guard subject.isRelated else { return }
    // Rows that link to objects that do not exist, and links of join tables, are in the store alone.
    try subject.check(Comment(rawValue: migration.id), asksOracle: migration.rows["joins"] == nil)
  }

  /// Each version of each bundle to each other.
  @Test(arguments: ["Guests.xcdatamodeld", "Notes.xcdatamodeld", "School.xcdatamodeld"])
  func holdsForBundles(_ name: String) throws {
    let source = try readModel(PosixPath(Project.path("corpus/" + name)))
    for old in source.versions {
      for new in source.versions where new.name != old.name {
        var random = SeededGenerator(seed: 1)
        let subject = try LawSubject(old.model, new.model, MadeRows(old.model, &random))
        guard subject.isRelated else { continue }
        try subject.check("\(name): \(old.name) to \(new.name)")
      }
    }
  }

  /// Versions of real apps, each to the next.
  @Test(.needsSharedData, arguments: RealPairTests.steps)
  func holdsForRealVersions(_ before: String, _ after: String, _: Int) throws {
    let models = try [before, after].map { try #require(Store(path: wire($0)).model) }
    for (old, new) in [(models[0], models[1]), (models[1], models[0])] {
      var random = SeededGenerator(seed: 2)
      let subject = try LawSubject(old, new, MadeRows(old, &random))
      try subject.check("\(before) and \(after)")
    }
  }
}

/// A store with the two models between which it is migrated.
private struct LawSubject {
  let old: Model
  let new: Model
  let rows: MadeRows
  let store: Store
  let candidates: CandidateOptions
  let diagnosis: Diagnosis
  private let folder: TemporaryFolder

  init(_ old: Model, _ new: Model, _ rows: MadeRows, at path: String? = nil) throws {
    (self.old, self.new, self.rows) = (old, new, rows)
    folder = try TemporaryFolder()
    if path == nil { try rows.write(to: folder("Old.sqlite")) }
    store = try Store(path: path ?? folder("Old.sqlite"))
    candidates = CandidateOptions(models: try [("old", old), ("new", new)].map(modelSource), opening: .automatic)
    diagnosis = try diagnose(Examination(store: store, options: DiagnosisOptions(candidates: candidates)))
  }

  private var difference: ModelDifference { ModelDifference(from: old, to: new) }

  /// Whether any entity is kept; a model that keeps none is called a foreign one.
  var isRelated: Bool { !difference.keepsNoEntity }

  private var verdict: Verdict? { diagnosis.deciding?.verdict }
  private var isAssumed: Bool { diagnosis.deciding?.basis == .assumed }

  /// What is said, without names.
  var answer: String {
    let verdict = diagnosis.deciding
    let losses = verdict?.losses.map { "\($0.loss.kind.rawValue) \($0.rows ?? -1)" }.sorted() ?? []
    let blocking = verdict?.blocking.map { judged in
      "\(judged.rule.words) \(judged.violations.reduce(0) { $0 + $1.count })"
    }.sorted()
    return
      "\(verdict?.verdict.rawValue ?? "") \(verdict?.basis.rawValue ?? "") \(verdict?.failure?.reason ?? "") "
      + "\(blocking ?? []) \(losses)"
  }

  func check(_ comment: Comment, asksOracle: Bool = true) throws {
    if asksOracle { askOracle(comment) }
    checkConditions(comment)
    try checkMigration(comment)
  }

  private func askOracle(_ comment: Comment) {
    switch MigrationOracle.expected(old, new, rows) {
    case .opens: #expect(verdict == .opens, comment)
    case .notInferable: #expect(verdict == .needsCustomStage, comment)
    case .blocked:
      #expect(verdict == .blockedByData, "\(comment.rawValue): \(diagnosis.deciding?.obstacles.map(\.change) ?? [])")
    case .migrates: #expect(verdict == .migrates, comment)
    case .notKnown(let what):
      #expect(isAssumed || verdict == .opens, "\(comment.rawValue): \(what), and it is said: \(answer)")
    }
  }

  /// The conditions of `model diff`, counted in the rows as they were made, decide the verdict of `diagnose`.
  private func checkConditions(_ comment: Comment) {
    let inference = MigrationInference(difference)
    guard !difference.hashesAreEqual else { return #expect(verdict == .opens, comment) }
    guard inference.isInferable else { return #expect(verdict == .needsCustomStage, comment) }
    let violated = inference.blockingRules.filter { rows.violate($0.condition) != false }
    #expect((verdict == .blockedByData) == !violated.isEmpty, "\(comment.rawValue): \(violated.map(\.condition))")
  }

  /// `migrate` performs what migrates, refuses what nobody knows, and leaves no NULL where a value is required.
  private func checkMigration(_ comment: Comment) throws {
    do {
      let performed = try rehearse(
        store, run: MigrationRun(candidates, allowsAssumed: true, now: 0), judgedBy: diagnosis
      ) { result in
        try checkNulls(result, comment)
      }
      #expect(verdict == .migrates || verdict == .opens, comment)
      #expect(performed.hops.isEmpty == (verdict == .opens), comment)
      LawCounts.add(isAssumed ? "performed, assumed" : performed.hops.isEmpty ? "opens" : "performed")
    } catch is MigrationNotPossible {
      #expect(verdict != .migrates && verdict != .opens, comment)
      LawCounts.add(verdict?.rawValue ?? "no verdict")
    } catch let refused as MigrationRefused {
      #expect(verdict == .migrates, comment)
      for refusal in refused.refusals where !isAssumed {
        #expect(
          Self.limits.contains { refusal.message.contains($0) }, "\(comment.rawValue): \(refusal.message): \(answer)")
      }
      LawCounts.add("refused")
    }
  }

  /// What is known of Core Data, or of the store, and still not performed.
  private static let limits = [
    "how old values are written is not known", "which order old links get is not known",
    "it is derived, and what a migration writes into such attributes is not known",
    "which are not made anew here", "in which order Core Data renames them is not known",
    "have equal keys; which keys they get is not known", "whether they are written there is not known",
    "go with their links; that is not performed here",
    "which cannot have them any more; what becomes of them is not known",
    "kept in the keys of the inverse and go to hidden keys", "kept in hidden keys and go to the keys of the inverse",
    "which another property or somebody else uses",
    "in which order Core Data makes and drops them is not known",
  ]

  private func checkNulls(_ result: Store, _ comment: Comment) throws {
    for entity in new.entities where !entity.isAbstract {
      guard let past = difference.sourceEntity(of: entity.name),
        let (pairs, _) = MigrationOracle.pairs(old.properties(of: past), new.properties(of: entity.name)),
        let layout = result.layout.entity(named: entity.name)
          ?? result.layout.entities.first(where: {
            $0.modelName == entity.name
          })
      else { continue }
      for (name, inherited) in new.properties(of: entity.name) {
        let property = inherited.property
        guard !property.isOptional, !property.isTransient, property.attribute?.derivation == nil,
          property.attribute?.elements == nil, property.relationship?.isToMany != true,
          let column = layout.column(of: name)
        else { continue }
        let found = try lines(
          "SELECT count(*) FROM \(layout.table) WHERE Z_ENT = \(layout.id.number) AND \(column) IS NULL", result)
        let former = pairs[name].flatMap { old.property($0, of: past) }.flatMap { $0.isTransient ? nil : $0 }
        let before = former.map { property in
          property.isOptional ? 0 : rows.objects(of: [past]).count { rows.isNull(property.name, of: $0) }
        }
        #expect(found == ["\(before ?? 0)"], "\(comment.rawValue): \(entity.name).\(name)")
      }
    }
  }
}

extension MadeRows {
  /// The same rows of a model whose properties have other names.
  func renamed(_ names: OtherNames) throws -> MadeRows {
    var rows = MadeRows(try names.model(model), objects: [], links: [])
    for object in objects {
      var values: [String: StoredValue] = [:]
      for (name, value) in object.values { values[names.property(name)] = value }
      rows.add(Object(entity: object.entity, key: object.key, values: values))
    }
    for link in links { rows.add(Link(from: link.from, name: names.property(link.name), to: link.to)) }
    return rows
  }
}

/// Counts what became of pairs; a law that is asked of few says little.
private enum LawCounts {
  private static let counts = Mutex<[String: Int]>([:])

  static func add(_ outcome: String) {
    let counts = counts.withLock { counts in
      counts[outcome, default: 0] += 1
      return counts
    }
    guard counts.values.reduce(0, +) % 100 == 0 else { return }
    print("verdict law: " + counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
  }
}
