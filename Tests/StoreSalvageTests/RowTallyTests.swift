import Foundation
import StoreCoreData
import StoreDiagnosis
import StoreSQLite
import TestSupport
import Testing

@testable import StoreSalvage

/// What could be saved is counted while the pages are read once, and comes to what is written.
@Suite struct RowTallyTests {
  private func damages(_ shape: SalvageShape, _ seed: UInt64, in folder: TemporaryFolder) throws -> [PlantedDamage] {
    try shape.make(at: folder("Sound.sqlite"), seed: seed)
    let bytes = try contents(of: folder("Sound.sqlite"))
    let schema = try Connection(reading: DatabaseFiles(path: folder("Sound.sqlite"))).schema()
    let rows = try PlacedRows(
      bytes, tables: schema.filter(\.isOrdinaryTable).map { ($0.name, UInt32($0.rootPage)) },
      otherRoots: schema.filter { $0.type == .index }.map { UInt32($0.rootPage) })
    let older = try folder.write(bytes, to: "Older.sqlite")
    let connection = try Connection(writing: older, create: false)
    try connection.execute("UPDATE ZNOTE SET Z_OPT = 9 WHERE Z_PK % 5 = 0; DELETE FROM ZNOTE WHERE Z_PK % 11 = 0")
    connection.close()
    return try PlantedDamage.all(bytes, older: contents(of: older), rows, seed: seed)
  }

  @Test(arguments: SalvageShape.allCases) func itCountsWhatIsWritten(_ shape: SalvageShape) throws {
    for seed in LongRuns.seeds(1, whole: 20) {
      let folder = try TemporaryFolder.inMemory()
      var slow: [String] = []
      for damage in try damages(shape, seed, in: folder) {
        let path = try folder.write(damage.bytes, to: "Damaged.sqlite")
        let options = try SalvageOptions(model: Store(path: folder("Sound.sqlite")).model)
        let evidence = try SalvageEvidence(DatabaseFiles(path: path), usesLog: true)
        let counted = try FoundStore(evidence, options, counts: true)
        var (quick, written) = try (SalvageRun(counted, options), SalvageRun(FoundStore(evidence, options), options))
        #expect(try quick.count() == written.count(), "\(shape) \(seed): \(damage)")
        if counted.tally?.sums(counted.owners, isStrict: counted.isDamaged) == nil { slow.append("\(damage)") }
      }
      // Only where rows contradict each other they have to be written to be counted.
      #expect(slow.count <= 1, "\(shape) \(seed): \(slow)")
    }
  }

  #if os(Linux)
    /// The bytes that this thread read so far.
    private func bytesRead() throws -> Int {
      let counters = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
      return counters.split(separator: "\n").first.flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0
    }

    @Test func eachPageIsReadOnce() throws {
      let folder = try TemporaryFolder.inMemory()
      let damages = try damages(.largeValues, 1, in: folder)
      for name in ["header zeroed", "interior pages zeroed", "a tenth zeroed"] {
        let damage = try #require(damages.first { $0.description == name })
        let path = try folder.write(damage.bytes, to: "Damaged.sqlite")
        let before = try bytesRead()
        _ = try savable(PosixPath(path), SalvageOptions())
        let times = Double(try bytesRead() - before) / Double(damage.bytes.count)
        // Once to tell the size of a page by the first 16 MiB, which are all, and once for the rows.
        #expect(times < 2.6, "\(name): \(times)")
      }
    }
  #endif
}
