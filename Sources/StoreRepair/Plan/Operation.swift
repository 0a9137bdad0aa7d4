import StoreCoreData

/// One change that a plan makes to a store.
public struct Operation: Sendable, Equatable {
  /// The repair it belongs to.
  public var repair: Repair
  /// A summary in a few words: "delete 3 links to tags that do not exist". Contains keys of rows but no other
  /// values.
  public var summary: String
  /// The entity, by its name in `Z_PRIMARYKEY`; nil for the store as a whole.
  public var entity: String?
  /// The attribute or relationship.
  public var property: String?
  /// The edit.
  package var edit: Edit
  /// The permission that is needed to carry it out.
  public var grade: RepairGrade
  /// How many rows (or indexes, or files) change; carrying it out fails when the number differs.
  public var expectedChanges: Int
  /// The groups of duplicates whose others it removes; empty for other operations.
  var groups: [Twins] = []
  /// Whether the others of `groups` become the one that stays; otherwise they are deleted.
  var mergesGroups = false

  /// An operation; `expectedChanges` is by default the number of rows in the edit.
  init(
    _ repair: Repair, summary: String, entity: String? = nil, property: String? = nil, _ edit: Edit,
    grade: RepairGrade = .safe, expectedChanges: Int? = nil
  ) {
    self.repair = repair
    self.summary = summary
    self.entity = entity
    self.property = property
    self.edit = edit
    self.grade = grade
    self.expectedChanges = expectedChanges ?? edit.count
  }
}

/// The edit of an operation.
package enum Edit: Sendable, Equatable {
  /// Rows are inserted, changed or deleted.
  case rows(RowEdit)
  /// An index is rebuilt from its table.
  case reindex(String)
  /// A unique index is created; with `replaces`, in place of a non-unique one of the same name.
  case createUniqueIndex(name: String, table: String, columns: [String], replaces: Bool)
  /// `Z_MAX` of an entity is set.
  case highWater(EntityID, Int64)
  /// `Z_NAME` of an entity is set.
  case renameEntity(EntityID, String)
  /// Digest and checksum in `Z_PLIST` are set; nil leaves one unchanged.
  case metadata(digest: String?, checksum: String?)
  /// The whole file is written anew without its free pages, which leaves it this many bytes long. It is done after all else,
  /// outside the transaction of the other edits.
  case compact(bytes: Int64)
  /// A file in the support folder's `_EXTERNAL_DATA` that no row references is moved out of it.
  case moveExternalFile(String)

  /// Whether the whole file is written anew.
  package var isCompaction: Bool { if case .compact = self { true } else { false } }

  /// How many rows, indexes or files change.
  var count: Int {
    switch self {
    case .rows(let rows): rows.count
    case .reindex, .createUniqueIndex, .highWater, .renameEntity, .metadata, .compact, .moveExternalFile: 1
    }
  }
}
