import StorePublishing
@testable import StoreRepair
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCoreData

/// Undo of a repair row by row, after the app has gone on.
@Suite struct UndoByRowsTests {
  private func run(_ sql: String, on sample: RepairedStore) throws {
    let app = try Connection(writing: sample.path, create: false)
    try app.execute(sql)
    app.close()
  }

  private func highest(_ entity: String, in sample: RepairedStore) throws -> Int {
    let rows = try Connection(reading: DatabaseFiles(path: sample.path)).prepare(
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'")
    return try rows.step() ? Int(rows.int64(0)) : -1
  }

  /// The highest key is 2 before the repair and 4 after it; where the app has raised it, its number stays.
  @Test(arguments: [(4, 2), (9, 9), (3, 3), (1, 2)]) func theHigherNumberStays(_ found: Int, _ left: Int) throws {
    let sample = try RepairedStore(.wal)
    try run("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Folder'", on: sample)
    let journal = try changeInPlace(sample.open()) { connection, _ in
      try connection.allowingWrites(to: ["Z_PRIMARYKEY", "ZTAG"]) {
        try connection.execute(
          "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Folder'; UPDATE ZTAG SET ZNAME = 'x' WHERE Z_PK = 1")
      }
    } verify: { _ in
    }
    try run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = \(found) WHERE Z_NAME = 'Folder'; INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME) VALUES (900, 5, 'new')",
      on: sample)
    #expect(try undo(journal.folder).way == .rows)
    #expect(try highest("Folder", in: sample) == left)
    #expect(try everyValue(of: sample.path)["ZTAG"]?.contains { $0.contains("'x'") } == false)
  }

  @Test func changesOfOneRowAreTakenBackFromTheLastOn() throws {
    let sample = try RepairedStore(.wal)
    let before = try everyValue(of: sample.path)
    let journal = try changeInPlace(sample.open()) { connection, recorder in
      for name in ["first", "second"] {
        try connection.allowingWrites(to: ["ZTAG"]) {
          try connection.execute("UPDATE ZTAG SET ZNAME = '\(name)' WHERE Z_PK = 1")
        }
        try recorder.flush()
      }
    } verify: { _ in
    }
    try run("INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME) VALUES (900, 5, 'new')", on: sample)
    #expect(try undo(journal.folder).way == .rows)
    var values = try everyValue(of: sample.path)
    values["ZTAG"]?.removeAll { $0.contains("'new'") }
    #expect(values == before)
  }

  @Test func anotherColumnOfThatRowIsAConflict() throws {
    let sample = try RepairedStore(.wal)
    let journal = try changeInPlace(sample.open()) { connection, _ in
      try connection.allowingWrites(to: ["Z_PRIMARYKEY"]) {
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Ordner', Z_MAX = 4 WHERE Z_NAME = 'Folder'")
      }
    } verify: { _ in
    }
    try run("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Map', Z_MAX = 9 WHERE Z_NAME = 'Ordner'", on: sample)
    try expectRefusal("has changed since the repair", in: sample.folder) { _ = try undo(journal.folder) }
  }

  @Test(arguments: [199, 2000]) func tablesWithManyColumns(_ columns: Int) throws {
    let names = (2...columns).map { "ZC\($0)" }
    let sample = try RepairedStore(
      .wal,
      injury: "CREATE TABLE ZWIDE (Z_PK INTEGER PRIMARY KEY, \(names.joined(separator: ","))); "
        + "INSERT INTO ZWIDE (Z_PK, ZC2) VALUES (1, 'one'), (2, 'two')")
    let before = try everyRow(of: "ZWIDE", sample)
    let journal = try changeInPlace(sample.open()) { connection, _ in
      try connection.allowingWrites(to: ["ZWIDE"]) {
        try connection.execute(
          "UPDATE ZWIDE SET ZC2 = 'x', ZC\(columns) = 5 WHERE Z_PK = 1; DELETE FROM ZWIDE WHERE Z_PK = 2")
      }
    } verify: { _ in
    }
    #expect(journal.onlyWhole == nil)
    try run("INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME) VALUES (900, 5, 'new')", on: sample)
    let undone = try undo(journal.folder)
    #expect(undone.way == .rows)
    #expect(try everyRow(of: "ZWIDE", sample) == before)
    #expect(try undo(#require(undone.journal).folder).way == .bytes)
    #expect(try everyRow(of: "ZWIDE", sample) != before)
  }

  private func everyRow(of table: String, _ sample: RepairedStore) throws -> [[SQLiteValue]] {
    let rows = try Connection(reading: DatabaseFiles(path: sample.path)).prepare("SELECT * FROM \(table)")
    var values: [[SQLiteValue]] = []
    while try rows.step() { values.append((0..<rows.columnCount).map { rows.value($0) }) }
    return values
  }

  /// 2,000 names of 521 bytes: the table's own statement just fits into a megabyte, one that changes all columns does
  /// not.
  @Test func whatCannotBeUndoneRowByRowIsKnownWhenItIsWritten() throws {
    let names = (1000..<2999).map { String(repeating: "C", count: 517) + "\($0)" }
    let sample = try RepairedStore(
      .wal, injury: "CREATE TABLE ZWIDE (Z_PK INTEGER PRIMARY KEY,\(names.joined(separator: ",")))")
    let before = try sample.bytes
    let journal = try changeInPlace(sample.open()) { connection, _ in
      try connection.allowingWrites(to: ["ZWIDE"]) { try connection.execute("INSERT INTO ZWIDE (Z_PK) VALUES (1)") }
    } verify: { _ in
    }
    #expect(try Journal(reading: journal.folder).onlyWhole?.hasPrefix("'ZWIDE': ") == true, "\(journal)")
    let undone = try undo(journal.folder)
    #expect(undone.way == .bytes)
    #expect(try sample.bytes == before)
    let again = try #require(undone.journal)
    #expect(try Journal(reading: again.folder).onlyWhole == journal.onlyWhole)
    try run("INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME) VALUES (900, 5, 'new')", on: sample)
    try expectRefusal("only as a whole", in: sample.folder) { _ = try undo(again.folder) }
  }

  /// The repair stopped before it recorded a change, and the app has saved since.
  @Test func whatWasNeverCommittedWasNoChange() throws {
    let sample = try RepairedStore(.wal)
    let files = try sample.open().files
    let journal = try Journal.prepare(
      JournalTarget(), of: files, uuid: sample.open().metadata.uuid, expecting: nil, files: FileActions())
    try run("INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME) VALUES (900, 5, 'new')", on: sample)
    let values = try everyValue(of: sample.path)
    let outcome = try undo(journal.folder)
    #expect(outcome.way == .nothing)
    #expect(try everyValue(of: sample.path) == values)
  }

  /// SQLite keeps the log as large as a transaction made it that did not fit.
  /// Where the log cannot be restored either, it has grown, and that is said.
  @Test(arguments: [false, true]) func aFullDiskLeavesTheLogAsItWasOrSaysThatItGrew(_ staysFull: Bool) throws {
    let sample = try RepairedStore(.frames)
    let (before, log) = (try everyValue(of: sample.path), try contents(of: sample.path + "-wal"))
    let vfs = try FaultVFS(failing: 40, of: [.write], with: 13, lasting: true)
    let files = FileActions(vfs: vfs.name) { _ in staysFull && vfs.hasFired ? ENOSPC : nil }
    var message = ""
    do {
      _ = try changeInPlace(sample.open(), files: files) { connection, recorder in
        try changeEverything(connection, recorder)
      } verify: { _ in
      }
    } catch { message = "\(error)" }
    let now = try contents(of: sample.path + "-wal")
    if staysFull {
      let grown = now.count - log.count
      #expect(grown > 0 && message.contains("its content did not change, but its log"), "\(message)")
      #expect(message.contains("grew by \(grown) bytes"), "\(message)")
    } else {
      #expect(now == log && message.contains("no room left; nothing was changed"), "\(message)")
    }
    #expect(try everyValue(of: sample.path) == before)
  }

  /// In rollback-journal mode an app that does nothing at the moment holds no lock.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")), arguments: RepairedStore.Mode.allCases)
  func anIdleProcessIsFound(_ mode: RepairedStore.Mode) throws {
    let sample = try RepairedStore(mode)
    let journal = try changeInPlace(sample.open(), change: changeEverything) { _ in }
    let app = Process()
    app.executableURL = URL(fileURLWithPath: "/bin/sh")
    app.arguments = ["-c", "exec 3< \"$0\" && echo open && exec sleep 60", sample.path]
    let pipe = Pipe()
    app.standardOutput = pipe
    try app.run()
    _ = pipe.fileHandleForReading.availableData
    defer {
      kill(app.processIdentifier, SIGKILL)
      app.waitUntilExit()
    }
    let words = "process \(app.processIdentifier) (sleep) has it open"
    try expectRefusal(words, in: sample.folder) {
      _ = try changeInPlace(sample.open(), change: changeEverything) { _ in }
    }
    try expectRefusal(words, in: sample.folder) { _ = try undo(journal.folder) }
  }
}
