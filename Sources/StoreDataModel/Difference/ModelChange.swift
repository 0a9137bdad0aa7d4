/// One difference of a model from an older one, at one place.
package struct ModelChange: Sendable, Equatable {
  /// The place, by its names on both sides.
  package var place: Place
  /// The kind of change.
  package var kind: Kind
  /// Whether it changes an entity's version hash, so that a store of the source can no longer be opened with the
  /// destination.
  ///
  /// This is determined from the hashes themselves: if an attribute is renamed and another one with the same definition
  /// takes its name, no hash changes.
  package var entersHash: Bool
  /// Whether the two sources only express the same thing differently: an index mark and the index made from it, or
  /// class names that one of them omits. Stores of the two are equal.
  package var isOfForm: Bool
  /// Whether it is a renaming identifier that leads elsewhere than the equal name, in a migration that runs for another
  /// reason: then it is not known whether what is stored is kept.
  package var unpairs: Bool

  /// Whether a migration has to do something about it.
  package var takesEffect: Bool { entersHash || unpairs }

  /// Creates a change.
  package init(place: Place, kind: Kind, entersHash: Bool, isOfForm: Bool = false, unpairs: Bool = false) {
    self.place = place
    self.kind = kind
    self.entersHash = entersHash
    self.isOfForm = isOfForm
    self.unpairs = unpairs
  }

  /// An entity or one of its properties, by name before and after; nil on the side that lacks it.
  ///
  /// All four are nil for a change of the whole model.
  package struct Place: Sendable, Hashable {
    /// The entity in the source, the one that declares the property.
    package var sourceEntity: String?
    /// The property in the source.
    package var sourceProperty: String?
    /// The entity in the destination, the one that declares the property.
    package var destinationEntity: String?
    /// The property in the destination.
    package var destinationProperty: String?

    /// Creates a place.
    package init(
      sourceEntity: String? = nil, sourceProperty: String? = nil, destinationEntity: String? = nil,
      destinationProperty: String? = nil
    ) {
      self.sourceEntity = sourceEntity
      self.sourceProperty = sourceProperty
      self.destinationEntity = destinationEntity
      self.destinationProperty = destinationProperty
    }

    /// The entity's name in the destination, or else in the source.
    package var entity: String? { destinationEntity ?? sourceEntity }
    /// The property's name in the destination, or else in the source.
    package var property: String? { destinationProperty ?? sourceProperty }
  }

  /// The kinds of property, without details.
  package enum PropertyKind: String, Sendable { case attribute, relationship, fetchedProperty }

  /// How the declaration of a property moves within the inheritance.
  package enum Movement: String, Sendable {
    /// From a child to an ancestor.
    case up
    /// From an ancestor to a child.
    case down
    /// A child re-declares a property it inherits.
    case redeclared
    /// A child no longer re-declares a property it inherits.
    case redeclarationRemoved
  }

  /// The kinds of change. Changes of an inherited property are reported for the entity that declares it, not for
  /// children.
  package enum Kind: Sendable, Equatable {
    // The model as a whole; none of it is hashed.
    case versionIdentifiers(from: [String], to: [String])
    case configurationAdded(String)
    case configurationRemoved(String)
    case configurationMembers(String, added: [String], removed: [String])
    case fetchRequestAdded(String)
    case fetchRequestRemoved(String)
    case fetchRequestChanged(String)

    // Entities.
    case entityAdded
    case entityRemoved
    case entityRenamed
    case parent(from: String?, to: String?)
    case abstract(Bool)
    case entityModifier(from: String?, to: String?)
    case constraintAdded([String])
    case constraintRemoved([String])
    /// The same properties in another order, or under new names.
    case constraintChanged(from: [String], to: [String])
    case className(from: String?, to: String?)
    case indexAdded(String)
    case indexRemoved(String)
    case indexChanged(String)
    case compoundIndexes

    // Properties of every kind.
    case added(PropertyKind)
    case removed(PropertyKind)
    case renamed(PropertyKind)
    case moved(PropertyKind, Movement)
    case propertyKind(from: PropertyKind, to: PropertyKind)
    case optional(Bool)
    case transient(Bool)
    case readOnly(Bool)
    case propertyModifier(from: String?, to: String?)

    // Attributes.
    case type(from: AttributeType, to: AttributeType)
    case externalStorage(Bool)
    case preservesValueInHistory(Bool)
    case derivation(from: Derivation?, to: Derivation?)
    /// Elements of a composite by their path ("home.street").
    case elements(added: [String], removed: [String], changed: [String])
    case defaultValue(from: DefaultValue?, to: DefaultValue?)
    case validation
    case valueClass(from: String?, to: String?)
    case valueTransformer(from: String?, to: String?)
    case indexedMark(Bool)
    case locationComponents

    // Relationships.
    case destination(from: String, to: String)
    case inverse(from: String?, to: String?)
    /// `NSMaxCount`; to-one is 1, so this is also the change between to-one and to-many.
    case maximumCount(from: Int32, to: Int32)
    case minimumCount(from: Int32, to: Int32)
    case ordered(Bool)
    case deleteRule(from: Relationship.DeleteRule, to: Relationship.DeleteRule)

    // Fetched properties, and what entities and properties share.
    case fetchedRequest
    case renamingIdentifier(from: String?, to: String?)
    case userInfo
  }
}

extension ModelChange.Kind {
  /// Whether an entity or a property goes.
  package var isRemoval: Bool {
    switch self {
    case .entityRemoved, .removed: true
    default: false
    }
  }

  /// Whether changes of this kind can affect the version hash (`docs/format/version-hash.md`, "What goes in").
  var isHashed: Bool {
    switch self {
    case .entityAdded, .entityRemoved, .entityRenamed, .parent, .abstract, .entityModifier, .constraintAdded,
      .constraintRemoved, .constraintChanged, .added, .removed, .renamed, .moved, .propertyKind, .optional, .transient,
      .readOnly, .propertyModifier, .type, .externalStorage, .preservesValueInHistory, .derivation, .elements,
      .destination, .inverse, .maximumCount, .minimumCount, .ordered:
      true
    case .versionIdentifiers, .configurationAdded, .configurationRemoved, .configurationMembers, .fetchRequestAdded,
      .fetchRequestRemoved, .fetchRequestChanged, .className, .indexAdded, .indexRemoved,
      .indexChanged, .compoundIndexes, .defaultValue, .validation, .valueClass, .valueTransformer, .indexedMark,
      .locationComponents, .deleteRule, .fetchedRequest, .renamingIdentifier, .userInfo:
      false
    }
  }
}

extension Property {
  /// Attribute, relationship or fetched property.
  package var kindName: ModelChange.PropertyKind {
    switch kind {
    case .attribute: .attribute
    case .relationship: .relationship
    case .fetched: .fetchedProperty
    }
  }
}
