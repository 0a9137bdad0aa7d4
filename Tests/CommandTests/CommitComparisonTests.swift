import Foundation
import StoreSQLite
import TestSupport
import Testing

/// `compare STORE@N STORE@N+1` says of commit N+1 what `inspect --commits` says: the one compares objects by the model, the
/// other rows by their bytes. A third answer comes from SQLite, over copies whose write-ahead log ends at either commit.
@Suite struct CommitComparisonTests {
  /// 15 real stores, 943 commits: one of each store, or all in a long run.
  @Test(.needsSharedData) func bothSayTheSameOfACommit() throws {
    var random = SeededGenerator(seed: seedOfRun("CommitComparisonTests"))
    var (compared, refused, noStore) = (0, 0, 0)
    for entry in Catalogue.real where FileManager.default.fileExists(atPath: entry.path + "-wal") {
      let commits = try commits(entry.path)
      let pairs = Array(commits.indices.dropLast())
      for number in LongRuns.areWanted ? pairs : pairs.shuffled(using: &random).prefix(1).map(\.self) {
        switch try comparison(of: entry.path, commits, after: number) {
        case .same: compared += 1
        case .refused: refused += 1
        case .noStore: noStore += 1
        }
      }
    }
    #expect(compared >= 12)
    if LongRuns.areWanted { #expect(compared == 938 && refused == 3 && noStore == 2) }
  }

  /// A store that is made for it: each commit inserts, changes, deletes, or only counts a save.
  @Test func bothSayTheSameOfAMadeUpStore() throws {
    let folder = try TemporaryFolder()
    let living = try LivingStore(in: folder, committed: 40, inWAL: 3)
    for sql in [
      "UPDATE ZNOTE SET ZTITLE = 'changed', Z_OPT = Z_OPT + 1 WHERE Z_PK % 3 = 0",
      "DELETE FROM ZNOTE WHERE Z_PK BETWEEN 5 AND 20",
      "UPDATE ZNOTE SET ZTITLE = printf('%09000d', 7), Z_OPT = Z_OPT + 1 WHERE Z_PK = 30",
      "UPDATE ZNOTE SET Z_OPT = Z_OPT + 1 WHERE Z_PK = 31", "DELETE FROM ZNOTE WHERE Z_PK = 30",
    ] {
      try living.writer.database.execute(sql)
      try living.writer.save(intoMain: false)
    }
    try living.copy()
    let commits = try commits(living.mainPath)
    #expect(commits.count >= 7)
    for number in commits.indices.dropLast() {
      #expect(try comparison(of: living.mainPath, commits, after: number) == .same, "commit \(number + 1)")
    }
    let counts = commits.dropFirst().suffix(5).map { commit in
      (commit.changes?.entities ?? []).filter { $0.name == "Note" }.map { [$0.added, $0.changed, $0.removed] }
    }
    #expect(counts == [[[0, 14, 0]], [[0, 0, 16]], [[0, 1, 0]], [[0, 1, 0]], [[0, 0, 1]]])
  }

  private enum Comparison { case same, refused, noStore }

  /// Compares the store after commit `number` with that after the next, and both answers about it.
  private func comparison(of store: String, _ commits: [Commit], after number: Int) throws -> Comparison {
    guard commits[number].readable, commits[number + 1].readable, let changes = commits[number + 1].changes else {
      return .refused
    }
    let one = "\(store)@\(number)"
    let outcome = try Program.run(["compare", one, "\(store)@\(number + 1)", "--format", "jsonl"])
    // Before its first save the app has made no tables yet.
    guard outcome.status != 2 else {
      #expect(outcome.errors.contains("not a Core Data store"), "\(one): \(outcome.errors)")
      return .noStore
    }
    try expectSame(outcome.output, changes, rows(store, commits, number), one)
    return .same
  }

  private func expectSame(
    _ lines: String, _ changes: Commit.Changes, _ states: [[String: [Int64: Row]]], _ place: String
  ) throws {
    var lines = try lines.split(separator: "\n").map { try JSONTree(String($0)) }
    let summary = lines.removeLast()
    #expect(summary["notCompared"]?.list?.isEmpty == true, "\(place)")
    let entities = changes.entities.filter { $0.number < 16001 }
    let names = (summary["entities"]?.list ?? []).compactMap { $0["name"]?.string }
    #expect(Set(entities.map(\.name)).subtracting(names).isEmpty, "\(place)")
    for name in names {
      let counts = try #require((summary["entities"]?.list ?? []).first { $0["name"]?.string == name })
      func count(_ member: String) -> Int64 { counts[member]?.wholeNumber ?? -1 }
      let commit = entities.first { $0.name == name }
      #expect(count("added") + count("moved") == commit?.added ?? 0, "\(place) \(name)")
      #expect(count("removed") + count("moved") == commit?.removed ?? 0, "\(place) \(name)")

      // Objects with a value or a key of their own that is different, and those of which only a list of others is.
      let objects = lines.filter { $0["kind"]?.string == "changed" && $0["entity"]?.string == name }
      let own = objects.filter { object in (object["values"]?.list ?? []).contains { !isList($0) } }
      // Without rows that differ there is no table to look at.
      guard let commit, commit.changed > 0 else {
        #expect(own.isEmpty, "\(place) \(name)")
        continue
      }
      let (before, after) = (states[0][commit.table] ?? [:], states[1][commit.table] ?? [:])
      let differing = before.filter { key, row in
        row.entity == commit.number && after[key]?.entity == commit.number && after[key] != row
      }
      #expect(differing.count == commit.changed, "\(place) \(name)")
      // Saved without a change: the lock counter alone.
      let saved = differing.filter { key, row in
        after[key].map { $0.values.merging(["Z_OPT": row.values["Z_OPT"] ?? ""]) { $1 } == row.values } ?? false
      }
      #expect(
        Set(own.compactMap { $0["keyBefore"]?.wholeNumber }) == Set(differing.keys).subtracting(saved.keys),
        "\(place) \(name)")
    }
  }

