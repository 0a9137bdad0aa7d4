/// What whoever carries a plan out allows.
public struct RepairAllowance: Sendable, Equatable {
  /// Operations that lose something.
  public var lossy: Bool
  /// Operations on what the store says of its model.
  public var metadata: Bool
  /// Deleting rows of a store that CloudKit mirrors.
  public var mirrored: Bool

  /// Nothing but what is safe or asked for by name, unless said otherwise.
  public init(lossy: Bool = false, metadata: Bool = false, mirrored: Bool = false) {
    self.lossy = lossy
    self.metadata = metadata
    self.mirrored = mirrored
  }
}

extension RepairPlan {
  /// Whether rows of objects are deleted from a store that CloudKit mirrors: their records stay on the server, and come
  /// back (`store-format.md` §10).
  var needsMirroredAllowance: Bool { isMirrored && deletesObjects }

  private var deletesObjects: Bool {
    operations.contains { operation in
      if case .rows(let rows) = operation.edit { rows.action == .delete } else { false }
    }
  }

  /// Throws where the plan may not be carried out.
  ///
  /// - Throws: `RepairPlanError`.
  func check(_ allowance: RepairAllowance) throws(RepairPlanError) {
    if !refusals.isEmpty { throw .refused(refusals) }
    var missing: [String] = []
    if grades.contains(.lossy), !allowance.lossy { missing.append("--allow-lossy") }
    if grades.contains(.metadata), !allowance.metadata { missing.append("--allow-metadata") }
    if needsMirroredAllowance, !allowance.mirrored { missing.append("--allow-mirrored") }
    if !missing.isEmpty { throw .notAllowed(missing) }
  }
}
