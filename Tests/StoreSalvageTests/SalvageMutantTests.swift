import Foundation
import StoreCoreData
import StorePublishing
import StoreSQLite
import TestSupport
import Testing

@testable import StoreSalvage

/// Copies of real stores, damaged from seeds: each is saved, or refused with a reason, and nothing is touched.
@Suite struct SalvageMutantTests {
  private static let stores = Catalogue.real.map(\.path).filter { path in
    ((try? contents(of: path).count) ?? .max) < 300_000
  }

  /// What is done to a page, or to the whole file.
  private enum Injury: CaseIterable { case byte, header, zero, swap, cut }

  private func injure(_ bytes: inout [UInt8], _ random: inout SeededGenerator) -> [Injury] {
    guard bytes.count >= 1024 else { return [] }
    let size = max(512, Int(bytes[16]) << 8 | Int(bytes[17]))
    return (0..<Int.random(in: 1...6, using: &random)).map { _ in
      let injury = Injury.allCases[Int.random(in: 0..<Injury.allCases.count, using: &random)]
      let pages = max(1, bytes.count / size)
      let start = Int.random(in: 0..<pages, using: &random) * size
      let page = start..<min(start + size, bytes.count)
      switch injury {
      case .byte: bytes[Int.random(in: page, using: &random)] = UInt8.random(in: 0...255, using: &random)
      case .header:
        for place in page.prefix(12) where Bool.random(using: &random) {
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
      case .zero: bytes.replaceSubrange(page, with: repeatElement(0, count: page.count))
      case .swap:
        let other = Int.random(in: 0..<pages, using: &random) * size
        for step in 0..<page.count where other + step < bytes.count { bytes.swapAt(start + step, other + step) }
      case .cut where pages > 2: bytes.removeLast(Int.random(in: 1...bytes.count / 2, using: &random))
      case .cut: break
      }
      return injury
    }
  }

  private func rows(_ path: String) throws -> [String: [Int64: [SQLiteValue]]] {
    let connection = try Connection(reading: DatabaseFiles(path: path))
    var tables: [String: [Int64: [SQLiteValue]]] = [:]
    for table in try connection.schema() where table.isOrdinaryTable && table.name.hasPrefix("Z") {
      let statement = try connection.prepare("SELECT rowid, * FROM \(identifier(table.name))")
      while try statement.step() {
        tables[table.name, default: [:]][statement.int64(0)] = (1..<statement.columnCount).map { statement.value($0) }
      }
    }
    return tables
  }

  @Test(.needsSharedData) func eachIsSavedOrRefusedWithAReason() throws {
    var (saved, refused) = (0, 0)
    for seed in LongRuns.seeds(40, whole: 5000) {
      let folder = try TemporaryFolder.inMemory()
      var random = SeededGenerator(seed: seed)
      let origin = Self.stores[Int.random(in: 0..<Self.stores.count, using: &random)]
      let whole = try folder.copyStore(origin, as: "Whole.sqlite")
      let store = try folder.copyStore(origin, as: "Mutant.sqlite")
      var bytes = try contents(of: store)
      let injuries = injure(&bytes, &random)
      try Data(bytes).write(to: URL(fileURLWithPath: store))
      let label = "seed \(seed), \((origin as NSString).lastPathComponent), \(injuries)"
      let target = OutputTarget(PosixPath(folder("Saved.sqlite")))
      do {
        let salvage = try salvage(PosixPath(store), to: target, SalvageOptions())
        saved += 1
        let check = try Connection(reading: DatabaseFiles(path: folder("Saved.sqlite"))).prepare(
          "PRAGMA integrity_check")
        #expect(try check.step() && check.string(0) == "ok", "\(label)")
        // A byte that was changed within a value, and an older page in the place of a newer one, nothing tells.
        if injuries.allSatisfy({ $0 == .zero || $0 == .cut }) {
          let (truth, found) = try (rows(whole), rows(folder("Saved.sqlite")))
          for (table, rows) in found where !salvage.made.joined().contains(table) {
            let wrong = rows.filter { truth[table]?[$0.key] != $0.value }.keys
            #expect(wrong.isEmpty, "\(label): \(table) \(wrong.prefix(3))")
          }
        }
      } catch {
        refused += 1
        #expect("\(error)".contains(" "), "\(label): \(error)")
        #expect(!FileManager.default.fileExists(atPath: folder("Saved.sqlite")), "\(label)")
      }
      #expect(try contents(of: store) == bytes, "\(label)")
    }
    // Most have some rows left.
    #expect(saved > refused, "\(saved) saved, \(refused) refused")
    print("\(saved) mutants saved, \(refused) refused")
  }
}