  /// Whether a change is of a to-many relationship.
  private func isList(_ value: JSONTree) -> Bool {
    [value["before"], value["after"]].compactMap(\.self).allSatisfy { $0.list != nil }
  }

  /// A row as SQLite shows it: class and value of each column.
  private struct Row: Equatable {
    var entity: Int64
    var values: [String: String]
  }

  /// The rows of the tables that commit `number + 1` changed, after `number` and after it, by table and key.
  private func rows(_ store: String, _ commits: [Commit], _ number: Int) throws -> [[String: [Int64: Row]]] {
    let log = try contents(of: store + "-wal")
    // The page size stands in the log's header.
    let page = log[8..<12].reduce(0) { $0 << 8 | Int($1) }
    let tables = Set((commits[number + 1].changes?.entities ?? []).filter { $0.changed > 0 }.map(\.table))
    return try [number, number + 1].map { number in
      let folder = try TemporaryFolder.inMemory()
      let frames = commits[1..<(number + 1)].reduce(0) { $0 + $1.frames }
      try folder.write(contents(of: store), to: "Store")
      if frames > 0 { try folder.write(Array(log.prefix(32 + frames * (24 + page))), to: "Store-wal") }
      let connection = try Connection(writing: folder("Store"), create: false)
      defer { connection.close() }
      return try Dictionary(uniqueKeysWithValues: tables.map { ($0, try rows(of: $0, connection)) })
    }
  }

  private func rows(of table: String, _ connection: Connection) throws -> [Int64: Row] {
    let names = try connection.prepare("SELECT name FROM pragma_table_info('\(table)')")
    var columns: [String] = []
    while try names.step() { columns.append(names.string(0) ?? "") }
    let list = columns.map { "typeof(\"\($0)\") || quote(\"\($0)\")" }.joined(separator: ", ")
    let statement = try connection.prepare("SELECT Z_PK, Z_ENT, \(list) FROM \"\(table)\"")
    var rows: [Int64: Row] = [:]
    while try statement.step() {
      let values = columns.enumerated().map { ($1, statement.string($0 + 2) ?? "") }
      rows[statement.int64(0)] = Row(
        entity: statement.int64(1), values: Dictionary(uniqueKeysWithValues: values))
    }
    return rows
  }

  private func commits(_ store: String) throws -> [Commit] {
    let outcome = try Program.run(["inspect", store, "--commits", "--format", "json"])
    return try JSONDecoder().decode(Document.self, from: Data(outcome.output.utf8)).commits
  }

  private struct Document: Decodable { var commits: [Commit] }

  private struct Commit: Decodable {
    var frames: Int
    var readable: Bool
    var changes: Changes?

    struct Changes: Decodable {
      var entities: [Entity]

      struct Entity: Decodable {
        var name: String
        var number: Int64
        var table: String
        var added: Int64
        var changed: Int64
        var removed: Int64
      }
    }
  }
}
