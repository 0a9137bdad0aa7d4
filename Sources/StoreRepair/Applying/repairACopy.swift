import StoreDiagnosis
import StoreFindings
import StorePublishing
import StoreWords
import StoreCoreData
import StoreSQLite

/// Plans a recipe for a store and carries the plan out in a copy, in one go: what is planned on becomes the result, so
/// that the store is copied, changed and diagnosed afterwards once.
///
/// - Throws: what `planRepair` and `apply` throw; nothing is left behind then.
package func repair(
  _ recipe: Recipe, of store: Store, to target: OutputTarget, allowance: RepairAllowance = RepairAllowance(),
  options: RepairOptions = RepairOptions()
) throws -> RepairOutcome {
  // A file is written anew outside the transaction in which the rest is planned and done.
  if recipe.compact {
    let plan = try planRepair(recipe, of: store, options: options)
    return try apply(plan, to: store, destination: .output(target), allowance: allowance, options: options)
  }
  let planning = try Planning(recipe, of: store, options: options)
  do {
    return try carryOut(planning, leaving: [:], to: target, allowance: allowance)
  } catch let again as RequiredByModel {
    return try carryOut(planning, leaving: again.relationships, to: target, allowance: allowance)
  }
}

/// Thrown to drop a copy whose plan is refused because it emptied relationships that the model requires, with the
/// model's name; these stay in the next attempt, as in `planRepair`.
private struct RequiredByModel: Error, CustomStringConvertible {
  let relationships: [String: String]

  var description: String { "the plan empties relationships that a model requires" }
}

/// One attempt.
///
/// - Parameter required: relationships of which no key is emptied, with the name of the model that requires them.
private func carryOut(
  _ planning: Planning, leaving required: [String: String], to target: OutputTarget, allowance: RepairAllowance
) throws -> RepairOutcome {
  let (store, options) = (planning.store, planning.options)
  var decision = Decision()
  var outcome: RepairOutcome?
  options.onProgress?("copying")
  try publish(store, to: target) { connection, recorder in
    decision = try connection.allowingEverything {
      let bench = try Workbench(
        on: connection, copiedFrom: store, recorder, damagedTables: planning.damagedTables, options: options.diagnosis,
        generated: planning.generated)
      bench.requiredByAim = required
      bench.onShare = options.onShare
      return try planning.decide(on: bench)
    }
  } verify: { draft in
    options.onProgress?("verifying")
    let condition = try RepairPlan.Condition(ofCopy: draft, of: store, options)
    let after = condition.withSideFiles(from: planning.before)
    let plan = try planning.plan(decision, after: after)
    if required.isEmpty {
      let emptied = planning.emptiedAlthoughRequired(plan, after: after)
      guard emptied.isEmpty else { throw RequiredByModel(relationships: emptied) }
    }
    try plan.check(allowance)
    try plan.verify(condition)
    guard condition.isIntact || !planning.before.isIntact else {
      throw RepairPlanError.notAsPlanned("SQLite finds it damaged (SD102 or SD103)")
    }
    outcome = RepairOutcome(plan: plan, store: target.path.description, journal: nil, condition: condition)
    options.onProgress?("publishing")
  }
  guard let outcome else { throw RepairPlanError.notAsPlanned("it was not verified") }
  return outcome
}
