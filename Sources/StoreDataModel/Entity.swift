import StoreWords
/// One entity of a model with the properties it declares itself; inherited ones belong to its ancestors.
package struct Entity: Sendable, Equatable {
  /// The entity's name.
  package var name: String
  /// The name of the parent entity (`NSSuperentity`), if it inherits.
  package var parent: String?
  /// Whether it is abstract: no object can be of exactly this entity.
  package var isAbstract: Bool
  /// `NSClassNameForEntity`; not hashed.
  package var className: String?
  /// Properties declared or re-declared here; a model keeps them sorted by name (code units).
  package var properties: [Property]
  /// The uniqueness constraints, each as names of properties, in the model's order.
  package var uniquenessConstraints: [[String]]
  /// Fetch indexes declared by this entity (frameworks from 836 on).
  package var indexes: [FetchIndex]
  /// `NSCompoundIndexes`, the older form; each index is a list of property names.
  package var compoundIndexes: [[String]]
  /// Version hash modifier: text that is part of the hash, to force a new version.
  package var versionHashModifier: String?
  /// The name in the previous model, if renamed; nil if it equals the name.
  package var renamingIdentifier: String?
  /// Text by key, set by the developer. Not hashed and not compared.
  @Uncompared package var userInfo: [String: String] = [:]
  /// Fields that only the tool that made the source uses, by their names there: `elementID`, `codeGenerationType`, and
  /// fields storedoctor does not know. Not hashed and not compared.
  @Uncompared package var sourceFields: [String: String] = [:]
  /// Whether it was read from Xcode's editor model, to which the compiler of models adds (`Model.compiled`).
  @Uncompared package var isFromEditor = false

  /// An entity with the given name and, by default, Core Data's default values.
  package init(
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

  /// The entity with its properties sorted by name; their order in a source has no meaning.
  var sorted: Entity {
    // Archives made by storedoctor are already sorted, and checking is cheaper than moving.
    let isSorted = properties.indices.dropFirst().allSatisfy {
      !codeUnitsPrecede(properties[$0].name, properties[$0 - 1].name)
    }
    if isSorted { return self }
    var entity = self
    entity.properties.sort { codeUnitsPrecede($0.name, $1.name) }
    return entity
  }

  /// The property of that name declared by this entity itself.
  package func property(named name: String) -> Property? {
    properties.first { $0.name == name }
  }
}

/// A fetch index as the model states it (`NSFetchIndexDescription`).
package struct FetchIndex: Sendable, Equatable {
  /// The index's name, as the developer wrote it.
  package var name: String
  /// The indexed elements, in order.
  package var elements: [Element]
  /// The rows the index is limited to, if it is partial.
  package var partialPredicate: Predicate?

  /// One indexed property or expression.
  package struct Element: Sendable, Equatable {
    /// The property's name; for an expression, the name it has in the archive.
    package var propertyName: String
    /// The expression, if the element is not a plain property.
    package var expression: Expression?
    /// Sort order.
    package var isAscending: Bool
    /// Binary (B-tree) or R-tree.
    package var kind: Kind

    /// The kind of SQLite index.
    package enum Kind: Int, Sendable { case binary = 0, rTree = 1 }

    /// By default an ascending binary element.
    package init(
      _ propertyName: String, expression: Expression? = nil, isAscending: Bool = true, kind: Kind = .binary
    ) {
      self.propertyName = propertyName
      self.expression = expression
      self.isAscending = isAscending
      self.kind = kind
    }
  }

  /// An index over all rows, unless a predicate is given.
  package init(name: String, elements: [Element], partialPredicate: Predicate? = nil) {
    self.name = name
    self.elements = elements
    self.partialPredicate = partialPredicate
  }
}
