/// What the user allows when a plan is carried out.
public struct RepairAllowance: Sendable, Equatable {
  /// Operations that lose data.
  public var lossy: Bool
  /// Operations on what the store says about its model.
  public var metadata: Bool
  /// Deleting rows in a store that CloudKit mirrors.
  public var mirrored: Bool

  /// By default only operations that are safe or were asked for by name.
  public init(lossy: Bool = false, metadata: Bool = false, mirrored: Bool = false) {
    self.lossy = lossy
    self.metadata = metadata
    self.mirrored = mirrored
  }
}

/// What a plan needs to be allowed; its raw value is the option that allows it, as plans name it under "needs".
public enum RepairNeed: String, Sendable, CaseIterable {
  /// Operations that lose data.
  case lossy = "--allow-lossy"
  /// Operations on what the store says about its model.
  case metadata = "--allow-metadata"
  /// Deleting rows in a store that CloudKit mirrors.
  case mirrored = "--allow-mirrored"
}

extension RepairAllowance {
  fileprivate func covers(_ need: RepairNeed) -> Bool {
    switch need {
    case .lossy: lossy
    case .metadata: metadata
    case .mirrored: mirrored
    }
  }
}

extension RepairPlan {
  /// Whether rows are deleted in a store that CloudKit mirrors: the deleted objects' records stay on the server, and
  /// come back.
  var needsMirroredAllowance: Bool { isMirrored && deletesObjects }

  private var deletesObjects: Bool {
    operations.contains { operation in
      if case .rows(let rows) = operation.edit { rows.action == .delete } else { false }
    }
  }

  /// Throws where the allowance does not cover the plan.
  ///
  /// - Throws: `RepairPlanError`.
  func check(_ allowance: RepairAllowance) throws(RepairPlanError) {
    if !refusals.isEmpty { throw .refused(refusals) }
    let missing = needs.filter { !allowance.covers($0) }
    if !missing.isEmpty { throw .notAllowed(missing) }
  }

  /// What has to be allowed for it to be carried out.
  public var needs: [RepairNeed] {
    RepairNeed.allCases.filter { need in
      switch need {
      case .lossy: grades.contains(.lossy)
      case .metadata: grades.contains(.metadata)
      case .mirrored: needsMirroredAllowance
      }
    }
  }
}
