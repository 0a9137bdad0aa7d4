import SQLitePages

/// The byte pattern of a table's rows, by which a row is known where no tree leads to it.
package struct RowTemplate: Sendable {
  /// The table.
  package var table: String
  /// The root page; nil for a table that was dropped.
  var root: UInt32?
  /// The columns of the table.
  var definition: TableDefinition
  /// For each value of a record its column.
  package let columns: [Column]
  /// For each value of a record the storage classes it may have, as a mask of `StorageClass`.
  package var masks: [UInt8]
  /// The numbers of values that a row may have: that of the table, and fewer where rows are older than a column.
  package var counts: Set<Int>
  /// Further numbers of values that rows of an earlier version may have, whose columns are not known: columns were added
  /// behind. A row whose beginning is lost is believed to have one where the freed block is just as long.
  var unsureCounts: Set<Int> = []
  /// Serial types that the first value of live rows has.
  var firstTypes: Set<Int64> = []
  /// Of the last row that was learned from the number of values, and the type of the first.
  private var lastCount = -1
  private var lastType: Int64 = -1
  /// The largest row id handed out, as far as known.
  var largestKey: Int64?
  /// The largest row id of a live row.
  var largestLive: Int64 = 0
  /// The columns that Core Data adds; nil in other tables.
  package var coreData: CoreDataRule?
  /// The template of the table as it is today; itself, where it is that.
  var home = 0
  /// Whether it is of a table that had other columns before.
  var isFormer = false
  /// Whether it is of rows with a number that no entity of the table has, in pages of the table: what they tell is which
  /// numbers the entities had.
  var isForeign = false

  /// The column of one value.
  package struct Column: Sendable {
    /// Its place in the declaration.
    package var index: Int
    package var name: String
    var affinity: TableDefinition.Affinity
  }

  /// The columns that every row of a root entity's table has.
  package struct CoreDataRule: Sendable {
    /// Where `Z_ENT` is in the record.
    package var entityColumn: Int
    /// The numbers of the entities of this table.
    package var entities: Set<Int64>
    /// Where `Z_OPT` is in the record.
    var versionColumn: Int?
    /// Where values are that no two objects share: UUIDs, and what a constraint makes unique.
    var namingColumns: [Int] = []
    /// For numbers of versions from before, those of the same entities today.
    var successors: [Int64: Int64] = [:]

    /// The rule of a table whose entities have these numbers.
    package init(
      entityColumn: Int, entities: Set<Int64>, versionColumn: Int?, namingColumns: [Int] = [],
      successors: [Int64: Int64] = [:]
    ) {
      self.entityColumn = entityColumn
      self.entities = entities
      self.versionColumn = versionColumn
      self.namingColumns = namingColumns
      self.successors = successors
    }
  }

  /// The template of a table, from its declaration alone.
  package init(table: String, root: UInt32?, definition: TableDefinition) {
    self.table = table
    self.root = root
    self.definition = definition
    columns = definition.recordColumns.map { index in
      Column(index: index, name: definition.columns[index].name, affinity: definition.columns[index].affinity)
    }
    masks = columns.map { column in
      if column.index == definition.rowIDColumn { return StorageClass.null.rawValue }
      let null = definition.columns[column.index].isNotNull ? 0 : StorageClass.null.rawValue
      return null | column.affinity.mask
    }
    counts = [columns.count]
  }

  /// The most types of a first value that are remembered.
  private static let rememberedTypes = 64

  /// Widens the template by the payload of a live row; nothing is learned from one that is no record.
  mutating func learn(_ payload: UnsafeRawBufferPointer) {
    guard let header = RecordHeader(payload) else { return }
    var (count, first, isNew) = (0, Int64(-1), false)
    let isWhole = header.forEachType(payload) { type in
      if count == 0 { first = type.code }
      if count < masks.count, masks[count] & type.kind.rawValue == 0 { isNew = true }
      count += 1
      return true
    }
    guard isWhole else { return }
    // Most rows are like those before.
    if first != lastType, first >= 0, firstTypes.count < Self.rememberedTypes { firstTypes.insert(first) }
    if count != lastCount { counts.insert(count) }
    (lastType, lastCount) = (first, count)
    guard isNew, count <= masks.count else { return }
    var column = 0
    _ = header.forEachType(payload) { type in
      masks[column] |= type.kind.rawValue
      column += 1
      return true
    }
  }

  /// Widens the template by what one that began as the same has learned.
  mutating func learn(from other: RowTemplate) {
    for (column, mask) in other.masks.enumerated() where column < masks.count { masks[column] |= mask }
    counts.formUnion(other.counts)
    firstTypes.formUnion(other.firstTypes)
  }

  /// Where Core Data has dates.
  var dateColumns: [Int] {
    columns.indices.filter { definition.columns[columns[$0].index].type.uppercased() == "TIMESTAMP" }
  }

  /// How little the template asks for; among several that fit, the least is taken.
  var looseness: Int { masks.reduce(0) { $0 + $1.nonzeroBitCount } + (coreData == nil ? 100 : 0) }
}

extension SerialType {
  /// Whether a value of this type is of one of the storage classes in `mask`.
  @inline(__always)
  func fits(_ mask: UInt8) -> Bool { code != 10 && code != 11 && mask & kind.rawValue != 0 }
}
