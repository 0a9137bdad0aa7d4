import Foundation
import StorePredicates
import TestSupport
import Testing

/// The fuzzer's seeds with random injuries: each text is a predicate or has an error within it, and none takes long.
@Suite struct PredicateInjuryTests {
  @Test(.timeLimit(.minutes(5))) func readsAnyText() throws {
    let folder = URL(filePath: Project.path("Fuzz/seeds/predicate"))
    let seeds = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .map { Array(try Data(contentsOf: $0).dropFirst()) }
    #expect(seeds.count >= 10)
    var random = SeededGenerator(seed: seedOfRun("PredicateInjuryTests"))
    var (read, refused) = (0, 0)
    for _ in LongRuns.seeds(3_000, whole: 300_000) {
      let text = String(decoding: injured(seeds, &random), as: UTF8.self)
      do {
        let predicate = try Notebook.resolved(text)
        _ = predicate.match { Object().value(at: predicate.paths[$0]) }
        read += 1
      } catch {
        refused += 1
        #expect(error.column.map { (1...text.unicodeScalars.count + 1).contains($0) } ?? true, "\(text): \(error)")
      }
    }
    #expect(read > 100 && refused > 1_000)
  }

  private func injured(_ seeds: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = seeds.randomElement(using: &random) ?? []
    let other = seeds.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty && !other.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let start = Int.random(in: 0..<other.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = .random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(other[start], at: place)
      case 3: bytes.insert(contentsOf: other[start..<min(other.count, start + 12)], at: place)
      default: bytes.removeSubrange(place..<min(bytes.count, place + 6))
      }
    }
    return bytes
  }
}
