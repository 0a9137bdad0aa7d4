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

  /// A store whose notes and drafts have UUIDs, which lie behind their texts.
  private func recoveredWithUUIDs(after change: (StoreWriter) throws -> Void) throws -> Recovery {
    let folder = try TemporaryFolder()
    let path = folder("Notes.sqlite")
    let model = try ModelNotation.model(["Draft: text String?; uuid UUID?", "Note: text String?; uuid UUID?"])
    let store = try StoreWriter(creating: path, StoreDescription(model: model, usesWAL: false))
    try store.database.execute("PRAGMA secure_delete=0")
    try change(store)
    try store.finish()
    return try recover(PosixPath(path))
  }

  private static func uuid(_ byte: UInt8) -> StoredValue { .blob(Array(repeating: byte, count: 16)) }

  /// A draft takes the page of a deleted note and, when its text grows, leaves it: the draft's text and UUID end there. The
  /// row of the draft as it was is written over by that of today, so that the note's alone leads to the page.
  @Test func whatALiveObjectWroteIsNotADeletedOnes() throws {
    // Of pages that are freed the first lists the others. The draft takes the second, that of "a", and then two more.
    let end = " to the theatre on Monday, not on Tuesday"
    let text = String(repeating: "b", count: 4_501 - end.utf8.count) + end
    let recovery = try recoveredWithUUIDs { store in
      for (number, letter) in ["x", "a", "y", "z"].enumerated() {
        try store.insert("Note", ["text": .text(Self.text(letter)), "uuid": Self.uuid(UInt8(number + 1))])
      }
      try store.save(intoMain: true)
      for key in 1...4 { try store.database.execute("DELETE FROM ZNOTE WHERE Z_PK = \(key)") }
      try store.save(intoMain: true)
      try store.insert("Draft", ["text": .text(text), "uuid": Self.uuid(9)])
      try store.save(intoMain: true)
      // As many bytes of it are on the row's own page.
      let longer = String(repeating: "c", count: 4_090) + text
      try store.database.execute("UPDATE ZDRAFT SET ZTEXT = '\(longer)', Z_OPT = 2")
    }
    #expect(recovery.rows.filter { $0.entity == "Draft" }.isEmpty, "\(recovery.rows.map(\.values))")
    #expect(texts(recovery, "Note").allSatisfy { $0 == "missing" }, "\(texts(recovery, "Note"))")
    #expect(
      recovery.notes.contains {
        $0 == "the overflow pages of 1 row have what other rows wrote since: the values there are missing"
      }, "\(recovery.notes)")
  }

  /// Deleted notes and drafts with one UUID: whether a draft's text ends where a note's does is asked of 100 notes for each
  /// draft, and of 10,000 pairs. Of one note nothing is left to ask, since its page lists the others that were freed.
  ///
  /// Where notes are long, 64 MiB of them are looked through, and of the others the end. A text of few bytes has no end that is
  /// looked for: there those of the drafts are longer.
  @Test(arguments: [
    (90, 1, 1, 0), (120, 1, 1, 19), (90, 115, 1, 89), (120, 115, 1, 119), (90, 5, 8, 0), (90, 40, 8, 89),
  ])
  func rowsThatAreNotComparedAreCounted(notes: Int, drafts: Int, pages: Int, uncompared: Int) throws {
    let recovery = try recoveredWithUUIDs { store in
      let longer = pages > 1 ? " and thirty-two bytes more at least" : ""
      for number in 1...drafts {
        try store.insert("Draft", ["text": .text("draft \(number)" + longer), "uuid": Self.uuid(7)])
      }
      for number in 1...notes {
        let text = String(repeating: Self.text("n"), count: pages)
        try store.insert("Note", ["text": .text("\(number) " + text), "uuid": Self.uuid(7)])
      }
      try store.save(intoMain: true)
      for key in 1...notes { try store.database.execute("DELETE FROM ZNOTE WHERE Z_PK = \(key)") }
    }
    #expect(texts(recovery, "Note").count { $0 != "missing" } == notes - 1)
    let words =
      "the overflow pages of \(uncompared) rows were not compared with all live rows of the same UUID, which are too many or too "
      + "long: the values there may be what other rows wrote since"
    #expect(recovery.notes.filter { $0.contains("overflow") } == (uncompared > 0 ? [words] : []))
  }

  /// The data of a deleted photo are another store, whose notes are none of this store's that were deleted.
  @Test func whatAValueHoldsIsNoRow() throws {
    let folder = try TemporaryFolder()
    let model = try ModelNotation.model(["Note: text String?", "Photo: data Binary?"])
    func store(_ name: String, notes: String) throws -> StoreWriter {
      let store = try StoreWriter(creating: folder(name), StoreDescription(model: model, usesWAL: false))
      try store.database.execute("PRAGMA secure_delete=0")
      for number in 1...40 { try store.insert("Note", ["text": .text("\(notes) \(number)")]) }
      return store
    }
    try store("Inner.sqlite", notes: "inner").finish()
    let inner = try contents(of: folder("Inner.sqlite"))
    let outer = try store("Outer.sqlite", notes: "outer")
    // Of pages that are freed the first lists the others.
    let photos = try [Array(repeating: 1, count: 5_000), inner].map { try outer.insert("Photo", ["data": .blob($0)]) }
    try outer.save(intoMain: true)
    for photo in photos { try outer.database.execute("DELETE FROM ZPHOTO WHERE Z_PK = \(photo.key)") }
    // Of this store's notes one is left.
    try outer.database.execute(
      """
      PRAGMA secure_delete=1; DELETE FROM ZNOTE WHERE Z_PK <> 7; PRAGMA secure_delete=0; DELETE FROM ZNOTE WHERE Z_PK = 7
      """)
    try outer.finish()
    let recovery = try recover(PosixPath(folder("Outer.sqlite")))
    let data = recovery.rows.flatMap(\.values).compactMap { value -> [UInt8]? in
      if value.column == "ZDATA", case .blob(let bytes) = value.value { bytes } else { nil }
    }
    #expect(data == [inner])
    #expect(texts(recovery, "Note").count == 1, "\(recovery.rows.map(\.values))")
    let count = recovery.notes.compactMap { note in
      note.firstMatch(of: /^(\d+) rows on overflow pages of other rows are parts of a value there, and left out$/)
        .flatMap { Int($0.output.1) }
    }
    #expect(count.count == 1 && count.allSatisfy { (40...50).contains($0) }, "\(recovery.notes)")
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
