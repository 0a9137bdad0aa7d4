import SQLitePages
import StoreSystem

/// The reading of a table's pages by one thread: of some rows, or for some visitors.
///
/// It is used by one thread at a time.
final class PagesRead: @unchecked Sendable {
  /// The rows that were taken.
  @exclusivity(unchecked) private(set) var groups: RowGroups
  /// Whether the table was read to its end.
  private(set) var isWhole = false
  /// The key of the first row in the tree; nil where none was taken.
  private(set) var firstKey: Int64?
  private let rows: TableRows

  init(_ rows: TableRows, _ groups: RowGroups) { (self.rows, self.groups) = (rows, groups) }

  /// Takes rows until the last, or until one is unclear.
  func run() {
    let row = Row(rows)
    var step = rows.next()
    if step == .row { firstKey = rows.rowID }
    while step == .row {
      groups.take(row)
      step = rows.next()
    }
    isWhole = step == .end
  }

  /// The key of the last row in the tree that was read.
  var lastKey: Int64 { rows.rowID }
}
