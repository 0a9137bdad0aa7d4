import StoreDataModel
import StoreRepair

/// A custom stage that a recipe stands in for, with the models at its ends.
package struct RecipeStage: Sendable {
  /// The version that the stage starts at.
  package var from: String
  /// The version that it ends at.
  package var to: String
  /// The model of the first.
  package var source: Model
  /// The model of the second.
  package var destination: Model
  /// The recipe of the stage.
  package var recipe: StageRecipe
  /// The file that it was read from.
  package var path: String

  /// A stage.
  package init(
    from: String, to: String, source: Model, destination: Model, recipe: StageRecipe, path: String
  ) {
    (self.from, self.to, self.source, self.destination) = (from, to, source, destination)
    (self.recipe, self.path) = (recipe, path)
  }
}

/// The app that Swift is written for.
package enum StageApp: Sendable {
  /// Core Data, with an `NSStagedMigrationManager`.
  case coreData
  /// SwiftData, with the name of the app's plan if it has one, and what the source says of each version.
  case swiftData(plan: String?, versions: [String: SwiftDataVersion])

  /// The classes of a version in Swift source.
  package struct SwiftDataVersion: Sendable {
    /// The class of each entity, with the types it is nested in.
    package var classes: [String: String]
    /// For each entity the attributes whose type is an enum.
    package var enums: [String: Set<String>]

    /// A version.
    package init(classes: [String: String], enums: [String: Set<String>] = [:]) {
      (self.classes, self.enums) = (classes, enums)
    }
  }
}

/// A part of a recipe that has no Swift, and is marked with `#warning` in the code.
package struct StageOmission: Error, Sendable, Equatable, CustomStringConvertible {
  /// "willMigrate: dedupe of Trip (line 4)"; the writer completes it.
  package var part = ""
  /// Why; lower case, no full stop.
  package var reason: String
  /// Advice on what to do by hand; lower case, no full stop.
  package var advice: String

  init(_ reason: String, advice: String) { (self.reason, self.advice) = (reason, advice) }

  /// "willMigrate: dedupe of Trip (line 4): why; what to do".
  package var description: String { "\(part): \(reason); \(advice)" }
}

/// The Swift of stages.
package struct StageCode: Sendable {
  /// The text of one file.
  package var text: String
  /// The requests of the recipes that the text does not carry out.
  package var omissions: [StageOmission]

  /// The function that makes the manager of the stages that lead to a version.
  package static func managerName(_ version: String) -> String { "\(StageNames.plain(version))MigrationManager" }

  /// Writes stages for an app.
  ///
  /// - Parameters:
  ///   - stages: not empty, in the order of the plan.
  ///   - plan: for Core Data, all stages of the app; empty where they are not known.
  package init(_ stages: [RecipeStage], for app: StageApp, plan: [PlannedStage] = []) {
    guard let first = stages.first else {
      (text, omissions) = ("", [])
      return
    }
    var writer = StageWriter(app, first)
    writer.plan = plan
    text = writer.file(stages)
    omissions = writer.omissions
  }
}
