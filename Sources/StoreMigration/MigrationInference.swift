import StoreDataModel

/// The effect of a lightweight migration between two models, change by change.
///
/// ```swift
/// let inference = MigrationInference(ModelDifference(from: old, to: new))
/// inference.outcome(rows: facts).verdict     // .migrates, .blockedByData, ...
/// ```
package struct MigrationInference: Sendable {
  /// The difference that is judged.
  package private(set) var difference: ModelDifference
  /// The effect of each change, in the order of `difference.changes`.
  package private(set) var effects: [Effect]
  /// Existing defects that no change is about but every migration carries along: old NULLs, dangling keys, orphaned
  /// links.
  package let standingRules: [RowRule]
  /// For each entity of the destination: the source name of each of its properties.
  let pasts: [String: [String: String]]

  /// Judges every change by `EffectRules`.
  package init(_ difference: ModelDifference) {
    self.difference = difference
    let rules = EffectRules(difference)
    effects = difference.changes.map(rules.effect)
    standingRules = rules.standingRules
    pasts = rules.pasts
  }

  /// The same without the changes that do not fulfil a condition.
  package func keeping(_ isKept: (ModelChange) -> Bool) -> MigrationInference {
    var kept = self
    kept.difference = difference.keeping(isKept)
    kept.effects = judged.filter { isKept($0.change) }.map(\.effect)
    return kept
  }

  /// The changes with their effects.
  package var judged: [(change: ModelChange, effect: Effect)] { Array(zip(difference.changes, effects)) }

  /// Whether a mapping can be inferred as far as the models alone decide it.
  package var isInferable: Bool {
    !judged.contains { change, effect in
      if case .impossible = effect.inference { change.entersHash } else { false }
    }
  }

  /// The conditions on the rows that decide whether an inferable migration succeeds, each once for each failure.
  package var blockingRules: [RowRule] {
    var told: Set<RowFact> = []
    return judged.filter(\.change.takesEffect).flatMap(\.effect.rules).filter { rule in
      if case .blocks = rule.consequence { told.insert(RowFact(rule, of: nil)).inserted } else { false }
    }
  }
}
