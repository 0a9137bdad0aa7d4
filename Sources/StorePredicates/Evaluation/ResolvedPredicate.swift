/// A predicate whose key paths are found in a model, ready to be asked of objects.
package struct ResolvedPredicate: Sendable {
  /// The paths whose values it needs, each once.
  package let paths: [ResolvedPath]
  let root: Node

  indirect enum Node: Sendable {
    case constant(Bool)
    case and([Node])
    case or([Node])
    case not(Node)
    case comparison(ResolvedComparison)
  }

  /// The result of the predicate for one object.
  ///
  /// - Parameter value: the object's value at the end of the path with that position in ``paths``. It is called only for
  ///   values that the answer needs, and perhaps more than once for the same one.
  package func match(_ value: (Int) -> PredicateValue) -> Match { root.match(value) }
}

extension ResolvedPredicate.Node {
  /// Unknown only where the values that are known do not decide.
  func match(_ value: (Int) -> PredicateValue) -> Match {
    switch self {
    case .constant(let constant): return Match(constant)
    case .comparison(let comparison): return comparison.match(value)
    case .not(let part): return part.match(value).opposite
    case .and(let parts):
      var isUnknown = false
      for part in parts {
        switch part.match(value) {
        case .differs: return .differs
        case .unknown: isUnknown = true
        case .matches: break
        }
      }
      return isUnknown ? .unknown : .matches
    case .or(let parts):
      var isUnknown = false
      for part in parts {
        switch part.match(value) {
        case .matches: return .matches
        case .unknown: isUnknown = true
        case .differs: break
        }
      }
      return isUnknown ? .unknown : .differs
    }
  }
}
