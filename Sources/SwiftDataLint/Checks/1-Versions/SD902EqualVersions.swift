import SwiftDataSource
import StoreSourceChecks
import StoreSwiftDataSchemas

extension LintCheck {
  static let equalVersions = LintCheck(.equalVersions) { subject, say in
    for plan in subject.plans {
      let versions = plan.versions.compactMap(\.self)
      for (position, version) in versions.enumerated() {
        guard let twin = versions[..<position].first(where: { $0.isEqual(to: version) == true }) else {
          sayUndecided(version, earlier: versions[..<position], say: &say)
          continue
        }
        guard twin.id != version.id else { continue }
        let isNamed = plan.stages.contains { stage in
          stage.stage.isListed
            && [stage.fromVersion, stage.toVersion].contains { $0 == twin.id || $0 == version.id }
        }
        say.add(
          isNamed ? .error : .warning, at: version.schema.place, schema: version.name,
          message: "\(version.name) has the same model as \(twin.name): "
            + (isNamed ? "" : "a stage of either fails with ")
            + "\"Duplicate version checksums across stages detected.\"",
          notes: [.init("\(twin.name) is declared here", at: twin.schema.place)])
      }
    }
  }
}

/// Reports that two versions would be equal if their unknown parts were.
private func sayUndecided(
  _ version: LintVersion, earlier: ArraySlice<LintVersion>, say: inout LintFindings
) {
  guard earlier.contains(where: { $0.isEqual(to: version) == nil }),
    let reason = version.schema.entities.flatMap(\.reasons).first
  else { return }
  let what = [reason.property, reason.message].compactMap(\.self).joined(separator: ": ")
  say.skip("whether \(version.name) equals another version is not known: \(what)", at: version.schema.place)
}

extension LintVersion {
  /// Whether the models are equal; nil where their known parts are, and some parts are unknown.
  fileprivate func isEqual(to other: LintVersion) -> Bool? {
    guard schema.listProblem == nil, other.schema.listProblem == nil, !schema.entities.isEmpty else { return false }
    let (own, others) = (schema.entities, other.schema.entities)
    guard own.map(\.name) == others.map(\.name) else { return false }
    var isKnown = true
    for (left, right) in zip(own, others) where left.place != right.place {
      if left.certainty == .incomplete || right.certainty == .incomplete {
        isKnown = false
      } else if left.variants.map(\.hash) != right.variants.map(\.hash) {
        return false
      }
    }
    return isKnown ? true : nil
  }
}
