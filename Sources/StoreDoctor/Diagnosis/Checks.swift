extension Check {
  /// Every check there is, by id.
  public static let all: [Check] = [
    danglingReference,
    wrongEntityReference,
    companionMismatch,
    orphanedJoinRow,
    unmirroredSelfLink,
  ]

  /// The check of that id or name.
  public static func named(_ name: String) -> Check? { all.first { $0.id == name || $0.name == name } }
}
