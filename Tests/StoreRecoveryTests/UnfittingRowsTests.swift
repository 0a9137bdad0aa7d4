import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// Rows of freed pages that are of no version which is known are counted.
@Suite struct UnfittingRowsTests {
  /// Notes that are all deleted, after something was done.
  private func recovered(after statements: String) throws -> Recovery {
    let folder = try TemporaryFolder()
    let store = try StoreWriter(
      creating: folder("Notes.sqlite"),
      StoreDescription(model: ModelNotation.model(["Note: title String?"]), usesWAL: false))
    for number in 1...300 {
      try store.insert("Note", ["title": .text("title \(number) " + String(repeating: "a", count: 100))])
    }
    // A page that is freed in the transaction that wrote it is not written.
    try store.save(intoMain: true)
    try store.database.execute("PRAGMA secure_delete=0; \(statements)")
    try store.save(intoMain: true)
    try store.database.execute("DELETE FROM ZNOTE")
    try store.finish()
    return try recover(PosixPath(folder("Notes.sqlite")))
  }

  @Test func aNumberOfNoEntityIsCounted() throws {
    let recovery = try recovered(after: "UPDATE ZNOTE SET Z_ENT = 90 WHERE Z_PK BETWEEN 101 AND 250")
    let words = try #require(recovery.notes.first { $0.contains("on freed pages fit no version of the model") })
    let count = try #require(words.split(separator: " ").first.flatMap { Int($0) })
    // Not those on the page that became the list of free pages.
    #expect(count > 100 && count <= 150, "\(words)")
    #expect(words.hasSuffix("are left out; --model reads rows by an earlier version of the app's model"))
  }

  @Test func rowsThatFitAreNot() throws {
    let recovery = try recovered(after: "SELECT 1")
    #expect(recovery.rows.count { $0.grade == .shown } > 200)
    #expect(!recovery.notes.contains { $0.contains("on freed pages") }, "\(recovery.notes)")
  }
}
