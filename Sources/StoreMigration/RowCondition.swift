import StoreDataModel

/// A condition on the rows of a store, under which a migration succeeds or leaves values unchanged.
///
/// All names are the store's own, those of the source model. Entities are listed one by one: subentities that belong to
/// the condition are in the list.
package enum RowCondition: Sendable, Hashable {
  /// These entities have no rows.
  case noRows([String])
  /// These entities have at most one row together.
  case atMostOneRow([String])
  /// No row of these entities has NULL in the attribute or, for a to-one relationship, no key.
  case noNulls([String], property: String)
  /// No row of these entities has a value or link there.
  case noValues([String], property: String)
  /// No two rows of `among` have equal values in all `properties`, which `entity` declares or inherits. A row with a
  /// NULL among them equals no other, as in an index of SQLite, unless `nullsAreEqual`.
  case noDuplicates(entity: String, among: [String], properties: [String], nullsAreEqual: Bool)
  /// Every value survives being read as another numeric type: in range, no fraction lost, 0 or 1 for a Boolean.
  case numericFits([String], property: String, to: AttributeType)
  /// No row has more than one link in a to-many relationship.
  case atMostOneLink([String], property: String)
  /// All links lead to rows of the destinations named.
  case linksWithin([String], property: String, destinations: [String])
  /// The number of links of every row is within bounds; a maximum of 0 or less means no maximum.
  case linkCount([String], property: String, minimum: Int32, maximum: Int32)
  /// All values satisfy the destination model's bounds, lengths and pattern.
  case valid([String], property: String, Validation)
  /// Every key of a to-one relationship leads to a row.
  case noDanglingKeys([String], property: String)
  /// Every link of a many-to-many relationship leads to a row.
  case noOrphanedLinks([String], property: String)

  /// Hashes a part that tells most conditions apart: lists of entities are long, and every condition is looked up often.
  package func hash(into hasher: inout Hasher) {
    let (first, property) = key
    hasher.combine(first)
    hasher.combine(property)
  }

  private var key: (entity: String?, property: String?) {
    switch self {
    case .noRows(let entities), .atMostOneRow(let entities): (entities.first, nil)
    case .noNulls(let entities, let property), .noValues(let entities, let property),
      .numericFits(let entities, let property, _), .atMostOneLink(let entities, let property),
      .linksWithin(let entities, let property, _), .linkCount(let entities, let property, _, _),
      .valid(let entities, let property, _), .noDanglingKeys(let entities, let property),
      .noOrphanedLinks(let entities, let property):
      (entities.first, property)
    case .noDuplicates(let entity, _, let properties, _): (entity, properties.first)
    }
  }

  /// The bounds and pattern of an attribute of the destination.
  package struct Validation: Sendable, Hashable {
    /// The attribute that has them.
    package var attribute: Attribute

    /// Two validations are equal when their rules are.
    package static func == (left: Self, right: Self) -> Bool {
      left.attribute.validationPredicates == right.attribute.validationPredicates
        && left.attribute.validationTexts == right.attribute.validationTexts
    }

    /// Hashes only the number of rules, because predicates are not hashable.
    package func hash(into hasher: inout Hasher) { hasher.combine(attribute.validationPredicates.count) }
  }
}

extension RowCondition {
  /// The entities and properties that the condition is about.
  package var subject: (entities: [String], properties: [String]) {
    switch self {
    case .noRows(let entities), .atMostOneRow(let entities): (entities, [])
    case .noNulls(let entities, let property), .noValues(let entities, let property),
      .numericFits(let entities, let property, _), .atMostOneLink(let entities, let property),
      .linksWithin(let entities, let property, _), .linkCount(let entities, let property, _, _),
      .valid(let entities, let property, _), .noDanglingKeys(let entities, let property),
      .noOrphanedLinks(let entities, let property):
      (entities, [property])
    case .noDuplicates(_, let among, let properties, _): (among, properties)
    }
  }
}

/// Answers conditions on the rows of a store.
///
/// `diagnose` answers them from a scan of the store, a test from rows it defines.
package protocol RowFacts {
  /// The rows that violate a condition, by entity; empty if it holds, nil if that cannot be determined.
  func violations(of condition: RowCondition) -> [RowViolation]?
}

/// The rows of one entity that violate a condition.
package struct RowViolation: Sendable, Equatable {
  /// The entity, by the store's name. For duplicates, the one that declares the constraint.
  package var entity: String
  /// How many rows.
  package var count: Int64
  /// Primary keys of some of them, ascending.
  package var keys: [Int64]
  /// For duplicates, how many different values are duplicated; nil for anything else, or if not counted.
  package var groups: Int64?

  /// Creates a violation from counted rows.
  package init(entity: String, count: Int64, keys: [Int64], groups: Int64? = nil) {
    self.entity = entity
    self.count = count
    self.keys = keys
    self.groups = groups
  }
}

/// A condition with the consequence of violating it.
package struct RowRule: Sendable, Equatable {
  /// The condition.
  package var condition: RowCondition
  /// The consequence if they are not.
  package var consequence: Consequence
  /// How certain the outcome is if the condition holds.
  package var gradeWhenMet: Grade
  /// How certain the outcome is if it does not.
  package var gradeWhenViolated: Grade
  /// Describes the rows that violate it; lower case, no full stop.
  package var words: String

  /// The consequence if the condition does not hold.
  package enum Consequence: Sendable, Hashable {
    /// The migration fails.
    case blocks(Failure)
    /// The migration succeeds, but the rows deserve attention; with the error code of the next save of such an
    /// object, if that fails.
    case atRisk(codeAtSave: Int?)
    /// The content of the rows is lost, as the change says.
    case loses
  }
}

/// The error Core Data reports.
public struct Failure: Sendable, Hashable {
  /// In `NSCocoaErrorDomain`; nil for an Objective-C exception, which has none.
  public var code: Int?
  /// The `reason` it prints.
  public var reason: String?

  /// The code as it appears in logs: for a constraint violation some logs have the general 134110, some its own
  /// 134111.
  public var codeWords: String? {
    self == .constraintViolation ? "134110 or 134111" : code.map(String.init)
  }

  /// The reason as it appears in an app's log. The reason for incompatible types is only returned if the inference is
  /// called directly (134190).
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
  /// A required value that objects made by a mapping model do not have when they are saved (1570).
  static let missingAtSave = Self(code: 134110)
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
