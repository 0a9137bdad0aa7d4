import StoreCoreData
import StoreRecovery
import StoreSQLite
import TestSupport
import Testing

@testable import StoreSalvage

/// What is gone from a store that is too damaged to be opened is looked for in its pages, and nothing that may be live is called
/// deleted.
@Suite struct RecoveryPastDamageTests {
  /// Damages that take the header or the schema.
  private static let withoutSchema: Set<String> = [
    "header zeroed", "page 1 zeroed", "tree of page 1 zeroed", "first pages zeroed", "first pages cut off",
  ]

  /// Rows of a table by key.
  private struct Row: Hashable {
    var table: String
    var key: Int64
  }

  private func live(_ path: String) throws -> Set<Row> {
    let connection = try Connection(reading: DatabaseFiles(path: path))
    var rows: Set<Row> = []
    for table in try connection.schema() where table.isOrdinaryTable {
      let keys = try connection.prepare("SELECT rowid FROM \(identifier(table.name))")
      while try keys.step() { rows.insert(Row(table: table.name, key: keys.int64(0))) }
    }
    return rows
  }

  private func rows(
    _ recovery: Recovery, _ kinds: Set<RecoveredRow.Kind>, _ weakest: RecoveredRow.Grade = .implied
  ) -> Set<Row> {
    Set(
      recovery.rows.filter { kinds.contains($0.kind) && $0.grade >= weakest }.compactMap { row in
        row.key.flatMap { key in row.table.map { Row(table: $0, key: key) } }
      })
  }

  private func search(_ path: String) throws -> Recovery {
    try recover(PosixPath(path), log: nil, opening: Store.Options().readingPastDamage)
  }

  @Test(arguments: SalvageShape.allCases) func noLiveRowIsCalledDeleted(_ shape: SalvageShape) throws {
    for seed in LongRuns.seeds(1, whole: 20) {
      let folder = try TemporaryFolder.inMemory()
      try shape.make(at: folder("Sound.sqlite"), seed: seed)
      let (bytes, live) = try (contents(of: folder("Sound.sqlite")), live(folder("Sound.sqlite")))
      let connection = try Connection(reading: DatabaseFiles(path: folder("Sound.sqlite")))
      let schema = try connection.schema()
      let places = try PlacedRows(
        bytes, tables: schema.filter(\.isOrdinaryTable).map { ($0.name, UInt32($0.rootPage)) },
        otherRoots: schema.filter { $0.type == .index }.map { UInt32($0.rootPage) })
      var searched = 0
      for damage in PlantedDamage.all(bytes, older: bytes, places, seed: seed) {
        let name = "\(shape) \(seed): \(damage)"
        let path = try folder.write(damage.bytes, to: "Damaged.sqlite")
        guard let recovery = try? search(path) else { continue }
        searched += 1
        let called = rows(recovery, [.deleted]).intersection(live)
        #expect(called.isEmpty, "\(name): \(called.prefix(5))")
        // Elsewhere damage may strike free pages alone.
        if Self.withoutSchema.contains(damage.description) { #expect(recovery.reading?.sound == .no, "\(name)") }
        #expect(try contents(of: path) == damage.bytes, "\(name)")
      }
      #expect(searched >= 5, "\(shape) \(seed): \(searched)")
    }
  }

  /// What the search of the sound store finds is found without its header and without its schema, too.
  @Test(arguments: [SalvageShape.notes, .inheritance, .links])
  func whatIsGoneIsFoundWithoutTheSchema(_ shape: SalvageShape) throws {
    let folder = try TemporaryFolder.inMemory()
    try shape.make(at: folder("Sound.sqlite"), seed: 5)
    let connection = try Connection(writing: folder("Sound.sqlite"), create: false)
    try connection.execute("PRAGMA secure_delete = 0; DELETE FROM ZNOTE WHERE Z_PK BETWEEN 200 AND 330")
    connection.close()
    var bytes = try contents(of: folder("Sound.sqlite"))
    let gone = rows(try search(folder("Sound.sqlite")), [.deleted], .shown).filter { $0.table == "ZNOTE" }
    try #require(gone.count > 40, "\(gone.count)")
    for damaged in [0..<100, 0..<4096] {
      bytes.replaceSubrange(damaged, with: repeatElement(0, count: damaged.count))
      let recovery = try search(folder.write(bytes, to: "Damaged.sqlite"))
      // A key that only the rows around it tell is none where these are not all known.
      let found = rows(recovery, [.deleted, .unreachable], .shown).intersection(gone)
      #expect(found.count * 10 > gone.count * 6, "\(damaged): \(found.count) of \(gone.count)")
      #expect(recovery.notes.contains { $0.contains("too damaged to be read as it is") }, "\(recovery.notes)")
    }
  }
}
