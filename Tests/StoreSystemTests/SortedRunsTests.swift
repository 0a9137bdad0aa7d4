import StoreSQLite
import StoreSystem
import TestSupport
import Testing

/// Many lists, each in order, come back in one order, with nothing lost, however little is read ahead.
@Suite struct SortedRunsTests {
  @Test(arguments: 1...20) func listsComeBackInOneOrder(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let runs = try SortedRuns(in: PosixPath(folder.path), buffered: Int.random(in: 1...10_000, using: &generator))
    var expected: [(key: Double, run: Int, text: String)] = []
    for run in 0..<Int.random(in: 0...12, using: &generator) {
      runs.beginRun()
      var key = -10.0
      for number in 0..<Int.random(in: 0...300, using: &generator) {
        // Equal keys, texts of many lengths, and events without any time at the end.
        key += [0, 0, 0.5, 1000].randomElement(using: &generator) ?? 0
        let last = number > 290 ? Double.infinity : key
        let text = "\(run)/\(number) " + String(repeating: "é", count: Int.random(in: 0...5000, using: &generator))
        try runs.append(text, key: last)
        expected.append((last, run, text))
      }
    }
    // Stable: of equal keys the list that came first.
    let sorted = expected.enumerated().sorted { one, other in
      one.element.key != other.element.key ? one.element.key < other.element.key : one.offset < other.offset
    }.map(\.element.text)
    var found: [String] = []
    try runs.forEach { found.append($0) }
    #expect(found == sorted)
    #expect(FileSystem.names(in: PosixPath(folder.path)) == [])
  }
}
