import StoreSourceChecks
import StoreSwiftDataSchemas

extension LintCheck {
  static let oneFileTwoSettings = LintCheck(.oneFileTwoSettings) { subject, say in
    var plain: [String: LintContainer] = [:]
    let kept = subject.containers.filter { !$0.isDisposable && !$0.container.isTemporary }
    for container in kept {
      for store in container.stores where store.mirroring == .no {
        if let file = store.file, plain[file] == nil { plain[file] = container }
      }
    }
    for container in kept {
      for store in container.stores where store.mirroring.mayBeOn || store.mirroring == .byDefault {
        guard let other = store.file.flatMap({ plain[$0] }) else { continue }
        say.add(
          at: container.place,
          message:
            "this file is mirrored to CloudKit here\(store.mirroring.condition), and opened without CloudKit elsewhere",
          notes: [.init("the container that opens it without CloudKit", at: other.place)])
      }
    }
  }
}

extension LintContainer.Mirroring {
  /// When it is, where that is not certain.
  fileprivate var condition: String {
    switch self {
    case .byDefault: " where the app has an iCloud entitlement, since no cloudKitDatabase: says otherwise"
    case .possible(let reason): " perhaps (\(reason))"
    case .entitled(let path): " by '\(path)', since no cloudKitDatabase: says otherwise"
    case .no, .stated, .unknown: ""
    }
  }
}
