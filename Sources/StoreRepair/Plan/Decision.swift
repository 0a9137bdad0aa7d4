/// The changes that a repair would make to a store in its present state.
struct Decision {
  /// The operations, in order.
  var operations: [Operation] = []
  /// Requests that cannot be carried out.
  var obstacles: [Obstacle] = []
  /// Remarks for the reader of the plan; lower case, no full stop.
  var notices: [String] = []

  static func += (left: inout Decision, right: Decision) {
    left.operations += right.operations
    left.obstacles += right.obstacles
    left.notices += right.notices
  }
}

/// Something that was asked for and cannot be done.
public struct Obstacle: Sendable, Equatable {
  /// The repair.
  public var repair: Repair
  /// The entity, by its name in `Z_PRIMARYKEY`.
  public var entity: String?
  /// The attribute or relationship.
  public var property: String?
  /// How many rows are affected.
  public var count: Int
  /// `Z_PK` of the first of them.
  public var keys: [Int64]
  /// Why it cannot be done, and what to do instead; lower case, no full stop.
  public var message: String
  /// Whether it also forbids everything else in the plan.
  public var refusesPlan: Bool

  init(
    _ repair: Repair, entity: String? = nil, property: String? = nil, count: Int = 1, keys: [Int64] = [],
    _ message: String, refusesPlan: Bool
  ) {
    self.repair = repair
    self.entity = entity
    self.property = property
    self.count = count
    self.keys = Array(keys.prefix(Self.maximumKeys))
    self.message = message
    self.refusesPlan = refusesPlan
  }

  /// The most keys that a message lists.
  static let maximumKeys = 10
}

extension Decision {
  /// A repair that cannot be done at all.
  static func refusal(_ repair: Repair, message: String) -> Decision {
    Decision(obstacles: [Obstacle(repair, message, refusesPlan: false)])
  }
}
