/// The classes that secure transformers let through: those of the system's list, and what a user knows of the app's own.
package struct AllowedClasses: Sendable, Equatable {
  /// The system's list (`NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses`). Subclasses pass as well.
  package static let system: Set<String> = [
    "NSArray", "NSDictionary", "NSSet", "NSString", "NSNumber", "NSDate", "NSData", "NSURL", "NSUUID", "NSNull",
  ]

  /// Classes that every secure transformer of the app lets through besides.
  package private(set) var everywhere: Set<String> = []
  /// For transformers of the app's own, the classes that each lets through besides.
  package private(set) var byTransformer: [String: Set<String>] = [:]
  /// The texts it was made from.
  package private(set) var texts: [String] = []

  /// The system's list alone.
  package init() {}

  /// Adds `CLASS` for all secure transformers, or `TRANSFORMER=CLASS` for one of the app's own; several classes are
  /// separated by commas.
  ///
  /// - Returns: whether the text is of that form; if it is not, nothing is added.
  package mutating func add(_ text: String) -> Bool {
    let sides = text.split(separator: "=", omittingEmptySubsequences: false)
    guard sides.count <= 2, let last = sides.last else { return false }
    let classes = last.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard !classes.isEmpty, classes.allSatisfy({ !$0.isEmpty }) else { return false }
    if sides.count == 2 {
      guard let transformer = sides.first, !transformer.isEmpty else { return false }
      byTransformer[String(transformer), default: []].formUnion(classes)
    } else {
      everywhere.formUnion(classes)
    }
    texts.append(text)
    return true
  }

  /// The classes besides the system's that a transformer lets through; nil where its list is not known, or where it has
  /// none.
  package func added(to transformer: TransformerKind) -> Set<String>? {
    guard let name = transformer.name else { return nil }
    return switch transformer {
    case .secure: everywhere.union(byTransformer[name] ?? [])
    case .own: byTransformer[name].map { $0.union(everywhere) }
    case .keyed, .unkeyed: nil
    }
  }
}
