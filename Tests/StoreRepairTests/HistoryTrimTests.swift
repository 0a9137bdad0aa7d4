import Foundation
import StoreCoreData
import StorePropertyLists
import StorePublishing
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreRepair

/// Persistent history is cut, and only that: transactions with their changes, and texts that nothing refers to.
@Suite struct HistoryTrimTests {
  /// Transactions 1 to 6, a day apart from 2023-03-08T20:26:40.25Z on, with two changes each. 1 to 3 are by one author, whom
  /// text 2 names, and 4 to 6 by another, text 3.
  private static let sixTransactions = """
    INSERT INTO ATRANSACTIONSTRING VALUES (2, 16003, 1, 'before'), (3, 16003, 1, 'after');
    UPDATE ATRANSACTION SET ZAUTHORTS = 2 WHERE Z_PK = 1;
    WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZBUNDLEIDTS, ZAUTHORTS, ZTIMESTAMP)
        SELECT i, 16002, 1, 1, CASE WHEN i < 4 THEN 2 ELSE 3 END, 700000000.25 + 86400 * (i - 1) FROM n;
    DELETE FROM ACHANGE;
    INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
      SELECT 2 * Z_PK - 1, 16001, 1, 1, 3, 1, Z_PK FROM ATRANSACTION
      UNION ALL SELECT 2 * Z_PK, 16001, 1, 1, 3, 2, Z_PK FROM ATRANSACTION;
    UPDATE Z_PRIMARYKEY SET Z_MAX = 12 WHERE Z_ENT = 16001;
    UPDATE Z_PRIMARYKEY SET Z_MAX = 6 WHERE Z_ENT = 16002;
    UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_ENT = 16003;
    """

  private func recipe(_ text: String) throws -> Recipe { try Recipe(reading: Array("version: 1\n\(text)".utf8)) }

  private func plan(_ text: String, of sample: RepairedStore) throws -> RepairPlan {
    try planRepair(recipe(text), of: sample.open())
  }

  /// The keys of transactions, changes and texts.
  private func keys(_ path: String) throws -> [[Int64]] {
    let connection = try Connection(reading: DatabaseFiles(path: path))
    return try ["ATRANSACTION", "ACHANGE", "ATRANSACTIONSTRING"].map { table in
      let rows = try connection.prepare("SELECT Z_PK FROM \(table) ORDER BY Z_PK")
      var keys: [Int64] = []
      while try rows.step() { keys.append(rows.int64(0)) }
      return keys
    }
  }

