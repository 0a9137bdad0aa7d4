import StoreDataModel

/// Where each entity and property of a model is stored in one store.
///
/// Objects that could not be mapped are listed in `unexplained`.
public struct Layout: Sendable, Equatable {
  /// The entities of `Z_PRIMARYKEY` by number, including those of history and CloudKit.
  public var entities: [EntityLayout] = []
  /// The join tables of many-to-many relationships, by name.
  public var joinTables: [JoinTableLayout] = []
  /// Tables, columns and views that neither the model nor Core Data itself explains.
  public var unexplained: [Unexplained] = []
  /// Tables and columns that the model requires but the store lacks.
  public var lacking: [Lacking] = []
  /// Join tables for which it is not known which column belongs to which end.
  public var undecidedJoinTables: [UndecidedJoinTable] = []
  /// Columns whose declared type differs from the one the model's property requires.
  public var differingTypes: [DifferingType] = []
  /// How the model and `Z_PRIMARYKEY` disagree, one sentence each.
  public var problems: [String] = []

  /// The layout of an entity by its name in `Z_PRIMARYKEY` or in the model.
  public func entity(named name: String) -> EntityLayout? {
    entities.first { $0.name == name } ?? entities.first { $0.modelName == name }
  }
}

/// One entity of a store.
public struct EntityLayout: Sendable, Equatable {
  /// `Z_ENT`.
  public var id: EntityID
  /// The name in `Z_PRIMARYKEY`.
  public var name: String
  /// The model's name, if it differs from `name` after a rename.
  public var modelName: String?
  /// The parent entity's name in `Z_PRIMARYKEY`.
  public var parent: String?
  /// The root entity's name in `Z_PRIMARYKEY`; itself for a root.
  public var root: String
  /// The root entity's table.
  public var table: String
  /// Whether a real table of that name exists.
  public var tableExists: Bool
  /// Whether the model declares it abstract; false if no model describes it.
  public var isAbstract = false
  /// Whether a model (cached, given or inferred) describes the entity.
  public var isDescribed = false
  /// All attributes, inherited ones included, in order of name.
  public var attributes: [AttributeLayout] = []
  /// All relationships, inherited ones included, in order of name.
  public var relationships: [RelationshipLayout] = []
  /// The entity's own constraints.
  public var uniquenessConstraints: [[String]] = []
}

extension EntityLayout {
  /// The one column that holds an attribute's value or the key of a to-one relationship; nil if there is none or more
  /// than one.
  public func column(of property: String) -> String? {
    if let attribute = attributes.first(where: { $0.property.name == property }) {
      return attribute.columns.count == 1 ? attribute.columns.first?.name : nil
    }
    guard case .key(let column, _, _)? = relationships.first(where: { $0.name == property })?.storage else {
      return nil
    }
    return column
  }
}

/// How certain an inferred fact is; facts from a model have no certainty.
public enum Certainty: String, Sendable, Comparable {
  case possible, likely, certain

  /// Less certain before more certain.
  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
  private var rank: Int {
    switch self {
    case .possible: 0
    case .likely: 1
    case .certain: 2
    }
  }
}

/// An attribute and its columns.
public struct AttributeLayout: Sendable, Equatable {
  /// The attribute as the model has it.
  public var property: Property
  /// The entity that declares it (model's name).
  public var declaredBy: String
  /// One column for each stored leaf; none for a transient attribute.
  public var columns: [LeafColumn]
  /// How certain name and type are, if inferred.
  public var certainty: Certainty?

  /// The column of one leaf.
  public struct LeafColumn: Sendable, Equatable {
    /// The path below a composite attribute; empty for a plain one.
    public var leaf: [String]
    /// The column's name; nil if the table has none.
    public var name: String?
  }
}

