/// The checks of a staged opening before anything runs, and the migrations that then run.
extension StagePlan {
  static let duplicatesAcrossStages = Failure(code: nil, reason: "Duplicate version checksums across stages detected.")
  static let duplicates = Failure(code: nil, reason: "Duplicate version checksums detected.")
  static let equalEnds = Failure(
    code: nil, reason: "The current model reference and the next model reference cannot be equal.")
  package static let unknownStore = Failure(
    code: 134504, reason: "Cannot use staged migration with an unknown model version.")
  package static let unknownTarget = Failure(
    code: 134504, reason: "Cannot use staged migration with an unknown coordinator model version.")
  package static let noChecksum = Failure(code: 134505, reason: nil)
  static let backwards = Failure(
    code: 134506, reason: "A store file cannot be migrated backwards with staged migration.")

  /// The exception a plan with equal versions raises; nil for a sound plan.
  package var exception: Failure? {
    guard let pair = duplicateVersions.first else { return nil }
    for case .custom(let from, let to, _, _) in stages where checksum(from) == checksum(to) { return Self.equalEnds }
    let isWithinOne = stages.contains { stage in pair.allSatisfy(stage.versions.contains) }
    return isWithinOne ? Self.duplicates : Self.duplicatesAcrossStages
  }

  /// One inferred migration, with what its `willMigrate` code fills.
  package struct PlannedStep: Equatable {
    package var from: String
    package var to: String
    var fills: [Fill] = []
    /// Whether it is a custom stage.
    package var isCustom = false
    /// Whether code of the app runs before or after it.
    package var runsCode = false

    package init(from: String, to: String, fills: [Fill] = [], isCustom: Bool = false, runsCode: Bool = false) {
      self.from = from
      self.to = to
      self.fills = fills
      self.isCustom = isCustom
      self.runsCode = runsCode
    }
  }

  /// The migrations that run from one version to another; nil if the plan runs the other way.
  ///
  /// Consecutive lightweight stages are one inference, from the version reached so far to the last of them; a custom
  /// stage ends them and is an inference of its own.
  package func steps(from start: String, to end: String) -> [PlannedStep]? {
    let names = order
    guard let first = names.firstIndex(of: start), let last = names.firstIndex(of: end), first <= last else {
      return nil
    }
    let ahead = Set(names[(first + 1)..<(last + 1)])
    var steps: [PlannedStep] = []
    var current = start
    func run(to version: String) {
      guard version != current else { return }
      steps.append(PlannedStep(from: current, to: version))
      current = version
    }
    var pending: String?
    for stage in stages {
      switch stage {
      case .lightweight(let versions): pending = versions.last(where: ahead.contains) ?? pending
      case .custom(let from, let to, let fills, let hasCode):
        if ahead.contains(from) { pending = from }
        guard ahead.contains(to) else { continue }
        run(to: pending ?? current)
        pending = nil
        steps.append(PlannedStep(from: current, to: to, fills: fills, isCustom: true, runsCode: hasCode))
        current = to
      }
    }
    run(to: pending ?? current)
    return steps
  }

  /// Whether the plan has versions between the two ends of a step.
  func skipsVersions(_ step: PlannedStep) -> Bool {
    let names = order
    guard let first = names.firstIndex(of: step.from), let last = names.firstIndex(of: step.to) else { return false }
    return last - first > 1
  }

  private func checksum(_ name: String) -> [UInt8] { versions[name]?.checksum ?? [] }
}
