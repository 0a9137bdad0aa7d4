/// A property of an entity: an attribute, a relationship or a fetched property.
public struct Property: Sendable, Equatable {
  /// The property's name.
  public var name: String
  /// Whether an object may be saved without a value.
  public var isOptional: Bool
  /// Whether the value is never stored; a transient property has no column and is not hashed.
  public var isTransient: Bool
  /// Set for derived attributes and fetched properties.
  public var isReadOnly: Bool
  /// Text mixed into the hash to force a new version.
  public var versionHashModifier: String?
  /// The name in the previous model, where it was renamed; nil when it equals the name.
  public var renamingIdentifier: String?
  /// What kind of property it is, with what only that kind has.
  public var kind: Kind
  /// Text under keys of the developer's choice. Not hashed and not compared.
  @Uncompared public var userInfo: [String: String] = [:]
  /// What only the tool that made the source reads, by its name there: `elementID`, `codeGenerationType`, and what
  /// storedoctor does not know. Not hashed and not compared.
  @Uncompared public var sourceFields: [String: String] = [:]

  /// The three kinds of property; indirect, because an attribute has so much that copying it would take long.
  public indirect enum Kind: Sendable, Equatable {
    case attribute(Attribute)
    case relationship(Relationship)
    case fetched(FetchedProperty)
  }

  /// A required, stored property unless said otherwise.
  public init(
    name: String, isOptional: Bool = false, isTransient: Bool = false, isReadOnly: Bool = false,
    versionHashModifier: String? = nil, renamingIdentifier: String? = nil, kind: Kind
  ) {
    self.name = name
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.isReadOnly = isReadOnly
    self.versionHashModifier = versionHashModifier
    self.renamingIdentifier = renamingIdentifier
    self.kind = kind
  }

  /// The attribute, if it is one.
  public var attribute: Attribute? {
    if case .attribute(let attribute) = kind { attribute } else { nil }
  }

  /// Whether it is a stored query.
  var isFetched: Bool {
    if case .fetched = kind { true } else { false }
  }

  /// The relationship, if it is one.
  public var relationship: Relationship? {
    if case .relationship(let relationship) = kind { relationship } else { nil }
  }
}

/// What only an attribute has.
public struct Attribute: Sendable, Equatable {
  /// The type, by Core Data's number.
  public var type: AttributeType
  /// Large values may be kept in files beside the store (`NSFlagsKey` bit 4).
  public var allowsExternalStorage: Bool
  /// The value is kept in persistent history after deletion (`NSFlagsKey` bit 16).
  public var preservesValueInHistory: Bool
  /// The older "indexed" mark; gives an index of its own in frameworks up to 847. Not hashed.
  public var isIndexed: Bool
  /// The class of the value (`NSAttributeValueClassName`) where it is not the usual one of the type. Not hashed.
  public var valueClassName: String?
  /// The transformer of a transformable attribute. Not hashed.
  public var valueTransformerName: String?
  /// The value a new object starts with. Not hashed.
  public var defaultValue: DefaultValue?
  /// The expression of a derived attribute.
  public var derivation: Derivation?
  /// The elements of a composite attribute, in the model's order.
  public var elements: [Property]?
  /// Bounds, lengths and patterns, as the archive keeps them. Not hashed.
  public var validationPredicates: [Predicate]
  /// Bounds and pattern that are known in Xcode's spelling only. Not hashed.
  public var validationTexts: ValidationTexts?
  /// User info `_NSLocationAttributeDerivedComponents` of a transient attribute: the latitude and longitude
  /// attributes for which the store keeps an R-tree (Photos). Not hashed.
  public var locationComponents: [String]