/// A relationship and where its links are stored.
public struct RelationshipLayout: Sendable, Equatable {
  /// The relationship's name.
  public var name: String
  /// The entity that declares it (model's name).
  public var declaredBy: String
  /// The destination entity's name; nil if it could not be inferred.
  public var destination: String?
  /// The inverse's name.
  public var inverse: String?
  /// Whether it may be empty.
  public var isOptional: Bool
  /// Whether it is to-many.
  public var isToMany: Bool
  /// Whether it is ordered.
  public var isOrdered: Bool
  /// Where the links are stored.
  public var storage: Storage
  /// How certain it is, if inferred.
  public var certainty: Certainty?

  /// Where the links of a relationship are stored; a nil name is missing in the store.
  public enum Storage: Sendable, Equatable {
    /// A key in the entity's own table.
    case key(column: String?, companion: String?, orderKey: String?)
    /// The inverse's key in the destination's table.
    case inverseKey(table: String, column: String?)
    /// A hidden key in the destination's table, for a to-many without inverse, and its order key if it is ordered.
    case hiddenKey(table: String, column: String?, orderKey: String?)
    case joinTable(name: String?)
    /// Not stored: transient.
    case none
  }
}

extension RelationshipLayout {
  /// A to-one relationship that leads by a column to the key of an entity, and has no inverse.
  package init(toOne name: String, declaredBy entity: String, destination: String, column: String) {
    self.init(
      name: name, declaredBy: entity, destination: destination, inverse: nil, isOptional: true, isToMany: false,
      isOrdered: false, storage: .key(column: column, companion: nil, orderKey: nil))
  }
}

/// The join table of a many-to-many relationship, as it is in the store.
public struct JoinTableLayout: Sendable, Equatable {
  /// The table's name.
  public var name: String
  /// The end after which the table is named.
  public var source: End
  /// The other end.
  public var destination: End
  /// The order-key columns, for ordered ends.
  public var orderColumns: [String]

  /// One end: a relationship, and the column with the keys of the entity that declares it.
  public struct End: Sendable, Equatable {
    /// The entity that declares the relationship.
    public var entity: String
    /// The relationship's name.
    public var relationship: String
    /// The column with the keys of that entity.
    public var column: String
    /// The order-key column of this relationship; nil if it is not ordered.
    public var orderColumn: String?
  }
}

/// A join table whose columns match the two ends in more than one way, so that its links are unknown. That is no
/// damage.
public struct UndecidedJoinTable: Sendable, Equatable {
  /// The table.
  public var table: String
  /// The entity, by its name in `Z_PRIMARYKEY`, that declares the relationship the table is named after.
  public var entity: String
  /// That relationship.
  public var property: String
  /// The reason; lower case, no full stop.
  public var why: String
}

/// A table or column that the model requires but the store lacks.
public struct Lacking: Sendable, Equatable {
  /// The missing object, by the name Core Data would give it.
  public var object: Object
  /// The entity it is for, by its name in `Z_PRIMARYKEY`, or in the model if it has none there.
  public var entity: String
  /// The property it is for; nil for an entity's own table.
  public var property: String?

  /// The kinds of objects that can be missing.
  public enum Object: Sendable, Equatable {
    case table(String)
    case column(table: String, String)
    case joinTable(String)
  }
}

/// A column whose declared type is not the one Core Data gives its property.
public struct DifferingType: Sendable, Equatable {
  /// The table.
  public var table: String
  /// The column.
  public var column: String
  /// The type as the store declares it.
  public var declared: String
  /// The type Core Data declares for the property.
  public var expected: String
  /// The entity that declares the property, by the model's name.
  public var entity: String
  /// The property.
  public var property: String
}

/// An object of the schema that nothing explains.
public struct Unexplained: Sendable, Equatable {
  /// The object and its name.
  public var object: Object
  /// The reason, if known; lower case, no full stop.
  public var why: String

  /// A table, a column of a table, or another object of the schema.
  public enum Object: Sendable, Equatable {
    case table(String)
    case column(table: String, String)
    case index(String)
  }

  /// Creates an unexplained object, with what is known about it.
  public init(_ object: Object, _ why: String) {
    self.object = object
    self.why = why
  }
}
