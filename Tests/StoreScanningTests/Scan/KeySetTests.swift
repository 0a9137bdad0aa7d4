@testable import StoreScanning
import TestSupport
import Testing

/// A `KeySet` contains exactly the keys that were added, whatever they are and in whatever order.
@Suite struct KeySetTests {
  @Test func smallSetsOfNeighboursAndEdges() {
    let edges: [Int64] = [.min, .min + 1, -65_537, -65_536, -1, 0, 1, 65_535, 65_536, 65_537, .max - 1, .max]
    for bits in 0..<(1 << edges.count) {
      let keys = edges.indices.filter { bits >> $0 & 1 == 1 }.map { edges[$0] }
      let set = KeySet(keys)
      guard Array(set) == keys, set.count == keys.count, set.last == keys.last else {
        Issue.record("\(keys) gave \(Array(set))")
        return
      }
      #expect(edges.filter(set.contains) == keys)
    }
  }

  @Test(arguments: LongRuns.seeds(20, whole: 500))
  func equalsASetOfIntegers(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (left, right) = (keys(&random), keys(&random))
    let (a, b) = (Set(left), Set(right))
    let (x, y) = (KeySet(left), KeySet(right))
    #expect(Array(x) == a.sorted())
    #expect(x.count == a.count && x.isEmpty == a.isEmpty && x.last == a.max())
    #expect(x == KeySet(left.reversed()), "the order they came in does not matter")
    #expect(Array(x.union(y)) == a.union(b).sorted())
    #expect(x.union(y) == y.union(x))
    #expect(Array(x.subtracting(y)) == a.subtracting(b).sorted())
    var builder = KeySet.Builder()
    for key in left { builder.insert(key) }
    builder.insert(y)
    for key in right.prefix(3) { builder.insert(key) }
    #expect(builder.finished() == x.union(y))
    for key in left + right + (0..<100).map({ _ in Int64.random(in: -200_000...200_000, using: &random) }) {
      guard x.contains(key) == a.contains(key) else {
        Issue.record("\(key)")
        return
      }
    }
  }

  @Test func aTableWithoutGapsCostsNextToNothing() {
    #expect(KeySet(1...1_000_000).bytes < 1000)
    // Every second key: bitmaps with two bits for each key.
    #expect(KeySet(stride(from: 0, to: 2_000_000, by: 2)).bytes < 260_000)
    // Far apart: 28 bytes a key.
    #expect(KeySet(stride(from: 0, to: 1 << 40, by: 1 << 20)).bytes <= 28 * (1 << 20))
  }

  /// Keys as tables have them: dense, with gaps, sparse, huge and negative, and unsorted.
  private func keys(_ random: inout SeededGenerator) -> [Int64] {
    let count = Int.random(in: 0...5_000, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return Array(1...Int64(count + 1))
    case 1: return (0..<Int64(count)).filter { _ in Bool.random(using: &random) }
    case 2: return (0..<count).map { _ in Int64.random(in: -200_000...200_000, using: &random) }
    case 3: return (0..<count / 10).map { _ in Int64.random(in: .min ... .max, using: &random) }
    default: return (0..<count).map { _ in Int64.random(in: 0...100_000, using: &random) }.sorted()
    }
  }
}

/// The log returns the numbers that were written to it.
@Suite struct NumberLogTests {
  @Test func theExampleInItsComment() {
    var log = NumberLog(width: 2)
    for value: Int64? in [7, 3, 8, 3, 9, nil] { log.append(value) }
    #expect(log.bytes == [0x0e, 0x06, 0x02, 0x00, 0x02, 0x40])
  }

  @Test(arguments: LongRuns.seeds(20, whole: 500))
  func givesBackWhatWasPutIn(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let width = Int.random(in: 1...8, using: &random)
    let extremes: [Int64?] = [nil, .min, .max, 0, -1, 1, 31, 32, -32, -33, 63, 64]
    let values: [Int64?] = (0..<width * 500).map { _ in
      Bool.random(using: &random)
        ? extremes[Int.random(in: extremes.indices, using: &random)] : Int64.random(in: .min ... .max, using: &random)
    }
    var log = NumberLog(width: width)
    for value in values { log.append(value) }
    var found: [Int64?] = []
    log.forEach { row in for position in 0..<width { found.append(row[position]) } }
    #expect(found == values)
    #expect(log.count == 500)
    #expect(log.bytes.count <= values.count * 10)
  }

  /// Rows that were written to two logs come to the same bytes as in one, and so do those after them.
  @Test(arguments: LongRuns.seeds(40, whole: 500))
  func twoLogsBecomeOne(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let width = Int.random(in: 1...8, using: &random)
    let nulls = Int.random(in: 0...2, using: &random)
    func values(_ rows: Int) -> [Int64?] {
      (0..<width * rows).map { _ in
        Int.random(in: 0..<4, using: &random) < nulls ? nil : Int64.random(in: -300...300, using: &random)
      }
    }
    func log(_ values: [Int64?]) -> NumberLog {
      var log = NumberLog(width: width)
      for value in values { log.append(value) }
      return log
    }
    let (first, second, third) = (values(Int(seed % 4)), values(Int(seed / 4 % 4)), values(2))
    var joined = log(first)
    joined.append(log(second))
    for value in third { joined.append(value) }
    #expect(joined.bytes == log(first + second + third).bytes)
    #expect(joined.count == log(first + second + third).count)
  }
}
