import SQLitePages
import StoreSQLite

extension PageRecovery {
  /// The most rows of the schema that are gone and kept.
  private static let formerEntryLimit = 1_000

  /// Looks for rows of the schema that are gone but still in the file, and makes templates of what they say: for tables that
  /// were dropped, and for tables that had other columns before.
  ///
  /// Core Data makes a table anew under its name, while the old one is called `_T_` and its name, and renames join tables
  /// after the numbers of entities, by way of a name that ends in `TEMP` (`migration-on-disk.md`).
  ///
  /// - Parameter successors: for tables that have another name today, that name.
  func findDroppedTables(successors: [String: String] = [:]) throws {
    guard
      let definition = TableDefinition(
        sql:
          "CREATE TABLE sqlite_master (type TEXT NOT NULL, name TEXT NOT NULL, tbl_name TEXT NOT NULL, rootpage INT, sql TEXT)"
      )
    else { return }
    var template = RowTemplate(table: "sqlite_master", root: 1, definition: definition)
    template.firstTypes = ["table", "index", "trigger"].reduce(into: []) {
      $0.insert(files.header.textEncoding.serialType(of: $1).code)
    }
    let carver = Carver(templates: [template], geometry: files.geometry, encoding: files.header.textEncoding)
    var former = FormerSchema(schema.entries)
    // Where a log has newer pages, those of the main file are of before.
    let views = files.frames == nil ? [view] : [view, PageView(files, commit: 0)]
    for one in views {
      for page in 1...max(1, one.pageCount) where schema.pages.contains(page) || one === view && isFree(page) {
        let isCurrent = one.origin(of: page) == view.origin(of: page)
        guard one === view || !isCurrent, let bytes = try one.page(page), mayHaveStatements(bytes) else { continue }
        try search(bytes, number: page, isSchema: schema.pages.contains(page), isCurrent: one === view, carver, &former)
      }
    }
    let joins = joinTables
    for entry in former.entries { take(entry, joins: joins, successors: successors) }
  }

  /// For each join table's name without its number how many columns it has.
  private var joinTables: [Substring: Set<Int>] {
    var tables: [Substring: Set<Int>] = [:]
    for entry in schema.entries where entry.type == "table" {
      guard let rest = Self.withoutNumber(entry.name), let table = entry.sql.flatMap({ TableDefinition(sql: $0) })
      else { continue }
      tables[rest, default: []].insert(table.columns.count)
    }
    return tables
  }

  /// "TAGS" for "Z_3TAGS"; nil for a name without a number.
  private static func withoutNumber(_ name: String) -> Substring? {
    guard name.hasPrefix("Z_") else { return nil }
    let tail = name.dropFirst(2)
    let digits = tail.prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? nil : tail.dropFirst(digits.count)
  }

  /// Whether a page has the word that the statements of a schema begin with.
  private func mayHaveStatements(_ page: [UInt8]) -> Bool {
    // In UTF-16 each of its letters has a zero before or behind it.
    let step =
      switch files.header.textEncoding {
      case .utf16LittleEndian, .utf16BigEndian: 2
      case .unset, .utf8, .unknown: 1
      }
    let word = Array("CREATE".utf8)
    return page.withUnsafeBytes { page in
      var start = 0
      while start + step * word.count <= page.count {
        if page[start] == word[0], word.indices.allSatisfy({ page[start + step * $0] == word[$0] }) { return true }
        start += 1
      }
      return false
    }
  }

  private func search(
    _ page: [UInt8], number: UInt32, isSchema: Bool, isCurrent: Bool, _ carver: Carver, _ former: inout FormerSchema
  ) throws {
    page.withUnsafeBytes { bytes in
      guard let header = BTreePage(bytes, isFirst: number == 1, usableSize: files.geometry.usableSize) else { return }
      func take(_ record: Record, at start: Int) {
        let payload = UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard former.entries.count < Self.formerEntryLimit,
          let entry = PageSchema.Entry(record, payload, files.header.textEncoding)
        else { return }
        former.add(entry)
      }
      let anatomy = PageAnatomy(bytes, header: header, geometry: files.geometry)
      for range in isSchema ? anatomy.unclaimed : [header.start..<files.geometry.usableSize] {
        for cell in carver.rows(in: bytes, range: range, owner: 0, freeblocks: anatomy.freeblocks)
        where cell.overflow == nil {
          take(cell.record, at: cell.recordStart)
        }
      }
      guard isSchema, !isCurrent else { return }
      var record = Record()
      for cell in anatomy.cells where cell.overflow == nil {
        if record.read(bytes, at: cell.payloadStart) { take(record, at: cell.payloadStart) }
      }
    }
  }

  private func take(_ entry: PageSchema.Entry, joins: [Substring: Set<Int>], successors: [String: String]) {
    guard entry.type == "table", !entry.name.hasPrefix("sqlite_"), let sql = entry.sql,
      let definition = TableDefinition(sql: sql), !definition.isWithoutRowID
    else { return remember(entry, isDropped: false) }
    let new = RowTemplate(table: entry.name, root: nil, definition: definition)
    let aside = entry.name.hasPrefix("_T_") ? String(entry.name.dropFirst(3)) : entry.name
    let original = successors[aside] ?? aside
    if let home = templates.firstIndex(where: { $0.table == original && $0.root != nil && !$0.isFormer }) {
      remember(entry, isDropped: aside != entry.name)
      let (names, now) = (new.columns.map(\.name), templates[home].columns.map(\.name))
      guard names != now else { return }
      if now.starts(with: names) {
        refine { if $0.table == original, !$0.isFormer { $0.counts.insert(names.count) } }
      } else if !templates.contains(where: { $0.isFormer && $0.home == home && $0.columns.map(\.name) == names }) {
        add(new, home: home)
      }
    } else if isRenamedJoin(entry.name, definition, joins) {
      remember(entry, isDropped: false)
    } else {
      let isCertain = schema.faults.count == 0
      remember(entry, isDropped: isCertain)
      if !isCertain {
        notes.append(
          "\(entry.name): the schema, which is damaged, does not show it; whether the table was dropped is not known")
      }
      add(new, home: nil)
    }
  }

  /// Whether a table is a join table that has another number in its name today: `Z_3TAGS` and `Z_3TAGSTEMP` are `Z_4TAGS`.
  private func isRenamedJoin(
    _ name: String, _ definition: TableDefinition, _ joins: [Substring: Set<Int>]
  ) -> Bool {
    guard let rest = Self.withoutNumber(name) else { return false }
    let count = definition.columns.count
    return joins[rest]?.contains(count) == true
      || rest.hasSuffix("TEMP") && joins[rest.dropLast(4)]?.contains(count) == true
  }
}

/// Rows of the schema that are gone, each once.
private struct FormerSchema {
  private(set) var entries: [PageSchema.Entry] = []
  private let live: Set<Entry>
  private var known: Set<Entry> = []

  private struct Entry: Hashable {
    var name: String
    var sql: String?
  }

  init(_ live: [PageSchema.Entry]) {
    self.live = Set(live.map { Entry(name: $0.name, sql: $0.sql) })
  }

  mutating func add(_ entry: PageSchema.Entry) {
    let one = Entry(name: entry.name, sql: entry.sql)
    guard entry.sql != nil, !live.contains(one), known.insert(one).inserted else { return }
    entries.append(entry)
  }
}
