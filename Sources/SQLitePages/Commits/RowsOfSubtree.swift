import StoreSQLite

/// The rows below a page.
struct RowsOfSubtree {
  private let pages: CommitPages
  private let moment: CommitPages.Moment
  private let skipped: [UInt32: Int]
  /// The pages that were read.
  private(set) var visited: Set<UInt32> = []
  /// Whether a page could not be read as one of a table.
  private(set) var isDamaged = false

  init(_ pages: CommitPages, at moment: CommitPages.Moment, skipping: [UInt32: Int] = [:]) {
    self.pages = pages
    self.moment = moment
    skipped = skipping
  }

  /// Calls `body` with each row, each page once.
  mutating func visit(_ root: UInt32, _ body: (TablePage, Cell) throws(FileError) -> Void) throws(FileError) {
    var pending = [root]
    while let number = pending.popLast() {
      guard skipped[number] == nil, visited.insert(number).inserted else { continue }
      let page = try pages.page(number, at: moment)
      switch page.kind {
      case .interior: pending += page.children.reversed()
      case .leaf:
        guard let rows = page.rows() else {
          isDamaged = true
          continue
        }
        for row in rows { try body(page, row) }
      case .other: isDamaged = true
      }
    }
  }
}
