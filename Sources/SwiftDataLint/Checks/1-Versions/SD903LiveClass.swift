import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let liveClass = LintCheck(.liveClass) { subject, say in
    for version in subject.versions {
      let plans = subject.plans.filter { $0.plan.schemaNames.contains(version.name) }
      let isFrozenByPlan = plans.contains { $0.versions.last??.id != version.id }
      let listed = version.entries.filter { subject.isLive($0, in: version, of: plans) }
      let reached = isFrozenByPlan ? subject.liveReached(by: version, of: plans) : []
      let classes = listed.map(\.id) + reached
      guard !classes.isEmpty else { continue }
      let verb =
        if reached.isEmpty {
          "\(version.name) lists"
        } else if listed.isEmpty {
          "relationships of \(version.name) reach"
        } else {
          "\(version.name) lists or reaches"
        }
      say.add(
        isFrozenByPlan ? .error : .note, at: listed.first?.place ?? subject.listPlace(of: version),
        schema: version.name,
        entity: classes.count == 1 ? subject.names[classes[0]].name : nil,
        message: "\(verb) \(notFrozen(listed.map(\.text) + reached.map { subject.names[$0].qualifiedName }))",
        notes: classes.prefix(4).map {
          .init("the class \(subject.names[$0].qualifiedName) is declared here", at: subject.names.place(of: $0))
        })
    }
  }
}

/// "Note, which is not frozen in it", "2 classes that are not frozen in it: Note and Tag"
private func notFrozen(_ names: [String]) -> String {
  names.count == 1
    ? "\(names[0]), which is not frozen in it" : "\(names.count) classes that are not frozen in it: \(listed(names))"
}

extension LintSubject {
  /// Reports live classes that a version reaches through relationships without listing them: editing them changes the
  /// version too.
  fileprivate func liveReached(by version: LintVersion, of plans: [LintPlan]) -> [TypeID] {
    version.schema.entities.filter { !$0.isListed }.compactMap(classID)
      .filter { self.version(containing: $0) == nil && !isCopy($0, for: plans) }
  }

  /// Whether an entry is a live class, or through a typealias one of another version. A name written with its version
  /// is intended.
  fileprivate func isLive(_ entry: LintVersion.Entry, in version: LintVersion, of plans: [LintPlan]) -> Bool {
    guard let home = self.version(containing: entry.id) else { return !isCopy(entry.id, for: plans) }
    return home.id != version.id && !entry.text.contains(".")
  }

  /// Whether a class stands in a type that only holds copies, as `FrozenModels.Note` does: the last versions of the
  /// plans have another class, or none.
  private func isCopy(_ id: TypeID, for plans: [LintPlan]) -> Bool {
    guard names[id].parent != nil, !plans.isEmpty else { return false }
    return plans.allSatisfy { plan in
      // The content of the last version may not be known.
      guard let last = plan.versions.last ?? nil, last.schema.listProblem == nil else { return false }
      return !last.schema.entities.contains { classID(of: $0) == id }
    }
  }
}
