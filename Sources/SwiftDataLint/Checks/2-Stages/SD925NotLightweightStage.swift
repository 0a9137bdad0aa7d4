import SwiftDataSource
import StoreMigration
import StoreSourceChecks
import StoreDataModel
import StoreSwiftDataSchemas

extension LintCheck {
  static let notLightweightStage = LintCheck(.notLightweightStage) { subject, say in
    for plan in subject.plans {
      for pair in plan.neighbours {
        let stage = plan.stage(from: pair.from, to: pair.to)
        // Without any stages the change is inferred, as with a lightweight one.
        let isInferred = stage == nil && plan.stages.isEmpty && plan.plan.stagesProblem == nil
        guard stage?.stage.kind == .lightweight || isInferred else { continue }
        let obstacles = pair.obstacles
        guard !obstacles.isEmpty else { continue }
        say.add(
          at: stage?.stage.place ?? pair.to.schema.place, schema: pair.to.name,
          message: "\(stage == nil ? "no stage leads" : "a lightweight stage cannot lead") from \(pair.from.name) to "
            + "\(pair.to.name): \(obstacles[0].words)"
            + (obstacles.count > 1 ? ", and \(obstacles.count - 1) more" : ""),
          notes: obstacles.map { obstacle in
            let property = obstacle.change.place.destinationProperty ?? obstacle.change.constraint?.first
            let member = subject.member(property, of: obstacle.change.place.destinationEntity, in: pair.to)
            return .init(obstacle.words, at: member?.stored.place)
          })
      }
    }
  }
}

extension Neighbours {
  struct Obstacle {
    var change: ModelChange
    var words: String
  }

  /// Changes that prevent a mapping from being inferred, or allow it only without rows, by the same rules as
  /// `diagnose`.
  var obstacles: [Obstacle] {
    inference.judged.compactMap { change, effect in
      guard change.entersHash, isKnown(change) else { return nil }
      let name = [change.place.entity, change.place.property].compactMap(\.self).joined(separator: ".")
      if case .impossible = effect.inference { return Obstacle(change: change, words: "\(name): \(effect.afterwards)") }
      // Only a store has rows to check; a shipped app is assumed to have some.
      let isBlocked = effect.rules.contains { rule in
        guard case .blocks = rule.consequence else { return false }
        switch rule.condition {
        case .noRows, .noNulls, .atMostOneRow: return true
        case .noValues, .noDuplicates, .numericFits, .atMostOneLink, .linksWithin, .linkCount, .valid, .noDanglingKeys,
          .noOrphanedLinks:
          return false
        }
      }
      return isBlocked ? Obstacle(change: change, words: "\(name) \(change.requirement)") : nil
    }
  }
}

extension ModelChange {
  fileprivate var requirement: String {
    switch kind {
    case .optional(false): "is required now, and rows may have no value"
    case .added: "is new and required, and rows have no value"
    case .constraintAdded(let names):
      "is unique by \(names.joined(separator: ", ")) now, and all rows get the same value"
    default: "needs rows that are not like this"
    }
  }

  fileprivate var constraint: [String]? { if case .constraintAdded(let names) = kind { names } else { nil } }
}

extension LintCheck {
  static let emptyCustomStage = LintCheck(.emptyCustomStage) { subject, say in
    for stage in subject.plans.flatMap(\.stages)
    where stage.stage.kind == .custom && stage.willMigrate == nil && stage.didMigrate == nil {
      say.add(
        at: stage.stage.place, schema: stage.stage.toVersion,
        message:
          "the custom stage from \(stage.stage.fromVersion) to \(stage.stage.toVersion) does nothing: it is a lightweight one"
      )
    }
  }
}
