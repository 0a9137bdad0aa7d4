import SQLitePages
import StoreSQLite

/// The rows that are there today, for saying in what an earlier version of an object differs from it.
final class LiveRows: Sendable {
  /// One table, and how rows of each of its entities are read.
  struct Table: Sendable {
    var root: UInt32
    var entityColumn: Int
    /// By `Z_ENT`.
    var layouts: [Int64: RowLayout]
  }

  private let files: PageFiles
  private let tables: [String: Table]

  init(_ files: PageFiles, tables: [String: Table]) {
    self.files = files
    self.tables = tables
  }

  /// A reader for one pass through the results.
  struct Reader {
    fileprivate let rows: LiveRows
    private let view: PageView

    fileprivate init(_ rows: LiveRows) {
      self.rows = rows
      view = PageView(rows.files)
    }

    /// The values of a row; nil where it cannot be read.
    func values(_ key: Int64, in table: String) -> [RecoveredRow.Value]? {
      guard let table = rows.tables[table], let live = try? view.find(rowID: key, root: table.root) else { return nil }
      let payload = live.bytes.withUnsafeBytes { page in try? view.payload(of: live.cell, in: page) }
      return payload?.withUnsafeBytes { bytes in
        var record = Record()
        guard record.read(bytes), let number = record.integer(table.entityColumn, in: bytes),
          let layout = table.layouts[number]
        else { return nil }
        return layout.read(record, in: bytes, key: key)
      }
    }
  }

  var reader: Reader { Reader(self) }
}

/// What changed from one version of an object to the next one that is known.
package struct VersionChanges: Sendable, Equatable {
  /// A value that is another one in the next version.
  package struct Change: Sendable, Equatable {
    /// The value before.
    package let before: RecoveredRow.Value
    /// The value behind; nil where it is not known.
    package let after: RecoveredRow.Value?
  }

  /// The next version.
  package enum Next: Sendable, Equatable {
    /// A row that was found, by its place among the rows.
    case version(Int)
    /// The row that is there today.
    case there
  }

  /// The version that it is compared with.
  package let next: Next
  /// The values that are not the same, in the order of the columns.
  package let changes: [Change]
}

/// Compares the versions of objects with each other, and with the rows that are there.
package struct VersionComparison {
  private let rows: [RecoveredRow]
  private let live: LiveRows.Reader?

  /// For the objects of one recovery.
  package init(_ recovery: Recovery) {
    rows = recovery.rows
    live = recovery.live?.reader
  }

  /// Calls `body` for each version of an object, the oldest first: with what changed until the next one that is known, or
  /// nil where there is none, so that its values stand for themselves.
  package func forEachVersion(
    of object: RecoveredObject, body: (_ row: Int, _ changes: VersionChanges?) throws -> Void
  ) rethrows {
    for (place, index) in object.rows.enumerated() {
      let row = rows[index]
      guard row.kind == .earlierVersion else {
        try body(index, nil)
        continue
      }
      let next = object.rows.dropFirst(place + 1).first { !rows[$0].places.isEmpty && rows[$0].kind != .neverCommitted }
      if let next {
        try body(index, VersionChanges(next: .version(next), changes: Self.changes(row, to: rows[next].values)))
      } else if object.fate == .there, let key = row.key, let table = row.table,
        let now = live?.values(key, in: table)
      {
        try body(index, VersionChanges(next: .there, changes: Self.changes(row, to: now)))
      } else {
        try body(index, nil)
      }
    }
  }

  private static func changes(_ row: RecoveredRow, to next: [RecoveredRow.Value]) -> [VersionChanges.Change] {
    let after = Dictionary(next.map { ($0.name, $0) }) { first, _ in first }
    let before = row.values
    let known = Set(before.map(\.name) + row.missing)
    let changed = before.compactMap { value -> VersionChanges.Change? in
      let then = after[value.name]
      // A value that neither has is none, as is a column that was not there yet.
      guard then?.value != value.value, !(then == nil && value.value.isNull) else { return nil }
      return VersionChanges.Change(before: value, after: then)
    }
    let added = next.filter { !known.contains($0.name) && !$0.value.isNull }.map { value in
      var none = value
      none.value = .null
      return VersionChanges.Change(before: none, after: value)
    }
    return changed + added
  }
}
