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
  /// The operations by which something is lost, in the words of `operations`.
  package var lossy: [String] = []
}

/// Carries a recipe out on a copy that is being migrated, in the caller's transaction: its items once, in their order, as the
/// Swift of the stage does.
///
/// - Parameters:
///   - read: reads the copy as a store.
///   - past: what the objects were before a structural step.
///   - defaults: what that step wrote into rows for new attributes, by entity and attribute. There a backfill takes it for
///     a missing value: otherwise it would never find one.
///   - generated: the seed and the time for values that are made.
/// - Throws: `RecipeMistakes` where it names what the store does not have, `StageRefused`, `SQLiteError`.
package func perform(
  _ recipe: Recipe, on connection: Connection, past: PastVersion? = nil,
  defaults: [String: [String: SQLiteValue]] = [:], generated: SeededValues,
  reading read: @escaping () throws -> Store
) throws -> PerformedRecipe {
  guard !recipe.isEmpty else { return PerformedRecipe(operations: [], changes: 0, remarks: []) }
  return try connection.allowingEverything {
    let store = try read()
    let mistakes = recipe.mistakes(in: past?.added(to: store.layout) ?? store.layout)
    guard mistakes.isEmpty else { throw RecipeMistakes(mistakes) }
    let bench = try Workbench(on: connection, past: past, generated: generated, reading: read)
    bench.defaults = defaults
    let decision = try decide(recipe.steps, on: bench, runsItemsOnce: true, onProgress: nil)
    if let refused = decision.obstacles.first(where: \.refusesPlan) { throw StageRefused(reason: refused.message) }
    return PerformedRecipe(
      operations: decision.operations.map { $0.summary + ($0.isLossy ? " (lossy)" : "") },
      changes: Int64(decision.operations.reduce(0) { $0 + $1.expectedChanges }),
      remarks: decision.obstacles.map { "not done: " + $0.message } + decision.notices
        + recipe.emptyBackfills(after: decision.operations, in: store.model),
      lossy: decision.operations.filter(\.isLossy).map(\.summary))
  }
}

/// A recipe that cannot stand in for a stage.
package struct StageRefused: Error, CustomStringConvertible {
  /// Why; lower case, no full stop.
  package var reason: String

  package var description: String { "the recipe of the stage is refused: \(reason)" }
}

extension Operation {
  /// Whether something that the app has stored is lost. A backfill replaces nothing but NULL and what the step has written.
  fileprivate var isLossy: Bool { grade == .lossy && repair != .backfill }
}

extension Recipe {
  /// A sentence for each backfill that changed nothing.
  fileprivate func emptyBackfills(after operations: [Operation], in model: Model?) -> [String] {
    backfill.filter { item in
      !operations.contains { done in
        guard done.repair == .backfill, done.property == item.attribute, let entity = done.entity else { return false }
        return entity == item.entity || model?.entity(entity, isKindOf: item.entity) == true
      }
    }.map { "the backfill of \($0.entity).\($0.attribute) filled nothing: no object was without a value" }
  }

  /// Whether it asks for values of before the structural step.
  package var asksForPast: Bool {
    backfill.contains { item in
      item.sources.contains { source in source.paths.contains { $0.hasPrefix(PastVersion.word + ".") } }
    }
  }
}
