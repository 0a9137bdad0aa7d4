import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let liveClass = LintCheck(.liveClass) { subject, say in
    for version in subject.versions {
      let isFrozenByPlan = subject.plans.contains { plan in
        plan.plan.schemaNames.contains(version.name) && plan.versions.last??.id != version.id
      }
      if isFrozenByPlan { subject.sayLiveReached(in: version, &say) }
      let live = version.entries.filter { subject.isLive($0, in: version) }
      guard let first = live.first else { continue }
      let texts = live.map(\.text)
      say.add(
        isFrozenByPlan ? .error : .note, at: first.place ?? subject.listPlace(of: version), schema: version.name,
        entity: live.count == 1 ? subject.names[first.id].name : nil,
        "\(version.name) lists \(live.count == 1 ? "" : "\(live.count) classes that are not frozen in it: ")"
          + "\(listed(texts))\(live.count == 1 ? ", which is not frozen in it" : "")",
        notes: live.prefix(4).map { entry in
          .init(
            "the class \(subject.names[entry.id].qualifiedName) is declared here",
            at: subject.names.place(of: entry.id))
        })
    }
  }
}

extension LintSubject {
  /// Reports live classes that a version reaches through relationships without listing them: editing them changes the
  /// version too.
  fileprivate func sayLiveReached(in version: LintVersion, _ say: inout LintFindings) {
    for entity in version.schema.entities where !entity.isListed {
      guard let id = classID(of: entity), self.version(containing: id) == nil else { continue }
      say.add(
        .error, at: listPlace(of: version), schema: version.name, entity: entity.name,
        "relationships of \(version.name) reach \(names[id].qualifiedName), which is not frozen in it",
        notes: [.init("the class \(names[id].qualifiedName) is declared here", at: names.place(of: id))])
    }
  }

  /// Whether an entry is a live class, or through a typealias one of another version. A name written with its version
  /// is intended.
  fileprivate func isLive(_ entry: LintVersion.Entry, in version: LintVersion) -> Bool {
    guard let home = self.version(containing: entry.id) else { return true }
    return home.id != version.id && !entry.text.contains(".")
  }
}
