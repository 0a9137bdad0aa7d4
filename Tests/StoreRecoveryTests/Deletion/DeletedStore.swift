import Foundation
import StoreDataModel
import StoreGenerator
import StoreSQLite
import TestSupport

/// A store made for deletion: every row has a UUID of its own, by which it is known wherever its bytes are.
///
/// What a tool that knows no Core Data mistakes: every table's keys begin at the same number; drafts and letters have
/// the same columns and differ in `Z_ENT` alone; notes and photos share a table; photos hold copies of rows that are
/// live.
final class DeletedStore {
  /// A row that is or was there.
  struct Row {
    var object: ObjectKey
    var table: String
    var uuid: [UInt8]
    /// Values by column when the row was deleted; nil while it is live.
    var last: [String: SQLiteValue]?
    var bytes: RecordBytes?
    /// When it was deleted, by the history.
    var time: Double?
  }

  let plan: DeletionPlan
  private(set) var rows: [Row] = []
  /// The files after the last change, where no program has them open.
  private(set) var path = ""

  private let folder: TemporaryFolder
  private let store: StoreWriter
  private var numbers: SeededGenerator
  private var clock = 700_000_000.0
  private var transactions: Int64 = 0
  private var changes: Int64 = 0
  private var columns: [String: [String]] = [:]

  /// The version before, and the one after: an entity in front, letters without a mark, items with a rating.
  static func model(isNew: Bool = false) throws -> Model {
    let text: [Property] = [
      .attribute("createdAt", .date), .attribute("isPinned", .boolean), .attribute("text", .string),
      .attribute("title", .string), .attribute("uuid", .uuid),
    ]
    let author = isNew ? [Entity(name: "Author", properties: [.attribute("name", .string)])] : []
    return try Model(
      entities: author + [
        Entity(name: "Draft", properties: text),
        Entity(name: "Letter", properties: text.filter { !isNew || $0.name != "isPinned" }),
        Entity(
          name: "Folder",
          properties: [
            .attribute("title", .string), .attribute("uuid", .uuid), .toMany("notes", "Note", inverse: "folder"),
          ]),
        Entity(
          name: "Item", isAbstract: true,
          properties: [.attribute("createdAt", .date), .attribute("title", .string), .attribute("uuid", .uuid)]
            + (isNew ? [.attribute("rating", .integer16)] : [])),
        Entity(
          name: "Note", parent: "Item",
          properties: [.attribute("text", .string), .toOne("folder", "Folder", inverse: "notes")]),
        Entity(
          name: "Photo", parent: "Item", properties: [.attribute("data", .binary), .attribute("width", .integer32)]),
      ])
  }

