import StoreDataModel

extension Recipe {
  /// What becomes of a key that leads to no object.
  public enum Dangling: String, Sendable, CaseIterable {
    /// It is set to NULL.
    case nullify
    /// It is set to NULL where the relationship is optional, and stays otherwise: the part of it that is safe.
    case nullifyOptional = "nullify-optional"
    /// The row that holds it is deleted.
    case deleteSource = "delete-source"
    /// The object is made again from persistent history, where a tombstone holds enough.
    case restoreFromHistory = "restore-from-history"
  }

  /// What becomes of a key that leads to an object of the wrong entity.
  public enum WrongEntity: String, Sendable, CaseIterable { case nullify }

  /// A one-to-one relationship that is known on one side only.
  public struct Inverse: Sendable, Equatable {
    /// The entity, by its name in `Z_PRIMARYKEY` or in the model.
    public var entity: String
    /// The relationship.
    public var relationship: String
    /// The side that is right.
    public var from: Side
    /// The line it begins at, from 1 on; nil where it comes from no file.
    @Uncompared public var line: Int?

    /// A relationship and the side that is right.
    public init(entity: String, relationship: String, from: Side, line: Int? = nil) {
      self.entity = entity
      self.relationship = relationship
      self.from = from
      self.line = line
    }

    /// A side of a relationship.
    public enum Side: String, Sendable, CaseIterable { case this, other }
  }

  /// What Core Data keeps beside the values, in the order in which it is named in documents.
  public enum Structure: String, Sendable, CaseIterable {
    /// Corrupt indexes are built anew.
    case reindex
    /// Join rows without object go.
    case joinOrphans = "join-orphans"
    /// Links of an entity to itself get their mirror.
    case selfLinkMirrors = "self-link-mirrors"
    /// The entity's number beside a key.
    case companions
    /// Places in ordered relationships.
    case orderKeys = "order-keys"
    /// `Z_MAX`.
    case highWater = "high-water"
    /// Unique indexes that the model asks for, last of all.
    case uniqueIndexes = "unique-indexes"
    /// Names in `Z_PRIMARYKEY` that a rename left behind.
    case entityNames = "entity-names"
    /// External files that no row names, moved aside.
    case externalFiles = "external-files"
    /// Digest, checksum and hashes of the metadata.
    case metadata
  }
}
