import Foundation
import StoreSQLite
import TestSupport
import Testing

/// The answer about a damaged store depends on its bytes alone: not on what the process read before, on addresses in
/// memory, or on the order of sets. And no damage crashes the reader.
@Suite struct EqualAnswerTests {
  private static let seeds = LongRuns.seeds(120, whole: 5000)
  private static let runs = LongRuns.areWanted ? 5 : 2

  @Test(arguments: [[], ["--model", Project.path("corpus/Notes.xcdatamodeld")]])
  func damagedStoresAreAnsweredAlikeEachTime(options: [String]) throws {
    let folder = try TemporaryFolder()
    for seed in Self.seeds { try injuredStore(seed, in: folder) }
    var answers: [String: Set<Substring>] = [:]
    for run in 0..<Self.runs {
      for jobs in ["1", "2"] {
        let audit = try AuditRun(
          [folder.path, "--jobs", jobs, "--integrity", "--examples", "20", "--fail-on", "never"] + options)
        let lines = audit.outcome.output.split(separator: "\n")
        #expect(lines.count == Self.seeds.count, "run \(run)")
        // A crash would be equal each time too, so it is ruled out here.
        #expect(try audit.lines.allSatisfy { ["audited", "unreadable"].contains($0.status) })
        // A store that is refused at once tests nothing, so at least half have to be audited.
        #expect(try audit.lines.count { $0.status == "audited" } * 2 >= lines.count)
        for (line, name) in try zip(lines, audit.lines.map(\.path)) { answers[name, default: []].insert(line) }
      }
    }
    for (name, lines) in answers.sorted(by: { $0.key < $1.key }) { #expect(lines.count == 1, "\(name)") }
  }

  /// A store with damaged pages, and sometimes with entity rows that contradict each other.
  private func injuredStore(_ seed: UInt64, in folder: TemporaryFolder) throws {
    var random = SeededGenerator(seed: seed)
    let bundled = ["Club", "Notes", "School", "Shapes", "Shop"].map { Project.path("corpus/\($0).sqlite") }
    let origins = bundled + Catalogue.real.map(\.path).filter { size($0) < 300_000 }.sorted()
    let path = try folder.copyStore(
      origins[Int.random(in: 0..<origins.count, using: &random)], as: "\(10_000 + seed).sqlite")
    if Int.random(in: 0..<3, using: &random) == 0 { contradict(path, &random) }
    var bytes = try contents(of: path)
    for _ in 0..<Int.random(in: 1...3, using: &random) { bytes.injurePage(&random) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? .max
  }

  private func contradict(_ path: String, _ random: inout SeededGenerator) {
    let number = Int.random(in: 1...6, using: &random)
    let changes = [
      "UPDATE Z_PRIMARYKEY SET Z_ENT = \(number) WHERE Z_ENT = (SELECT max(Z_ENT) FROM Z_PRIMARYKEY)",
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = \(number) WHERE Z_ENT = 2",
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0",
    ]
    let connection = try? Connection(writing: path, create: false)
    try? connection?.execute(changes[Int.random(in: 0..<changes.count, using: &random)])
  }
}

extension [UInt8] {
  /// Damages a B-tree page: a cell pointer, the beginning of a cell, the page's type, or all of it, by a copy of
  /// another page.
  fileprivate mutating func injurePage(_ random: inout SeededGenerator) {
    guard count >= 1024 else { return }
    let size = Int(self[16]) << 8 | Int(self[17])
    guard size >= 512, count / size > 1 else { return }
    let page = Int.random(in: 1..<count / size, using: &random) * size
    let cells = Int(self[page + 3]) << 8 | Int(self[page + 4])
    let header = [2, 5].contains(self[page]) ? 12 : 8
    let pointer = page + header + 2 * Int.random(in: 0..<Swift.max(1, Swift.min(cells, 100)), using: &random)
    let kind = Int.random(in: 0..<6, using: &random)
    switch [2, 5, 10, 13].contains(self[page]) ? kind : 5 {
    case 0, 1:
      // Near the end of the page, so that the cell reaches past it.
      let end = size - Int.random(in: 1...12, using: &random)
      (self[pointer], self[pointer + 1]) = (UInt8(end >> 8), UInt8(end & 0xFF))
    case 2, 3:
      let cell = page + (Int(self[pointer]) << 8 | Int(self[pointer + 1])) % size
      let position = Swift.min(cell + Int.random(in: 0..<12, using: &random), count - 1)
      self[position] = [0, 1, 2, 0x7F, 0x80, 0xFF][Int.random(in: 0..<6, using: &random)]
    case 4: self[page] = [2, 5, 10, 13][Int.random(in: 0..<4, using: &random)]
    default:
      let other = Int.random(in: 1..<count / size, using: &random) * size
      replaceSubrange(page..<page + size, with: Array(self[other..<other + size]))
    }
  }
}
