import StoreDataModel
import Foundation
import StorePropertyLists
import StoreSQLite
import TestSupport
import Testing

/// A damaged store that can still be read: the damage in plain SQL, and what the inspection must report.
struct Injury: CustomTestStringConvertible, Sendable {
  var name: String
  var sql: @Sendable () throws -> String
  /// Problems, or unexplained objects as "object: why"; empty if none are expected.
  var said: [String]
  /// The expected number of rows of `Note`, 4 before the damage; nil if they cannot be counted, or if the entity is
  /// gone.
  var notes: Int64?

  var testDescription: String { name }

  init(
    _ name: String, _ sql: @escaping @autoclosure @Sendable () throws -> String, notes: Int64? = 4, _ said: String...
  ) {
    self.name = name
    self.sql = sql
    self.said = said
    self.notes = notes
  }

  static let all: [Injury] = [
    // Metadata.
    .init(
      "metadata that is no property list", "UPDATE Z_METADATA SET Z_PLIST = x'00112233'",
      "the metadata property list cannot be decoded: neither a binary nor an XML property list (at byte 0)"),
    .init(
      "metadata cut short", "UPDATE Z_METADATA SET Z_PLIST = substr(Z_PLIST, 1, 100)", "the metadata property list"),
    .init("metadata NULL", "UPDATE Z_METADATA SET Z_PLIST = NULL", "the metadata property list (Z_PLIST) is NULL"),
    .init("metadata without a row", "DELETE FROM Z_METADATA", "Z_METADATA has no row"),
    .init(
      "metadata that is an array",
      "UPDATE Z_METADATA SET Z_PLIST = \(hex(PropertyListValue.array([]).binaryPropertyList()))",
      "the metadata property list is not a dictionary"),
    .init(
      "metadata with values of other types",
      """
      UPDATE Z_METADATA SET Z_PLIST = \(hex(PropertyListValue.dictionary([
        "NSStoreModelVersionHashes": .dictionary(["Note": .string("abc")]),
        "NSPersistenceFrameworkVersion": .string("new"),
      ]).binaryPropertyList()))
      """,
      "'NSPersistenceFrameworkVersion' in the metadata has the unexpected type 'string'",
      "the hash of 'Note' in 'NSStoreModelVersionHashes' is not 32 bytes of data"),
    .init(
      "40 levels of shared arrays in the metadata", "UPDATE Z_METADATA SET Z_PLIST = \(hex(sharedArrays))",
      "the metadata property list is not a dictionary"),
    // Model cache.
    .init("model cache missing", "DROP TABLE Z_MODELCACHE", "the model cache is missing"),
    .init("model cache without a row", "DELETE FROM Z_MODELCACHE", "the model cache is there but empty"),
    .init("model cache NULL", "UPDATE Z_MODELCACHE SET Z_CONTENT = NULL", "the model cache is there but empty"),
    .init(
      "model cache cut short", "UPDATE Z_MODELCACHE SET Z_CONTENT = substr(Z_CONTENT, 1, length(Z_CONTENT) / 2)",
      "the model cache cannot be decoded: the deflate stream ends early"),
    .init(
      "model cache that is not deflated", "UPDATE Z_MODELCACHE SET Z_CONTENT = x'ffffffff'",
      "the model cache cannot be decoded: damaged deflate stream"),
    .init(
      "a deflate bomb of 200 MB", "UPDATE Z_MODELCACHE SET Z_CONTENT = \(hex(try RawDeflate.deflate(zeros)))",
      "the model cache cannot be decoded: the deflate stream unpacks to more than the limit of 67108864 bytes"),
    .init(
      "a property list bomb", "UPDATE Z_MODELCACHE SET Z_CONTENT = \(hex(try RawDeflate.deflate(sharedArrays)))",
      "the model cache cannot be decoded: shared objects expand to more than the limit of 8000000"),
    .init(
      "a cache of another model",
      "UPDATE Z_MODELCACHE SET Z_CONTENT = \(hex(try RawDeflate.deflate(ModelArchive.archive(.trips))))",
      "the hashes in the metadata and those of the model cache differ for 9 of 9 entities"),
    .init(
      "a cache whose hashes differ from the metadata's",
      "UPDATE Z_MODELCACHE SET Z_CONTENT = \(hex(try RawDeflate.deflate(ModelArchive.archive(notesWithABody))))",
      "the hashes in the metadata and those of the model cache differ for 1 of 3 entities: 'Note'"),
    // Tables.
    .init(
      "a view in the place of a table",
      "ALTER TABLE ZNOTE RENAME TO HIDDEN; CREATE VIEW ZNOTE AS SELECT * FROM HIDDEN", notes: nil,
      "HIDDEN: no entity or relationship accounts for it", "ZNOTE: a view, never read"),
    .init(
      "a virtual table of an unknown module in the place of a table",
      """
      DROP TABLE ZNOTE; PRAGMA writable_schema=ON;
      INSERT INTO sqlite_schema VALUES
        ('table', 'ZNOTE', 'ZNOTE', 0, 'CREATE VIRTUAL TABLE ZNOTE USING nobody_has_this(Z_PK, Z_ENT)');
      """, notes: nil, "ZNOTE: a virtual table, never read"),
    .init(
      "a generated column", "ALTER TABLE ZNOTE ADD COLUMN ZEVIL GENERATED ALWAYS AS (length(ZTITLE) * 1000)",
      "ZNOTE.ZEVIL: a generated column, which Core Data never makes; not read"),
    .init("a table of nobody", "CREATE TABLE ZSTRANGER (a)", "ZSTRANGER: no entity or relationship accounts for it"),
    .init("a column of nobody", "ALTER TABLE ZNOTE ADD COLUMN ZSPY BLOB", "ZNOTE.ZSPY: no property accounts for it"),
    .init("a table missing", "DROP TABLE ZNOTE", notes: nil),
    .init("a column missing", "ALTER TABLE ZNOTE DROP COLUMN ZTITLE"),
    .init("a trigger that calls what nobody has", "CREATE TRIGGER t AFTER DELETE ON ZNOTE BEGIN SELECT spy(); END"),
    .init(
      "rows of no entity", "UPDATE ZNOTE SET Z_ENT = 99 WHERE Z_PK = 1; UPDATE ZNOTE SET Z_ENT = NULL WHERE Z_PK = 2",
      notes: 2, "ZNOTE: 1 row has Z_ENT 99, which Z_PRIMARYKEY does not know", "ZNOTE: 1 row has NULL in Z_ENT"),
    // Z_PRIMARYKEY.
    .init("an entity that is its own parent", "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT WHERE Z_NAME = 'Note'"),
    .init(
      "three entities in a circle",
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = CASE Z_ENT WHEN 1 THEN 2 WHEN 2 THEN 3 ELSE 1 END"),
    .init("a parent that does not exist", "UPDATE Z_PRIMARYKEY SET Z_SUPER = 77 WHERE Z_NAME = 'Note'"),
    .init(
      "a name that is NULL", "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL WHERE Z_NAME = 'Note'", notes: nil,
      "entity '' (2) of Z_PRIMARYKEY is not in the model", "entity 'Note' of the model is not in Z_PRIMARYKEY"),
    .init(
      "a name that occurs twice", "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Note' WHERE Z_NAME = 'Tag'",
      "entity 'Note' (3) of Z_PRIMARYKEY is not in the model"),
    .init(
      "a negative number",
      "UPDATE Z_PRIMARYKEY SET Z_ENT = -5 WHERE Z_NAME = 'Note'; UPDATE ZNOTE SET Z_ENT = -5"),
    .init(
      "numbers at the ends of what there is",
      """
      UPDATE Z_PRIMARYKEY SET Z_ENT = \(Int64.min), Z_SUPER = \(Int64.max), Z_MAX = \(Int64.min) WHERE Z_NAME = 'Note';
      UPDATE ZNOTE SET Z_ENT = \(Int64.min)
      """),
    .init(
      "numbers that are text", "UPDATE Z_PRIMARYKEY SET Z_MAX = 'many', Z_SUPER = 'none' WHERE Z_NAME = 'Note'"),
    .init(
      "no entity at all", "DELETE FROM Z_PRIMARYKEY", notes: nil, "entity 'Note' of the model is not in Z_PRIMARYKEY"),
    .init(
      "Z_PRIMARYKEY without its columns", "DROP TABLE Z_PRIMARYKEY; CREATE TABLE Z_PRIMARYKEY (a)", notes: nil,
      "entity 'Note' of the model is not in Z_PRIMARYKEY"),
    .init(
      "100,000 entities",
      """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 100099)
      INSERT INTO Z_PRIMARYKEY SELECT i, 'Entity' || i, i - 1, 0 FROM n
      """, "entity 'Entity100' (100) of Z_PRIMARYKEY is not in the model"),
  ]

  /// Each array holds the next one twice: 202 bytes, and 2⁴⁰ arrays when written out.
  private static let sharedArrays: [UInt8] = {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for level in 0..<40 {
      offsets.append(UInt8(bytes.count))
      bytes += level < 39 ? [0xA2, UInt8(level + 1), UInt8(level + 1)] : [0xA0]
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [UInt8(offsets.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
    return bytes
  }()

  private static var zeros: [UInt8] { [UInt8](repeating: 0, count: 200 << 20) }

  /// The sample model with one attribute more.
  private static let notesWithABody: Model = {
    var entities = Model.notes.entities
    entities[1].properties.append(.text("body"))
    do { return try Model(entities: entities) } catch { fatalError("\(error)") }
  }()
}

/// Damage in a store that can still be read is reported in the inspection and does not end it.
@Suite struct DamagedStoreTests {
  @Test(arguments: Injury.all)
  func damageIsSaidAndTheRestIsRead(_ injury: Injury) throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder("Notes.sqlite")) { try $0.execute(injury.sql()) }
    let before = FolderState(of: folder.path)
    let answer = try Answer(store)
    let unexplained = answer.unexplained.map {
      "\([$0.table, $0.column].compactMap(\.self).joined(separator: ".")): \($0.why)"
    }
    for sentence in injury.said {
      #expect((answer.problems + unexplained).contains { $0.hasPrefix(sentence) }, "\(answer.problems + unexplained)")
    }
    #expect(answer.entities.first { $0.name == "Note" }?.rows == injury.notes)
    for arguments in [["inspect", store], ["inspect", store, "--entity", "Folder"], ["inspect", store, "--sizes"]] {
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 0 || (outcome.status == 2 && !answer.rows.keys.contains("Folder")), "\(outcome.errors)")
      #expect(!outcome.output.contains("\u{1B}"))
    }
    #expect(FolderState(of: folder.path) == before)
  }

  /// SQLite refuses every statement if it cannot parse one object of the schema.
  @Test(arguments: [
    "'table', 'ZBAD', 'ZBAD', 2, 'CREATE TABLE ZBAD (unfinished'", "'table', 'ZBAD', 'ZBAD', 2, 'DROP TABLE ZNOTE'",
    "'index', 'ZBAD', 'ZNOTE', 3, 'CREATE INDEX ZBAD ON ZNOTE (ZNOCOLUMN)'",
    "'table', 'ZBAD', 'ZBAD', 999999, 'CREATE TABLE ZBAD (a)'",
    "'trigger', 'ZBAD', 'ZNOTE', 0, 'nonsense'", "NULL, NULL, NULL, NULL, NULL",
    "'table', 'ZNOTE', 'ZNOTE', 4, 'CREATE TABLE ZNOTE (a)'",
  ])
  func aDamagedSchemaHidesNoStore(_ object: String) throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder("Notes.sqlite")) {
      try $0.execute("PRAGMA writable_schema=ON; INSERT INTO sqlite_schema VALUES (\(object))")
    }
    let outcome = try Program.run(["inspect", store])
    #expect(outcome.status == 0 || outcome.status == 2)
    #expect(outcome.status == 2 ? !outcome.errors.isEmpty : outcome.output.contains("objects"))
  }

  @Test func aHotJournalIsRolledBackInMemory() throws {
    let folder = try TemporaryFolder()
    let store = try makeStore(folder("Origin.sqlite"), usesWAL: false)
    let writer = try Connection(writing: store, create: false)
    // With a cache of one page, the transaction writes to the file before it is committed.
    try writer.execute("PRAGMA cache_size=1; BEGIN; DELETE FROM ZNOTE; UPDATE ZFOLDER SET ZNAME = 'gone'")
    try writer.execute("CREATE TABLE filler (a); INSERT INTO filler VALUES (zeroblob(40000)), (zeroblob(40000))")
    let copy = try folder.copyStore(store, as: "Notes.sqlite")
    try #require(FileManager.default.fileExists(atPath: copy + "-journal"))
    let before = FolderState(of: folder.path)
    let answer = try Answer(copy)
    #expect(answer.rows == ["Folder": 2, "Note": 4, "Tag": 1])
    #expect((answer.store.hotJournal?.pagesRestored ?? 0) > 0)
    let text = try Program.run(["inspect", copy]).output
    let verdict = text.prefix { $0 != "!" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(verdict.contains("put back in memory from a hot rollback journal"))
    #expect(FolderState(of: folder.path) == before)
  }

  @Test func aMainFileCutInItsRowsIsCountedAsFarAsItGoes() throws {
    let folder = try TemporaryFolder()
    let whole = try contents(of: makeStore(folder("Whole.sqlite"), notes: 2000))
    let store = try folder.write(Array(whole[..<(whole.count - 8 * 4096)]), to: "Notes.sqlite")
    let answer = try Answer(store)
    #expect(answer.problems.contains { $0.hasSuffix("bytes its header asks for: truncated") })
    #expect(answer.problems.contains { $0.hasPrefix("table 'ZNOTE' cannot be read whole") })
    #expect(answer.rows["Note"] == nil)
    #expect(answer.rows["Folder"] == 2)
  }
}

