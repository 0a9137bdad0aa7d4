import SQLitePages
import StoreSQLite

extension Recovery.Database {
  /// Takes over the figures of a search.
  init(_ search: PageRecovery) {
    let header = search.files.header
    self.init(
      pageSize: search.files.geometry.pageSize, pages: Int64(search.view.pageCount),
      freePages: Int64(header.freelistCount), encoding: header.textEncoding.sqliteName,
      readVersion: Int(header.readVersion), writeVersion: Int(header.writeVersion))
    tables = search.schema.entries.filter { $0.type == "table" }.map { entry in
      Recovery.Table(
        name: entry.name, sql: entry.sql, columns: entry.sql.flatMap { TableDefinition(sql: $0) }?.described ?? [],
        rows: search.rowCounts[entry.name])
    }
  }
}

extension TableDefinition {
  fileprivate var described: [Recovery.Column] {
    columns.enumerated().map { index, column in
      Recovery.Column(
        name: column.name, type: column.type, primaryKey: primaryKey.firstIndex(of: index).map { $0 + 1 } ?? 0)
    }
  }
}

extension DatabaseHeader.TextEncoding {
  fileprivate var sqliteName: String {
    switch self {
    case .utf16LittleEndian: "UTF-16le"
    case .utf16BigEndian: "UTF-16be"
    default: "UTF-8"
    }
  }
}

extension LiveRows {
  /// The rows of tables of which earlier versions were found.
  convenience init(
    of rows: [RecoveredRow], in search: PageRecovery, tables: StoreTables, layouts: inout RowLayouts
  ) {
    var live: [String: Table] = [:]
    for name in Set(rows.lazy.filter { $0.kind == .earlierVersion && $0.key != nil }.compactMap(\.table)) {
      guard let index = search.templates.firstIndex(where: { $0.table == name && !$0.isFormer && $0.root != nil }),
        let root = search.templates[index].root, let column = search.templates[index].coreData?.entityColumn
      else { continue }
      var table = Table(root: root, entityColumn: column, layouts: [:])
      for entity in tables.entities[name] ?? [] where !entity.isAbstract {
        table.layouts[entity.id.number] = layouts.layout(
          index, RowMeaning(number: entity.id.number, name: entity.name))
      }
      live[name] = table
    }
    self.init(search.files, tables: live)
  }
}
