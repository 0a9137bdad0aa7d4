import StoreCoreData

/// One thing a plan does to a store.
public struct Operation: Sendable, Equatable {
  /// The repair it belongs to.
  public var repair: Repair
  /// What it does, in a few words: "delete 3 links to tags that do not exist". No values from rows but keys.
  public var summary: String
  /// The entity, by its name in `Z_PRIMARYKEY`; nil for the store as a whole.
  public var entity: String?
  /// The attribute or relationship.
  public var property: String?
  /// What is done.
  public var edit: Edit
  /// What has to be said for it to be carried out.
  public var grade: RepairGrade
  /// How many rows (or indexes, or files) change; what differs when it is carried out stops everything.
  public var expectedChanges: Int

  /// An operation on rows changes as many as the edit lists, unless said otherwise.
  init(
    _ repair: Repair, _ summary: String, entity: String? = nil, property: String? = nil, _ edit: Edit,
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

/// What an operation does.
public enum Edit: Sendable, Equatable {
  /// Rows are inserted, changed or deleted.
  case rows(RowEdit)
  /// An index is made again from its table.
  case reindex(String)
  /// A unique index is made, in place of one of that name that is not unique where there is one.
  case createUniqueIndex(name: String, table: String, columns: [String], replaces: Bool)
  /// `Z_MAX` of an entity.
  case highWater(EntityID, Int64)
  /// `Z_NAME` of an entity.
  case renameEntity(EntityID, String)
  /// Digest and checksum in `Z_PLIST`; nil leaves one as it is.
  case metadata(digest: String?, checksum: String?)
  /// A file of the support folder's `_EXTERNAL_DATA` that no row names is moved out of it.
  case moveExternalFile(String)

  /// Rows, indexes or files that change.
  var count: Int {
    switch self {
    case .rows(let rows): rows.count
    case .reindex, .createUniqueIndex, .highWater, .renameEntity, .metadata, .moveExternalFile: 1
    }
  }
}
