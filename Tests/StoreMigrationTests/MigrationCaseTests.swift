import StoreMigration
import StoreDataModel
import StoreTestSupport
import TestSupport
import Testing

/// Every case of `migration-cases.json`: verdict, code, reason, rows, steps and basis.
@Suite struct MigrationCaseTests {
  @Test func thereAreAllCases() { #expect(MigrationCase.all.count == 121) }

  @Test(arguments: MigrationCase.all) func meetsTheExpectation(_ migration: MigrationCase) throws {
    let outcome = try self.outcome(of: migration)
    let expect = migration.expect
    #expect(outcome.verdict == Self.verdict(expect.verdict, migration))
    #expect(outcome.failure?.code == expect.code)
    if let reason = expect.reason { #expect(outcome.failure?.reason?.contains(reason) == true) }
    #expect((outcome.grade >= .c) == migration.uncertain, "grade \(outcome.grade)")
    #expect(outcome.basis == Grade(rawValue: migration.grade)?.basis)
    if let blocking = expect.blocking { #expect(places(outcome.blocking) == places(blocking)) }
    if let atRisk = expect.atRisk { #expect(Set(places(atRisk)).isSubset(of: loosePlaces(outcome.atRisk))) }
    if let steps = expect.steps { #expect(outcome.steps.map(\.description) == steps) }
    #expect(outcome.unanswered.isEmpty)
  }

  /// The verdict of `diagnose` that a case's name stands for.
  private static func verdict(_ name: String, _ migration: MigrationCase) -> MigrationOutcome.Verdict? {
    switch name {
    case "opens": .opens
    case "migrates", "refused": .migrates
    case "blocked": .blockedByData
    case "notInferable", "stagedBackwards", "stagedDuplicate": .needsCustomStage
    case "unknownSource", "stagedUnknown": .unknownVersion
    default: nil
    }
  }

  private func outcome(of migration: MigrationCase) throws -> MigrationOutcome {
    guard let plan = migration.plan, let models = migration.models, let version = migration.store else {
      return try outcomeWithoutPlan(of: migration)
    }
    let versions = try models.keys.sorted().map { StagePlan.Version(name: $0, model: try migration.model($0)) }
    let model = try migration.model(version)
    let framework = migration.setup?["framework"]
    let store = StoreState(model: model, hasChecksum: framework == nil || framework == .integer(1321))
    return Openings(
      store: store, target: try migration.model(migration.target.string ?? ""),
      plan: try StagePlan(notation: plan, versions: versions), rows: ShownRows(model: model, rows: migration.rows)
    ).staged
  }

  private func outcomeWithoutPlan(of migration: MigrationCase) throws -> MigrationOutcome {
    let model = try ModelNotation.model(migration.source ?? [])
    let target = try migration.targetModel()
    let store = StoreState(
      model: model, isModelInApp: migration.setup?["sourceModelAvailable"] != .bool(false),
      hasModelCache: migration.setup?["modelCache"] != .bool(false),
      lacksStructure: migration.setup?["dropColumns"] != nil)
    let openings = Openings(
      store: store, target: target, plan: StagePlan(lightweight: [.init(name: "new", model: target)]),
      rows: ShownRows(model: model, rows: migration.rows))
    return migration.options?["migrate"] == false ? openings.none : openings.automatic
  }

  /// "Note.title 1,2" for a property, or "Note[email] 1,2" for a constraint.
  private func places(_ places: [MigrationCase.Place]) -> Set<String> {
    Set(
      places.map { place in
        let what = place.constraint.map { "[\($0.joined(separator: ","))]" } ?? place.property.map { "." + $0 } ?? ""
        let keys = place.pks ?? place.pk.map { [$0] }
        return place.entity + what + (keys.map { " \($0)" } ?? "")
      })
  }

  private func places(_ rules: [MigrationOutcome.JudgedRule]) -> Set<String> {
    Set(
      rules.flatMap { judged in
        let what = judged.constraint.map { "[\($0.joined(separator: ","))]" } ?? judged.property.map { "." + $0 } ?? ""
        return judged.violations.map { $0.entity + what + " \($0.keys)" }
      })
  }

  /// With the variants that leave out keys or property, since cases leave them out where they are obvious.
  private func loosePlaces(_ rules: [MigrationOutcome.JudgedRule]) -> Set<String> {
    let entities = rules.flatMap(\.violations).map { "\($0.entity) \($0.keys)" }
    let properties = rules.flatMap { rule in rule.violations.map { "\($0.entity).\(rule.property ?? "")" } }
    return places(rules).union(entities).union(properties)
  }
}

extension MigrationOutcome.JudgedRule {
  /// The property's name in the new model if the change has one, else that in the store.
  fileprivate var property: String? {
    if let property = change?.place.property { return property }
    switch rule.condition {
    case .noNulls(_, let property), .noValues(_, let property), .numericFits(_, let property, _),
      .atMostOneLink(_, let property), .linksWithin(_, let property, _), .linkCount(_, let property, _, _),
      .valid(_, let property, _), .noDanglingKeys(_, let property), .noOrphanedLinks(_, let property):
      return property
    case .noRows, .atMostOneRow, .noDuplicates: return nil
    }
  }

  fileprivate var constraint: [String]? {
    if case .constraintAdded(let names)? = change?.kind { names } else { nil }
  }
}
