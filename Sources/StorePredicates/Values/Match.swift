/// The result of a predicate for one object.
package enum Match: Sendable, Equatable {
  case matches
  case differs
  /// It depends on a value that could not be read, or is not of its attribute's type.
  case unknown

  init(_ matches: Bool) { self = matches ? .matches : .differs }

  /// The result of NOT.
  var opposite: Match {
    switch self {
    case .matches: .differs
    case .differs: .matches
    case .unknown: .unknown
    }
  }
}
