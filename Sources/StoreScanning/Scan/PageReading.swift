import SQLitePages
import StoreSQLite

/// How tables are read from their pages without SQLite, which takes half as long, where the file rests.
///
/// The rows are those that SQLite gives, with the same values: where a table, a page or a record is not plainly as it should
/// be, SQLite reads on from that row.
struct PageReading {
  private let file: SettledFile
  private let connection: Connection
  private let options: RowReading
  /// The tables of the schema: where their trees begin, and how they were made.
  private let tables: [String: (root: UInt32, definition: TableDefinition)]

  /// Nil where the file does not rest, or text is not stored as UTF-8.
  init?(_ connection: Connection, _ options: RowReading) {
    guard options.usesPages, let file = connection.settledFile(leastBytes: options.leastBytes),
      file.header.textEncoding == .utf8, let schema = try? connection.readSchema(), schema.damage == nil
    else { return nil }
    (self.file, self.connection, self.options) = (file, connection, options)
    let known = schema.objects.compactMap { object -> (String, (UInt32, TableDefinition))? in
      guard object.isOrdinaryTable, let root = UInt32(exactly: object.rootPage),
        let definition = object.sql.flatMap(TableDefinition.init(sql:)), !definition.isWithoutRowID
      else { return nil }
      return (object.name, (root, definition))
    }
    tables = Dictionary(known) { first, _ in first }
  }

  /// What reads the rows of a table.
  enum Readers {
    /// Nothing but SQLite.
    case sqlite
    /// One reader for all rows.
    case one(TableRows)
    /// One for the first half, and one for the later, with groups for its rows.
    case two(TableRows, TableRows, RowGroups)
  }

  /// What reads the rows of a table with the values of these terms, for these groups. Nothing where the table is left to
  /// SQLite: a small one, one with computed columns, or whose statement tells something else of its key than SQLite does.
  func readers(of table: String, _ terms: [RowTerm], for groups: RowGroups) -> Readers {
    guard let (root, definition) = tables[table], let columns = try? connection.columns(of: table),
      columns.allSatisfy({ $0.kind == .ordinary }), definition.columns.map(\.name) == columns.map(\.name)
    else { return .sqlite }
    let keys = columns.indices.filter { columns[$0].primaryKeyPosition > 0 }
    let key = keys.count == 1 && columns[keys[0]].declaredType.uppercased() == "INTEGER" ? keys[0] : nil
    guard key == definition.rowIDColumn else { return .sqlite }
    let places = Dictionary(columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let wanted = terms.map { term in
      guard let index = term.column.flatMap({ places[$0] }) else { return TableRows.Column(.none) }
      let affinity = TableDefinition.Affinity(declaredType: columns[index].declaredType)
      return TableRows.Column(
        index == key ? .rowID : .record(index), showsReals: affinity == .real,
        hasDefault: columns[index].defaultValue != nil, isOfKind: term.isOfKind)
    }
    guard let rows = TableRows(file, root: root, columns: wanted) else { return .sqlite }
    let pages = rows.estimatedPages
    guard pages >= options.leastPages else { return .sqlite }
    // A key that is not that of the tree may be less than one before it.
    if case .record? = wanted.first?.place { return .one(rows) }
    guard options.threads > 1, pages >= options.leastPagesOfTwo, let groups = groups.forLaterRows(),
      let later = rows.divided(least: options.leastToDivide)
    else { return .one(rows) }
    return .two(rows, later, groups)
  }
}

/// How the rows of tables are read.
package struct RowReading: Sendable {
  /// Whether pages are read without SQLite where that gives the same.
  var usesPages: Bool
  /// The smallest file of which that is worth it, in bytes.
  var leastBytes: Int64
  /// The smallest table, in pages.
  var leastPages: Int
  /// The most threads.
  var threads: Int
  /// The smallest table that two threads read, in pages.
  var leastPagesOfTwo: Int
  /// How many neighbouring parts of a table's tree it takes to find its middle.
  var leastToDivide: Int

  /// As is fastest, on so many threads.
  package static func usual(threads: Int) -> Self {
    Self(
      usesPages: true, leastBytes: SettledFile.leastBytes, leastPages: 8, threads: threads, leastPagesOfTwo: 250,
      leastToDivide: 16)
  }

  /// By SQLite alone.
  package static let sqlite = Self(
    usesPages: false, leastBytes: 0, leastPages: 0, threads: 1, leastPagesOfTwo: 0, leastToDivide: 2)

  /// From pages wherever that is possible, for comparing with SQLite.
  package static func pages(threads: Int) -> Self {
    Self(usesPages: true, leastBytes: 0, leastPages: 0, threads: threads, leastPagesOfTwo: 0, leastToDivide: 2)
  }
}

/// What is read of each row: the value of a column, or only its kind.
struct RowTerm: Hashable {
  /// The column; nil for one that the table does not have, which reads as NULL.
  var column: String?
  /// Whether only the kind of the value is read, so that pages with large values are not.
  var isOfKind = false

  /// What SQLite is to give for it.
  var sql: String {
    let value = column.map(quotedIdentifier) ?? "NULL"
    return isOfKind ? "typeof(\(value))" : value
  }
}
