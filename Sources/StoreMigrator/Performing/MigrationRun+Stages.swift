import StoreDiagnosis
import StoreRepair
import StoreWords

/// A recipe in the place of the app's code in one custom stage.
package struct StagePerformance: Sendable {
  /// The version that the stage starts at.
  package var from: String
  /// The version that it ends at.
  package var to: String
  /// The recipe that its code is taken to carry out.
  package var recipe: StageRecipe

  /// A recipe for the stage from a version to the next.
  package init(from: String, to: String, recipe: StageRecipe) {
    self.from = from
    self.to = to
    self.recipe = recipe
  }

  /// "'V2' to 'V3'".
  var words: String { "\(quoted(from)) to \(quoted(to))" }
}

extension MigrationRun {
  /// The recipe for a hop; nil where none was given.
  func recipe(for hop: RouteHop) -> StageRecipe? {
    stages.first { $0.from == hop.from && $0.to == hop.to }?.recipe
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