  /// A plain attribute of a type unless said otherwise.
  public init(
    type: AttributeType, allowsExternalStorage: Bool = false, preservesValueInHistory: Bool = false,
    isIndexed: Bool = false, valueClassName: String? = nil, valueTransformerName: String? = nil,
    defaultValue: DefaultValue? = nil, derivation: Derivation? = nil, elements: [Property]? = nil,
    validationPredicates: [Predicate] = [], locationComponents: [String] = []
  ) {
    self.type = type
    self.allowsExternalStorage = allowsExternalStorage
    self.preservesValueInHistory = preservesValueInHistory
    self.isIndexed = isIndexed
    self.valueClassName = valueClassName
    self.valueTransformerName = valueTransformerName
    self.defaultValue = defaultValue
    self.derivation = derivation
    self.elements = elements
    self.validationPredicates = validationPredicates
    self.locationComponents = locationComponents
  }
}

/// Bounds and pattern in Xcode's spelling, where it is not known which predicates Core Data makes of them.
public struct ValidationTexts: Sendable, Equatable {
  /// The least value, or length of a string (`minValueString`, `minDateTimeInterval`).
  public var minimum: String?
  /// The greatest value, or length of a string (`maxValueString`, `maxDateTimeInterval`).
  public var maximum: String?
  /// The pattern a string has to match (`regularExpressionString`).
  public var pattern: String?

  /// Texts as they are in the source.
  public init(minimum: String? = nil, maximum: String? = nil, pattern: String? = nil) {
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
  }
}

/// A derived attribute's expression and filter.
public struct Derivation: Sendable, Equatable {
  /// What is computed.
  public var expression: Expression
  /// Which objects take part, if not all.
  public var filter: Predicate?

  /// A derivation without filter unless one is given.
  public init(expression: Expression, filter: Predicate? = nil) {
    self.expression = expression
    self.filter = filter
  }
}

/// An attribute's default, as the archive holds it.
public enum DefaultValue: Sendable, Equatable {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case data([UInt8])
  /// A decimal number in digits, without exponent and without zeros at its end: "-12.5".
  case decimal(String)
  /// 16 bytes.
  case uuid([UInt8])
  /// The text of a URI.
  case uri(String)
  /// A value of a class storedoctor does not read, such as an app's own: only the class's name.
  case object(className: String)
  /// A default that is there and cannot be read as a value of the attribute's type: its text in Xcode's XML. What a new
  /// object starts with is not known.
  case unreadable(String)
}

extension DefaultValue {
  /// Whether there is a default, and nobody can say which.
  public var isUnreadable: Bool { if case .unreadable = self { true } else { false } }
}

/// What only a relationship has.
public struct Relationship: Sendable, Equatable {
  /// The name of the destination entity.
  public var destination: String
  /// The name of the inverse relationship in the destination entity.
  public var inverse: String?
  /// Fewest objects (`NSMinCount`).
  public var minimumCount: Int32
  /// Most objects (`NSMaxCount`): 1 is to-one; 0 or -1 is to-many without limit; n is to-many with a limit.
  public var maximumCount: Int32
  /// Whether a to-many keeps its order.
  public var isOrdered: Bool
  /// What happens to the destination when the source is deleted. Not hashed.
  public var deleteRule: DeleteRule

  /// Core Data's delete rules by number.
  public enum DeleteRule: Int, Sendable { case noAction = 0, nullify = 1, cascade = 2, deny = 3 }

  /// A relationship with the given counts.
  public init(
    destination: String, inverse: String? = nil, minimumCount: Int32 = 0, maximumCount: Int32 = 0,
    isOrdered: Bool = false, deleteRule: DeleteRule = .nullify
  ) {
    self.destination = destination
    self.inverse = inverse
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.isOrdered = isOrdered
    self.deleteRule = deleteRule
  }

  /// Everything but a maximum of 1: 0, -1 and n occur.
  public var isToMany: Bool { maximumCount != 1 }
}

/// A fetched property: a stored query, never hashed and without a column.
public struct FetchedProperty: Sendable, Equatable {
  /// The entity that is fetched.
  public var entityName: String?
  /// Which objects are fetched.
  public var predicate: Predicate?

  /// A fetched property of an entity.
  public init(entityName: String? = nil, predicate: Predicate? = nil) {
    self.entityName = entityName
    self.predicate = predicate
  }
}
