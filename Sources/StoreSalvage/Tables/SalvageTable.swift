import SQLitePages
import StoreRecovery

/// A table of the damaged store, with the pages of its rows.
struct SalvageTable {
  let name: String
  /// The statement that made it.
  let sql: String
  let definition: TableDefinition
  /// The root of its tree; nil where it is lost.
  let root: UInt32?
  /// Whether its statement was made from the model, not read.
  let isMade: Bool
  var template: RowTemplate
  /// The keys to which no readable page of its tree leads.
  var missing: [ClosedRange<Int64>] = []
  /// The highest pages above leaves that are its own by their rows.
  var tops: Set<UInt32> = []
  /// The leaves whose rows are its own: those of its tree in order, then those that nothing leads to.
  var leaves: [Leaf] = []

  init?(name: String, sql: String, root: UInt32?, isMade: Bool = false) {
    guard let definition = TableDefinition(sql: sql), !definition.isWithoutRowID else { return nil }
    (self.name, self.sql, self.definition, self.root, self.isMade) = (name, sql, definition, root, isMade)
    template = RowTemplate(table: name, root: root, definition: definition)
    // A link has both its ends.
    if definition.rowIDColumn == nil {
      for (value, column) in template.columns.enumerated() where definition.primaryKey.contains(column.index) {
        template.masks[value] &= ~StorageClass.null.rawValue
      }
    }
  }

  /// A leaf with rows.
  struct Leaf {
    var page: UInt32
    /// The keys of its first and its last row.
    var keys: ClosedRange<Int64>
    /// The keys that its rows can have: by the pages above it, else `keys`.
    var bounds: ClosedRange<Int64>
    var way: Way
    /// Whether another leaf has keys in the same range, so that one of them is of an older state.
    var isContested = false
    /// Whether the page does not add up.
    var isDamaged = false
  }

  /// How it is known that a leaf is of a table.
  enum Way: UInt8 {
    /// Its tree leads to it.
    case tree
    /// The pointer map, or pages above it, lead to the root.
    case pages
    /// Its rows are as those of the table.
    case rows
  }
}
