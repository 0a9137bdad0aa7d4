import Foundation
import StoreSQLite
import TestSupport
import Testing

/// Damage that one command knows of, and that no other answers as if it were not there.
@Suite struct PartialAnswerTests {
  /// The bundled store, with bytes changed by the number of a page's root and the page itself.
  private func damaged(
    _ name: String, in folder: TemporaryFolder, table: String? = nil, _ change: (inout [UInt8], Int) -> Void
  ) throws -> String {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    var start = 0
    if let table {
      let connection = try Connection(writing: store, create: false)
      let root = try connection.prepare("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")
      try #require(try root.step())
      start = Int(root.int64(0) - 1) * 4096
    }
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: store)))
    change(&bytes, start)
    let path = folder("\(name).sqlite")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// The bundled store, with the key of the fifth note made 120.
  private func withAKeyOutOfOrder(in folder: TemporaryFolder) throws -> String {
    try damaged("rowid", in: folder, table: "ZNOTE") { bytes, page in
      var cell = page + Int(bytes[page + 16]) << 8 + Int(bytes[page + 17])
      while bytes[cell] & 0x80 != 0 { cell += 1 }
      bytes[cell + 1] = 120
    }
  }

  // MARK: The schema

  @Test(arguments: ["order", "free", "fragments"])
  func damageInThePageOfTheSchemaIsSaid(_ name: String) throws {
    let folder = try TemporaryFolder()
    let store = try damaged(name, in: folder) { bytes, _ in
      switch name {
      case "order":
        bytes.swapAt(108, 110)
        bytes.swapAt(109, 111)
      case "free": (bytes[101], bytes[102]) = (0x0F, 0xFA)
      default: bytes[107] = 9
      }
    }
    let outcome = try Program.run(["diagnose", store])
    #expect(outcome.status == 1 && outcome.output.hasPrefix("damaged"), "\(outcome.output)")
    #expect(outcome.output.contains("E SD102 the schema's own table is damaged: SQLite says"))
    let audit = try Program.run(["audit", store, "--summary", "--no-config"])
    #expect(audit.output.contains("0 of 1 store"), "\(audit.output)")
  }

  /// A connection that only reads does not look at a `CHECK`; every app does.
  @Test func aSchemaThatAppsAreRefusedIsSaid() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try Connection(writing: store, create: false).execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) - 1) || ', check((select 1)))' WHERE name = 'ZTAG';
      """)
    let outcome = try Program.run(["diagnose", store])
    #expect(outcome.status == 1)
    #expect(
      outcome.output.replacingOccurrences(of: "\n    ", with: " ").contains(
        "E SD101 every program that opens the store to write is refused: malformed database schema (ZTAG) - "
          + "subqueries prohibited in CHECK constraints"), "\(outcome.output)")
    // One that SQLite allows is no reason, nor is a function that only the app has.
    for check in ["Z_PK > 0", "theAppsOwn(Z_PK)"] {
      let other = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: "other\(check.count).sqlite")
      try Connection(writing: other, create: false).execute(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) - 1) || ', check(\(check)))' WHERE name = 'ZTAG';
        """)
      #expect(try Program.run(["diagnose", other]).output.hasPrefix("healthy"))
    }
  }

  // MARK: What is deleted

  private func deleted(_ store: String) throws -> String {
    let outcome = try Program.run(["recover", store])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test func aRowOutOfOrderDeletesNoOther() throws {
    let folder = try TemporaryFolder()
    let store = try withAKeyOutOfOrder(in: folder)
    let text = try deleted(store)
    #expect(text.hasPrefix("0 deleted"), "\(text)")
    #expect(text.contains("ZNOTE: its keys are not in order on page"), "\(text)")
  }

  @Test func aLiveRowWithoutItsEndIsNotDeleted() throws {
    let folder = try TemporaryFolder()
    let long = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: long, create: false)
    try connection.execute(
      "PRAGMA journal_mode = delete; UPDATE ZNOTE SET ZBODY = '\(String(repeating: "Q", count: 9000))' WHERE Z_PK = 3")
    connection.close()
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: long)))
    let words = [UInt8](repeating: UInt8(ascii: "Q"), count: 36)
    let first = try #require((0..<bytes.count / 4096).first { bytes[($0 * 4096 + 4)...].starts(with: words) }) + 1
    let place = try #require(
      bytes.indices.dropFirst(20).dropLast(4).first {
        bytes[$0..<$0 + 4].elementsEqual([0, 0, UInt8(first >> 8), UInt8(first & 0xFF)])
          && bytes[($0 - 20)..<$0].allSatisfy { $0 == UInt8(ascii: "Q") }
      })
    bytes.replaceSubrange(place..<place + 4, with: [0, 0xFF, 0xFF, 0xFF])
    let store = folder("overflow.sqlite")
    try Data(bytes).write(to: URL(fileURLWithPath: store))
    let text = try deleted(store)
    #expect(text.hasPrefix("0 deleted"), "\(text)")
  }

  @Test(arguments: [Int64.max, 1 << 40, 4_000_000_000])
  func aKeyThatNoStoreHandsOutCountsNothing(_ largest: Int64) throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try Connection(writing: store, create: false).execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = \(largest) WHERE Z_SUPER = 0")
    let outcome = try Program.run(["recover", store])
    #expect(outcome.output.hasPrefix("0 deleted"), "\(outcome.output)")
    #expect(outcome.output.contains("Z_MAX is \(largest)") && outcome.memory < 200 << 20)
    #expect(try Program.run(["recover", store, "--format", "json"]).output.utf8.count < 100_000)
  }

  // MARK: One damaged table

  @Test func aRowOutOfOrderMovesNoOther() throws {
    let folder = try TemporaryFolder()
    let store = try withAKeyOutOfOrder(in: folder)
    let outcome = try Program.run(["compare", Project.path("corpus/Notes.sqlite"), store])
    #expect(outcome.status == 2 && !outcome.output.contains("11 objects"), "\(outcome.output)")
    #expect(outcome.output.contains("not in order, so it is damaged"), "\(outcome.output)")
  }

  @Test func oneTableThatCannotBeReadCostsNoOther() throws {
    let folder = try TemporaryFolder()
    let store = try damaged("bad", in: folder, table: "ZATTACHMENT") { bytes, page in
      bytes.replaceSubrange(page..<page + 4096, with: repeatElement(0, count: 4096))
    }
    let outcome = try Program.run(["rows", store, "--format", "csv", "--output", folder("out")])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("Attachment: not written: its table ZATTACHMENT is damaged"), "\(outcome.errors)")
    let whole = folder("whole")
    _ = try Program.run(["rows", Project.path("corpus/Notes.sqlite"), "--format", "csv", "--output", whole])
    let files = try FileManager.default.contentsOfDirectory(atPath: whole).sorted()
    #expect(files.count > 3)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder("out")).sorted()
        == files.filter { $0 != "Attachment.csv" })
    for file in files where file != "Attachment.csv" {
      func lines(_ folder: String) throws -> Int {
        try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\n").count
      }
      #expect(try lines(folder("out")) == lines(whole), "\(file)")
    }
  }

  // MARK: Lines

  /// Readers of JSON Lines stop at the first line that is no document.
  @Test(arguments: [
    ["timeline"], ["rows", "Note"], ["recover"], ["diagnose"], ["audit", "--no-config"],
  ])
  func everyLineOfALineFormatIsADocument(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    let store = try deletedNotes(in: folder)
    let outcome = try Program.run([command[0], store] + command.dropFirst() + ["--format", "jsonl"])
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(!lines.isEmpty && outcome.output.hasSuffix("\n"), "\(outcome.errors)")
    for line in lines { #expect(throws: Never.self) { try JSONTree(String(line)) } }
  }
}

