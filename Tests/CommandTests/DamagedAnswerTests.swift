import Foundation
import StoreSQLite
import TestSupport
import Testing

/// Bytes of a store are changed at random, from seeds. Where SQLite then complains, no answer passes over it: `diagnose` says
/// so, `recover` calls no object deleted that the undamaged store has, and `compare` reports none that is gone, new or moved.
@Suite struct DamagedAnswerTests {
  private static let count: UInt64 = Program.isLong ? 5000 : 120

  /// The bundled store with so many notes that their table has several pages.
  private static func whole(in folder: TemporaryFolder) throws -> String {
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: store, create: false)
    try connection.execute(
      """
      PRAGMA journal_mode = delete;
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZBODY)
        WITH RECURSIVE n(i) AS (SELECT 19 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
        SELECT i, (SELECT Z_ENT FROM ZNOTE WHERE Z_PK = 1), 1, 'Note ' || i, hex(zeroblob(100)) FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 200 WHERE Z_NAME = 'Note';
      """)
    connection.close()
    return store
  }

  /// What SQLite says of a file; nil where it does not open it.
  private static func complaints(_ path: String, _ pragma: String) -> [String]? {
    guard let connection = try? Connection(writing: path, create: false),
      let rows = try? connection.prepare("PRAGMA \(pragma)")
    else { return nil }
    var said: [String] = []
    do {
      while try rows.step() { said += (rows.string(0) ?? "").split(separator: "\n").map(String.init) }
    } catch { said.append("\(error)") }
    return said.filter { $0 != "ok" }
  }

  @Test func noAnswerPassesOverDamage() throws {
    let folder = try TemporaryFolder()
    let whole = try Self.whole(in: folder)
    let bytes = try contents(of: whole)
    var (damaged, judged) = (0, 0)
    for seed in 0..<Self.count {
      var random = SeededGenerator(seed: seed)
      var mutant = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let page = Int.random(in: 1..<bytes.count / 4096, using: &random) * 4096
        // The headers and pointers of pages are where a byte decides about many rows.
        let place =
          Bool.random(using: &random)
          ? Int.random(in: 0..<64, using: &random) : Int.random(in: 0..<4096, using: &random)
        mutant[page + place] = UInt8.random(in: 0...255, using: &random)
      }
      let store = try folder.write(mutant, to: "mutant.sqlite")
      let copy = try folder.write(mutant, to: "copy.sqlite")
      guard let full = Self.complaints(copy, "integrity_check"), !full.isEmpty else { continue }
      damaged += 1
      let diagnosis = try Program.run(["diagnose", store, "--no-config"])
      #expect(
        diagnosis.status == 2 || !diagnosis.output.hasPrefix("healthy"), "seed \(seed): \(full.first ?? "")")
      // What only an index tells is no damage of a table.
      guard let quick = Self.complaints(copy, "quick_check"),
        quick.contains(where: { !$0.hasPrefix("***") && !$0.contains("is never used") && !$0.contains("index") })
      else { continue }
      judged += 1
      try Self.judge(store, whole: whole, seed: seed, said: quick)
    }
    print("\(damaged) of \(Self.count) stores damaged, \(judged) in tables")
    #expect(damaged > Self.count / 4 && judged > Self.count / 10)
  }

  private static func judge(_ store: String, whole: String, seed: UInt64, said: [String]) throws {
    let recovered = try Program.run(["recover", store, "--format", "jsonl"])
    for line in recovered.output.split(separator: "\n") {
      let isClaim = line.contains(#""kind": "deleted""#) && !line.contains(#""grade": "proved""#)
      // A row whose table is not known, or which is a link, is none of these.
      #expect(
        !isClaim || !line.contains(#""entity": "Note""#), "seed \(seed), \(said): \(line.prefix(300))")
    }
    let compared = try Program.run(["compare", whole, store, "--format", "jsonl"])
    // Damage of an index, or of the pointer map, leaves all objects readable and equal.
    #expect(compared.status != nil && !compared.wasKilled, "seed \(seed): \(said)")
    for line in compared.output.split(separator: "\n") {
      #expect(!line.contains(#""kind": "moved""#), "seed \(seed), \(said): \(line.prefix(300))")
    }
  }
}
