import StoreCoreData
import StoreScanning
import StoreSQLite
import StoreText
import StoreWords

/// Counts of the rows written into a readable database.
package struct ExportSummary {
  /// Objects by entity, without those of subentities.
  package var objects: [(entity: String, count: Int64)] = []
  /// Links that lead to objects that do not exist, now in `_dangling`.
  package var dangling: Int64 = 0
  /// Remarks on parts left out or changed, in a sentence each.
  package var remarks: [String] = []
}

/// Writes all objects of a store into an empty file as a readable database.
///
/// Each table of the store is read once. Nothing is kept in memory but the row at hand, and SQLite's cache.
///
/// - Parameters:
///   - path: an empty file that nobody else has open.
///   - about: names and values of the table `_about`.
/// - Throws: `SQLiteError` where the store cannot be read or the file cannot be written.
package func exportReadableDatabase(
  of store: Store, into path: String, about: [(name: String, value: String)]
) throws -> ExportSummary {
  let map = StoreMap(store)
  let design = ReadableDatabase(store, map)
  let target = try Connection(writing: path, create: false)
  defer { target.close() }
  // The file is thrown away if anything fails, so it needs no journal.
  try target.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN")
  for statement in design.tables { try target.execute(statement) }
  var summary = ExportSummary()
  let loader = ColumnLoader(store, map)
  for table in design.entities where table.parent == nil {
    try Family(table, design, map).copy(loader, to: target, summary: &summary)
  }
  for table in design.links { try copy(table, of: store, to: target) }
  for statement in design.danglingLinks { try target.execute(statement) }
  for statement in design.indexesAndViews { try target.execute(statement) }
  let row = try target.prepare("INSERT OR REPLACE INTO _about VALUES (?, ?)")
  for (name, value) in about {
    try row.bind(name, at: 1)
    try row.bind(value, at: 2)
    _ = try row.step()
    row.reset()
  }
  summary.dangling = try target.count("_dangling")
  try target.execute("COMMIT")
  return summary
}

/// The tables of a root entity and its descendants, which one table of the store has the rows of.
private struct Family {
  private let root: ReadableDatabase.EntityTable
  private let members: [ReadableDatabase.EntityTable]
  /// For each entity, which members its objects have rows in: itself and its ancestors.
  private var lineages: [EntityID: [Int]] = [:]

  init(_ root: ReadableDatabase.EntityTable, _ design: ReadableDatabase, _ map: StoreMap) {
    self.root = root
    let kinds = map.kinds(of: root.entity.id)
    members = design.entities.filter { kinds.contains($0.entity.id) && $0.entity.table == root.entity.table }
    for member in members {
      var lineage: [Int] = []
      var name: String? = member.name
      while let current = name, lineage.count < 64, let place = members.firstIndex(where: { $0.name == current }) {
        lineage.append(place)
        name = members[place].parent
      }
      lineages[member.entity.id] = lineage
    }
  }

  func copy(_ loader: ColumnLoader, to target: Connection, summary: inout ExportSummary) throws {
    var names: [String] = []
    var places: [[Int]] = []
    for member in members {
      places.append(
        member.columns.map { column in
          names.append(column.source.name)
          return names.count - 1
        })
    }
    let reader = try RowReader(
      root.entity, columns: names, includesSubentities: true, readsBinary: true, loader: loader)
    let inserts = try members.map { member in
      let count = 1 + (member.hasEntityColumn ? 1 : 0) + member.columns.count
      return try target.prepare(
        "INSERT INTO \(quotedIdentifier(member.name)) VALUES"
          + " (\(Array(repeating: "?", count: count).joined(separator: ", ")))")
    }
    var counts = [EntityID: Int64]()
    var writer = CellWriter()
    try reader.forEach { row in
      guard let lineage = lineages[row.entity] else { return }
      counts[row.entity, default: 0] += 1
      for place in lineage {
        let insert = inserts[place]
        try insert.bind(row.key, at: 1)
        var parameter = 2
        if members[place].hasEntityColumn {
          try insert.bind(loader.map.entity(row.entity)?.name, at: 2)
          parameter = 3
        }
        for column in places[place] {
          try writer.write(row.value(column), to: insert, at: parameter)
          parameter += 1
        }
        _ = try insert.step()
        insert.reset()
      }
    }
    for member in members { summary.objects.append((member.entity.name, counts[member.entity.id] ?? 0)) }
    summary.remarks += reader.remarks
    if writer.invalidTexts > 0 {
      summary.remarks.append(
        "\(counted(writer.invalidTexts, "text")) of \(root.name) \(writer.invalidTexts == 1 ? "is" : "are") not valid UTF-8"
          + " and kept as BLOB")
    }
  }
}

private func copy(_ table: ReadableDatabase.LinkTable, of store: Store, to target: Connection) throws {
  let columns = table.stored.ends + table.orders.map(\.stored)
  let known = store.shape.tables[table.stored.table]
  let entity = table.kinds != nil && known?.has("Z_ENT") == true ? "Z_ENT" : "NULL"
  let links = try store.connection.prepare(
    "SELECT \(entity), \(columns.map(quotedIdentifier).joined(separator: ", "))"
      + " FROM \(quotedIdentifier(table.stored.table)) NOT INDEXED"
      + " WHERE \(table.stored.ends.map { "\(quotedIdentifier($0)) IS NOT NULL" }.joined(separator: " AND "))")
  let insert = try target.prepare(
    "INSERT INTO \(quotedIdentifier(table.name)) VALUES"
      + " (\(columns.map { _ in "?" }.joined(separator: ", ")))")
  while try links.step() {
    if let kinds = table.kinds, !kinds.contains(EntityID(links.int64(0))) { continue }
    for position in columns.indices {
      try insert.bind(links.isNull(position + 1) ? nil : links.int64(position + 1), at: position + 1)
    }
    _ = try insert.step()
    insert.reset()
  }
}

/// Binds values as a readable database has them.
private struct CellWriter {
  /// Texts that are not valid UTF-8.
  private(set) var invalidTexts: Int64 = 0

  mutating func write(_ value: RowValue, to statement: Statement, at parameter: Int) throws {
    switch value {
    case .absent, .null, .keys: try statement.bindNull(at: parameter)
    case .boolean(let flag): try statement.bind(Int64(flag ? 1 : 0), at: parameter)
    case .integer(let number), .key(let number), .dataLength(let number): try statement.bind(number, at: parameter)
    case .real(let number), .decimal(let number): try statement.bind(number, at: parameter)
    case .date(let seconds):
      guard seconds.isFinite, abs(seconds) < 1e15 else { return try statement.bind(seconds, at: parameter) }
      try statement.bind(dateText(seconds), at: parameter)
    case .text(let text), .uri(let text):
      if UTF8Check.isValid(text) {
        try statement.bind(textBytes: text, at: parameter)
      } else {
        invalidTexts += 1
        try statement.bind(blobBytes: text, at: parameter)
      }
    case .missingFile(let name):
      try statement.bind("missing file \(String(decoding: name, as: UTF8.self))", at: parameter)
    case .uuid(let bytes): try statement.bind(UUIDText.text(bytes), at: parameter)
    case .data(let bytes): try statement.bind(blobBytes: bytes, at: parameter)
    case .transformed(let bytes):
      guard let text = ArchivedValue(bytes)?.text else { return try statement.bind(blobBytes: bytes, at: parameter) }
      try statement.bind(text, at: parameter)
    case .entity(let name), .written(let name, _): try statement.bind(name, at: parameter)
    }
  }
}
