import StoreDataModel
import StoreSwiftDataSchemas
import StoreWords

// One source on several systems
// -----------------------------
//
//   frameworks   ...1402 | 1403...1419 | 1420...1521 | 1522...
//   readings        A           A          A or B         B
//
// Each reading of a class has the frameworks that have it. Where those of a schema's classes begin and end, the schema may
// become another model.

extension SourceSchema {
  /// The models it is on one system and another, oldest first; empty where all make the same of it, or where it is not
  /// known what.
  var systems: [SystemModel] {
    let bounds = Set(
      entities.flatMap(\.variants).flatMap { [$0.frameworks.from, $0.frameworks.below].compactMap(\.self) })
    guard !bounds.isEmpty, listProblem == nil, entities.allSatisfy({ $0.certainty != .incomplete }) else { return [] }
    let sorted = bounds.sorted()
    let starts = [nil] + sorted.map(Optional.some)
    let ends = sorted.map(Optional.some) + [nil]
    var systems: [SystemModel] = []
    for (from, below) in zip(starts, ends) {
      guard let next = system(FrameworkRange(from: from, below: below)) else { return [] }
      if let last = systems.last, last.isCertain == next.isCertain,
        last.model.versionHashes == next.model.versionHashes
      {
        systems[systems.count - 1].frameworks.below = below
      } else {
        systems.append(next)
      }
    }
    return systems.contains { !$0.otherEntities.isEmpty } ? systems : []
  }

  /// The model on systems among which no reading begins or ends; where an entity may be read as today and otherwise, the
  /// other reading. Nil for classes that no model can have.
  private func system(_ frameworks: FrameworkRange) -> SystemModel? {
    var (choices, others): ([String: Int], [String]) = ([:], [])
    var pairs: [StatedPair] = []
    var isCertain = true
    for entity in entities where entity.variants.count > 1 {
      let framework = frameworks.from ?? 0
      let likely = entity.variants(framework: framework).filter { $0.frameworks.contains(framework) }
      let current = entity.currentVariants.map(\.hash)
      let other = likely.first { !current.contains($0.hash) }
      if likely.contains(where: { current.contains($0.hash) }), other != nil { isCertain = false }
      guard let other, let position = entity.variants.firstIndex(of: other) else { continue }
      choices[entity.name] = position
      others.append(entity.name)
      for pair in entity.pairs(only: other) where !pairs.contains(where: { $0.isSame(as: pair) }) { pairs.append(pair) }
    }
    guard let model = try? model(choosing: choices) else { return nil }
    return SystemModel(
      frameworks: frameworks, isCertain: isCertain, model: model, otherEntities: others,
      remedies: pairs.map(\.words))
  }
}

/// A relationship and the inverse to state for it.
private struct StatedPair {
  var entity: String
  var property: String
  var destination: String
  var inverse: String

  /// "inverse: \\Page.note in Note.pages"
  var words: String { "inverse: \\\(destination).\(inverse) in \(entity).\(property)" }

  func isSame(as other: StatedPair) -> Bool {
    entity == other.destination && property == other.inverse && destination == other.entity && inverse == other.property
  }
}

extension SourceEntity {
  /// The pairs that a reading has and today's does not.
  fileprivate func pairs(only other: Variant) -> [StatedPair] {
    other.entity.properties.compactMap { property in
      guard let relationship = property.relationship, let inverse = relationship.inverse,
        variants[0].entity.property(named: property.name)?.relationship?.inverse == nil
      else { return nil }
      return StatedPair(
        entity: name, property: property.name, destination: relationship.destination, inverse: inverse)
    }
  }
}
