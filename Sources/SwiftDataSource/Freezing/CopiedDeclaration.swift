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
    case text(String)
  }

  let file: Int
  var span: SourceSpan
  /// In order, and apart from each other.
  var changes: [(span: SourceSpan, change: Change)] = []
}
