import StoreWords
/// One entity of a model with what it declares itself; inherited properties are its ancestors'.
public struct Entity: Sendable, Equatable {
  /// The entity's name.
  public var name: String
  /// The name of the parent entity (`NSSuperentity`), if it inherits.
  public var parent: String?
  /// Whether no object can be of just this entity.
  public var isAbstract: Bool
  /// `NSClassNameForEntity`; not hashed.
  public var className: String?
  /// Properties declared or re-declared here; a model keeps them sorted by name (code units).
  public var properties: [Property]
  /// Each constraint is the names of the properties that are unique together, in the model's order.
  public var uniquenessConstraints: [[String]]
  /// Fetch indexes stated by this entity (frameworks from 836 on).
  public var indexes: [FetchIndex]
  /// `NSCompoundIndexes`, the older form: each is the names of properties.
  public var compoundIndexes: [[String]]
  /// Text mixed into the hash to force a new version.
  public var versionHashModifier: String?
  /// The name in the previous model, where it was renamed; nil when it equals the name.
  public var renamingIdentifier: String?
  /// Text under keys of the developer's choice. Not hashed and not compared.
  @Uncompared public var userInfo: [String: String] = [:]
  /// What only the tool that made the source reads, by its name there: `elementID`, `codeGenerationType`, and what
  /// storedoctor does not know. Not hashed and not compared.
  @Uncompared public var sourceFields: [String: String] = [:]

  /// An entity with the given name; everything else has Core Data's default.
  public init(
    name: String, parent: String? = nil, isAbstract: Bool = false, className: String? = nil,
    properties: [Property] = [], uniquenessConstraints: [[String]] = [], indexes: [FetchIndex] = [],
    compoundIndexes: [[String]] = [], versionHashModifier: String? = nil, renamingIdentifier: String? = nil
  ) {
    self.name = name
    self.parent = parent
    self.isAbstract = isAbstract
    self.className = className
    self.properties = properties
    self.uniquenessConstraints = uniquenessConstraints
    self.indexes = indexes
    self.compoundIndexes = compoundIndexes
    self.versionHashModifier = versionHashModifier
    self.renamingIdentifier = renamingIdentifier
  }

  /// The entity with its properties sorted by name: their order in a source means nothing.
  var sorted: Entity {
    // Moving properties costs more than looking: archives of our own have them in order.
    let isSorted = properties.indices.dropFirst().allSatisfy {
      !codeUnitsPrecede(properties[$0].name, properties[$0 - 1].name)
    }
    if isSorted { return self }
    var entity = self
    entity.properties.sort { codeUnitsPrecede($0.name, $1.name) }
    return entity
  }

  /// The property of that name declared here.
  public func property(named name: String) -> Property? {
    properties.first { $0.name == name }
  }
}

/// A fetch index as the model states it (`NSFetchIndexDescription`).
public struct FetchIndex: Sendable, Equatable {
  /// The index's name, in the developer's spelling.
  public var name: String
  /// What is indexed, in order.
  public var elements: [Element]
  /// Rows the index is limited to, if it is partial.
  public var partialPredicate: Predicate?

  /// One indexed property or expression.
  public struct Element: Sendable, Equatable {
    /// The property's name; for an expression the name the archive gives it.
    public var propertyName: String
    /// The expression, where the element is not a plain property.
    public var expression: Expression?
    /// Sort order.
    public var isAscending: Bool
    /// Binary (B-tree) or R-tree.
    public var kind: Kind

    /// How SQLite keeps the element.
    public enum Kind: Int, Sendable { case binary = 0, rTree = 1 }

    /// An ascending binary element unless said otherwise.
    public init(
      _ propertyName: String, expression: Expression? = nil, isAscending: Bool = true, kind: Kind = .binary
    ) {
      self.propertyName = propertyName
      self.expression = expression
      self.isAscending = isAscending
      self.kind = kind
    }
  }

  /// An index over all rows unless a predicate is given.
  public init(name: String, elements: [Element], partialPredicate: Predicate? = nil) {
    self.name = name
    self.elements = elements
    self.partialPredicate = partialPredicate
  }
}
