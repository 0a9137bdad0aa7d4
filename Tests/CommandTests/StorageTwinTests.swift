import Foundation
import StoreSQLite
import TestSupport
import Testing

/// Two stores with the same objects and the same commits say the same, however their pages store it: text in UTF-16, or
/// pages on both sides of the one that holds the locks, at 1 GiB. By the built program, with every command that reads
/// commits or pages.
@Suite struct StorageTwinTests {
  /// What has to differ, and is left out: where bytes are and their checksums, how many copies of a version there are, the
  /// sizes of files and databases, and the name of the encoding.
  @Test func theEncodingOfTextMakesNoDifference() throws {
    let (one, two) = (try Answers(Twin(encoding: "UTF-8")), try Answers(Twin(encoding: "UTF-16le")))
    try two.expectSame(as: one)
    try Answers(Twin(encoding: "UTF-16be")).expectSame(as: one)
    let commits = one.texts["inspect STORE --commits"]
    #expect(commits?.contains("Note ~1") == true && commits?.contains("not known") == false)
  }

  /// Without a pointer map nothing tells whose a page is that alone was written; that too is said alike.
  @Test func withoutAPointerMapItMakesNoneEither() throws {
    let answers = try ["UTF-8", "UTF-16le"].map { encoding in
      try Answers(
        Twin(encoding: encoding, hasMap: false), [["inspect", "STORE", "--commits"], ["timeline", "STORE"]])
    }
    try answers[1].expectSame(as: answers[0])
    let commits = answers[0].texts["inspect STORE --commits"]
    #expect(commits?.contains("1 page of long values of rows not known") == true)
  }

  /// The chain of a long text, which is then deleted, goes round the lock page. The pages before it that were never used, of
  /// which the other has some too, are a finding of their own, SD102, and make counts bounds.
  @Test func neitherDoesThePageThatHoldsTheLocks() throws {
    let (near, far) = (
      try Twin(encoding: "UTF-8", end: 40, growth: 6), try Twin(encoding: "UTF-8", end: 262_142, growth: 6)
    )
    #expect(try far.pages > 262_145)
    let commands = [
      ["inspect", "STORE", "--commits"], ["compare", "STORE@2", "STORE@3"], ["timeline", "STORE", "--deleted"],
      ["rows", "STORE", "Note", "--as-of", "3", "--format", "jsonl"],
      ["diagnose", "STORE", "--no-integrity", "--skip", "SD102"], ["recover", "STORE", "--format", "json"],
    ]
    try Answers(far, commands).expectSame(as: Answers(near, commands))
  }
}

/// The store of the corpus, copied row by row into a database of another make, with five commits in its log.
private final class Twin {
  let folder: TemporaryFolder
  private let writer: Connection

  /// - Parameters:
  ///   - hasMap: whether it has a pointer map, as stores of Core Data have.
  ///   - end: the page behind which new ones lie; nil for the last of those that are in use.
  ///   - growth: how many pages of long text the third commit adds.
  init(encoding: String, hasMap: Bool = true, end: UInt32? = nil, growth: Int = 0) throws {
    folder = try TemporaryFolder.inMemory()
    let path = folder("Notes.sqlite")
    let small = try Connection(writing: path, create: true)
    try small.execute(
      "PRAGMA encoding='\(encoding)'; PRAGMA page_size=4096; PRAGMA auto_vacuum=\(hasMap ? 2 : 0); PRAGMA secure_delete=0"
    )
    try Self.copyRows(to: small)
    // In either encoding the text takes two or four whole pages and 489 bytes beside its row, so that all rows of notes
    // fit on one page.
    try small.execute(
      """
      UPDATE ZNOTE SET ZTITLE = '=1+1 äöü €', ZBODY = 'two' || char(10) || 'lines' WHERE Z_PK = 2;
      UPDATE ZNOTE SET ZBODY = printf('%08200d', 7) WHERE Z_PK = 1; DELETE FROM ZNOTE WHERE Z_PK = 3;
      """)
    small.close()
    if let end { try Self.moveEnd(of: path, to: end) }
    writer = try Connection(writing: path, create: false)
    try writer.execute("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA secure_delete=0")
    let long = growth == 0 ? "" : "UPDATE ZNOTE SET ZBODY = printf('%0\(growth * 4092)d', 3) WHERE Z_PK = 7"
    try writer.execute(
      """
      UPDATE ZNOTE SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 6;
      UPDATE ZNOTE SET ZBODY = substr(ZBODY, 1, 8190) || '1' || substr(ZBODY, 8192) WHERE Z_PK = 1;
      BEGIN; \(long); \(Self.deletion(of: 2, 2, at: 700_100_000.5)) COMMIT;
      DELETE FROM ZNOTE WHERE Z_PK IN (4\(growth == 0 ? "" : ", 7"));
      BEGIN; \(Self.deletion(of: 5, 3, at: 700_200_000)) COMMIT;
      """)
  }

