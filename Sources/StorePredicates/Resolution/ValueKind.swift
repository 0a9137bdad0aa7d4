import StoreDataModel
import StoreWords

/// The kind of values that a value of a predicate can be compared with.
enum ValueKind: Equatable {
  /// `isReal` for Double and Float, which are compared with the nearest Double.
  case number(isReal: Bool)
  case boolean
  case text
  case date
  case uuid
  case uri
  /// An object, by the root entity in whose table it is.
  case object(root: String)
  /// Bytes, archives and types that are not known: only NULL can be told from other values.
  case opaque

  init(_ type: AttributeType) {
    switch type {
    case .integer16, .integer32, .integer64, .decimal: self = .number(isReal: false)
    case .double, .float: self = .number(isReal: true)
    case .boolean: self = .boolean
    case .string: self = .text
    case .date: self = .date
    case .uuid: self = .uuid
    case .uri: self = .uri
    case .undefined, .binary, .transformable, .objectID, .composite, .unknown: self = .opaque
    }
  }

  /// Whether `<` has a meaning.
  var hasOrder: Bool {
    switch self {
    case .number, .boolean, .text, .date, .uri: true
    case .uuid, .object, .opaque: false
    }
  }

  /// Whether texts can be looked for in it.
  var isTextual: Bool { self == .text || self == .uri }

  func isComparable(to other: ValueKind) -> Bool {
    switch (self, other) {
    case (.number, .number), (.number, .boolean), (.boolean, .number): true
    case (.opaque, _), (_, .opaque): false
    case (.text, .uri), (.uri, .text): false
    default: self == other
    }
  }
}

/// A path that was found in the model, with what is needed to judge and to word its comparisons.
struct FoundPath {
  var operand: ResolvedComparison.Operand
  var kind: ValueKind
  /// Whether it has a value for each object of a to-many relationship.
  var isCollection = false
  /// As in an error: "'title' is String".
  var statement: String
  var name: String
  var offset: Int
}