/// Every command that answers for a store says what its files leave open.
@Suite struct ReadingTests {
  private static let clause = "WAL mode, no -wal beside it: what was saved last may be missing"

  /// The bundled store, marked as one in WAL mode: as it is when its main file alone was copied.
  private static func storeWithoutItsLog(in folder: TemporaryFolder) throws -> String {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: store)))
    (bytes[18], bytes[19]) = (2, 2)
    try Data(bytes).write(to: URL(fileURLWithPath: store))
    return store
  }

  @Test(arguments: [
    ["inspect"], ["diagnose"], ["rows"], ["rows", "Note"], ["rows", "Note", "--format", "csv"],
    ["rows", "Note", "--format", "jsonl"], ["timeline"], ["timeline", "--format", "jsonl"], ["recover"],
    ["recover", "--format", "jsonl"], ["diagnose", "--format", "markdown"],
  ])
  func saysThatTheLogIsNotThere(_ words: [String]) throws {
    let folder = try TemporaryFolder()
    let store = try Self.storeWithoutItsLog(in: folder)
    let outcome = try Program.run([words[0], store] + words.dropFirst())
    let said = (outcome.output + outcome.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(said.contains(Self.clause), "\(outcome.output)\(outcome.errors)")
  }

  /// Formats for programs say it where they have a place for it.
  @Test(arguments: [
    (["diagnose", "--format", "sarif"], [0]), (["diagnose", "--format", "junit"], [0]),
    (["diagnose", "--format", "jsonl"], [0]), (["repair", "--safe"], [0]),
    (["repair", "--safe", "--format", "json"], [0]), (["repair", "--safe", "--format", "html"], [0]),
    (["audit", "--no-config", "--format", "junit"], [0]),
  ])
  func everyFormatHasAPlaceForIt(_ words: [String], _ statuses: [Int32]) throws {
    let folder = try TemporaryFolder()
    let store = try Self.storeWithoutItsLog(in: folder)
    let outcome = try Program.run([words[0], store] + words.dropFirst())
    #expect(
      outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "what was saved last may be missing"), "\(outcome.output.suffix(1000))\(outcome.errors)")
    #expect(outcome.status.map(statuses.contains) == true, "\(outcome.errors)")
  }

  @Test func aTableOfAnAuditHasAColumnForIt() throws {
    let folder = try TemporaryFolder()
    let store = try Self.storeWithoutItsLog(in: folder)
    let lines = try Program.run(["audit", store, "--no-config", "--format", "csv"]).output
      .split(whereSeparator: \.isNewline)
    #expect(
      lines.count == 2 && lines[0].hasSuffix(",complete,container,device,accessTimes")
        && lines[1].hasSuffix(",unknown,,,kept"),
      "\(lines)")
  }

  /// A repair that was killed after its journal was begun is named until it is taken back.
  @Test func anUnfinishedRepairIsNamed() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try Connection(writing: store, create: false).execute("UPDATE ZNOTE SET ZFOLDER = 999 WHERE Z_PK = 3")
    let journal = store + ".storedoctor-20260101T000000Z"
    let repaired = try Program.run(["repair", store, "--safe", "--in-place", "--journal", journal])
    try #require(repaired.status == 0, "\(repaired.errors)")
    func isNamed(_ command: String) throws -> Bool {
      let outcome = try Program.run([command, store])
      return outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "a repair of it stopped before its end: 'storedoctor undo \(journal)' takes it back")
    }
    #expect(try !isNamed("inspect") && !isNamed("diagnose"))
    let document = journal + "/journal.json"
    let text = try String(contentsOfFile: document, encoding: .utf8)
    try text.replacingOccurrences(of: #""state": "applied""#, with: #""state": "prepared""#)
      .write(toFile: document, atomically: false, encoding: .utf8)
    #expect(try isNamed("inspect") && isNamed("diagnose"))
    #expect(try Program.run(["undo", journal]).status == 0)
    #expect(try !isNamed("inspect"))
  }

  @Test(arguments: [["inspect"], ["diagnose"], ["rows"], ["rows", "Note"], ["timeline"], ["recover"]])
  func saysNothingWhereAllWasRead(_ words: [String]) throws {
    let outcome = try Program.run([words[0], Project.path("corpus/Notes.sqlite")] + words.dropFirst())
    #expect(!(outcome.output + outcome.errors).contains("may be missing"))
  }

  @Test func anAuditCountsSuchStoresAndMayRequireAll() throws {
    let folder = try TemporaryFolder()
    let store = try Self.storeWithoutItsLog(in: folder)
    let summary = try Program.run(["audit", store, "--summary", "--no-config"])
    #expect(summary.status == 0)
    #expect(summary.output.contains("of 1 of 1 store what was saved last may be missing"), "\(summary.output)")
    let required = try Program.run(["audit", store, "--summary", "--no-config", "--require-complete"])
    #expect(required.status == 1 && required.output.contains("--require-complete"), "\(required.output)")
    let whole = Project.path("corpus/Notes.sqlite")
    #expect(try Program.run(["audit", whole, "--summary", "--no-config", "--require-complete"]).status == 0)
  }

  /// A log that is there and cannot be read is not one that is not there.
  @Test func saysThatTheLogCannotBeRead() throws {
    let folder = try TemporaryFolder()
    let store = try Self.storeWithoutItsLog(in: folder)
    try FileManager.default.createDirectory(atPath: store + "-wal", withIntermediateDirectories: false)
    let outcome = try Program.run(["diagnose", store, "--without-wal"])
    let said = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(said.contains("what was saved last may be missing"), "\(outcome.output)\(outcome.errors)")
    #expect(!said.contains("no -wal beside it"))
  }

  @Test func comparisonsSayWhichStoreItIs() throws {
    let folder = try TemporaryFolder()
    let store = try Self.storeWithoutItsLog(in: folder)
    let outcome = try Program.run(["compare", Project.path("corpus/Notes.sqlite"), store])
    #expect(outcome.output.contains("  ? the second store: WAL mode, no -wal beside it"), "\(outcome.output)")
    let json = try Program.run(["compare", Project.path("corpus/Notes.sqlite"), store, "--format", "json"])
    #expect(json.output.contains(#""complete": "unknown""#) && json.output.contains(#""complete": "yes""#))
  }
}
