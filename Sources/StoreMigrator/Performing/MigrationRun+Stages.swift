import StoreDataModel
import StoreDiagnosis
import StoreRepair
import StoreWords

/// A recipe in the place of the app's code in one custom stage.
package struct StagePerformance: Sendable {
  /// The version that the stage starts at.
  package var from: String
  /// The version that it ends at.
  package var to: String
  /// For a step by a mapping model: the entity for the code of whose entity mapping it stands in.
  package var entity: String?
  /// The recipe that its code is taken to carry out.
  package var recipe: StageRecipe

  /// A recipe for the stage from a version to the next, or for an entity mapping of it.
  package init(from: String, to: String, entity: String? = nil, recipe: StageRecipe) {
    self.from = from
    self.to = to
    self.entity = entity
    self.recipe = recipe
  }

  /// "'V2' to 'V3'".
  var words: String { "\(quoted(from)) to \(quoted(to))" }
}

extension MigrationRun {
  /// The recipe for a hop; nil where none was given.
  func recipe(for hop: RouteHop) -> StageRecipe? {
    stages.first { $0.from == hop.from && $0.to == hop.to && $0.entity == nil }?.recipe
  }

  /// The recipes for entity mappings of a hop, each with the entity mapping's name, in their order.
  func recipes(for hop: RouteHop, by mapping: MappingModel) -> [(mapping: String, recipe: StageRecipe)] {
    mapping.entityMappings.compactMap { mapped in
      let stage = stages.first { $0.isFor(hop) && $0.entity.map(mapped.isNamed) == true }
      return stage.map { (mapped.name, $0.recipe) }
    }
  }

  /// Throws where a recipe is for an entity mapping that the step does not have.
  private func checkEntities(_ route: [RouteHop]) throws(MigrationRefused) {
    for stage in stages {
      guard let entity = stage.entity, let hop = route.first(where: stage.isFor) else { continue }
      let mappings = hop.mapping?.entityMappings ?? []
      guard !mappings.contains(where: { $0.isNamed(entity) }) else { continue }
      throw MigrationRefused([
        MigrationRefusal(
          entity, nil, "a recipe is for its entity mapping from \(stage.words), and there is none",
          advice: hop.mapping == nil
            ? "the step goes by no mapping model: --mapping names one"
            : "its mapping model has \(mappings.map { quoted($0.name) }.joined(separator: ", "))")
      ])
    }
  }

  /// Throws where a recipe would have no effect although it should, or a custom stage has none.
  ///
  /// A store that is past a stage, or opens as it is, needs no recipe.
  func check(_ route: [RouteHop]) throws(MigrationRefused) {
    let names = candidates.models.flatMap { $0.versions.map(\.name) }
    if let unknown = stages.flatMap({ [$0.from, $0.to] }).first(where: { !names.contains($0) }) {
      throw MigrationRefused([
        MigrationRefusal(
          nil, nil, "a recipe is for a stage of \(quoted(unknown)), a version that the models do not have",
          advice: "name versions as the models do: \(names.map(quoted).joined(separator: ", "))")
      ])
    }
    if let missed = stages.first(where: { stage in
      route.contains { $0.from == stage.from || $0.to == stage.to }
        && !route.contains { $0.from == stage.from && $0.to == stage.to }
    }) {
      let steps = route.map { "\($0.from.map(quoted) ?? "the store's version") to \(quoted($0.to))" }
      throw MigrationRefused([
        MigrationRefusal(
          nil, nil, "no step of this store leads from \(missed.words), for which a recipe is given",
          advice: "its steps are \(steps.joined(separator: ", ")); --stages says which stages there are")
      ])
    }
    try checkEntities(route)
    if let custom = route.first(where: { $0.isCustom && recipe(for: $0) == nil }) {
      throw MigrationRefused([
        MigrationRefusal(
          nil, nil,
          "\(custom.from ?? "the store's version") to \(custom.to) is a custom stage, whose code only the app can run",
          advice:
            "give a recipe that stands in for it (--perform), migrate to the version before it, or rehearse it on a device"
        )
      ])
    }
  }
}

extension StagePerformance {
  /// Whether it is for a step.
  fileprivate func isFor(_ hop: RouteHop) -> Bool { from == hop.from && to == hop.to }
}

extension MappingModel.EntityMapping {
  /// Whether a name is its own, or that of an entity it maps.
  fileprivate func isNamed(_ name: String) -> Bool { [self.name, source?.entity, destination?.entity].contains(name) }
}
