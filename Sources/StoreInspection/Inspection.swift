import StoreCoreData
import StoreDataModel

/// Everything `storedoctor inspect` reports about one store: `storedoctor.inspection/2`
/// (`docs/schemas/inspection.json`).
///
/// Facts only; what could not be read is nil, with the reason in `problems`.
public struct Inspection: Sendable, Equatable {
  /// The files and the database as SQLite sees it.
  public var store: StoreFacts
  /// `Z_METADATA`.
  public var metadata: Metadata
  /// Where the description of the entities comes from.
  public var model: ModelFacts
  /// By entity number, including those of history and CloudKit; only the entities asked for, if any were.
  public var entities: [Entity]
  /// How many entities the model has, whichever were asked for.
  public var entityCount: Int
  /// Rows of those entities; nil when some could not be counted.
  public var objectCount: Int64?
  /// Join tables of many-to-many relationships, by name.
  public var joinTables: [JoinTable]
  /// Persistent history.
  public var history: History
  /// Objects known to be deleted without searching the file, for entities of which there are any.
  public var deleted: [Deleted] = []
  /// CloudKit mirroring.
  public var cloudKit: CloudKit
  /// Values kept in files beside the store.
  public var externalData: ExternalData
  /// Tables, columns and rows that neither the model nor Core Data itself explains.
  public var unexplained: [Unexplained]
  /// Damage, gaps and contradictions, one sentence each, worst first.
  public var problems: [String]
  /// The commits of the WAL, beginning with the store before the first; nil if not asked for.
  package var commits: [StoreCommit]?
  /// What takes the room of the tables, in bytes; empty if not asked for.
  package var parts: [SizePart: Int64] = [:]

  /// The files and the database as SQLite sees it.
  public struct StoreFacts: Sendable, Equatable {
    /// As the user gave it, or as found in the folder that was given.
    public var path: String
    /// The path byte for byte, if it is not valid UTF-8; `path` is then an approximation.
    public var pathBytes: [UInt8]?
    /// Path, UUID and versions.
    package var identity: StoreIdentity
    /// Main file first, then what lies beside it.
    public var files: [File]
    /// "wal" or "delete".
    public var journalMode: String
    /// Bytes.
    public var pageSize: Int
    /// Pages on the freelist.
    public var freePages: Int64
    /// The write-ahead log; nil when there is none.
    public var wal: WAL?
    /// A journal that was rolled back in memory; nil when none was.
    public var hotJournal: HotJournal?
    /// False if reading may have changed access times because a file belongs to another user.
    public var accessTimesKept: Bool
  }

  /// One file of the store.
  public struct File: Sendable, Equatable {
    /// "main", "wal", "shm", "journal" or "support".
    public var role: String
    /// For a support folder the sum over its files.
    public var bytes: Int64
    /// 64 hex digits, when asked for.
    public var sha256: String?
  }

  /// The write-ahead log.
  public struct WAL: Sendable, Equatable {
    /// Complete frames in the file, valid or not.
    public var frames: Int64
    /// Frames up to the last valid commit: what a reader sees.
    public var committedFrames: Int64
    /// Pages whose committed version is not in the main file.
    public var framesNotInMain: Int64
    /// "yes", "no" or "unknown".
    public var belongsToStore: String
    /// Why, one sentence each.
    public var reasons: [String]
    /// Whether the rows of this inspection include it.
    public var isRead: Bool
  }

  /// A rollback journal of a transaction that never ended.
  public struct HotJournal: Sendable, Equatable {
    /// Pages put back to their old content, in memory.
    public var pagesRestored: Int64
  }

  /// `Z_METADATA`.
  public struct Metadata: Sendable, Equatable {
    /// `Z_UUID`.
    public var uuid: String?
    /// Version of the framework that last wrote the metadata.
    public var frameworkVersion: Int64?
    /// `NSPersistenceMaximumFrameworkVersion`.
    public var maximumFrameworkVersion: Int64?
    /// Version identifiers, chosen by the developer.
    public var versionIdentifiers: [String]
    /// 3 in every real store.
    public var hashesVersion: Int64?
    /// Entity to 64 hex digits; nil when the metadata has no list.
    public var hashes: [String: String]?
    /// Base-64 of 64 bytes.
    public var digest: String?
    /// Base-64 of 32 bytes.
    public var checksum: String?
    /// Whether the digest follows from the hashes.
    public var digestConsistent: Bool?
    /// Whether the checksum follows from the hashes.
    public var checksumConsistent: Bool?
    /// Every key.
    public var keys: [String]
    /// The app's own keys.
    public var otherKeys: [String]
    /// Values of the app's own keys, when asked for.
    public var otherValues: [String: String]?
  }

