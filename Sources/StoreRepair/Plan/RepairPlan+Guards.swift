/// The permissions that the user gives when a plan is carried out.
public struct RepairAllowance: Sendable, Equatable {
  /// Operations that lose data.
  public var lossy: Bool
  /// Operations on what the store says about its model.
  public var metadata: Bool
  /// Deleting rows in a store that CloudKit mirrors.
  public var mirrored: Bool
  /// Values that the model's validation forbids.
  public var invalid: Bool
  /// Whether nothing may be written unless the store then opens with the model it is repaired for, or is migrated to
  /// it.
  public var requiresMigration: Bool

  /// By default only operations that are safe or were asked for by name.
  public init(
    lossy: Bool = false, metadata: Bool = false, mirrored: Bool = false, invalid: Bool = false,
    requiresMigration: Bool = false
  ) {
    self.lossy = lossy
    self.metadata = metadata
    self.mirrored = mirrored
    self.invalid = invalid
    self.requiresMigration = requiresMigration
  }
}

/// A permission that a plan needs; its raw value is the option that gives it, as plans name it under "needs".
public enum RepairNeed: String, Sendable, CaseIterable {
  /// Operations that lose data.
  case lossy = "--allow-lossy"
  /// Operations on what the store says about its model.
  case metadata = "--allow-metadata"
  /// Deleting rows in a store that CloudKit mirrors.
  case mirrored = "--allow-mirrored"
  /// Values that the model's validation forbids.
  case invalid = "--allow-invalid"
}

extension RepairAllowance {
  fileprivate func covers(_ need: RepairNeed) -> Bool {
    switch need {
    case .lossy: lossy
    case .metadata: metadata
    case .mirrored: mirrored
    case .invalid: invalid
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
    if allowance.requiresMigration { try requireOpening() }
  }

  /// Throws unless the store, when the plan has been carried out, opens with its model or is migrated to it.
  ///
  /// - Throws: `RepairPlanError.stillBlocked`, or `.refused` where the plan cannot be carried out at all.
  public func requireOpening() throws(RepairPlanError) {
    guard !opensWithItsModel else { return }
    if !refusals.isEmpty { throw .refused(refusals) }
    throw .stillBlocked(model: after.opening?.name ?? "", verdict: after.opening?.verdict.rawValue ?? "not judged")
  }

  /// The permissions needed to carry it out.
  public var needs: [RepairNeed] {
    RepairNeed.allCases.filter { need in
      switch need {
      case .lossy: grades.contains(.lossy)
      case .metadata: grades.contains(.metadata)
      case .mirrored: needsMirroredAllowance
      case .invalid: breaksValidation
      }
    }
  }
}
