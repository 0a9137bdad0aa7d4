import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// Rows of freed pages that are of no version which is known are counted.
@Suite struct UnfittingRowsTests {
  /// Notes that are all deleted, after something was done.
  private func notes(after statements: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let store = try StoreWriter(
      creating: folder("Notes.sqlite"),
      StoreDescription(model: ModelNotation.model(["Note: title String?"]), usesWAL: false))
    for number in 1...300 {
      try store.insert("Note", ["title": .text("title \(number) " + String(repeating: "a", count: 100))])
    }
    try store.database.execute(
      "PRAGMA secure_delete=0; \(statements); DELETE FROM ZNOTE")
    try store.finish()
    return try recover(PosixPath(folder("Notes.sqlite"))).notes
  }

  @Test func aNumberOfNoEntityIsCounted() throws {
    let notes = try notes(after: "UPDATE ZNOTE SET Z_ENT = 90 WHERE Z_PK BETWEEN 101 AND 250")
    let words = try #require(notes.first { $0.contains("on freed pages fit no version of the model") })
    let count = try #require(words.split(separator: " ").first.flatMap { Int($0) })
    // Not those on the page that became the list of free pages.
    #expect(count > 100 && count <= 150, "\(words)")
    #expect(words.hasSuffix("are left out; --model reads rows by an earlier version of the app's model"))
  }

  @Test func rowsThatFitAreNot() throws {
    #expect(try !notes(after: "SELECT 1").contains { $0.contains("on freed pages") })
  }
}
