import Foundation
import SQLitePages
import StoreCoreData
import StoreDataModel
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// Rows that an earlier version of the model wrote, and rows that were never committed.
@Suite struct FormerVersionTests {
  private func entities(_ names: [String]) throws -> [EntityLayout] {
    let model = try Model(entities: names.map { Entity(name: $0) })
    return Layout.fresh(model).layout.entities
  }

  /// The statement of before has the number 3 where today's has 4: the entity was the third.
  @Test func numbersInNamesOfColumnsAreThoseOfEntities() throws {
    let former = PageSchema.Entry(
      table: "Z_3TAGSTEMP", root: 2, sql: "CREATE TABLE Z_3TAGSTEMP (Z_3NOTES INTEGER, Z_5TAGS INTEGER)")
    let now = PageSchema.Entry(
      table: "Z_4TAGSTEMP", root: 2, sql: "CREATE TABLE Z_4TAGSTEMP (Z_4NOTES INTEGER, Z_6TAGS INTEGER)")
    let numbers = ColumnNumbers([former], now: [now])
    #expect(numbers.shifts == [4: [-1], 6: [-1]])
    let names = ["A", "B", "C", "D", "E", "F", "G"]
    // What is numbered between two that moved alike moved with them; of the others nothing is known.
    #expect(try numbers.numbers(of: entities(names)) == ["D": 3, "E": 4, "F": 5])
  }

  /// Rows of two tables tell of one shift; a few in one table may be bytes that look like rows by chance.
  @Test func rowsThatAgreeTellOfAShift() throws {
    let all = try entities(["A", "B", "C"])
    let two = NumberShifts(["ZB": [1: 1], "ZC": [2: 1]], all) { _, _ in false }
    #expect(two.believed == [-1] && two.numbers(by: -1, of: all) == ["B": 1, "C": 2])
    let few = NumberShifts(["ZB": [1: 4]], all) { _, _ in false }
    #expect(few.believed.isEmpty && few.open(["ZB": [1: 4]]) == (4, ["ZB"]))
    #expect(NumberShifts(["ZB": [1: 5]], all) { _, _ in false }.believed == [-1])
    // What another source explains tells nothing new.
    #expect(NumberShifts(["ZB": [1: 5]], all) { _, number in number == 1 }.believed.isEmpty)
  }

  /// The app ended in a large transaction, some of whose frames were in the log already, unsigned since they were written
  /// twice: what it inserted was never there, and what it deleted still is.
  @Test func aTransactionThatWasNeverFinishedIsToldApart() throws {
    let folder = try TemporaryFolder()
    let store = try StoreWriter(
      creating: folder("Notes.sqlite"), StoreDescription(model: ModelNotation.model(["Note: title String?"])))
    let text = String(repeating: "a text that fills pages ", count: 20)
    for number in 1...60 { try store.insert("Note", ["title": .text("\(number) \(text)")]) }
    try store.save(intoMain: true)
    try store.database.execute("PRAGMA cache_size=5; PRAGMA wal_autocheckpoint=0")
    for key in 61...160 {
      try store.database.execute(
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (\(key), 1, 1, '\(key) \(text)')")
    }
    for key in 20...40 { try store.database.execute("DELETE FROM ZNOTE WHERE Z_PK = \(key)") }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder("Notes.sqlite") + suffix, toPath: folder("Copy.sqlite") + suffix)
    }
    let recovery = try recover(PosixPath(folder("Copy.sqlite")))
    let never = recovery.rows.filter { $0.kind == .neverCommitted }
    #expect(never.count > 20 && never.allSatisfy { ($0.key ?? 0) > 60 })
    #expect(recovery.rows.count == never.count, "\(recovery.rows.filter { $0.kind != .neverCommitted })")
    #expect(recovery.summary.map(\.neverCommitted) == [never.count] && recovery.summary.map(\.live) == [60])
    let opened = try Store(path: folder("Copy.sqlite"))
    #expect(opened.wal?.reasons.contains { $0.contains("never finished") || $0.contains("not committed") } == true)
  }
}
