import CoreDataStore

extension Workbench {
  /// Makes the two sides agree as a recipe's item says.
  func inverses(_ item: Recipe.Inverse) throws -> Decision {
    guard let relationship = map.relationship(item.relationship, of: item.entity) else {
      return .refusal(.inverses, "no relationship \(quoted(item.relationship)) in \(quoted(item.entity))")
    }
    switch item.from {
    case .this: return try inverses(deciding: relationship)
    case .other:
      guard let inverse = map.inverse(of: relationship) else {
        return .refusal(.inverses, "\(quoted(relationship.description)) has no inverse")
      }
      return try inverses(deciding: inverse)
    }
  }
}