  /// The number of pages.
  var pages: Int {
    get throws {
      let statement = try writer.prepare("PRAGMA page_count")
      return try statement.step() ? Int(statement.int64(0)) : 0
    }
  }

  private static func deletion(of key: Int, _ transaction: Int, at time: Double) -> String {
    """
    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZBUNDLEIDTS, ZTIMESTAMP) VALUES (\(transaction), 16002, 1, 1, \(time));
    INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
      SELECT \(900 + key), 16001, 1, 2, Z_ENT, Z_PK, \(transaction) FROM ZNOTE WHERE Z_PK = \(key);
    DELETE FROM ZNOTE WHERE Z_PK = \(key);
    """
  }

  private static func copyRows(to copy: Connection) throws {
    let source = try Connection(reading: DatabaseFiles(path: Project.path("corpus/Notes.sqlite")))
    let schema = try source.schema().filter { !$0.name.hasPrefix("sqlite_") }
    try copy.execute("BEGIN")
    for object in schema { if let sql = object.sql { try copy.execute(sql) } }
    for table in schema where table.isOrdinaryTable {
      let rows = try source.prepare("SELECT * FROM \(quotedIdentifier(table.name)) ORDER BY rowid")
      let places = Array(repeating: "?", count: rows.columnCount).joined(separator: ", ")
      let insertion = try copy.prepare("INSERT INTO \(quotedIdentifier(table.name)) VALUES (\(places))")
      while try rows.step() {
        for column in 0..<rows.columnCount { try insertion.bind(rows.value(column), at: column + 1) }
        _ = try insertion.step()
        insertion.reset()
      }
    }
    try copy.execute("COMMIT")
  }

  /// Lets the database end behind a page, 262,142 for the one just before the lock page: the header says so, and the file is
  /// sparse.
  private static func moveEnd(of path: String, to pages: UInt32) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: 28)
    try file.write(contentsOf: withUnsafeBytes(of: pages.bigEndian) { Data($0) })
    try file.truncate(atOffset: UInt64(pages) * 4096)
    try file.close()
  }
}

/// What the program says of a store, by command.
private struct Answers {
  private(set) var texts: [String: String] = [:]
  private(set) var documents: [String: JSONTree] = [:]

  /// Every command that reads commits or pages. By the schema alone any bytes may be taken for values, so that only what is
  /// proved is no matter of luck.
  static let commands = [
    ["inspect", "STORE", "--commits"], ["inspect", "STORE", "--commits", "--format", "json"], ["inspect", "STORE@2"],
    ["timeline", "STORE", "--deleted"], ["timeline", "STORE", "--format", "jsonl"], ["timeline", "STORE@3"],
    ["compare", "STORE@0", "STORE@5"], ["compare", "STORE@1", "STORE@2", "--format", "jsonl"],
    ["rows", "STORE", "Note", "--as-of", "1", "--format", "jsonl"],
    ["rows", "STORE", "Note", "--deleted", "--format", "csv"], ["diagnose", "STORE"], ["diagnose", "STORE@3"],
    ["recover", "STORE", "--summary"], ["recover", "STORE", "--format", "json"],
    ["recover", "STORE", "--any-sqlite", "--grade", "proved", "--format", "json"],
  ]

