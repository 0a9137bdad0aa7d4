import StoreDiagnosis
import StoreRepair
import StoreWords

/// What is done in the place of the app's code in one custom stage.
public struct StagePerformance: Sendable {
  /// The version that the stage starts at.
  public var from: String
  /// The version that it ends at.
  public var to: String
  /// What its code is taken to do.
  public var recipe: StageRecipe

  /// A recipe for the stage from a version to the next.
  public init(from: String, to: String, recipe: StageRecipe) {
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

  /// Throws where a recipe is for a stage that this store does not go through, or a custom stage has none.
  func check(_ route: [RouteHop]) throws(MigrationRefused) {
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
