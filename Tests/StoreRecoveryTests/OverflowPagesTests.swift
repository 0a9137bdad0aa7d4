import Foundation
import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// Deleted rows that lead to overflow pages which were written again since.
@Suite struct OverflowPagesTests {
  /// A store with a deleted note "aaaa..." of which one overflow page is free, after something was done.
  private func recovered(
    after change: (StoreWriter) throws -> Void = { _ in }, altering alter: (inout Data) throws -> Void = { _ in }
  ) throws -> Recovery {
    let folder = try TemporaryFolder()
    let path = folder("Notes.sqlite")
    let model = try ModelNotation.model(["Draft: text String?", "Note: text String?"])
    let store = try StoreWriter(creating: path, StoreDescription(model: model, usesWAL: false))
    try store.database.execute("PRAGMA secure_delete=0")
    // Of two pages that are freed the first lists the other, and so has nothing of its own text.
    for letter in ["x", "a"] { try store.insert("Note", ["text": .text(Self.text(letter))]) }
    try store.save(intoMain: true)
    for key in 1...2 { try store.database.execute("DELETE FROM ZNOTE WHERE Z_PK = \(key)") }
    try store.save(intoMain: true)
    try change(store)
    try store.finish()
    var data = try Data(contentsOf: URL(filePath: path))
    try alter(&data)
    try data.write(to: URL(filePath: path))
    return try recover(PosixPath(path))
  }

  /// A text with one overflow page; one byte longer for drafts, whose entity has the number 1, which takes none.
  private static func text(_ letter: String) -> String {
    String(repeating: letter, count: letter == "b" ? 4_501 : 4_500)
  }

  /// What rows that were found say of a text: its letter, or that it is missing.
  private func texts(_ recovery: Recovery, _ entity: String) -> [String] {
    recovery.rows.filter { $0.entity == entity && $0.grade != .implied }.map { row -> String in
      guard case .text(let bytes)? = row.values.first(where: { $0.column == "ZTEXT" })?.value else {
        return row.missing.contains("text") ? "missing" : "none"
      }
      return Set(bytes).map { String(UnicodeScalar($0)) }.sorted().joined()
    }.sorted()
  }

  private let words = "of 2 rows have what other rows wrote since: the values there are missing"

  @Test func aTextIsReadFromThemWhileNothingSpeaksAgainstIt() throws {
    let recovery = try recovered()
    #expect(texts(recovery, "Note") == ["a", "missing"])
    #expect(!recovery.notes.contains { $0.contains("overflow") })
  }

  /// A draft takes the page, and is deleted too.
  @Test func whatTwoObjectsHaveIsOfNeither() throws {
    let recovery = try recovered { store in
      try store.insert("Draft", ["text": .text(Self.text("b"))])
      try store.save(intoMain: true)
      try store.database.execute("DELETE FROM ZDRAFT")
    }
    #expect(texts(recovery, "Note") == ["missing", "missing"] && texts(recovery, "Draft") == ["missing"])
    #expect(recovery.notes.contains { $0.hasSuffix(words) }, "\(recovery.notes)")
  }

  @Test func bytesThatAreNoTextAreNotItsEnd() throws {
    let recovery = try recovered { _ in
    } altering: { data in
      let page = try #require(data.firstRange(of: Data(Self.text("a").suffix(4_000).utf8)))
      data[page.upperBound - 1_000] = 1
    }
    #expect(texts(recovery, "Note") == ["missing", "missing"])
  }
}
