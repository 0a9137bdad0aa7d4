@testable import StoreAudit
@testable import StoreFindings
import TestSupport
import Testing

@Suite struct AuditSummaryTests {
  private func summary(_ lines: [AuditLine]) -> AuditSummary {
    lines.reduce(into: AuditSummary()) { $0.add($1) }
  }

  private let lines: [AuditLine] = [
    .store("b", version: "V1", .migrates, entities: ["Note": 3], bytes: 100),
    .store(
      "a", version: "V1", .blockedByData, entities: ["Note": 40, "Tag": 2], bytes: 4096,
      findings: [
        .made("SD806", .error, "Note", "title", rows: 5, blocks: [1570]),
        .made("SD401", .error, "Note", "folder", rows: 2),
        .made("SD801"),
      ]),
    .store("c", .unknownVersion, entities: ["Note": 5], bytes: 5000, findings: [.made("SD801", blocks: [134100])]),
    .store("d", version: "V2", .opens, findings: [.made("SD410", .note, "Tag")]),
    .problem("e", .unreadable, "truncated"), .problem("f", .crashed, "crashed", signal: 11),
    .problem("g", .noStore, "no-store"), .problem("h", .notFollowed, "link"),
  ]

  @Test func countsWhatLinesSay() {
    let summary = summary(lines)
    #expect([summary.lines, summary.stores, summary.openable, summary.rows] == [8, 6, 2, 50])
    #expect(AuditStatus.allCases.map { summary[$0] } == [4, 1, 0, 1, 0, 1, 1])
    #expect(Severity.allCases.map { summary[$0] } == [1, 0, 4])
    #expect(
      summary.versions.map { "\($0.label) \($0.stores) \($0.verdicts.map { "\($0.key)" }.sorted())" } == [
        "V1 2 [\"blockedByData\", \"migrates\"]", "V2 1 [\"opens\"]",
      ])
    #expect(
      summary.problems.map { "\($0.kind) \($0.stores) \($0.examples.map(\.path)) \($0.signals.map(\.name))" } == [
        "crashed 1 [\"f\"] [\"11\"]", "truncated 1 [\"e\"] []",
      ])
    #expect(
      summary.entities.map { "\($0.name) \($0.stores) \($0.rows) \($0.median) \($0.most)" } == [
        "Note 3 48 5 40", "Tag 1 2 2 2",
      ])
    #expect(summary.sizes.classes.map(\.stores) == [1, 0, 0, 0, 0, 0, 2])
    #expect(summary.sizes.classes.first == .init(from: 64, through: 127, stores: 1))
    #expect(summary.timings == nil && summary.repairs == nil && summary.gate == nil)
  }

  /// A dangling reference is an error, but does not block a migration. That a model does not fit (SD801) is a cause
  /// only if no other check says why.
  @Test func causesAreWhatKeepsStoresFromOpening() {
    #expect(
      summary(lines).causes.map { "\($0.check) \($0.place ?? "") \($0.code ?? 0) \($0.stores) \($0.rows)" } == [
        "SD806 Note.title 1570 1 5", "SD801  134100 1 1",
      ])
    #expect(summary(lines).findings.map(\.check) == ["SD801", "SD806", "SD401", "SD410"])
  }

  @Test func versionsWithoutNameHaveIdentifiersAndChecksum() {
    var stores = [AuditLine.store("a"), .store("b"), .store("c")]
    stores[0].store = .init(versionIdentifiers: ["2.1", ""], checksum: "P5wBqyLUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
    stores[1].store = .init(digest: "d6oBqyLU")
    stores[2].store = .init()
    #expect(
      summary(stores).versions.map(\.label) == [
        "2.1 (P5wBqyLU)", "without identifier", "without identifier (d6oBqyLU)",
      ])
  }

  @Test(arguments: LongRuns.seeds(20, whole: 500))
  func isTheSameInAnyOrderAndInParts(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let lines = (0..<200).map { _ in AuditLine.random(&random) }
    let whole = summary(lines)
    let shuffled = lines.shuffled(using: &random)
    #expect(summary(shuffled) == whole, "seed \(seed)")
    let cut = Int.random(in: 0...200, using: &random)
    var parts = summary(Array(shuffled[..<cut]))
    parts.add(summary(Array(shuffled[cut...])))
    #expect(parts == whole, "seed \(seed)")
    #expect(parts.rehearsals == whole.rehearsals)
    #expect(parts.findings == whole.findings && parts.causes == whole.causes && parts.timings == whole.timings)
  }

  @Test func keepsTheFirstNamesAndCountsTheOthers() {
    var up = Tally<ExactText, Int64>(limit: 3)
    var down = up
    let names = (0..<50).map { String($0 + 100) }
    for name in names + names { up.count(ExactText(name)) { $0.add(1) } }
    for name in names.reversed() { for _ in 0..<2 { down.count(ExactText(name)) { $0.add(1) } } }
    #expect(up == down)
    #expect(up.kept.map(\.name.text).sorted() == ["100", "101", "102"])
    #expect(up.others == 94)
  }

  /// An unreadable store has no outcome; reasons and assumptions count a store once.
  @Test func countsRehearsals() throws {
    var stores = (0..<4).map { AuditLine.store("\($0)", .migrates) }
    for (number, outcome) in [(0, AuditLine.Rehearsal.Outcome.performed), (1, .performed), (2, .notRehearsed)] {
      stores[number].rehearsal = .init(outcome)
      stores[number].rehearsal?.kept = 10
      stores[number].rehearsal?.lostValues = number == 1 ? 3 : 0
    }
    stores[2].rehearsal?.reasons = ["a stage", "a stage", "a parent"]
    stores[2].rehearsal?.assumed = ["wide", "wide"]
    let rehearsals = try #require(summary(stores).rehearsals)
    #expect(rehearsals.outcomes == [.performed: 2, .notRehearsed: 1])
    #expect([rehearsals.kept, rehearsals.lost, rehearsals.lostValues, rehearsals.losing] == [30, 0, 3, 1])
    #expect(rehearsals.obstacles.map { "\($0.reason) \($0.stores)" } == ["a parent 1", "a stage 1"])
    #expect(rehearsals.assumed == [.init(name: "wide", count: 1)])
    #expect(summary([.store("a")]).rehearsals == nil)
  }

  @Test func spellingsOfALetterAreTwoNames() {
    let summary = summary([.store("a", entities: ["é": 1]), .store("b", entities: ["e\u{301}": 1])])
    #expect(summary.entities.map { Array($0.name.utf8).count } == [3, 2])
  }

  @Test func sumsStopAtTheGreatestNumber() {
    let summary = summary([.store("a", entities: ["A": .max], bytes: .max), .store("b", bytes: .max)])
    #expect(summary.sizes.total == .max && summary.rows == .max)
  }

  @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 100, 1_000, 1_000_000, Int64.max])
  func mediansAreRightToAnEighth(rows: Int64) {
    var sketch = RowSketch()
    for other in [0, rows, Int64.max] { sketch.add(rows: other) }
    #expect(abs(sketch.median - rows) <= rows / 8)
  }
}

