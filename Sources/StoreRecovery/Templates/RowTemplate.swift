import SQLitePages

/// What a row of one table looks like in bytes, by which it is known where no tree leads to it.
struct RowTemplate: Sendable {
  /// The table.
  var table: String
  /// The root page; nil for a table that was dropped.
  var root: UInt32?
  /// The columns of the table.
  var definition: TableDefinition
  /// For each value of a record the storage classes it may have, as a mask of `StorageClass`.
  var masks: [UInt8]
  /// The numbers of values that a row may have: that of the table, and fewer where rows are older than a column.
  var counts: Set<Int>
  /// Serial types that the first value of live rows has.
  var firstTypes: Set<Int64> = []
  /// The largest row id handed out, as far as known.
  var largestKey: Int64?
  /// The largest row id of a live row.
  var largestLive: Int64 = 0
  /// What Core Data adds; nil in other tables.
  var coreData: CoreDataRule?

  /// What every row of a root entity's table has.
  struct CoreDataRule: Sendable {
    /// Where `Z_ENT` is in the record.
    var entityColumn: Int
    /// The numbers of the entities of this table.
    var entities: Set<Int64>
    /// Where `Z_OPT` is in the record.
    var versionColumn: Int?
    /// Where values are that no two objects share: UUIDs, and what a constraint makes unique.
    var namingColumns: [Int] = []
  }

  /// The template of a table, from its declaration alone.
  init(table: String, root: UInt32?, definition: TableDefinition) {
    self.table = table
    self.root = root
    self.definition = definition
    let columns = definition.recordColumns
    masks = columns.map { column in
      let declared = definition.columns[column]
      if column == definition.rowIDColumn { return StorageClass.null.rawValue }
      let null = declared.isNotNull ? 0 : StorageClass.null.rawValue
      return null | Self.mask(declared.affinity)
    }
    counts = [columns.count]
  }

  private static func mask(_ affinity: TableDefinition.Affinity) -> UInt8 {
    switch affinity {
    case .integer: StorageClass.integer.rawValue
    case .text: StorageClass.text.rawValue
    case .real, .numeric: StorageClass.real.rawValue | StorageClass.integer.rawValue
    case .blob:
      StorageClass.integer.rawValue | StorageClass.real.rawValue | StorageClass.text.rawValue
        | StorageClass.blob.rawValue
    }
  }

  /// The most types of a first value that are remembered.
  private static let rememberedTypes = 64

  /// Widens the template by a live row.
  mutating func learn(_ record: Record) {
    counts.insert(record.count)
    if record.count > masks.count { return }
    for index in 0..<record.count { masks[index] |= record.types[index].kind.rawValue }
    if let first = record.types.first, firstTypes.count < Self.rememberedTypes { firstTypes.insert(first.code) }
  }

  /// How little the template asks for; among several that fit, the least is taken.
  var looseness: Int { masks.reduce(0) { $0 + $1.nonzeroBitCount } + (coreData == nil ? 100 : 0) }

  /// Whether a value of that type may be in `column` of a record.
  @inline(__always)
  func admits(_ type: SerialType, in column: Int) -> Bool {
    column < masks.count && type.code != 10 && type.code != 11 && masks[column] & type.kind.rawValue != 0
  }

  /// Whether types fit throughout.
  func admits(_ record: Record) -> Bool {
    guard counts.contains(record.count) else { return false }
    for column in 0..<record.count where !admits(record.types[column], in: column) { return false }
    return true
  }

  /// Whether the values agree with what Core Data writes in every row.
  func agrees(_ record: Record, _ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard let coreData else { return true }
    guard let entity = record.integer(coreData.entityColumn, in: bytes, at: start), coreData.entities.contains(entity)
    else { return false }
    guard let column = coreData.versionColumn else { return true }
    // "`Z_OPT` is 1 after insert"; NULL only in history tables.
    guard let version = record.integer(column, in: bytes, at: start) else { return false }
    return version >= 1 && version < 1 << 40
  }
}
