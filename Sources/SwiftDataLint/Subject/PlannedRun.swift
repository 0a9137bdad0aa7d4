import StoreMigration
import StoreSwiftDataSchemas

/// One migration that is inferred on the way to the last version of a plan. Consecutive lightweight stages are one, so
/// its ends may have versions between them; `diagnose` judges the same one.
struct PlannedRun {
  let pair: Neighbours
  /// The custom stage that it belongs to; nil for lightweight stages, and where there are no stages.
  let customStage: SourcePlan.Stage?
  /// The neighbours that its way leads over, where all versions between its ends are known.
  let way: [Neighbours]
  /// The versions whose stores take it, oldest first.
  private(set) var stores: [LintVersion]

  /// Whether it leads past a version.
  var skipsVersions: Bool { way.count > 1 }

  /// The runs of all stores that a plan can meet, each once.
  ///
  /// - Parameter versions: those of the plan, in its order; nil for one that the sources do not declare.
  static func all(of plan: SourcePlan, versions: [LintVersion?], neighbours: [Neighbours]) -> [PlannedRun] {
    let known = versions.compactMap(\.self)
    let listed = plan.stages.filter(\.isListed)
    guard plan.schemasProblem == nil, plan.stagesProblem == nil, known.count == versions.count, let last = known.last,
      let stages = steps(of: plan, versions: known)
    else {
      // Not all of the plan is known; each lightweight stage is looked at by itself.
      return neighbours.compactMap { pair in
        let isLight = listed.contains {
          $0.kind == .lightweight && $0.fromVersion == pair.from.name && $0.toVersion == pair.to.name
        }
        return isLight ? PlannedRun(pair: pair, customStage: nil, way: [pair], stores: [pair.from]) : nil
      }
    }
    var runs = Runs(neighbours: neighbours, versions: known)
    for start in known.dropLast() {
      for step in stages(start.name, last.name) {
        let custom = listed.first {
          step.isCustom && $0.kind == .custom && $0.fromVersion == step.from && $0.toVersion == step.to
        }
        runs.add(from: step.from, to: step.to, custom, of: start)
      }
    }
    return runs.all
  }

  /// The steps between two versions of a plan, as `diagnose` plans them; nil where the stages name unknown versions.
  private static func steps(
    of plan: SourcePlan, versions: [LintVersion]
  ) -> ((_ start: String, _ end: String) -> [StagePlan.PlannedStep])? {
    let listed = plan.stages.filter(\.isListed)
    guard !listed.isEmpty else {
      // Without stages the app opens with automatic migration.
      return { [StagePlan.PlannedStep(from: $0, to: $1)] }
    }
    // The order of the steps depends on the names alone.
    let planned = versions.compactMap { version in
      version.model.map { StagePlan.Version(name: version.name, model: $0, checksum: []) }
    }
    guard let stagePlan = try? StagePlan(notation: listed.map(\.notation), versions: planned) else { return nil }
    return { stagePlan.steps(from: $0, to: $1) ?? [] }
  }
}

/// Collects runs, each once.
private struct Runs {
  let neighbours: [Neighbours]
  let versions: [LintVersion]
  private(set) var all: [PlannedRun] = []
  private var positions: [Ends: Int] = [:]

  private struct Ends: Hashable {
    let from: String
    let to: String
    let isCustom: Bool
  }

  init(neighbours: [Neighbours], versions: [LintVersion]) {
    self.neighbours = neighbours
    self.versions = versions
  }

  mutating func add(from: String, to: String, _ stage: SourcePlan.Stage?, of store: LintVersion) {
    let ends = Ends(from: from, to: to, isCustom: stage != nil)
    if let position = positions[ends] {
      all[position].add(store)
      return
    }
    guard let first = versions.firstIndex(where: { $0.name == from }),
      let last = versions.firstIndex(where: { $0.name == to }), first < last
    else { return }
    let way = neighbours.filter { pair in
      versions[first..<last].contains { $0.id == pair.from.id }
        && versions[(first + 1)...last].contains { $0.id == pair.to.id }
    }
    let own = way.first { $0.from.name == from && $0.to.name == to }
    guard let pair = own ?? Neighbours(from: versions[first], to: versions[last]) else { return }
    positions[ends] = all.count
    all.append(
      PlannedRun(pair: pair, customStage: stage, way: way.count == last - first ? way : [], stores: [store]))
  }
}

extension PlannedRun {
  fileprivate mutating func add(_ store: LintVersion) { stores.append(store) }
}
