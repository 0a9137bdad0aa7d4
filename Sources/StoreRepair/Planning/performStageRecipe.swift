import StoreCoreData
import StoreDataModel
import StoreSQLite

/// The changes that one side of a stage's recipe made.
package struct PerformedRecipe: Sendable {
  /// One sentence for each operation.
  package var operations: [String]
  /// Rows that changed.
  package var changes: Int64
  /// The parts that were not done, with the reasons, and the losses.
  package var remarks: [String]
}

/// Carries a recipe out on a copy that is being migrated, in the caller's transaction.
///
/// - Parameters:
///   - read: reads the copy as a store.
///   - past: what the objects were before a structural step.
///   - generated: the seed and the time for values that are made.
/// - Throws: `RecipeMistakes` where it names what the store does not have, `StageRefused`, `SQLiteError`.
package func perform(
  _ recipe: Recipe, on connection: Connection, past: PastVersion? = nil, generated: SeededValues,
  reading read: @escaping () throws -> Store
) throws -> PerformedRecipe {
  guard !recipe.isEmpty else { return PerformedRecipe(operations: [], changes: 0, remarks: []) }
  return try connection.allowingEverything {
    let store = try read()
    let mistakes = recipe.mistakes(in: past?.added(to: store.layout) ?? store.layout)
    guard mistakes.isEmpty else { throw RecipeMistakes(mistakes) }
    let bench = try Workbench(on: connection, past: past, generated: generated, reading: read)
    let decision = try decide(recipe.steps, on: bench, onProgress: nil)
    if let refused = decision.obstacles.first(where: \.refusesPlan) { throw StageRefused(reason: refused.message) }
    return PerformedRecipe(
      operations: decision.operations.map { $0.summary + ($0.grade == .lossy ? " (lossy)" : "") },
      changes: Int64(decision.operations.reduce(0) { $0 + $1.expectedChanges }),
      remarks: decision.obstacles.map { "not done: " + $0.message } + decision.notices)
  }
}

/// A recipe that cannot stand in for a stage.
package struct StageRefused: Error, CustomStringConvertible {
  /// Why; lower case, no full stop.
  package var reason: String

  package var description: String { "the recipe of the stage is refused: \(reason)" }
}

extension Recipe {
  /// Whether it asks for values of before the structural step.
  package var asksForPast: Bool {
    backfill.contains { item in
      item.sources.contains { source in source.paths.contains { $0.hasPrefix(PastVersion.word + ".") } }
    }
  }
}
