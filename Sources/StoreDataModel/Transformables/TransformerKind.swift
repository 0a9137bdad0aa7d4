/// What the transformer of a transformable attribute does with bytes, as far as its name tells.
///
/// A transformer is not part of a version hash: another name migrates nothing and converts nothing, so the rows keep the
/// archives that the former transformer wrote.
package enum TransformerKind: Sendable, Hashable {
  /// Keyed archives of any class the app has. Without a name Core Data uses this one.
  case keyed(String?)
  /// Archives of the older format without keys.
  case unkeyed(String)
  /// Keyed archives of classes on a list, which is that of the system where nobody replaced it.
  case secure(String)
  /// The app's own: nobody else knows what it writes.
  case own(String)

  /// The kind of the transformer with that name in a model; Xcode writes an empty name for none.
  package init(named name: String?) {
    switch name {
    case nil, "": self = .keyed(nil)
    case let name? where Self.keyedNames.contains(name): self = .keyed(name)
    case let name? where Self.unkeyedNames.contains(name): self = .unkeyed(name)
    case let name? where Self.secureNames.contains(name): self = .secure(name)
    case let name?: self = .own(name)
    }
  }

  // Names as real models and Xcode spell them: the value of the constant, the constant and the class.
  private static let secureNames: Set<String> = [
    "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
  ]
  private static let keyedNames: Set<String> = ["NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName"]
  private static let unkeyedNames: Set<String> = ["NSUnarchiveFromData", "NSUnarchiveFromDataTransformerName"]

  /// Whether it is one of the system's own that writes keyed archives.
  package var writesKeyedArchives: Bool {
    switch self {
    case .keyed, .secure: true
    case .unkeyed, .own: false
    }
  }

  /// Whether Core Data warns of it at every start, because it lets any class through.
  package var isInsecure: Bool {
    switch self {
    case .keyed, .unkeyed: true
    case .secure, .own: false
    }
  }

  /// Its name in the model; nil where none is named.
  package var name: String? {
    switch self {
    case .keyed(let name): name
    case .unkeyed(let name), .secure(let name), .own(let name): name
    }
  }
}

extension Attribute {
  /// The kind of its transformer; nil where it is not transformable. A binary attribute may name a transformer too, and
  /// Core Data stores its values as they are.
  package var transformer: TransformerKind? {
    type == .transformable ? TransformerKind(named: valueTransformerName) : nil
  }
}
