import StoreGenerator
import StoreSQLite
import TestSupport
import Testing

@testable import StoreRecovery

/// Links of many-to-many tables: two small numbers each, which lost length, key and the first of their types.
@Suite struct LinkRowTests {
  /// Notes 1 to 700 with three tags each, of 5 to 304; the links of every fifteenth note go.
  @Test(arguments: [false, true]) func deletedLinksAreFoundAndNoOthers(_ isRegular: Bool) throws {
    let folder = try TemporaryFolder()
    let store = try StoreWriter(
      creating: folder("Notes.sqlite"),
      StoreDescription(
        model: ModelNotation.model([
          "Note: title String?; tags ->>Tag?~notes", "Tag: name String?; notes ->>Note?~tags",
        ]),
        usesWAL: false))
    let notes = try (1...700).map { try store.insert("Note", ["title": .text("note \($0)")]) }
    let tags = try (1...304).map { try store.insert("Tag", ["name": .text("tag \($0)")]) }
    for (index, note) in notes.enumerated() {
      for step in [0, 101, 211] { try store.link(note, "tags", to: tags[4 + (index * 7 + step) % 300]) }
    }
    let schema = try store.database.prepare("SELECT name FROM sqlite_master WHERE name LIKE 'Z\\_%TAGS' ESCAPE '\\'")
    let table = try #require(try schema.step() ? schema.string(0) : nil)
    let columns = try store.database.prepare("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
    var ends: [String] = []
    while try columns.step() { ends.append(columns.string(0) ?? "") }
    let note = try #require(ends.first { $0.hasSuffix("NOTES") })
    let tag = try #require(ends.first { $0.hasSuffix("TAGS") })
    let chosen = isRegular ? "\(note) % 15 = 7" : "abs(\(note) * 7919) % 15 = 7"
    var deleted: Set<[SQLiteValue]> = []
    let rows = try store.database.prepare("SELECT \(note), \(tag) FROM \(table) WHERE \(chosen)")
    while try rows.step() { deleted.insert([.integer(rows.int64(0)), .integer(rows.int64(1))]) }
    try store.database.execute("PRAGMA secure_delete=0; DELETE FROM \(table) WHERE \(chosen)")
    try store.finish()
    let found = try recover(PosixPath(folder("Notes.sqlite"))).rows.filter { $0.table == table }.map { row in
      [note, tag].compactMap { column in row.values.first { $0.column == column }?.value }
    }
    #expect(found.allSatisfy { deleted.contains($0) }, "\(found.filter { !deleted.contains($0) })")
    // Of three links behind each other the last may be without a beginning.
    #expect(Set(found).count >= deleted.count * 9 / 10, "\(found.count) of \(deleted.count)")
    #expect(found.count == Set(found).count)
  }
}
