import StoreDataModel

extension Recipe {
  /// The treatments of a dangling key, one that leads to no object.
  package enum Dangling: String, Sendable, CaseIterable {
    /// It is set to NULL.
    case nullify
    /// It is set to NULL if the relationship is optional, and left otherwise: the safe part of `nullify`.
    case nullifyOptional = "nullify-optional"
    /// The row that holds it is deleted.
    case deleteSource = "delete-source"
    /// The object is restored from persistent history, if a tombstone holds enough of it.
    case restoreFromHistory = "restore-from-history"
  }

  /// The treatments of a key that leads to an object of the wrong entity.
  package enum WrongEntity: String, Sendable, CaseIterable { case nullify }

  /// A one-to-one relationship whose two sides disagree.
  package struct Inverse: Sendable, Equatable {
    /// The entity, by its name in `Z_PRIMARYKEY` or in the model.
    package var entity: String
    /// The relationship.
    package var relationship: String
    /// The side that is right, and decides.
    package var from: Side
    /// The line in the recipe's file, from 1 on; nil without a file.
    @Uncompared package var line: Int?

    /// A relationship and the side that is right.
    package init(entity: String, relationship: String, from: Side, line: Int? = nil) {
      self.entity = entity
      self.relationship = relationship
      self.from = from
      self.line = line
    }

    /// A side of a relationship.
    package enum Side: String, Sendable, CaseIterable { case this, other }
  }

  /// Repairs of what Core Data stores beside values, in the order in which documents list them.
  package enum Structure: String, Sendable, CaseIterable {
    /// Rebuilds corrupt indexes.
    case reindex
    /// Deletes join rows that lead to no object.
    case joinOrphans = "join-orphans"
    /// Adds the missing mirror of links of an entity to itself.
    case selfLinkMirrors = "self-link-mirrors"
    /// Corrects the entity number beside a key.
    case companions
    /// Gives members of ordered relationships whose place is known, or that are alone, an order key of their own: the
    /// safe part of `order-keys`.
    case repeatedOrderKeys = "repeated-order-keys"
    /// Gives members of ordered relationships an order key of their own.
    case orderKeys = "order-keys"
    /// Corrects `Z_MAX`.
    case highWater = "high-water"
    /// Creates unique indexes that the model requires, last of all.
    case uniqueIndexes = "unique-indexes"
    /// Corrects names in `Z_PRIMARYKEY` that a rename left behind.
    case entityNames = "entity-names"
    /// Moves external files aside that no row references.
    case externalFiles = "external-files"
    /// Corrects digest and checksum in the metadata.
    case metadata
  }
}
