import StoreDataModel

/// Something the rows of a store must be like for a migration to succeed, or to leave values as they are.
///
/// All names are the store's own, those of the source model. Entities are listed one by one: subentities that belong to
/// the condition are in the list.
public enum RowCondition: Sendable, Hashable {
  /// These entities have no rows.
  case noRows([String])
  /// These entities have at most one row together.
  case atMostOneRow([String])
  /// No row of these entities has NULL in an attribute, or no key in a to-one relationship.
  case noNulls([String], property: String)
  /// Every row of these entities has NULL there, or no link.
  case noValues([String], property: String)
  /// No two rows of `entities` have equal values in all `properties`, which `entity` declares or inherits. A row with a
  /// NULL among them equals no other, as in an index of SQLite's, unless `nullsAreEqual`.
  case noDuplicates(entity: String, among: [String], properties: [String], nullsAreEqual: Bool)
  /// Every value survives being read as another numeric type: in range, no fraction lost, 0 or 1 for a Boolean.
  case numericFits([String], property: String, to: AttributeType)
  /// No row has more than one link in a to-many relationship.
  case atMostOneLink([String], property: String)
  /// All links lead to rows of the destinations named.
  case linksWithin([String], property: String, destinations: [String])
  /// The number of links of every row is in bounds; a maximum of 0 or less is none.
  case linkCount([String], property: String, minimum: Int32, maximum: Int32)
  /// All values keep within the destination model's bounds, lengths and pattern.
  case valid([String], property: String, Validation)
  /// Every key of a to-one relationship leads to a row.
  case noDanglingKeys([String], property: String)
  /// Every link of a many-to-many relationship leads to a row.
  case noOrphanedLinks([String], property: String)

  /// The bounds and pattern of an attribute of the destination.
  public struct Validation: Sendable, Hashable {
    /// The attribute that has them.
    public var attribute: Attribute

    /// Two validations are equal when their rules are.
    public static func == (left: Self, right: Self) -> Bool {
      left.attribute.validationPredicates == right.attribute.validationPredicates
        && left.attribute.validationTexts == right.attribute.validationTexts
    }

    /// By the number of rules: predicates have no hash.
    public func hash(into hasher: inout Hasher) { hasher.combine(attribute.validationPredicates.count) }
  }
}

/// What can be asked of the rows of a store.
///
/// `diagnose` answers from a store it scanned, a test from rows it shows.
public protocol RowFacts {
  /// The rows that stand against a condition, by entity; empty when it holds, nil when that cannot be told.
  func violations(of condition: RowCondition) -> [RowViolation]?
}

/// Rows of one entity that stand against a condition.
public struct RowViolation: Sendable, Equatable {
  /// The entity, by the store's name. Of duplicates: the one that declares the constraint.
  public var entity: String
  /// How many rows.
  public var count: Int64
  /// Primary keys of some of them, ascending.
  public var keys: [Int64]
  /// Of duplicates: how many different values they share; nil for anything else, or where it was not counted.
  public var groups: Int64?

  /// Rows as they were counted.
  public init(entity: String, count: Int64, keys: [Int64], groups: Int64? = nil) {
    self.entity = entity
    self.count = count
    self.keys = keys
    self.groups = groups
  }
}

/// A condition with what follows from it.
public struct RowRule: Sendable, Equatable {
  /// What the rows should be like.
  public var condition: RowCondition
  /// What happens if they are not.
  public var consequence: Consequence
  /// How sure the outcome is when the condition holds.
  public var gradeWhenMet: Grade
  /// How sure the outcome is when it does not.
  public var gradeWhenViolated: Grade
  /// In words, for the rows that stand against it; lower case, no full stop.
  public var words: String

  /// What happens when the condition does not hold.
  public enum Consequence: Sendable, Equatable {
    /// The migration fails.
    case blocks(Failure)
    /// It passes, and the rows are worth a look. With the code of the next save of such an object, where it fails then.
    case atRisk(codeAtSave: Int?)
    /// What the rows hold is gone afterwards, as the change says.
    case loses
  }
}

/// How Core Data says that it failed.
public struct Failure: Sendable, Equatable {
  /// In `NSCocoaErrorDomain`; nil for an Objective-C exception, which has none.
  public var code: Int?
  /// The `reason` it prints.
  public var reason: String?

  /// The code as people meet it: of a constraint, some logs have the number of any migration, some its own.
  public var codeWords: String? {
    self == .constraintViolation ? "134110 or 134111" : code.map(String.init)
  }

  /// The reason in an app's log: that of a change of type only comes from asking inference itself (134190).
  public var printedReason: String? { self == .incompatibleTypes ? Self.notInferable.reason : reason }

  package init(code: Int? = nil, reason: String? = nil) {
    self.code = code
    self.reason = reason
  }

  static let missingAttribute = Self(
    code: 134110,
    reason:
      "Cannot migrate store in-place: Validation error missing attribute values on mandatory destination attribute"
  )
  package static let missingRelationship = Self(
    code: 134110,
    reason:
      "Cannot migrate store in-place: Validation error missing attribute values on mandatory destination relationship")
  package static let constraintViolation = Self(
    code: 134110, reason: "Cannot migrate store in-place: constraint violation during attempted migration")
  package static let missingStructure = Self(
    code: 134110, reason: "Cannot migrate store in-place: error during SQL execution")
  static let incompatibleTypes = Self(
    code: 134140, reason: "Source and destination attribute types are incompatible")
  static let notInferable = Self(
    code: 134140, reason: "Can't find or automatically infer mapping model for migration")
  package static let noMappingModel = Self(code: 134140, reason: "Can't find mapping model for migration")
  package static let incompatible = Self(
    code: 134100,
    reason: "The model used to open the store is incompatible with the one used to create the store")
  package static let noSourceModel = Self(code: 134130, reason: "Can't find model for source store")
}
