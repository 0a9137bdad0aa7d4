import StoreDiagnosis
import StoreFindings
import StoreWords
import StoreCoreData
import StoreSQLite

/// Plans a recipe for a store and carries the plan out in a copy, in one go: what is planned on becomes the result, so
/// that the store is copied, changed and diagnosed afterwards once.
///
/// - Throws: what `planRepair` and `apply` throw; nothing is left behind then.
public func repair(
  _ recipe: Recipe, of store: Store, to target: OutputTarget, allowance: RepairAllowance = RepairAllowance(),
  options: RepairOptions = RepairOptions()
) throws -> RepairOutcome {
  let planning = try Planning(recipe, of: store, options: options)
  var decision = Decision()
  var outcome: RepairOutcome?
  options.onProgress?("copying")
  try publish(store, to: target) { connection, recorder in
    decision = try connection.allowingEverything {
      let bench = try Workbench(
        on: connection, copiedFrom: store, recorder, damagedTables: planning.damagedTables, options: options.diagnosis,
        generated: planning.generated)
      bench.onShare = options.onShare
      return try planning.decide(on: bench)
    }
  } verify: { draft in
    options.onProgress?("verifying")
    let condition = try RepairPlan.Condition(ofCopy: draft, of: store, options)
    let plan = try planning.plan(decision, after: condition.withSideFiles(from: planning.before))
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
