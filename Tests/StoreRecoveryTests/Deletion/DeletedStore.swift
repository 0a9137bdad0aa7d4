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
    /// Values by column when its store was migrated; empty where it was not, or the row was gone.
    var former: [String: SQLiteValue] = [:]
    var bytes: RecordBytes?
    /// When it was deleted, by the history.
    var time: Double?
    /// The columns of its table in the statement that made it, where that was made anew since it was deleted.
    var formerTable: [UInt8]?
    /// Whether the transaction that inserted it was taken back.
    var isTakenBack = false

    var isLive: Bool { last == nil && !isTakenBack }
  }

  let plan: DeletionPlan
  private(set) var rows: [Row] = []
  /// Keys that were handed out to nothing that was ever saved, by table.
  private(set) var unusedKeys: [String: Set<Int64>] = [:]
  /// The files after the last change, where no program has them open.
  private(set) var path = ""

  private let folder: TemporaryFolder
  private let store: StoreWriter
  private var numbers: SeededGenerator
  private var clock = 700_000_000.0
  private var transactions: Int64 = 0
  private var changes: Int64 = 0
  private var columns: [String: [String]] = [:]

  /// The version before, and the one after: an entity in front, letters without a mark, items with a rating; and, with
  /// other names, drafts as sketches, and photos without a width.
  static func model(isNew: Bool = false, renames: Bool = false) throws -> Model {
    let text: [Property] = [
      .attribute("createdAt", .date), .attribute("isPinned", .boolean), .attribute("text", .string),
      .attribute("title", .string), .attribute("uuid", .uuid),
    ]
    let author = isNew ? [Entity(name: "Author", properties: [.attribute("name", .string)])] : []
    return try Model(
      entities: author + [
        Entity(
          name: renames ? "Sketch" : "Draft", properties: text, renamingIdentifier: renames ? "Draft" : nil),
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
          name: "Photo", parent: "Item",
          properties: [.attribute("data", .binary)] + (renames ? [] : [.attribute("width", .integer32)])),
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
    if plan.takesBack { try takeBack() }
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
    if plan.takesBack { try takeBack() }
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
    if entity == "Note", let folder = rows.last(where: { $0.object.entity == "Folder" && $0.isLive }) {
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
    guard let row = rows.last(where: { $0.isLive && $0.object.entity == "Letter" }) else { return nil }
    let values = try values(of: row)
    return [60, UInt8(row.object.key & 0x7f), 0, 0]
      + RecordBytes(key: row.object.key, values.map(\.value), pageSize: plan.pageSize).rest.prefix(900)
  }

  private func words(_ bytes: ClosedRange<Int>) -> String {
    let words = ["milk", "Zürich", "the", "SELECT", "7", "東京", "\u{1F33B}", "of", "", "zero", "draft", "12.5"]
    let size = Int.random(in: bytes, using: &numbers)
    var text = ""
    while text.utf8.count < size { text += words[Int.random(in: words.indices, using: &numbers)] + " " }
    return text
  }

  // MARK: Migration

  /// Changes the store as Core Data migrates it: keys and `Z_OPT` stay, every entity has another number, the table of letters
  /// is made anew, `Z_PRIMARYKEY` too, metadata and model cache are written over.
  private func migrate() throws {
    let other = try StoreWriter(
      creating: folder("New.sqlite"),
      StoreDescription(model: Self.model(isNew: true, renames: plan.renames), keepsHistory: plan.keepsHistory))
    func new(_ sql: String) throws -> [UInt8] {
      let statement = try other.database.prepare(sql)
      return try statement.step() ? statement.blob(0) ?? [] : []
    }
    func statement(of table: String) throws -> String {
      String(decoding: try new("SELECT sql FROM sqlite_master WHERE name = '\(table)'"), as: UTF8.self)
    }
    let lists = try [new("SELECT Z_PLIST FROM Z_METADATA"), new("SELECT Z_CONTENT FROM Z_MODELCACHE")].map { bytes in
      "x'" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
    }
    for index in rows.indices where rows[index].isLive {
      rows[index].former = Dictionary(
        uniqueKeysWithValues: try values(of: rows[index]).map { ($0.column, $0.value) })
    }
    let newNumber = try newNumbers(other)
    if plan.renames { try store.database.execute("ALTER TABLE ZDRAFT RENAME TO ZSKETCH") }
    try remake("ZLETTER", as: statement(of: "ZLETTER"))
    if plan.renames {
      try remake("ZITEM", as: statement(of: "ZITEM"))
    } else {
      try store.database.execute("ALTER TABLE ZITEM ADD COLUMN ZRATING INTEGER")
    }
    let tables = [plan.renames ? "ZSKETCH" : "ZDRAFT", "ZFOLDER", "ZITEM", "ZLETTER"]
    try store.database.execute(
      """
      \(statement(of: "ZAUTHOR"));
      \(tables.map { "UPDATE \($0) SET Z_ENT = \(newNumber("Z_ENT"));" }.joined())
      ALTER TABLE Z_PRIMARYKEY RENAME TO Z_PRIMARYKEY_ORIG;
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      INSERT INTO Z_PRIMARYKEY
      SELECT \(newNumber("Z_ENT")), \(plan.renames ? "replace(Z_NAME, 'Draft', 'Sketch')" : "Z_NAME"),
      \(newNumber("Z_SUPER")), Z_MAX FROM Z_PRIMARYKEY_ORIG;
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Author', 0, 0); DROP TABLE Z_PRIMARYKEY_ORIG;
      UPDATE Z_METADATA SET Z_PLIST = \(lists[0]); UPDATE Z_MODELCACHE SET Z_CONTENT = \(lists[1]);
      """)
    if plan.keepsHistory { try store.database.execute("UPDATE ACHANGE SET ZENTITY = \(newNumber("ZENTITY"))") }
    if plan.renames {
      unusedKeys["ZSKETCH"] = unusedKeys.removeValue(forKey: "ZDRAFT")
      for index in rows.indices where rows[index].table == "ZDRAFT" {
        (rows[index].table, rows[index].object.entity) = ("ZSKETCH", "Sketch")
      }
    }
    self.columns = [:]
    for table in tables { _ = try columnNames(table) }
  }

  /// The number that an entity has in a new store, as an expression of the number that it has in this one.
  private func newNumbers(_ other: StoreWriter) throws -> (String) -> String {
    func numbers(_ database: Connection) throws -> [String: Int64] {
      let statement = try database.prepare("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY")
      var numbers: [String: Int64] = [:]
      while try statement.step() { numbers[statement.string(0) ?? ""] = statement.int64(1) }
      return numbers
    }
    let (before, after) = try (numbers(store.database), numbers(other.database))
    let cases = before.sorted { $0.value < $1.value }.map { name, number in
      "WHEN \(number) THEN \(after[plan.renames && name == "Draft" ? "Sketch" : name] ?? number)"
    }
    return { "CASE \($0) \(cases.joined(separator: " ")) ELSE \($0) END" }
  }

  /// Makes a table anew with the columns that it has in the new version, and its indexes with it.
  private func remake(_ table: String, as statement: String) throws {
    let indexes = try store.database.prepare(
      "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = '\(table)'")
    var again: [String] = []
    while try indexes.step() { if let sql = indexes.string(0) { again.append(sql) } }
    let before = try store.database.prepare("SELECT sql FROM sqlite_master WHERE name = '\(table)'")
    let former = try before.step() ? before.string(0).map { Array($0.utf8.drop { $0 != 40 }) } : nil
    before.reset()
    for index in rows.indices where rows[index].table == table && rows[index].last != nil {
      rows[index].formerTable = former
    }
    try store.database.execute("ALTER TABLE \(table) RENAME TO _T_\(table); \(statement)")
    func names(_ table: String) throws -> [String] {
      let statement = try store.database.prepare("SELECT name FROM pragma_table_info('\(table)')")
      var names: [String] = []
      while try statement.step() { names.append(statement.string(0) ?? "") }
      return names
    }
    let kept = try Set(names(table))
    let columns = try names("_T_\(table)").filter(kept.contains).joined(separator: ", ")
    try store.database.execute(
      """
      INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM _T_\(table); DROP TABLE _T_\(table);
      \(again.joined(separator: "; "))
      """)
  }

  // MARK: Taken back

  /// Inserts and changes rows until pages are written, and takes all of it back. Where their keys are handed out for good,
  /// they are gaps, as after a save that Core Data gave up; else the next rows have the same ones.
  private func takeBack() throws {
    let kept = numbers
    defer { numbers = kept }
    numbers = SeededGenerator(seed: plan.seed &* 2 &+ UInt64(rows.count))
    let tables = Set(rows.map(\.table)).sorted().filter { $0 != "ZFOLDER" }
    let hasOwnKeys = chance(0.5)
    // Of few pages in memory the others are written.
    try store.database.execute("PRAGMA cache_size=4")
    for number in 0..<160 {
      let table = tables[number % tables.count]
      let uuid = (0..<16).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      let entity = table == "ZITEM" ? "Note" : table.dropFirst().prefix(1) + table.dropFirst(2).lowercased()
      let insertion = try store.database.prepare(
        """
        INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT, ZUUID, ZTITLE, ZTEXT, ZCREATEDAT)
        SELECT (SELECT max(Z_MAX) FROM Z_PRIMARYKEY WHERE 'Z' || upper(Z_NAME) = '\(table)') + \(number / tables.count + 1),
        Z_ENT, 1, ?, ?, ?, \(clock) + 0.5 FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)' RETURNING Z_PK
        """)
      try insertion.bind(uuid, at: 1)
      try insertion.bind("taken back \(words(1...40))", at: 2)
      try insertion.bind(words(300...800), at: 3)
      guard try insertion.step() else { continue }
      rows.append(
        Row(
          object: ObjectKey(entity: String(entity), key: insertion.int64(0)), table: table, uuid: uuid,
          isTakenBack: true))
    }
    for row in rows where row.isLive && chance(0.1) {
      try store.database.execute(
        "UPDATE \(row.table) SET ZTITLE = 'taken back \(words(20...90))', Z_OPT = Z_OPT + 1 WHERE Z_PK = \(row.object.key)"
      )
    }
    try store.database.execute("ROLLBACK; PRAGMA cache_size=-2000; BEGIN")
    guard hasOwnKeys else { return }
    for table in tables {
      let root = "'Z' || upper(Z_NAME) = '\(table)'"
      let most = try store.database.prepare("SELECT max(Z_MAX) FROM Z_PRIMARYKEY WHERE \(root)")
      guard try most.step() else { continue }
      let count = Int64(160 / tables.count + 1)
      unusedKeys[table, default: []].formUnion(most.int64(0) + 1...most.int64(0) + count)
      try store.database.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + \(count) WHERE \(root)")
    }
    try save()
  }

  // MARK: Changes

  /// Changes some rows, so that there are earlier versions.
  private func change() throws {
    for row in rows where row.isLive && chance(0.08) {
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
    let chosen = rows.indices.filter { rows[$0].isLive && isChosen($0) }.shuffled(using: &numbers)
    for index in chosen {
      let values = try values(of: rows[index])
      rows[index].last = Dictionary(uniqueKeysWithValues: values.map { ($0.column, $0.value) })
      rows[index].bytes = RecordBytes(
        key: rows[index].object.key, values.map { $0.column == "Z_PK" ? .null : $0.value }, pageSize: plan.pageSize)
      if plan.keepsHistory { try writeChange(rows[index]) }
      rows[index].time = plan.keepsHistory ? clock : nil
    }
    let tables = Set(chosen.map { rows[$0].table })
    if plan.pattern == .all, chance(0.5), !rows.contains(where: { $0.isLive && tables.contains($0.table) }) {
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
    for row in rows where row.isLive {
      live[row.uuid] = Dictionary(uniqueKeysWithValues: try values(connection, row).map { ($0.column, $0.value) })
    }
  }
}