  /// Where the description of the entities comes from.
  public struct ModelFacts: Sendable, Equatable {
    /// "cache", "given" or "inferred".
    public var source: String
    /// Where a given model was read from, with its version.
    public var path: String?
    /// Whether the hashes computed from the model equal the metadata's; nil without a model.
    public var hashesEqual: Bool?
  }

  /// One entity.
  public struct Entity: Sendable, Equatable {
    /// The name in `Z_PRIMARYKEY`.
    public var name: String
    /// The model's name, if it differs from `name` after a rename.
    public var modelName: String?
    /// `Z_ENT`.
    public var number: Int64
    /// The parent's name.
    public var parent: String?
    /// The name of the topmost ancestor; its own for a root.
    public var root: String
    /// The root entity's table.
    public var table: String
    /// Whether the model declares it abstract.
    public var isAbstract: Bool
    /// Whether it belongs to history or CloudKit (numbers that no model reaches).
    public var isInternal: Bool
    /// Rows with this entity's number, without those of subentities; nil if they could not be counted.
    public var rows: Int64?
    /// `Z_MAX`.
    public var highWater: Int64?
    /// Stored and computed hash; nil where neither exists.
    public var versionHash: VersionHash?
    /// Inherited ones included, by name.
    public var attributes: [Attribute]
    /// Inherited ones included, by name.
    public var relationships: [Relationship]
    /// Names of properties that are unique together; only the entity's own.
    public var uniquenessConstraints: [[String]]
    /// Bytes of the entity's table and its indexes, for root entities when sizes are asked for.
    public var bytes: Int64?
    /// Those of its indexes alone.
    package var indexBytes: Int64?
    /// Indexes of the entity's table, when the entity was asked for.
    public var indexes: [Index]?
  }

  /// Stored and computed version hash of an entity.
  public struct VersionHash: Sendable, Equatable {
    /// From the metadata, 64 hex digits.
    public var stored: String?
    /// From the model cache, 64 hex digits.
    public var computed: String?
    /// Whether both are equal; nil when one is missing.
    public var isEqual: Bool?
    /// Rules that this hash depends on and that no real file has confirmed.
    public var unproven: [String]
  }

  /// One attribute.
  public struct Attribute: Sendable, Equatable {
    /// The attribute's name.
    public var name: String
    /// The entity that declares it, when inherited.
    public var declaredBy: String?
    /// One for each stored leaf; empty for a transient attribute, missing columns left out.
    public var columns: [String]
    /// Columns the model requires and the table lacks (by leaf, or the attribute's name).
    public var missing: [String]
    /// Xcode's name of the type.
    public var type: String
    /// Whether it may be without a value.
    public var isOptional: Bool
    /// Whether it is never stored.
    public var isTransient: Bool
    /// Whether it is a derived attribute.
    public var isDerived: Bool
    /// Whether large values may be kept in files.
    public var allowsExternalStorage: Bool
    /// "certain", "likely" or "possible", when inferred.
    public var certainty: String?
    /// Rows of the entity that are NULL in each column, when the entity was asked for.
    public var nulls: [String: Int64]?
    /// What the values of each column are like, when that was asked for and the table could be read whole.
    package var measures: [String: ColumnMeasure] = [:]
  }

  /// One relationship.
  public struct Relationship: Sendable, Equatable {
    /// The relationship's name.
    public var name: String
    /// The entity that declares it, when inherited.
    public var declaredBy: String?
    /// The destination entity; nil where it could not be inferred.
    public var destination: String?
    /// The inverse's name.
    public var inverse: String?
    /// Whether it leads to many.
    public var isToMany: Bool
    /// Whether it is ordered.
    public var isOrdered: Bool
    /// Whether it may be empty.
    public var isOptional: Bool
    /// What becomes of the destination when the object is deleted; nil where no model says it.
    package var deleteRule: StoreDataModel.Relationship.DeleteRule?
    /// Whether it is never stored.
    public var isTransient = false
    /// The table that holds the links, where it is not the entity's own.
    public var table: String?
    /// The column with the key.
    public var column: String?
    /// The column with the entity number of the destination object.
    public var companionColumn: String?
    /// The column with the order key.
    public var orderColumn: String?
    /// The join table of a many-to-many relationship.
    public var joinTable: String?
    /// "certain", "likely" or "possible", when inferred.
    public var certainty: String?
    /// Rows of the entity whose key is NULL, for a to-one when the entity was asked for.
    public var nulls: Int64?
  }