  /// Writes the store, deletes, and closes it or copies its files as they are.
  init(_ plan: DeletionPlan) throws {
    self.plan = plan
    folder = try TemporaryFolder.inMemory()
    numbers = SeededGenerator(seed: plan.seed)
    store = try StoreWriter(
      creating: folder("Store.sqlite"),
      StoreDescription(
        model: Self.model(), keepsHistory: plan.keepsHistory, usesWAL: plan.journal != .delete,
        pageSize: plan.pageSize))
    try store.database.execute("PRAGMA secure_delete=\(plan.wiping.rawValue); PRAGMA wal_autocheckpoint=0")
    try fill()
    try save()
    try change()
    try save()
    try delete()
    try save()
    if plan.pattern == .reused {
      for _ in 0..<60 { try insertAny() }
      try change()
      try save()
      try delete(where: { _ in self.chance(0.1) })
      try save()
    }
    if plan.migrates {
      try migrate()
      try save()
      try delete(where: { _ in self.chance(0.1) })
      try save()
    }
    path = folder("Copy.sqlite")
    if plan.journal != .logKept { try store.finish() }
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: folder("Store.sqlite") + suffix) {
      try FileManager.default.copyItem(atPath: folder("Store.sqlite") + suffix, toPath: path + suffix)
    }
    try readLive()
  }

  private func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &numbers) < share }

  /// A save: `logKept` begins its log after the rows are in the main file.
  private func save() throws {
    try store.save(intoMain: plan.journal != .logKept || rows.allSatisfy { $0.last == nil })
  }

  // MARK: Rows

  private func fill() throws {
    let first: Int64 = [1, 100, 16_300][Int(plan.seed / 5 % 3)]
    for entity in ["Draft", "Folder", "Letter"] { try insert(entity, key: first) }
    try insert("Note", key: first)
    for _ in 0..<300 { try insertAny() }
  }

  private func insertAny() throws {
    try insert(["Draft", "Letter", "Note", "Note", "Photo", "Folder"][Int.random(in: 0..<6, using: &numbers)])
  }

  private func insert(_ entity: String, key: Int64? = nil) throws {
    let uuid = (0..<16).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    var values: [String: StoredValue] = ["uuid": .blob(uuid), "title": .text("\(entity) \(words(1...40))")]
    if entity != "Folder" { values["createdAt"] = .date((clock + Double(rows.count) * 7.25).rounded(.down) + 0.5) }
    if ["Draft", "Letter"].contains(entity) {
      values["isPinned"] = [0, 1, nil][Int.random(in: 0..<3, using: &numbers)]
    }
    if entity == "Photo" {
      values["width"] = .integer(Int64.random(in: -40_000...4_000_000, using: &numbers))
      values["data"] = .blob(try liveCell() ?? [0, 1, 2, 3])
    } else if entity != "Folder" {
      let isLong = plan.pattern == .long && chance(0.3)
      values["text"] = chance(0.1) ? nil : .text(words(isLong ? 3_000...14_000 : 5...500))
    }
    let object = try store.insert(entity, values, key: key)
    if entity == "Note", let folder = rows.last(where: { $0.object.entity == "Folder" && $0.last == nil }) {
      try store.link(object, "folder", to: folder.object)
      // The row was written twice; every version has its own number.
      try store.database.execute("UPDATE ZITEM SET Z_OPT = Z_OPT + 1 WHERE Z_PK = \(object.key)")
    }
    let table = ["Note", "Photo"].contains(entity) ? "ZITEM" : "Z" + entity.uppercased()
    _ = try columnNames(table)
    rows.append(Row(object: object, table: table, uuid: uuid))
  }

  /// The cell of a row that exists, as a value: a copy is no deleted row.
  private func liveCell() throws -> [UInt8]? {
    guard let row = rows.last(where: { $0.last == nil && $0.object.entity == "Letter" }) else { return nil }
    let values = try values(of: row)
    return [60, UInt8(row.object.key & 0x7f), 0, 0]
      + RecordBytes(key: row.object.key, values.map(\.value)).rest.prefix(900)
  }

  private func words(_ bytes: ClosedRange<Int>) -> String {
    let words = ["milk", "Zürich", "the", "SELECT", "7", "東京", "\u{1F33B}", "of", "", "zero", "draft", "12.5"]
    let size = Int.random(in: bytes, using: &numbers)
    var text = ""
    while text.utf8.count < size { text += words[Int.random(in: words.indices, using: &numbers)] + " " }
    return text
  }

  // MARK: Migration

  /// Changes the store as Core Data migrates it: keys and `Z_OPT` stay, every entity has the next number, the table of
  /// letters is made anew, `Z_PRIMARYKEY` too, metadata and model cache are written over.
  private func migrate() throws {
    let tables = ["ZDRAFT", "ZFOLDER", "ZITEM", "ZLETTER"]
    let columns = try columnNames("ZLETTER").filter { $0 != "ZISPINNED" }.joined(separator: ", ")
    let other = try StoreWriter(
      creating: folder("New.sqlite"), StoreDescription(model: Self.model(isNew: true), keepsHistory: plan.keepsHistory))
    func new(_ sql: String) throws -> [UInt8] {
      let statement = try other.database.prepare(sql)
      return try statement.step() ? statement.blob(0) ?? [] : []
    }
    let letter = String(decoding: try new("SELECT sql FROM sqlite_master WHERE name = 'ZLETTER'"), as: UTF8.self)
    let author = String(decoding: try new("SELECT sql FROM sqlite_master WHERE name = 'ZAUTHOR'"), as: UTF8.self)
    let lists = try [new("SELECT Z_PLIST FROM Z_METADATA"), new("SELECT Z_CONTENT FROM Z_MODELCACHE")].map { bytes in
      "x'" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
    }
    let indexes = try store.database.prepare(
      "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZLETTER'")
    var again: [String] = []
    while try indexes.step() { if let sql = indexes.string(0) { again.append(sql) } }
    try store.database.execute(
      """
      ALTER TABLE ZITEM ADD COLUMN ZRATING INTEGER; \(author);
      ALTER TABLE ZLETTER RENAME TO _T_ZLETTER; \(letter);
      INSERT INTO ZLETTER (\(columns)) SELECT \(columns) FROM _T_ZLETTER; DROP TABLE _T_ZLETTER;
      \(again.joined(separator: "; "));
      \(tables.map { "UPDATE \($0) SET Z_ENT = Z_ENT + 1;" }.joined())
      ALTER TABLE Z_PRIMARYKEY RENAME TO Z_PRIMARYKEY_ORIG;
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      INSERT INTO Z_PRIMARYKEY SELECT Z_ENT + (Z_ENT < 16000), Z_NAME, Z_SUPER + (Z_SUPER > 0), Z_MAX FROM Z_PRIMARYKEY_ORIG;
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Author', 0, 0); DROP TABLE Z_PRIMARYKEY_ORIG;
      UPDATE Z_METADATA SET Z_PLIST = \(lists[0]); UPDATE Z_MODELCACHE SET Z_CONTENT = \(lists[1]);
      """)
    if plan.keepsHistory { try store.database.execute("UPDATE ACHANGE SET ZENTITY = ZENTITY + 1") }
    self.columns = [:]
    for table in tables { _ = try columnNames(table) }
  }

  // MARK: Changes

  /// Changes some rows, so that there are earlier versions.
  private func change() throws {
    for row in rows where row.last == nil && chance(0.08) {
      let title = words(1...60)
      try store.database.execute(
        "UPDATE \(row.table) SET ZTITLE = '\(title)', Z_OPT = Z_OPT + 1 WHERE Z_PK = \(row.object.key)")
    }
  }

  private func delete() throws {
    switch plan.pattern {
    case .single: try delete { self.isTurn($0, 9) }
    case .neighbours: try delete { $0 / 24 % 3 == 1 }
    case .all:
      try delete { ["ZLETTER", "ZITEM"].contains(self.rows[$0].table) }
    case .reused: try delete { _ in self.chance(0.3) }
    case .long: try delete { _ in self.chance(0.4) }
    }
  }

  /// Every ninth row of each table: no page of them is freed.
  private func isTurn(_ index: Int, _ step: Int64) -> Bool { rows[index].object.key % step == 4 }

  private func delete(where isChosen: (Int) -> Bool) throws {
    clock += 1_000
    transactions += 1
    // A log keeps rows that follow each other in one page as they were in that commit; Core Data's order is any.
    let chosen = rows.indices.filter { rows[$0].last == nil && isChosen($0) }.shuffled(using: &numbers)
    for index in chosen {
      let values = try values(of: rows[index])
      rows[index].last = Dictionary(uniqueKeysWithValues: values.map { ($0.column, $0.value) })
      rows[index].bytes = RecordBytes(
        key: rows[index].object.key, values.map { $0.column == "Z_PK" ? .null : $0.value })
      if plan.keepsHistory { try writeChange(rows[index]) }
      rows[index].time = plan.keepsHistory ? clock : nil
    }
    let tables = Set(chosen.map { rows[$0].table })
    if plan.pattern == .all, chance(0.5), !rows.contains(where: { $0.last == nil && tables.contains($0.table) }) {
      for table in tables { try store.database.execute("DELETE FROM \(table)") }
    } else {
      for index in chosen {
        try store.database.execute("DELETE FROM \(rows[index].table) WHERE Z_PK = \(rows[index].object.key)")
      }
    }
    if plan.keepsHistory {
      try store.database.execute(
        """
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (\(transactions), 16002, 1, \(clock))
        """)
    }
  }

  private func writeChange(_ row: Row) throws {
    changes += 1
    try store.database.execute(
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) \
      SELECT \(changes), 16001, 1, 2, Z_ENT, Z_PK, \(transactions) FROM \(row.table) WHERE Z_PK = \(row.object.key)
      """)
  }

  /// All columns of a row, in order.
  private func values(of row: Row) throws -> [(column: String, value: SQLiteValue)] {
    try values(store.database, row)
  }

  private func columnNames(_ table: String) throws -> [String] {
    if let names = columns[table] { return names }
    let statement = try store.database.prepare("SELECT name FROM pragma_table_info('\(table)')")
    var names: [String] = []
    while try statement.step() { names.append(statement.string(0) ?? "") }
    columns[table] = names
    return names
  }

  private func values(_ connection: Connection, _ row: Row) throws -> [(column: String, value: SQLiteValue)] {
    let names = try columnNames(row.table)
    let statement = try connection.prepare("SELECT * FROM \(row.table) WHERE Z_PK = \(row.object.key)")
    guard try statement.step() else { return [] }
    return names.indices.map { column in
      switch statement.kind(column) {
      case .null: (names[column], .null)
      case .integer: (names[column], .integer(statement.int64(column)))
      case .real: (names[column], .real(statement.double(column)))
      case .text: (names[column], .text(Array((statement.string(column) ?? "").utf8)))
      case .blob: (names[column], .blob(statement.blob(column) ?? []))
      }
    }
  }

  /// The values of live rows, by UUID.
  private(set) var live: [[UInt8]: [String: SQLiteValue]] = [:]

  private func readLive() throws {
    let connection = try Connection(reading: DatabaseFiles(path: path))
    for row in rows where row.last == nil {
      live[row.uuid] = Dictionary(uniqueKeysWithValues: try values(connection, row).map { ($0.column, $0.value) })
    }
  }
}
