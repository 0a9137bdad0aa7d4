import StoreSourceChecks
import StoreSwiftDataSchemas

extension LintCheck {
  static let oneFileTwoSettings = LintCheck(.oneFileTwoSettings) { subject, say in
    let kept = subject.containers.filter { !$0.isDisposable && !$0.container.isTemporary }
    let all = kept.flatMap { container in
      container.stores.flatMap(\.openings).compactMap { opening in
        opening.file.map { (file: $0, mirroring: opening.mirroring, container: container) }
      }
    }
    for one in all where one.mirroring.mayBeOn || one.mirroring == .byDefault {
      // One call that opens it either way does so by a setting of the app's.
      let other = all.first {
        $0.file == one.file && $0.mirroring == .no && $0.container.place != one.container.place
          && !one.container.isReplaced(by: $0.container)
      }
      guard let other else { continue }
      say.add(
        at: one.container.place,
        message:
          "this file is mirrored to CloudKit here\(one.mirroring.condition), and opened without CloudKit elsewhere",
        notes: [.init("the container that opens it without CloudKit", at: other.container.place)])
    }
    subject.sayOtherClasses(kept, &say)
  }
}

extension LintContainer {
  /// Whether another one is made where this one cannot be.
  fileprivate func isReplaced(by other: LintContainer) -> Bool {
    handlers.contains { $0.file == other.scope.file && $0.span.contains(other.call.span) }
  }
}

extension LintSubject {
  /// Reports containers that open one file without a plan for different classes.
  fileprivate func sayOtherClasses(_ containers: [LintContainer], _ say: inout LintFindings) {
    var first: [String: (container: LintContainer, schema: SourceSchema)] = [:]
    for container in containers {
      guard let schema = schema(of: container), schema.listProblem == nil, container.stores.count == 1,
        case .all? = container.stores[0].classes, container.stores[0].openings.count == 1,
        let file = container.stores[0].openings[0].file
      else { continue }
      guard let other = first[file] else {
        first[file] = (container, schema)
        continue
      }
      let (own, others) = (Set(schema.entities.map(\.name)), Set(other.schema.entities.map(\.name)))
      guard own != others, other.container.place != container.place else { continue }
      let missing = own.symmetricDifference(others).sorted()
      say.add(
        at: container.place,
        message:
          "this file is opened for other classes elsewhere (\(listed(missing)) in one alone): whichever opens it next "
          + "migrates it, and drops the rows of the classes that it lacks",
        notes: [.init("the other container", at: other.container.place)])
    }
  }
}

extension LintContainer.Mirroring {
  /// When it is, where that is not certain.
  fileprivate var condition: String {
    switch self {
    case .byDefault: " where the app has an iCloud entitlement, since no cloudKitDatabase: says otherwise"
    case .possible(let reason), .undecided(let reason): " perhaps (\(reason))"
    case .entitled(let path): " by '\(path)', since no cloudKitDatabase: says otherwise"
    case .no, .stated, .unknown: ""
    }
  }
}
