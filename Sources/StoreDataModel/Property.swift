/// A property of an entity: an attribute, a relationship or a fetched property.
package struct Property: Sendable, Equatable {
  /// The property's name.
  package var name: String
  /// Whether an object may be saved without a value.
  package var isOptional: Bool
  /// Whether the value is never stored; a transient property has no column and is not hashed.
  package var isTransient: Bool
  /// Whether it cannot be set; true for derived attributes and fetched properties.
  package var isReadOnly: Bool
  /// Version hash modifier: text that is part of the hash, to force a new version.
  package var versionHashModifier: String?
  /// The name in the previous model, if renamed; nil if it equals the name.
  package var renamingIdentifier: String?
  /// The kind of property, with its details.
  package var kind: Kind
  /// Text by key, set by the developer. Not hashed and not compared.
  @Uncompared package var userInfo: [String: String] = [:]
  /// Fields that only the tool that made the source uses, by their names there: `elementID`, `codeGenerationType`, and
  /// fields storedoctor does not know. Not hashed and not compared.
  @Uncompared package var sourceFields: [String: String] = [:]

  /// The kinds of property. Indirect, because an attribute is large and copying it would be slow.
  package indirect enum Kind: Sendable, Equatable {
    case attribute(Attribute)
    case relationship(Relationship)
    case fetched(FetchedProperty)
  }

  /// By default a required, stored property.
  package init(
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
  package var attribute: Attribute? {
    if case .attribute(let attribute) = kind { attribute } else { nil }
  }

  /// Whether it is a stored query.
  var isFetched: Bool {
    if case .fetched = kind { true } else { false }
  }

  /// The relationship, if it is one.
  package var relationship: Relationship? {
    if case .relationship(let relationship) = kind { relationship } else { nil }
  }
}

/// The details of an attribute.
package struct Attribute: Sendable, Equatable {
  /// The type, by Core Data's number.
  package var type: AttributeType
  /// Whether large values may be kept in external files (`NSFlagsKey` bit 4).
  package var allowsExternalStorage: Bool
  /// Whether the value is kept in persistent history after deletion (`NSFlagsKey` bit 16).
  package var preservesValueInHistory: Bool
  /// The older "indexed" mark; frameworks up to 847 make an index of their own for it. Not hashed.
  package var isIndexed: Bool
  /// The class of the value (`NSAttributeValueClassName`), if it is not the usual one of the type. Not hashed.
  package var valueClassName: String?
  /// The transformer of a transformable attribute. Not hashed.
  package var valueTransformerName: String?
  /// The value a new object starts with. Not hashed.
  package var defaultValue: DefaultValue?
  /// The expression of a derived attribute.
  package var derivation: Derivation?
  /// The elements of a composite attribute, in the model's order.
  package var elements: [Property]?
  /// Bounds, lengths and patterns as predicates, as in an archive. Not hashed.
  package var validationPredicates: [Predicate]
  /// Bounds and pattern known only in Xcode's spelling. Not hashed.
  package var validationTexts: ValidationTexts?
  /// User info `_NSLocationAttributeDerivedComponents` of a transient attribute: the latitude and longitude
  /// attributes for which the store keeps an R-tree (Photos). Not hashed.
  package var locationComponents: [String]

  /// By default a plain attribute of a type.
  package init(
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

/// Bounds and pattern in Xcode's spelling, if it is not known what predicates Core Data makes of them.
package struct ValidationTexts: Sendable, Equatable {
  /// The minimum value, or length of a string (`minValueString`, `minDateTimeInterval`).
  package var minimum: String?
  /// The maximum value, or length of a string (`maxValueString`, `maxDateTimeInterval`).
  package var maximum: String?
  /// The pattern a string has to match (`regularExpressionString`).
  package var pattern: String?

  /// The texts as in the source.
  package init(minimum: String? = nil, maximum: String? = nil, pattern: String? = nil) {
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
  }
}

/// A derived attribute's expression and filter.
package struct Derivation: Sendable, Equatable {
  /// The computed expression.
  package var expression: Expression
  /// The filter of the objects it is computed from; nil for all.
  package var filter: Predicate?

  /// By default a derivation without filter.
  package init(expression: Expression, filter: Predicate? = nil) {
    self.expression = expression
    self.filter = filter
  }
}

/// The default value of an attribute.
package enum DefaultValue: Sendable, Equatable {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case data([UInt8])
  /// A decimal number in digits, without exponent and trailing zeros: "-12.5".
  case decimal(String)
  /// 16 bytes.
  case uuid([UInt8])
  /// The text of a URI.
  case uri(String)
  /// A value of a class that storedoctor does not decode, such as an app's own: only the name of the class.
  case object(className: String)
  /// A default in Xcode's XML, as text, that cannot be read as a value of the attribute's type. It is not known what
  /// value a new object gets.
  case unreadable(String)
}

extension DefaultValue {
  /// Whether there is a default that cannot be read.
  package var isUnreadable: Bool { if case .unreadable = self { true } else { false } }
}

/// The details of a relationship.
package struct Relationship: Sendable, Equatable {
  /// The name of the destination entity.
  package var destination: String
  /// The name of the inverse relationship in the destination entity.
  package var inverse: String?
  /// Minimum count (`NSMinCount`).
  package var minimumCount: Int32
  /// Maximum count (`NSMaxCount`): 1 is to-one; 0 or -1 is to-many without limit; n is to-many with a limit.
  package var maximumCount: Int32
  /// Whether a to-many relationship is ordered.
  package var isOrdered: Bool
  /// The effect on the destination when the source is deleted. Not hashed.
  package var deleteRule: DeleteRule

  /// Core Data's delete rules by number.
  package enum DeleteRule: Int, Sendable, CustomStringConvertible {
    case noAction = 0
    case nullify = 1
    case cascade = 2
    case deny = 3

    /// Its name, as Swift and JSON write it.
    package var description: String {
      switch self {
      case .noAction: "noAction"
      case .nullify: "nullify"
      case .cascade: "cascade"
      case .deny: "deny"
      }
    }
  }

  /// A relationship with the given counts.
  package init(
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

  /// Whether the maximum count is not 1; 0, -1 and n occur.
  package var isToMany: Bool { maximumCount != 1 }
}

/// The details of a fetched property: a stored query, without column and not hashed.
package struct FetchedProperty: Sendable, Equatable {
  /// The entity that is fetched.
  package var entityName: String?
  /// Which objects are fetched.
  package var predicate: Predicate?

  /// A fetched property of an entity.
  package init(entityName: String? = nil, predicate: Predicate? = nil) {
    self.entityName = entityName
    self.predicate = predicate
  }
}