/// Names in a store come from others: control characters in them must not reach the terminal.
@Suite struct HostileNameTests {
  static let names = [
    "Evil\u{1B}[2J\u{1B}]0;owned\u{07}", "Evil\r\nok", "Evil\u{202E}txt", "Evil\u{2066}\u{200B}", "Evil\u{9B}31m",
    "Evil'; --",
    "Evil\" onload=\"", "Evil\u{0}hidden", "Evil\u{7F}", "Evil\u{FEFF}\u{E0041}", "Evil$(reboot)`reboot`",
  ]

  @Test(arguments: names)
  func noNameActsOnTheTerminal(_ name: String) throws {
    let folder = try TemporaryFolder()
    let model = try Model(
      entities: [
        Entity(
          name: name,
          properties: [
            .text(name + "Text"), .toOne(name + "Link", name, inverse: name + "Back"),
            .toMany(name + "Back", name, inverse: name + "Link"),
          ])
      ],
      versionIdentifiers: [name])
    let table = "Z" + name.uppercased()
    let path = folder(name.replacing("\u{0}", with: "").replacing("/", with: "") + ".sqlite")
    let store = try makeStore(path) { database in
      try database.execute("PRAGMA writable_schema=ON")
      for (sql, parameters) in [
        ("UPDATE Z_PRIMARYKEY SET Z_NAME = ? WHERE Z_ENT = 2", 1),
        ("UPDATE sqlite_schema SET name = ?2, tbl_name = ?2 WHERE name = 'ZNOTE'", 2),
        ("UPDATE Z_MODELCACHE SET Z_CONTENT = ?3", 3), ("UPDATE Z_METADATA SET Z_PLIST = ?4, Z_UUID = ?1", 4),
      ] {
        let statement = try database.prepare(sql)
        let values: [[UInt8]] = [
          [], [], try RawDeflate.deflate(ModelArchive.archive(model)),
          PropertyListValue.dictionary([
            name: .string(name), "NSStoreModelVersionIdentifiers": .array([.string(name)]),
            "NSStoreModelVersionHashes": .dictionary([name: .data([1])]),
            "NSPersistenceFrameworkVersion": .string(name),
            "NSStoreModelVersionChecksumKey": .string(name),
          ]).binaryPropertyList(),
        ]
        for parameter in 1...parameters {
          if parameter > 2 {
            try statement.bind(values[parameter - 1], at: parameter)
          } else {
            try statement.bind(parameter == 1 ? name : table, at: parameter)
          }
        }
        _ = try statement.step()
      }
    }
    for arguments in [[], ["--show-values"], ["--sizes"], ["--entity", "nobody"], ["--entity", "Folder"]] {
      for format in ["text", "json"] {
        let outcome = try Program.run(["inspect", store, "--format", format] + arguments)
        #expect(outcome.status == 0 || outcome.status == 2, "\(outcome.errors)")
        for scalar in (outcome.output + outcome.errors).unicodeScalars {
          #expect(scalar == "\n" || !scalar.actsOnTerminal, "\(scalar.value) with \(arguments) as \(format)")
          if scalar != "\n" && scalar.actsOnTerminal { return }
        }
        if outcome.status == 0 && format == "json" {
          #expect((try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8))) != nil)
        }
      }
    }
  }
}

extension Unicode.Scalar {
  /// Control, format (bidirectional marks, zero-width), line and paragraph separators.
  fileprivate var actsOnTerminal: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
