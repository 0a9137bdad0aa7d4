import CoreDataModel
import CoreDataStore
import SQLite
import StoreGenerator
import TestSupport
import Testing

@testable import StoreDoctor

/// Many rows of one table go through one statement, few through one each: both do the same.
@Suite struct ManyRowsTests {
  /// Some of the keys from 1 to 5,000, as close together as asked for.
  private static let gaps: [Int64] = [1, 2, 5, 9]

  @Test(arguments: gaps)
  func changeAsOneByOne(_ gap: Int64) throws {
    let keys = Array(stride(from: Int64(3), through: 5_000, by: Int64.Stride(gap)))
    var own = RowEdit.objects("ZITEM", set: ["ZNAME", "ZSIZE"])
    for key in keys { own.add(key, set: [.text("Item \(key)"), key % 3 == 0 ? .null : .real(Double(key) / 2)]) }
    var shared = RowEdit.objects("ZITEM", set: ["ZNAME"], shared: [.blob([0, 1])])
    var gone = RowEdit(.delete, "ZITEM")
    for key in keys {
      shared.add(key)
      gone.add(key)
    }
    for edit in [own, shared, gone] {
      var shuffled = edit
      shuffled.rows = Array(edit.rows.suffix(edit.width) + edit.rows.dropLast(edit.width))
      #expect(try Self.table(after: edit) == Self.table(after: shuffled))
    }
  }

  @Test func aRowThatIsNotThereIsNoticed() throws {
    var edit = RowEdit.objects("ZITEM", set: ["ZNAME"], shared: [.text("x")])
    for key in Int64(4_001)...5_001 { edit.add(key) }
    #expect(throws: RepairPlanError.self) { try Self.table(after: edit) }
  }

  /// The rows of 5,000 items after an edit.
  private static func table(after edit: RowEdit) throws -> [[SQLiteValue]] {
    let model = try Model(
      entities: [Entity(name: "Item", properties: [.attribute("name", .string), .attribute("size", .double)])])
    let store = try RepairBench(model) { writer in
      for number in 1...5_000 { _ = try writer.insert("Item", ["name": .text("\(number)")]) }
    }
    try store.bench.perform([Operation(.backfill, "change", .rows(edit))])
    let rows = try store.bench.connection.prepare("SELECT Z_PK, Z_OPT, ZNAME, ZSIZE FROM ZITEM ORDER BY Z_PK")
    var table: [[SQLiteValue]] = []
    while try rows.step() { table.append((0..<4).map { rows.value($0) }) }
    return table
  }
}
