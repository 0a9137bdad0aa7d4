import Foundation
import StoreDataModel
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

/// Leaves that hang in the tree of another table: every page is sound, and SQLite's check finds nothing.
@Suite struct ForeignLeafTests {
  private static let rows = 200

  /// Two tables of the same columns with several leaves each.
  private func sound(in folder: TemporaryFolder) throws -> String {
    let writer = try StoreWriter(creating: folder("Trips.sqlite"), StoreDescription(model: .trips, usesWAL: false))
    for entity in ["City", "Driver"] {
      for number in 0..<Self.rows {
        // Rows of equal lengths, so that both tables have the same keys on each leaf: also the numbers of the entities,
        // 2 and 3, take a byte each.
        try writer.insert(
          entity,
          ["code": .text("\(entity.prefix(3)) \(1_000 + number)"), "memo": .text(String(repeating: "m", count: 90))])
      }
    }
    try writer.finish()
    // A map of the pages would name the right parents.
    try Connection(writing: folder("Trips.sqlite"), create: false).execute("PRAGMA auto_vacuum=0; VACUUM")
    return folder("Trips.sqlite")
  }

  /// The same, with the numbers of the second leaves exchanged in the roots of both tables.
  private func exchanged(_ store: String, in folder: TemporaryFolder) throws -> String {
    let connection = try Connection(writing: store, create: false)
    let roots = try ["ZCITY", "ZDRIVER"].map { table in
      let root = try connection.prepare("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")
      return try root.step() ? Int(root.int64(0) - 1) * 4_096 : 0
    }
    connection.close()
    var bytes = try contents(of: store)
    let children = try roots.map { root -> Int in
      try #require(bytes[root] == 5)
      return root + Int(bytes[root + 14]) << 8 + Int(bytes[root + 15])
    }
    for offset in 0..<4 { bytes.swapAt(children[0] + offset, children[1] + offset) }
    return try folder.write(bytes, to: "Exchanged.sqlite")
  }

  @Test func ofTwoTablesNothingIsCalledGone() throws {
    let folder = try TemporaryFolder()
    let store = try sound(in: folder)
    let other = try exchanged(store, in: folder)
    let check = try Connection(writing: other, create: false).prepare("PRAGMA integrity_check")
    #expect(try check.step() && check.string(0) == "ok", "\(check.string(0) ?? "")")

    let compared = try Program.run(["compare", store, other])
    #expect(compared.status == 2 && !compared.output.contains("removed"), "\(compared.output)")
    for (entity, table) in [("City", "ZCITY"), ("Driver", "ZDRIVER")] {
      #expect(
        words(compared.output).contains("\(entity) is not compared: not all of it, since \(table) is damaged"),
        "\(compared.output)")
    }
    let recovered = try Program.run(["recover", other])
    #expect(recovered.output.hasPrefix("0 deleted\n"), "\(recovered.output)")
    #expect(words(recovered.output).contains("ZCITY has rows of ZDRIVER on page"), "\(recovered.output)")
    #expect(words(recovered.output).contains("ZDRIVER has rows of ZCITY on page"), "\(recovered.output)")
    for command in [["rows", other], ["rows", other, "City", "--format", "csv"], ["inspect", other]] {
      let outcome = try Program.run(command)
      #expect(words(outcome.output + outcome.errors).contains("ZCITY has rows of ZDRIVER on page"), "\(command)")
    }
    #expect(try Program.run(["compare", store, store]).output.hasPrefix("equal"))
  }

  /// Rows with the number of another entity among the table's own are no leaf of that one: they are said, and change nothing.
  @Test func rowsOfNoEntityOfTheirTableAreSaid() throws {
    let folder = try TemporaryFolder()
    let store = try sound(in: folder)
    try Connection(writing: store, create: false).execute(
      "UPDATE ZCITY SET Z_ENT = 3 WHERE Z_PK IN (3, 150); UPDATE ZCITY SET Z_ENT = 77 WHERE Z_PK = 160")
    let copy = try folder.copyStore(store, as: "Copy.sqlite")
    let said = "3 rows of ZCITY have a number in Z_ENT that is of no entity there (3, 77), and are not"
    let compared = try Program.run(["compare", store, copy])
    #expect(compared.status == 0 && compared.output.hasPrefix("equal"), "\(compared.output)")
    #expect(words(compared.output).contains("\(said) compared"), "\(compared.output)")
    for command in [["rows", store], ["rows", store, "City"], ["rows", store, "City", "--format", "json"]] {
      let outcome = try Program.run(command)
      #expect(outcome.status == 0 && words(outcome.output + outcome.errors).contains("\(said) shown"), "\(command)")
    }
  }

  /// Without the breaks of lines.
  private func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
