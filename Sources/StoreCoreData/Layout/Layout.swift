import StoreDataModel

/// Where each entity and property of a model is stored in one store.
///
/// Objects that could not be mapped are listed in `unexplained`.
package struct Layout: Sendable, Equatable {
  /// The entities of `Z_PRIMARYKEY` by number, including those of history and CloudKit.
  package var entities: [EntityLayout] = []
  /// The join tables of many-to-many relationships, by name.
  package var joinTables: [JoinTableLayout] = []
  /// Tables, columns and views that neither the model nor Core Data itself explains.
  package var unexplained: [Unexplained] = []
  /// Tables and columns that the model requires but the store lacks.
  package var lacking: [Lacking] = []
  /// Join tables for which it is not known which column belongs to which end.
  package var undecidedJoinTables: [UndecidedJoinTable] = []
  /// Columns whose declared type differs from the one the model's property requires.
  package var differingTypes: [DifferingType] = []
  /// How the model and `Z_PRIMARYKEY` disagree, one sentence each.
  package var problems: [String] = []

  /// The layout of an entity by its name in `Z_PRIMARYKEY` or in the model.
  package func entity(named name: String) -> EntityLayout? {
    entities.first { $0.name == name } ?? entities.first { $0.modelName == name }
  }
}

/// One entity of a store.
package struct EntityLayout: Sendable, Equatable {
  /// `Z_ENT`.
  package var id: EntityID
  /// The name in `Z_PRIMARYKEY`.
  package var name: String
  /// The model's name, if it differs from `name` after a rename.
  package var modelName: String?
  /// The parent entity's name in `Z_PRIMARYKEY`.
  package var parent: String?
  /// The root entity's name in `Z_PRIMARYKEY`; itself for a root.
  package var root: String
  /// The root entity's table.
  package var table: String
  /// Whether a real table of that name exists.
  package var tableExists: Bool
  /// Whether the model declares it abstract; false if no model describes it.
  package var isAbstract = false
  /// Whether a model (cached, given or inferred) describes the entity.
  package var isDescribed = false
  /// All attributes, inherited ones included, in order of name.
  package var attributes: [AttributeLayout] = []
  /// All relationships, inherited ones included, in order of name.
  package var relationships: [RelationshipLayout] = []
  /// The entity's own constraints.
  package var uniquenessConstraints: [[String]] = []
}

extension EntityLayout {
  /// The one column that holds an attribute's value or the key of a to-one relationship; nil if there is none or more
  /// than one.
  package func column(of property: String) -> String? {
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
package struct AttributeLayout: Sendable, Equatable {
  /// The attribute as the model has it.
  package var property: Property
  /// The entity that declares it (model's name).
  package var declaredBy: String
  /// One column for each stored leaf; none for a transient attribute.
  package var columns: [LeafColumn]
  /// How certain name and type are, if inferred.
  package var certainty: Certainty?

  /// The column of one leaf.
  package struct LeafColumn: Sendable, Equatable {
    /// The path below a composite attribute; empty for a plain one.
    package var leaf: [String]
    /// The column's name; nil if the table has none.
    package var name: String?
  }
}

/// A relationship and where its links are stored.
package struct RelationshipLayout: Sendable, Equatable {
  /// The relationship's name.
  package var name: String
  /// The entity that declares it (model's name).
  package var declaredBy: String
  /// The destination entity's name; nil if it could not be inferred.
  package var destination: String?
  /// The inverse's name.
  package var inverse: String?
  /// Whether it may be empty.
  package var isOptional: Bool
  /// Whether it is to-many.
  package var isToMany: Bool
  /// Whether it is ordered.
  package var isOrdered: Bool
  /// What becomes of the destination when the object is deleted; nil where no model says it.
  package var deleteRule: Relationship.DeleteRule?
  /// Where the links are stored.
  package var storage: Storage
  /// How certain it is, if inferred.
  package var certainty: Certainty?

  /// Where the links of a relationship are stored; a nil name is missing in the store.
  package enum Storage: Sendable, Equatable {
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
package struct JoinTableLayout: Sendable, Equatable {
  /// The table's name.
  package var name: String
  /// The end after which the table is named.
  package var source: End
  /// The other end.
  package var destination: End
  /// The order-key columns, for ordered ends.
  package var orderColumns: [String]

  /// One end: a relationship, and the column with the keys of the entity that declares it.
  package struct End: Sendable, Equatable {
    /// The entity that declares the relationship.
    package var entity: String
    /// The relationship's name.
    package var relationship: String
    /// The column with the keys of that entity.
    package var column: String
    /// The order-key column of this relationship; nil if it is not ordered.
    package var orderColumn: String?
  }
}

/// A join table whose columns match the two ends in more than one way, so that its links are unknown. That is no
/// damage.
package struct UndecidedJoinTable: Sendable, Equatable {
  /// The table.
  package var table: String
  /// The entity, by its name in `Z_PRIMARYKEY`, that declares the relationship the table is named after.
  package var entity: String
  /// That relationship.
  package var property: String
  /// The reason; lower case, no full stop.
  package var why: String
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
package struct DifferingType: Sendable, Equatable {
  /// The table.
  package var table: String
  /// The column.
  package var column: String
  /// The type as the store declares it.
  package var declared: String
  /// The type Core Data declares for the property.
  package var expected: String
  /// The entity that declares the property, by the model's name.
  package var entity: String
  /// The property.
  package var property: String
}

/// An object of the schema that nothing explains.
package struct Unexplained: Sendable, Equatable {
  /// The object and its name.
  package var object: Object
  /// The reason, if known; lower case, no full stop.
  package var why: String

  /// A table, a column of a table, or another object of the schema.
  package enum Object: Sendable, Equatable {
    case table(String)
    case column(table: String, String)
    case index(String)
  }

  /// Creates an unexplained object, with what is known about it.
  package init(_ object: Object, _ why: String) {
    self.object = object
    self.why = why
  }
}
