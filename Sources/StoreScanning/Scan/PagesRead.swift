import SQLitePages
import StoreSystem

/// The reading of a table's pages by one thread, for some of its visitors.
///
/// It is used by one thread at a time.
final class PagesRead: @unchecked Sendable {
  /// The rows that were taken.
  @exclusivity(unchecked) private(set) var groups: RowGroups
  /// Whether the table was read to its end.
  private(set) var isWhole = false
  private let rows: TableRows

  init(_ rows: TableRows, _ groups: RowGroups) { (self.rows, self.groups) = (rows, groups) }

  /// Takes rows until the last, or until one is unclear.
  func run() {
    let row = Row(rows)
    var step = rows.next()
    while step == .row {
      groups.take(row)
      step = rows.next()
    }
    isWhole = step == .end
  }
}