  @Test(arguments: ["trimHistory: {keep: 3}", "trimHistory: {before: 2023-03-11T20:26:40.25Z}"])
  func theNewestStay(text: String) throws {
    let sample = try RepairedStore(injury: Self.sixTransactions)
    let target = sample.folder("out.sqlite")
    let outcome = try repair(
      recipe(text), of: sample.open(), to: OutputTarget(PosixPath(target)), allowance: RepairAllowance(lossy: true))
    #expect(
      outcome.plan.operations.map(\.summary) == [
        "delete 6 changes of the history", "delete 3 transactions of the history",
        "delete 1 text that no transaction refers to",
      ])
    #expect(outcome.plan.operations.allSatisfy { $0.grade == .lossy } && outcome.plan.needs == [.lossy])
    #expect(try keys(target) == [[4, 5, 6], Array(7...12), [1, 3]])
    // All else is as it was, the numbers that were handed out among it.
    let (before, after) = (try everyValue(of: sample.path), try everyValue(of: target))
    let differing = before.keys.filter { before[$0] != after[$0] }.sorted()
    #expect(differing == ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"])
    // It says what it costs, and not that the history misses it.
    #expect(outcome.plan.notices.contains { $0.contains("134301") })
    #expect(!outcome.plan.notices.contains { $0.contains("in which these changes will not be") })
    // Once more there is nothing to do.
    #expect(try planRepair(recipe(text), of: Store(path: target)).isEmpty)
  }

  @Test func theNewestTransactionStaysHoweverOldItIs() throws {
    let sample = try RepairedStore(
      injury: Self.sixTransactions + "UPDATE ATRANSACTION SET ZTIMESTAMP = NULL WHERE Z_PK = 2")
    let plan = try plan("trimHistory: {before: 2026-01-01}", of: sample)
    #expect(
      plan.operations.map(\.summary) == [
        "delete 8 changes of the history", "delete 4 transactions of the history",
      ])
    #expect(plan.notices.contains("1 transaction without a time stays"))
    #expect(plan.notices.contains { $0.hasPrefix("the newest transaction is older, too, and stays") })
  }

  @Test(arguments: RepairedStore.Mode.allCases) func undoGivesBackEveryByte(mode: RepairedStore.Mode) throws {
    let sample = try RepairedStore(mode, injury: Self.sixTransactions)
    let before = try sample.storeBytes
    let outcome = try apply(
      plan("trimHistory: {keep: 1}", of: sample), to: sample.open(), destination: .inPlace(),
      allowance: RepairAllowance(lossy: true))
    #expect(try keys(sample.path) == [[6], [11, 12], [1, 3]])
    let journal = try #require(outcome.journal)
    #expect(try undo(PosixPath(journal)).way == .bytes)
    #expect(try sample.storeBytes == before)
  }

  /// What the app has written since is kept.
  @Test func undoGivesBackTheRowsWhereTheAppWentOn() throws {
    let sample = try RepairedStore(injury: Self.sixTransactions)
    let before = try keys(sample.path)
    let outcome = try apply(
      plan("trimHistory: {keep: 1}", of: sample), to: sample.open(), destination: .inPlace(),
      allowance: RepairAllowance(lossy: true))
    let app = try Connection(writing: sample.path, create: false)
    try app.execute("INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (7, 16002, 1, 800000000)")
    app.close()
    #expect(try undo(PosixPath(#require(outcome.journal))).way == .rows)
    #expect(try keys(sample.path) == [before[0] + [7], before[1], before[2]])
  }

  // MARK: Readers

  private func token(_ store: String, _ transaction: Int64) -> [UInt8] {
    var builder = KeyedArchiveBuilder()
    let places = builder.dictionary([(builder.string(store), builder.integer(transaction))])
    let token = builder.object(
      ["_NSPersistentHistoryToken", "NSPersistentHistoryToken", "NSObject"],
      fields: [("NSPersistentHistoryTokenDictionary", .reference(places))])
    return builder.binary(root: token)
  }

  private func uuid(of sample: RepairedStore) throws -> String { try #require(sample.open().metadata.uuid) }

  private func put(_ token: [UInt8], under key: String, of sample: RepairedStore) throws {
    let app = try Connection(writing: sample.path, create: false)
    let read = try app.prepare("SELECT Z_PLIST FROM Z_METADATA")
    _ = try read.step()
    guard case .dictionary(var list) = try PropertyList(read.blob(0) ?? []).root.value() else { return }
    read.reset()
    list[key] = .data(token)
    let write = try app.prepare("UPDATE Z_METADATA SET Z_PLIST = ?1")
    try write.bind(PropertyListValue.dictionary(list).binaryPropertyList(), at: 1)
    _ = try write.step()
    app.close()
  }

  @Test func whatAReaderInTheMetadataNeedsStays() throws {
    let sample = try RepairedStore(injury: Self.sixTransactions)
    try put(token(uuid(of: sample), 4), under: "WidgetToken", of: sample)
    try put(token("another store", 1), under: "Foreign", of: sample)
    #expect(try plan("trimHistory: {keep: 3}", of: sample).operations.count == 3)
    let refused = try plan("trimHistory: {keep: 2}", of: sample)
    #expect(
      refused.refusals.map(\.message) == [
        "the reader whose token the metadata keep under 'WidgetToken' needs transaction 4 and those after it, of which 1 "
          + "would go: it would start anew (134301); 'keep:3' is the least that leaves them, or open the store with the app "
          + "first, so that its readers go on"
      ])
    #expect(throws: RepairPlanError.self) {
      try apply(
        refused, to: sample.open(), destination: .inPlace(), allowance: RepairAllowance(lossy: true, mirrored: true))
    }
  }

  private static let mirror = """
    CREATE TABLE ANSCKMETADATAENTRY (Z_PK INTEGER PRIMARY KEY, ZKEY VARCHAR, ZTRANSFORMEDVALUE BLOB);
    CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZPENDINGEXPORTTRANSACTIONNUMBER INTEGER);
    CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, ZCLOUDKITEVENTTYPE INTEGER, ZSUCCEEDED INTEGER, ZENDEDAT TIMESTAMP);
    """

  @Test func whatTheMirrorNeedsStays() throws {
    func refusals(_ injury: (RepairedStore) throws -> String) throws -> [String] {
      let sample = try RepairedStore(injury: Self.sixTransactions + Self.mirror)
      let app = try Connection(writing: sample.path, create: false)
      try app.execute(injury(sample))
      app.close()
      let plan = try plan("trimHistory: {keep: 3}", of: sample)
      #expect(plan.refusals.isEmpty ? plan.needs == [.lossy, .mirrored] : plan.operations.isEmpty)
      return plan.refusals.map(\.message)
    }
    func entry(_ token: [UInt8]) -> String {
      "INSERT INTO ANSCKMETADATAENTRY VALUES (1, 'NSCloudKitMirroringDelegateLastHistoryTokenKey', "
        + "x'\(token.map { String(format: "%02x", $0) }.joined())')"
    }
    // Signed in to no account it never read anything.
    #expect(try refusals { _ in "" } == [])
    #expect(try refusals { try entry(token(uuid(of: $0), 4)) } == [])
    let behind = try refusals { try entry(token(uuid(of: $0), 3)) }
    #expect(behind.count == 1 && behind.first?.hasPrefix("CloudKit's mirror needs transaction 3") == true)
    let unreadable = try refusals { _ in entry([1, 2, 3]) }
    #expect(unreadable.count == 1 && unreadable.first?.contains("cannot be told") == true)
    let pending = try refusals { _ in "INSERT INTO ANSCKRECORDMETADATA VALUES (1, 2), (2, NULL), (3, 0)" }
    #expect(pending.count == 1 && pending.first?.contains("under way needs transaction 2") == true)
    // Transactions 1 and 2 are older than the last export that succeeded, 3 is not.
    let unsent = try refusals { _ in
      "INSERT INTO ANSCKEVENT VALUES (1, 2, 1, 700100000), (2, 2, 0, 700900000), (3, 1, 1, 700900000)"
    }
    #expect(unsent.count == 1 && unsent.first?.contains("1 transaction from 3 on came later") == true)
    #expect(try refusals { _ in "INSERT INTO ANSCKEVENT VALUES (1, 2, 1, 700200000)" } == [])
  }

  @Test func mistakesAreNamed() throws {
    let mistakes: [(String, String)] = [
      ("trimHistory: {keep: 0}", "'keep' is a number from 1 on"), ("trimHistory: {}", "is expected"),
      ("trimHistory: {keep: 1, before: 2026-01-01}", "not both"),
      ("trimHistory: {before: yesterday}", "in place of 'yesterday'"),
      ("compact: yes", "one of true, false is expected"),
    ]
    for (text, words) in mistakes {
      do {
        _ = try recipe(text)
        Issue.record("nothing was thrown for \(text)")
      } catch { #expect("\(error)".contains(words), "\(error)") }
    }
  }
}
