import StoreDataModel
import StoreMigration
import StoreWords

/// The mapping models of an app as steps between its versions.
struct MappingSteps {
  /// Mapping models from the store's version to none of the versions.
  private var strays: [MappingModel] = []
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
    guard !mappings.isEmpty, let start = starts.first else { return }
    strays = mappings.filter { mapping in
      mapping.leads(from: versions[start])
        && !versions.contains { MappingUse(mapping, from: versions[start], to: $0) != nil }
    }
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

  /// Mapping models that start at the store's version but end at none of the versions, so they are not used: made
  /// when their destination was different. A sentence for each of the first few, with what differs from `version`.
  func nearMisses(of version: VersionHashes) -> [String] {
    strays.prefix(3).map { mapping in
      let recorded = mapping.destinationHashes.byEntity
      let different = recorded.keys.filter { version.byEntity[$0] != recorded[$0] }.sorted(by: codeUnitsPrecede)
      let missing = version.names.filter { mapping.models != nil && recorded[$0] == nil }
      let names = (different + missing).prefix(3).map(quoted).joined(separator: ", ")
      return
        "the mapping model \(quoted(mapping.path)) leads from the store's version to none of the app's: it was made for "
        + "another \(names)"
    }
  }
}