extension AuditLine {
  fileprivate static func random(_ random: inout SeededGenerator) -> AuditLine {
    func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random) ?? values[0] }
    var line = AuditLine(
      toolVersion: pick(["1", "2"]), run: pick(["r", "s"]), path: pick(["é", "e\u{301}", "a"]),
      status: pick(AuditStatus.allCases))
    line.path += String(UInt8.random(in: 0...40, using: &random))
    line.pathBytes = pick([nil, nil, [0xFF]])
    line.verdict = pick(Verdict.allCases.map(Optional.some) + [nil])
    line.version = pick([nil, "V1", "é", "e\u{301}"])
    line.store = .init(frameworkVersion: pick([nil, 1, 2]), versionIdentifiers: pick([[], ["1"]]))
    line.milliseconds = pick([nil, 1, 2, 300])
    line.bytes = pick([nil, 0, 1000, Int64.max])
    line.entities = [.init(name: pick(["A", "B", "é"]), rows: Int64.random(in: 0...5000, using: &random))]
    line.problem = pick([nil, .init(kind: pick(["x", "y"]), message: "", stage: nil, signal: pick([nil, 11, 6]))])
    line.atRisk = [
      .init(
        entity: pick(["A", "é", nil]), property: pick(["p", nil]), isLoss: pick([true, false]),
        message: pick(["lost", "x"]), rows: pick([1, 7, Int64.max]))
    ]
    line.rehearsal = pick([nil] + AuditLine.Rehearsal.Outcome.allCases.map { Rehearsal($0) })
    line.rehearsal?.kept = pick([nil, 1, Int64.max])
    line.rehearsal?.lostValues = pick([nil, 0, 2])
    line.rehearsal?.reasons = pick([[], ["é"], ["e\u{301}", "a"]])
    line.rehearsal?.assumed = pick([[], ["x"], ["y", "x"]])
    line.findings = [
      .made(
        pick(["SD806", "SD102", "SD401"]), pick([.error, .note]), pick(["A", nil]), rows: pick([1, 7, Int64.max]),
        blocks: pick([[], [1570]]))
    ]
    return line
  }
}
