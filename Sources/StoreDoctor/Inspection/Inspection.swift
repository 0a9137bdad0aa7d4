import CoreDataModel
import CoreDataStore

/// Everything `storedoctor inspect` says about one store: `storedoctor.inspection/1` (`docs/schemas/inspection.json`).
///
/// Facts only; what could not be read is nil, with the reason in `problems`.
public struct Inspection: Sendable, Equatable {
  public var store: StoreFacts
  public var metadata: Metadata
  public var model: ModelFacts
  /// By entity number, those of history and CloudKit included.
  public var entities: [Entity]
  public var joinTables: [JoinTable]
  public var history: History
  public var cloudKit: CloudKit
  public var externalData: ExternalData
  public var unexplained: [Unexplained]
  /// What is damaged, missing or contradictory, one sentence each, worst first.
  public var problems: [String]

  /// The files and the database as SQLite sees it.
  public struct StoreFacts: Sendable, Equatable {
    /// As the user gave it, or as found in the folder that was given.
    public var path: String
    public var files: [File]
    /// "wal" or "delete".
    public var journalMode: String
    /// Bytes.
    public var pageSize: Int
    /// Pages on the freelist.
    public var freePages: Int64
    public var wal: WAL?
    public var hotJournal: HotJournal?
    /// False where reading may have changed access times, because the file is another user's.
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
    /// Whole frames in the file, whatever their state.
    public var frames: Int64
    /// Frames up to the last valid commit: what a reader sees.
    public var committedFrames: Int64
    /// Pages whose committed version is not in the main file.
    public var framesNotInMain: Int64
    /// "yes", "no" or "unknown".
    public var belongsToStore: String
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
    public var uuid: String?
    public var frameworkVersion: Int64?
    public var maximumFrameworkVersion: Int64?
    public var versionIdentifiers: [String]
    public var hashesVersion: Int64?
    /// Entity to 64 hex digits; nil when the metadata has no list.
    public var hashes: [String: String]?
    public var digest: String?
    public var checksum: String?
    public var digestConsistent: Bool?
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
    /// "cache" or "inferred".
    public var source: String
    /// Whether hashes, digest and checksum computed from the cache equal the metadata's; nil without a cache.
    public var hashesEqual: Bool?
  }

  /// One entity.
  public struct Entity: Sendable, Equatable {
    public var name: String
    public var modelName: String?
    public var number: Int64
    public var parent: String?
    public var root: String
    public var table: String
    public var isAbstract: Bool
    public var isInternal: Bool
    /// Rows with this entity's number, subentities' not among them; nil when they could not be counted.
    public var rows: Int64?
    /// `Z_MAX`.
    public var highWater: Int64?
    public var versionHash: VersionHash?
    public var attributes: [Attribute]
    public var relationships: [Relationship]
    public var uniquenessConstraints: [[String]]
    /// Bytes of the entity's table and its indexes, for root entities when sizes are asked for.
    public var bytes: Int64?
    /// Indexes of the entity's table, when the entity was asked for.
    public var indexes: [Index]?
  }

  /// Stored and computed version hash of an entity.
  public struct VersionHash: Sendable, Equatable {
    public var stored: String?
    public var computed: String?
    public var isEqual: Bool?
    /// Rules of the hash that no real file has confirmed and that this one rests on.
    public var unproven: [String]
  }

  /// One attribute.
  public struct Attribute: Sendable, Equatable {
    public var name: String
    /// The entity that declares it, when inherited.
    public var declaredBy: String?
    /// One for each stored leaf; empty for a transient attribute, missing columns left out.
    public var columns: [String]
    /// Columns the model asks for and the table does not have (by leaf, or the attribute's name).
    public var missing: [String]
    public var type: String
    public var isOptional: Bool
    public var isTransient: Bool
    public var isDerived: Bool
    public var allowsExternalStorage: Bool
    public var certainty: String?
    /// Rows of the entity that are NULL in each column, when the entity was asked for.
    public var nulls: [String: Int64]?
  }

  /// One relationship.
  public struct Relationship: Sendable, Equatable {
    public var name: String
    public var declaredBy: String?
    public var destination: String?
    public var inverse: String?
    public var isToMany: Bool
    public var isOrdered: Bool
    public var isOptional: Bool
    /// Never stored.
    public var isTransient = false
    /// The table that holds the links, where it is not the entity's own.
    public var table: String?
    public var column: String?
    public var companionColumn: String?
    public var orderColumn: String?
    public var joinTable: String?
    public var certainty: String?
    /// Rows of the entity whose key is NULL, for a to-one when the entity was asked for.
    public var nulls: Int64?
  }

  /// One index of a table, as SQLite has it.
  public struct Index: Sendable, Equatable {
    public var name: String
    public var columns: [String]
    public var isUnique: Bool
    public var isPartial: Bool
  }

  /// One many-to-many table.
  public struct JoinTable: Sendable, Equatable {
    public var name: String
    public var source: End
    public var destination: End
    public var orderColumns: [String]
    /// Nil when they could not be counted.
    public var rows: Int64?
    public var bytes: Int64?

    /// A relationship and the column with the keys of its entity.
    public struct End: Sendable, Equatable {
      public var entity: String
      public var relationship: String
      public var column: String
    }
  }

  /// Persistent history.
  public struct History: Sendable, Equatable {
    public var isPresent: Bool
    public var transactions: Int64?
    public var changes: Int64?
    /// Seconds since 2001-01-01 UTC.
    public var oldest: Double?
    public var newest: Double?
  }

  /// CloudKit mirroring.
  public struct CloudKit: Sendable, Equatable {
    public var isMirrored: Bool
  }

  /// Values kept in files beside the store.
  public struct ExternalData: Sendable, Equatable {
    public var references: Int64
    public var found: Int64?
    public var missing: Int64?
  }

  /// Something not accounted for.
  public struct Unexplained: Sendable, Equatable {
    public var table: String?
    public var column: String?
    public var index: String?
    public var why: String
  }

  /// Objects of the model's own entities; nil when some could not be counted.
  public var objects: Int64? {
    let counts = entities.filter { !$0.isInternal }.map(\.rows)
    return counts.contains(nil) ? nil : counts.compactMap(\.self).reduce(0, +)
  }
}
