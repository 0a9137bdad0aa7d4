import StoreSwiftDataSchemas

/// A type that is copied: its head, and the members that are kept.
struct CopiedDeclaration {
  /// One thing between the braces, in the order of the source.
  enum Member {
    case text(CopiedText)
    case type(TypeID)
  }

  let id: TypeID
  var members: [Member] = []
  /// The stored members, in order.
  var stored: [CopiedMember] = []
  /// The initialisers that are copied.
  var initializers: [CopiedText] = []
  /// An initialiser of the source that is not copied, because it does more than assign.
  var leftInitializer: SourceSpan?

  /// Adds a constant where it stands in the source: before the first member behind it in its file.
  mutating func insert(_ constant: CopiedText) {
    let position = members.firstIndex { member in
      guard case .text(let other) = member else { return false }
      return other.file == constant.file && other.span.start > constant.span.start
    }
    members.insert(.text(constant), at: position ?? members.endIndex)
  }
}

/// A stored member that an initialiser has to know.
struct CopiedMember {
  var name: String
  /// The type as it is written; nil if it is that of the initial value.
  var type: CopiedText?
  var isOptional: Bool
  var isArray: Bool
  var hasValue: Bool
}

/// A stretch of a file, with what changes in it.
struct CopiedText {
  enum Change {
    /// The names of a type of the sources.
    case type(TypeID, written: [String])
    /// A typealias, replaced by what it stands for.
    case alias(ResolvedType)
    /// The first name of a type that the sources do not declare, written without its module.
    case foreign(String)
    /// A constant's name, which is written behind that of its type.
    case member(TypeID, String)
    case text(String)
  }

  let file: Int
  var span: SourceSpan
  /// In order, and apart from each other.
  var changes: [(span: SourceSpan, change: Change)] = []
}

/// A `static let` of a value type that a default value of the copy uses, and where it does.
struct OwnConstant {
  let home: TypeID
  let name: String
  let place: SourcePlace

  /// Whether it is fixed by its declaration alone: a stored constant of a struct or an enum, whatever the build.
  func canBeCopied(_ variable: VariableDeclaration, of type: DeclaredType) -> Bool {
    (type.kind == .struct || type.kind == .enum) && variable.isConstant && variable.storage == .stored
      && variable.initialValue != nil && variable.nameCount == 1 && variable.condition == .always
      && variable.attributes.isEmpty
  }

  /// Why a copy cannot hold it.
  func refusal(_ type: DeclaredType) -> String {
    "'\(type.name).\(name)' is code of the app; write the value in its place"
  }
}
