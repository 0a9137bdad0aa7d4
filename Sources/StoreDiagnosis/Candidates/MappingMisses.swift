import StoreDataModel
import StoreModels
import StoreWords

/// The mapping models that do not lead to the deciding version, but should, or were given for that: why they are not used.
struct MappingMisses {
  /// Those that are out of date, or fit neither the store nor a version.
  private var misses: [MappingFit] = []

  /// The most that are said of one store.
  private static let mostWords = 3

  /// - Parameters:
  ///   - versions: the versions of the models, by their labels.
  ///   - own: the hashes of the store.
  ///   - deciding: the version whose verdict is given.
  init(_ sources: MappingSources, versions: [MappingFit.Version], own: VersionHashes?, deciding: String) {
    guard !sources.mappings.isEmpty else { return }
    let isKnown = versions.contains { $0.hashes == own }
    let all =
      versions + (isKnown ? [] : [own.map { MappingFit.Version(name: Self.store, hashes: $0) }].compactMap(\.self))
    let start = Set(all.filter { $0.hashes == own }.map(\.name))
    misses = sources.mappings.map { MappingFit($0, versions: all) }.filter { fit in
      if sources.given.contains(fit.path) { return !fit.isCurrent }
      // One from the store's version to nowhere, or from nowhere to the deciding version.
      return fit.destination.moved != nil && !start.isDisjoint(with: fit.source.versions)
        || fit.source.moved != nil && fit.destination.versions.contains(deciding)
    }
  }

  /// The name of the store's own version where no model has it.
  private static let store = "the store's version"

  /// A sentence for each of the first few.
  ///
  /// - Parameter history: says until when a version was as the mapping model has it.
  func words(_ history: VersionHistory?) -> [String] {
    misses.prefix(Self.mostWords).map { fit in
      let sides = [fit.source, fit.destination].filter { $0.moved != nil }
      let commits = fit.unread.isEmpty ? sides.compactMap { history?.words($0.hashes) } : []
      let kind = fit.fitsNeither ? "fits neither the store nor a version given" : "is out of date"
      return "the mapping model \(quoted(fit.path)) \(kind): \((fit.reasons + commits).joined(separator: "; "))"
    }
  }
}
