import StoreDataModel
import StoreMigration

/// The mapping models of an app as steps between its versions.
struct MappingSteps {
  /// By the position of a version, the last step of the shortest way to it from the store's version.
  private var reached: [Int: Step] = [:]

  /// A mapping model between two versions, by their positions.
  struct Step {
    var from: Int
    var to: Int
    var use: MappingUse
  }

  /// - Parameters:
  ///   - versions: the hashes of the versions.
  ///   - starts: the positions of the versions with the store's hashes.
  init(_ mappings: [MappingModel], versions: [VersionHashes], starts: [Int]) {
    guard !mappings.isEmpty else { return }
    var pending = starts[...]
    var seen = Set(starts)
    while let from = pending.popFirst() {
      let leading = mappings.filter { $0.leads(from: versions[from]) }
      for to in versions.indices where !seen.contains(to) {
        guard let use = MappingUse(among: leading, from: versions[from], to: versions[to]) else { continue }
        seen.insert(to)
        reached[to] = Step(from: from, to: to, use: use)
        pending.append(to)
      }
    }
  }

  /// The fewest steps from the store's version to another; nil if mapping models alone do not lead there.
  func way(to version: Int) -> [Step]? {
    var steps: [Step] = []
    var next = version
    while let step = reached[next] {
      steps.append(step)
      next = step.from
    }
    return steps.isEmpty ? nil : steps.reversed()
  }
}