  /// One index of a table, as SQLite has it.
  public struct Index: Sendable, Equatable {
    /// The index's name.
    public var name: String
    /// Its columns in order; an expression is shown as "expression".
    public var columns: [String]
    /// Whether it refuses duplicates.
    public var isUnique: Bool
    /// Whether it has a WHERE clause.
    public var isPartial: Bool
  }

  /// The join table of a many-to-many relationship.
  public struct JoinTable: Sendable, Equatable {
    /// The table's name.
    public var name: String
    /// The end after which the table is named.
    public var source: End
    /// The other end.
    public var destination: End
    /// The order-key columns, for ordered ends.
    public var orderColumns: [String]
    /// Nil when they could not be counted.
    public var rows: Int64?
    /// Bytes of the table and its indexes, when asked for.
    public var bytes: Int64?
    /// Those of its indexes alone.
    package var indexBytes: Int64?

    /// A relationship and the column with the keys of its entity.
    public struct End: Sendable, Equatable {
      /// The entity that declares the relationship.
      public var entity: String
      /// The relationship's name.
      public var relationship: String
      /// The column with the keys of that entity.
      public var column: String
    }
  }

  /// Persistent history.
  public struct History: Sendable, Equatable {
    /// Whether the store keeps history.
    public var isPresent: Bool
    /// Rows of `ATRANSACTION`.
    public var transactions: Int64?
    /// Rows of `ACHANGE`.
    public var changes: Int64?
    /// Seconds since 2001-01-01 UTC.
    public var oldest: Double?
    /// Seconds since 2001-01-01 UTC.
    public var newest: Double?
    /// Numbers of transactions that were handed out and are not there any more: trimmed, or never saved.
    public var goneTransactions: [GoneNumbers] = []
    /// Likewise of changes.
    public var goneChanges: [GoneNumbers] = []
    /// Bytes of its tables with their indexes; nil where sizes were not asked for, or cannot be told.
    public var bytes: Int64?
  }

  /// Numbers of one table that were handed out and have no row.
  public struct GoneNumbers: Sendable, Equatable {
    /// All of them lie from here.
    public var first: Int64
    /// To here, itself one that may be.
    public var last: Int64
    /// How many of those in between are gone.
    public var count: Int64

    init(_ gone: HistoryFacts.GoneNumbers) { (first, last, count) = (gone.first, gone.last, gone.count) }
  }

  /// CloudKit mirroring.
  public struct CloudKit: Sendable, Equatable {
    /// Whether the tables of CloudKit mirroring are there.
    public var isMirrored: Bool
    /// How far the objects of each entity are mirrored; nil if not asked for, if the store is not mirrored, or where that
    /// cannot be read, which is among the problems then.
    public var entities: [MirroredEntity]?
    /// Records of entities that the store does not know; nil as `entities` is.
    public var unknownRecords: Int64?
  }

  /// How far the objects of one entity are mirrored to CloudKit, as the store believes.
  public struct MirroredEntity: Sendable, Equatable {
    /// The entity, by its name in `Z_PRIMARYKEY`.
    public var entity: String
    /// Its objects, without those of subentities.
    public var objects: Int64
    /// Objects whose record the server has.
    public var uploaded: Int64
    /// Objects that are still to be sent, or have a change that is.
    public var waiting: Int64
    /// Records to be deleted on the server, and objects to be deleted here.
    public var toBeDeleted: Int64
    /// Records without an object that are not marked for deletion.
    public var ghosts: Int64
    /// Objects without a record.
    public var withoutRecord: Int64
  }

  /// Values kept in files beside the store.
  public struct ExternalData: Sendable, Equatable {
    /// Values that name a file.
    public var references: Int64
    /// Files that exist; nil without references.
    public var found: Int64?
    /// Files that do not; nil without references.
    public var missing: Int64?
  }

  /// Facts that counts and the history tell of the deleted objects of one entity.
  public struct Deleted: Sendable, Equatable {
    /// The entity.
    public var entity: String
    /// Objects that a delete change names and that do not exist; nil without history, and where it cannot be read.
    public var proved: Int64?
    /// Whether there may be more of them.
    public var isAtLeast: Bool
    /// Of a root entity: keys that were handed out and are not in use, proved deletions and objects of subentities among them;
    /// nil where that is not known.
    public var unusedKeys: Int64?
  }

  /// Something that neither the model nor Core Data explains.
  public struct Unexplained: Sendable, Equatable {
    /// The table, or the table of the column.
    public var table: String?
    /// The column.
    public var column: String?
    /// The index.
    public var index: String?
    /// The known facts about it.
    public var why: String
  }
}