  init(_ twin: Twin, _ commands: [[String]] = commands) throws {
    for arguments in commands {
      let outcome = try Program.run(arguments.map { $0.replacing("STORE", with: twin.folder("Notes.sqlite")) })
      // Findings and differences are answers too.
      let isAnswer = outcome.status == 0 || (outcome.status == 1 && ["diagnose", "compare"].contains(arguments[0]))
      #expect(isAnswer, "\(arguments): \(outcome.errors)")
      let text = (outcome.output + outcome.errors).replacing(twin.folder.path, with: "")
      let command = arguments.joined(separator: " ")
      if command.hasSuffix("--format json") {
        documents[command] = Self.withoutPlaces(try JSONTree(text))
      } else {
        texts[command] = Self.withoutSizes(text)
      }
    }
  }

  func expectSame(as other: Answers) throws {
    for (command, text) in texts {
      let (one, two) = (text.split(separator: "\n"), try #require(other.texts[command]).split(separator: "\n"))
      #expect(one.filter { !two.contains($0) } == two.filter { !one.contains($0) }, "\(command)")
      #expect(one.count == two.count, "\(command)")
    }
    for (command, document) in documents {
      // Whole documents are too long to be shown.
      let (one, two) = (document.lines, try #require(other.documents[command]).lines)
      let first = zip(one, two).first { $0 != $1 } ?? ("\(one.count) lines", "\(two.count) lines")
      let isSame = one == two
      #expect(isSame, "\(command): \(first.0.prefix(300)) and \(first.1.prefix(300))")
    }
  }

  /// Without the size of the database and its freed space in the summary of `recover`, and that of the main file in `inspect`.
  private static func withoutSizes(_ text: String) -> String {
    text.replacing(/[0-9,]+ pages of 4,096 bytes, [0-9]+ free, UTF-(8|16le|16be)/, with: "pages")
      .replacing(/main file +[0-9,]+ bytes/, with: "main file")
      .replacing(#/  freed space:(.|\n)*?\n\n/#, with: "\n")
  }

  private static let places: Set = [
    "places", "furtherCopies", "bytesSearched", "freedSpace", "checksum", "path", "size", "bytes",
    "freePages", "encoding", "databasePages", "object", "row",
  ]

  /// Without what tells where bytes are. Rows are in the order of what is left, and so are the numbers of objects.
  private static func withoutPlaces(_ tree: JSONTree) -> JSONTree {
    switch tree {
    case .object(let members):
      var kept = members.filter { !places.contains($0.key) }.mapValues(withoutPlaces)
      if members["pageSize"] != nil { kept["pages"] = nil }
      return .object(kept)
    case .array(let elements):
      let elements = elements.map(withoutPlaces)
      let isOfRows = elements.contains { $0["values"] != nil || $0["versions"] != nil }
      guard isOfRows else { return .array(elements) }
      return .array(elements.map { ($0.lines.joined(), $0) }.sorted { $0.0 < $1.0 }.map(\.1))
    case .string(let text): return .string(text.replacing(/[0-9]+ pages, the first of them [0-9]+,/, with: "pages"))
    default: return tree
    }
  }
}

extension JSONTree {
  /// The scalar values with the way to them.
  fileprivate var lines: [String] {
    switch self {
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { key, value in value.lines.map { "\(key).\($0)" } }
    case .array(let elements): elements.enumerated().flatMap { index, value in value.lines.map { "\(index).\($0)" } }
    default: ["\(self)"]
    }
  }
}
