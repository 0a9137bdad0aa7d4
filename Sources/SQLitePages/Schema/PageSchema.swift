import StoreSQLite

/// The schema table as its pages have it.
package struct PageSchema: Sendable {
  /// One row of the schema table.
  package struct Entry: Equatable, Sendable {
    /// "table", "index", "view" or "trigger".
    package var type: String
    /// The name.
    package var name: String
    /// The table it belongs to.
    package var table: String
    /// The root page; 0 for none.
    package var root: UInt32
    /// The statement that made it; nil for automatic indexes.
    package var sql: String?

    /// A row that creates a table.
    package init(table name: String, root: UInt32, sql: String) {
      (type, self.name, table, self.root, self.sql) = ("table", name, name, root, sql)
    }

    /// A row of that kind that says no root.
    package init(kind: String, name: String, sql: String) {
      (type, self.name, table, root, self.sql) = (kind, name, name, 0, sql)
    }
  }

  /// The rows, in order.
  package private(set) var entries: [Entry] = []
  /// What was not as it should be.
  package private(set) var faults = PageFaults()
  /// The pages of the schema table.
  package private(set) var pages = PageSet(upTo: 0)

  /// The most rows that are read.
  package static let limit = 100_000

  /// Reads the schema table of a view.
  package init(_ view: PageView) throws {
    var walk = BTreeWalk(view, root: 1)
    var record = Record()
    var entries: [Entry] = []
    let encoding = view.files.header.textEncoding
    var own = PageFaults()
    var last = Int64.min
    try walk.run { row in
      let key = row.cell.rowID ?? 0
      if key <= last { own.add(row.page, .order) }
      last = key
      if record.read(row.payload), let entry = Entry(record, row.payload, encoding) {
        entries.append(entry)
      } else {
        own.add(row.page, .record)
      }
      return entries.count < Self.limit
    }
    self.entries = entries
    faults = walk.faults
    faults.add(own)
    pages = walk.pages
  }

  /// The same with other rows, of which some were found elsewhere.
  package func showing(_ entries: [Entry]) -> Self {
    var schema = self
    schema.entries = entries
    return schema
  }
}

extension PageSchema.Entry {
  /// Reads a row of the schema table.
  package init?(_ record: Record, _ payload: UnsafeRawBufferPointer, _ encoding: DatabaseHeader.TextEncoding) {
    func text(_ column: Int) -> String? {
      guard column < record.count, record.fields[column].type.kind == .text else { return nil }
      return record.bytes(column, in: payload).map(encoding.text)
    }
    guard record.count >= 5, let type = text(0), let name = text(1), let table = text(2) else { return nil }
    self.type = type
    self.name = name
    self.table = table
    root = record.integer(3, in: payload).flatMap(UInt32.init(exactly:)) ?? 0
    sql = text(4)
  }
}
