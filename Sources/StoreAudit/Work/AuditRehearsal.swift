import StoreCoreData
import StoreDiagnosis
import StoreMigrator
import StorePublishing
import StoreRepair
import StoreSQLite

/// How the migration of each store is rehearsed.
package struct AuditRehearsal: Sendable {
  /// Whether what is known by inference only is performed too.
  package var allowsAssumed: Bool
  /// Recipes in place of the code of custom stages.
  package var stages: [StagePerformance]
  /// The folder for migrated copies; nil to throw them away.
  package var outputFolder: PosixPath?

  /// By default only what was observed is performed, and thrown away.
  package init(
    allowsAssumed: Bool = false, stages: [StagePerformance] = [], outputFolder: PosixPath? = nil
  ) {
    self.allowsAssumed = allowsAssumed
    self.stages = stages
    self.outputFolder = outputFolder
  }

  /// Its contents as text, for telling runs apart; the same in every process, which a set's description is not.
  var text: String {
    let recipes = stages.map { stage in
      "\(stage.from)>\(stage.to)\(stage.entity.map { "/" + $0 } ?? "") \(stage.recipe.willMigrate.json.text) \(stage.recipe.didMigrate.json.text)"
    }
    return (["\(allowsAssumed)", outputFolder?.description ?? ""] + recipes).joined(separator: "\n")
  }

  /// Performs a store's migration. There is an outcome whatever happens.
  ///
  /// - Parameter diagnosis: the store's, made as a rehearsal makes that of its result; nil to make it.
  /// - Throws: errors that end the reading of a store.
  func outcome(
    of store: Store, diagnosis: Diagnosis?, item: AuditItem, candidates: CandidateOptions
  ) throws -> AuditLine.Rehearsal {
    typealias Rehearsal = AuditLine.Rehearsal
    func ended(_ outcome: Rehearsal.Outcome, reasons: [String]) -> Rehearsal {
      var rehearsal = Rehearsal(outcome)
      rehearsal.reasons = reasons.map(item.shownText)
      return rehearsal
    }
    let run = MigrationRun(
      candidates, allowsAssumed: allowsAssumed, stages: stages)
    do {
      let performed: PerformedMigration
      if let outputFolder {
        let output = try AuditRecipe.place(of: item, in: outputFolder)
        let target = OutputTarget(output, leavesOutWAL: store.wal.map { !$0.isRead } ?? false)
        performed = try migrate(store, to: target, run: run)
      } else {
        performed = try rehearse(store, run: run, judgedBy: diagnosis)
      }
      var rehearsal = Rehearsal(performed.hops.isEmpty ? .opens : .performed)
      rehearsal.assumed = performed.assumptions
      (rehearsal.kept, rehearsal.output) = (performed.kept, performed.output)
      (rehearsal.lost, rehearsal.lostValues) = (performed.lost, performed.lostValues)
      return rehearsal
    } catch let error as StoreError {
      throw error
    } catch let error as MigrationNotPossible {
      let step = error.stage.map { ["the step \($0) stops at rows as willMigrate leaves them"] } ?? []
      return ended(.notPossible, reasons: step + error.diagnosis.reasonsAgainstMigrating)
    } catch let error as MigrationRefused {
      return ended(.notRehearsed, reasons: error.refusals.map { "\($0.message); \($0.advice)" })
    } catch let error as MigrationNeedsAllowance {
      var rehearsal = ended(
        .notRehearsed, reasons: ["parts of it are assumed; --allow-assumed performs them all the same"])
      rehearsal.assumed = error.assumptions
      return rehearsal
    } catch let error as MigrationNotAsJudged {
      return ended(.notAsJudged, reasons: [error.reason])
    } catch {
      return ended(.notRehearsed, reasons: ["\(error)"])
    }
  }
}
