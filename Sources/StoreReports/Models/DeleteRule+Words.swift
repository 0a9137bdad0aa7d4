import StoreDataModel

extension Relationship.DeleteRule {
  /// "no action", "nullify".
  var words: String {
    switch self {
    case .noAction: "no action"
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    }
  }
}
