import StoreCoreData
import StoreJSON

/// How to compare two stores.
public struct ComparisonOptions: Sendable {
  /// The entities to compare, by their names in either store; nil for all.
  public var entities: Set<String>?
  /// Properties that do not count, as "Note.updatedAt".
  public var ignored: Set<String> = []
  /// How objects are paired.
  public var pairing = Pairing.automatic
  /// Attributes to pair by, by entity.
  public var attributes: [String: String] = [:]

  /// Which names and keys became which, where that is known.
  package var given: GivenPairs?

  /// How objects of both stores are paired.
  public enum Pairing: Sendable {
    /// By key where the stores have one UUID and its keys were kept, else by unique attributes.
    case automatic
    /// By key in any case.
    case key
  }

  /// All entities, everything counts.
  public init() {}
}

/// Which entities, properties and objects of the first store became which of the second: known to whoever made it.
package struct GivenPairs: Sendable {
  /// By the model's names of the first store's entities.
  package var entities: [String: String]
  /// For each entity of the first store, its properties.
  package var properties: [String: [String: String]]
  /// For each entity of the first store, the new key for each old one.
  package var keys: [EntityID: [Int64: Int64]]

  /// Pairs that are known.
  package init(
    entities: [String: String], properties: [String: [String: String]], keys: [EntityID: [Int64: Int64]]
  ) {
    (self.entities, self.properties, self.keys) = (entities, properties, keys)
  }
}

/// The differences between two stores.
package struct StoreComparison {
  /// The first store.
  package var before: StoreIdentity
  /// The second store.
  package var after: StoreIdentity
  /// The compared entities.
  package var entities: [EntityComparison] = []
  /// Entities that one of the stores does not have, with their objects.
  package var onlyBefore: [(entity: String, objects: Int64)] = []
  package var onlyAfter: [(entity: String, objects: Int64)] = []
  /// Entities whose objects could not be paired, and why.
  package var notCompared: [(entity: String, reason: String)] = []
  /// Where one store comes from the other but its keys were given anew, how objects were paired instead; lower case, no full
  /// stop.
  package var keysGivenAnew: String?
  /// Remarks on values that could not be shown as they are.
  package var remarks: [String] = []

  /// Whether nothing is different. Not known where something could not be compared.
  package var isEqual: Bool? {
    if isOfStandIn { return entities.contains(where: showsDifference) ? false : nil }
    if entities.contains(where: { !$0.isEqual }) || !onlyBefore.isEmpty || !onlyAfter.isEmpty { return false }
    return notCompared.isEmpty ? true : nil
  }

  /// Whether one of the stores is too damaged to be read as it is: an object that its pages do not show may be lost alone.
  package var isOfStandIn: Bool { before.reading.isOfStandIn || after.reading.isOfStandIn }

  /// Whether objects of an entity differ by more than what may be lost: one that a damaged store shows and the other has not,
  /// or under another key. A changed one may have lost links alone.
  private func showsDifference(_ entity: EntityComparison) -> Bool {
    entity.moved > 0 || entity.removed > 0 && !after.reading.isOfStandIn
      || entity.added > 0 && !before.reading.isOfStandIn
  }
}

/// The differences between the objects of one entity.
package struct EntityComparison {
  /// The name in the second store.
  package var name: String
  /// The name in the first store, where it is another.
  package var nameBefore: String?
  /// How objects were paired: by key, by an attribute, or, where keys were given anew, by "content".
  package var pairedBy: String
  /// Objects in each store.
  package var before: Int64 = 0
  package var after: Int64 = 0
  /// Objects of one store only.
  package var removed: Int64 = 0
  package var added: Int64 = 0
  /// Objects of both with other values or links.
  package var changed: Int64 = 0
  /// Objects with the same values under another key.
  package var moved: Int64 = 0
  /// For each property, how many objects have another value.
  package var changedValues: [String: Int64] = [:]
  /// Properties of one of the models only.
  package var dropped: [PropertyFate] = []
  package var new: [PropertyFate] = []
  /// Properties with another name.
  package var renamed: [(before: String, after: String)] = []

  /// The fate of a property that the other model does not have.
  package struct PropertyFate {
    package var name: String
    /// Objects with a value.
    package var values: Int64
    /// The value they all have, if it is one.
    package var constant: JSONValue?
  }

  /// Whether objects, and what the models have of them, are the same.
  package var isEqual: Bool {
    removed == 0 && added == 0 && changed == 0 && moved == 0 && dropped.isEmpty && new.isEmpty && renamed.isEmpty
      && nameBefore == nil
  }
}

/// One object that is different.
package struct ObjectChange {
  /// The kinds of changes to an object.
  package enum Kind: String { case added, removed, changed, moved }

  package var kind: Kind
  /// The entity, by its name in the second store.
  package var entity: String
  /// The key in the first store, and in the second.
  package var keyBefore: Int64?
  package var keyAfter: Int64?
  /// Its title, if an attribute looks like one.
  package var title: String?
  /// The values that are different: of an added or removed object those that are not NULL.
  package var values: [ChangedValue] = []

  /// One value in both stores.
  package struct ChangedValue {
    package var property: String
    package var before: JSONValue?
    package var after: JSONValue?
    /// Whether the same objects are linked in another order.
    package var isOrderOnly = false
  }
}
