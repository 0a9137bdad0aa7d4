import Foundation
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

/// `timeline`, by the built program.
@Suite struct TimelineTests {
  /// Three commits: one without history, one with a deletion, one without history again.
  private func store(in folder: TemporaryFolder) throws -> String {
    let workshop = try TemporaryFolder()
    let origin = try workshop.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: origin, create: false)
    try writer.execute(
      """
      PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;
      UPDATE ZNOTE SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 1;
      BEGIN;
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZBUNDLEIDTS, ZTIMESTAMP, ZAUTHOR) VALUES (2, 16002, 1, 1, 700100000.5, '=sync');
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZTOMBSTONE0)
        SELECT 900, 16001, 1, 2, Z_ENT, Z_PK, 2, x'00112233445566778899AABBCCDDEEFF' FROM ZNOTE WHERE Z_PK = 2;
      DELETE FROM ZNOTE WHERE Z_PK = 2;
      COMMIT;
      UPDATE ZNOTE SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 1;
      """)
    let store = folder("Notes.sqlite")
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: origin + suffix, toPath: store + suffix) }
    return store
  }

  @Test func showsWhenItWasDeletedAndByWhom() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let output = try Program.run(["timeline", store]).output
    #expect(output.contains("2023-03-10T00:13:20.500Z  delete"))
    #expect(output.contains("2 deleted: uuid 00112233-4455-6677-8899-AABBCCDDEEFF (app NotesApp, author =sync)"))
    // A commit without history lies before or after the one with.
    let commits = output.split(separator: "\n").filter { $0.contains("  commit ") }
    #expect(
      commits.map { $0.prefix(26) } == [
        "≤ 2023-03-10T00:13:20.500Z", "  2023-03-10T00:13:20.500Z", "≥ 2023-03-10T00:13:20.500Z",
      ])
    #expect(try Program.run(["timeline", store + "@1"]).output.contains("deleted") == false)
    #expect(try Program.run(["timeline", store, "--since", "2023-03-11"]).output.contains("deleted") == false)
    #expect(try Program.run(["timeline", store, "--until", "2023-03-10"]).output.contains("deleted"))
    #expect(try Program.run(["timeline", store, "--entity", "Note", "--key", "1"]).output.contains("deleted") == false)
    #expect(try Program.run(["timeline", store, "--date", "Note.none"]).status == 2)
    #expect(try Program.run(["timeline", store, "--since", "yesterday"]).status == 64)
    #expect(try Program.run(["timeline", store]).output == output)
  }

  /// "CSV or JSONL with message, datetime (ISO 8601) and timestamp_desc": what Timesketch's importer asks for.
  @Test func jsonlAndCSVAreWhatTimesketchImports() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/timeline.json"), encoding: .utf8))
    let lines = try Program.run(["timeline", store, "--format", "jsonl"]).output.split(separator: "\n")
    let rows = try csv(Program.run(["timeline", store, "--format", "csv"]).output)
    #expect(lines.count > 3 && rows.count == lines.count + 1)
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    var last = ""
    for (line, row) in zip(lines, rows.dropFirst()) {
      #expect(try schema.violations(in: JSONTree(String(line))).isEmpty)
      let event = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let fields = Dictionary(uniqueKeysWithValues: zip(rows[0], row))
      for name in ["message", "datetime", "timestamp_desc"] {
        let text = try #require(event[name] as? String)
        #expect(!text.isEmpty && fields[name] == text)
      }
      let datetime = try #require(event["datetime"] as? String)
      let seconds = try #require(formatter.date(from: datetime)).timeIntervalSince1970
      let microseconds = try #require(event["timestamp"] as? Int)
      #expect(abs(Double(microseconds) / 1_000_000 - seconds) < 0.002)
      #expect(datetime >= last)
      last = datetime
    }
    #expect(rows.contains { $0.contains("'=sync") })
    #expect(lines.contains { $0.contains(#""timestamp_desc": "WAL commit (not before)""#) })
  }

  private func csv(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    for line in text.components(separatedBy: "\r\n") where !line.isEmpty {
      var (cells, cell, isQuoted) = ([String](), "", false)
      for character in line {
        switch character {
        case "\"": isQuoted.toggle()
        case "," where !isQuoted:
          cells.append(cell)
          cell = ""
        default: cell.append(character)
        }
      }
      rows.append(cells + [cell])
    }
    return rows
  }

  /// What recover proves by changes that were trimmed, the timeline shows, with the time of the transaction.
  @Test func deletionsOfTrimmedHistoryAreInTheTimeline() throws {
    let folder = try TemporaryFolder()
    let path = folder("Notes.sqlite")
    let store = try StoreWriter(
      creating: path,
      StoreDescription(model: ModelNotation.model(["Note: title String?"]), keepsHistory: true, usesWAL: false))
    for title in ["first", "second", "third"] { try store.insert("Note", ["title": .text(title)]) }
    try store.database.execute(
      """
      PRAGMA secure_delete=0;
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 10), (16002, 'TRANSACTION', 0, 10);
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (3, 16002, 1, 700000200.5);
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
        VALUES (3, 16001, 1, 2, 1, 2, 3);
      DELETE FROM ZNOTE WHERE Z_PK = 2; DELETE FROM ACHANGE; DELETE FROM ATRANSACTION;
      """)
    try store.finish()
    let line = "Note 2 deleted: delete change 3 in transaction 3, trimmed from the history"
    let found = try Program.run(["timeline", path, "--deleted"]).output.split(separator: "\n").filter {
      $0.contains(line)
    }
    #expect(found.count == 1 && found.first?.contains("20:30:00.500") == true, "\(found)")
    #expect(try !Program.run(["timeline", path]).output.contains(line))
    let json = try Program.run(["timeline", path, "--deleted", "--format", "jsonl"]).output
    #expect(json.contains("Deleted, proved by trimmed history"))
  }
}
