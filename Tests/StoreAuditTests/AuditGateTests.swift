@testable import StoreAudit
@testable import StoreFindings
import StoreSQLite
import TestSupport
import Testing

@Suite struct AuditGateTests {
  private let lines: [AuditLine] = [
    .store("b", version: "V2", .opens), .store("a", version: "V1", .migrates, severity: .warning),
    .store("c", version: "V1", .blockedByData), .problem("d", .unreadable, "truncated"),
    .problem("e", .noStore, "no-store"),
  ]

  private func outcome(_ gate: AuditGate, _ lines: [AuditLine]) -> [String] {
    var gate = gate
    for line in lines { gate.add(line) }
    return gate.outcome.demands.map { demand in
      "\(demand.isMet.map { $0 ? "met" : "not met" } ?? "not asked") \(demand.option): \(demand.sentence) \(demand.examples.map(\.path))"
    }
  }

  @Test func saysHowEachDemandStands() {
    let gate = AuditGate(failOn: .warning, expectedVersion: "V1", minimumMigrates: Percentage("50%"))
    #expect(
      outcome(gate, lines) == [
        #"not met --fail-on warning: 3 of 4 stores have an error or a warning ["a", "c", "d"]"#,
        #"not met --expect-version V1: 2 of 4 stores have another version or none ["b", "d"]"#,
        #"met --min-migrates 50%: 2 of 4 stores open or migrate, 50% []"#,
      ])
    #expect(outcome(gate, lines.reversed()) == outcome(gate, lines))
    #expect(outcome(AuditGate(failOn: .never), lines).isEmpty)
    #expect(outcome(AuditGate(), [lines[0]]) == ["met --fail-on error: none of 1 store has an error []"])
  }

  @Test func aRateTakesThePlaceOfErrors() throws {
    let rate = try #require(Percentage("99.9%"))
    #expect(
      outcome(AuditGate(minimumMigrates: rate), [lines[2]]).map { $0.prefix(26) } == ["not met --min-migrates 99."])
    #expect(AuditGate(failOn: .error, minimumMigrates: rate).failOn == .error)
  }

  @Test func nothingIsNoSuccess() {
    let gate = AuditGate(expectedVersion: "V1", minimumMigrates: Percentage("0%"))
    #expect(gate.outcome.isPassed == nil)
    #expect(gate.outcome.demands.map(\.sentence) == ["no store was looked at", "no store was looked at"])
    #expect(outcome(AuditGate(), [lines[4]]) == ["not asked --fail-on error: no store was looked at []"])
    #expect(AuditGate(failOn: .never).outcome.isPassed == true)
  }

  @Test func versionsAreComparedByTheirBytes() {
    let outcome = outcome(AuditGate(failOn: .never, expectedVersion: "é"), [.store("a", version: "e\u{301}", .opens)])
    #expect(outcome == [#"not met --expect-version é: 1 of 1 store has another version or none ["a"]"#])
  }

  @Test(arguments: [
    ("99.9%", 999, 1000, true), ("99.9%", 9989, 10000, false), ("99.9", 9990, 10000, true), ("100%", 1, 1, true),
    ("100%", 999_999, 1_000_000, false), ("0%", 0, 1, true), ("0.000001", 0, 100, false),
    ("33.333333", 1, 3, true), ("33.333334", 1, 3, false), ("50", Int64.max, Int64.max, true),
  ])
  func percentagesAreExact(_ text: String, _ part: Int64, _ whole: Int64, _ isReached: Bool) throws {
    #expect(try #require(Percentage(text)).isReached(by: part, of: whole) == isReached)
  }

  @Test(arguments: ["", "%", "-1", "100.1", "1000", "1.", ".5", "1.0000001", "1,5", "١", "1e1", "99.9%%"])
  func refusesWhatIsNoPercentage(_ text: String) { #expect(Percentage(text) == nil) }

  @Test(arguments: [
    (1, 3, "33.33%"), (9999, 10000, "99.99%"), (99999, 100_000, "99.99%"), (1, 1, "100%"), (1, 50, "2%"),
    (1, 2000, "0.05%"), (2, 3, "66.67%"), (1, 6, "16.67%"), (1, 100_000, "0.01%"), (0, 7, "0%"), (29, 40_000, "0.07%"),
    (.max, .max, "100%"), (.max - 1, .max, "99.99%"),
  ])
  func ratesAreRoundedButNeverToAllOrNothing(_ part: Int64, _ whole: Int64, _ text: String) {
    #expect(rate(part, of: whole) == text)
  }

  @Test func aRateThatMissesItsBoundDoesNotLookAsIfItReachedIt() {
    var gate = AuditGate(minimumMigrates: Percentage("66.67%"))
    for status in [AuditStatus.audited, .audited, .crashed] {
      var line = AuditLine(toolVersion: "1", run: "r", path: "a.sqlite", status: status)
      line.verdict = status == .audited ? .opens : nil
      gate.add(line)
    }
    #expect(gate.outcome.demands.map(\.sentence) == ["2 of 3 stores open or migrate, 66.66%"])
    #expect(rate(2, of: 3) == "66.67%")
  }
}

@Suite struct AuditBaselineTests {
  private let finding = Finding.made("SD401", .error, "Note", "folder")

  private func baseline(_ text: String) throws -> AuditBaseline {
    let folder = try TemporaryFolder()
    return try AuditBaseline(reading: PosixPath(try folder.write(Array(text.utf8), to: "b.jsonl")))
  }

  @Test func knowsWhatItWroteOfAStore() throws {
    let text = try #require(AuditBaseline.text(for: .store("a", findings: [finding, .made("SD102")])))
    let baseline = try baseline(text)
    #expect(baseline.knows(finding, of: Array("a".utf8)) && baseline.knows(.made("SD102"), of: Array("a".utf8)))
    #expect(!baseline.knows(finding, of: Array("b".utf8)))
    #expect(!baseline.knows(.made("SD401", .error, "Note", "tags"), of: Array("a".utf8)))
    #expect(AuditBaseline.text(for: .store("a")) == nil)
  }

  @Test func aStarHoldsForEveryStore() throws {
    let baseline = try baseline(
      #"{"id":"*","known":["\#(finding.fingerprint)"],"schema":"storedoctor.baseline/1"}"# + "\n")
    #expect(baseline.knows(finding, of: []) && !baseline.knows(.made("SD102"), of: []))
  }

  @Test func aStoreThatIsCalledStarHidesNothingOfOthers() throws {
    let text = try #require(AuditBaseline.text(for: .store("*", findings: [finding])))
    #expect(text.contains(#""idBytes": "Kg==""#), "\(text)")
    let baseline = try baseline(text)
    #expect(baseline.knows(finding, of: Array("*".utf8)) && !baseline.knows(finding, of: Array("a".utf8)))
  }

  @Test func keepsWhatTheBaselineBeforeHid() throws {
    let old = try #require(AuditBaseline.text(for: .store("a", findings: [finding])))
    var line = AuditLine.store("a", findings: [.made("SD102")])
    let before = try baseline(old)
    line.known = 1
    let text = try #require(AuditBaseline.text(for: line, before: before))
    #expect(try baseline(text).knows(finding, of: line.key))
    line.known = 0
    #expect(try !baseline(AuditBaseline.text(for: line, before: before) ?? "").knows(finding, of: line.key))
  }

  @Test func tellsPathsApartThatAreNotText() throws {
    var line = AuditLine.store("a\u{FFFD}", findings: [finding])
    line.pathBytes = [0x61, 0xFF]
    let baseline = try baseline(try #require(AuditBaseline.text(for: line)))
    #expect(baseline.knows(finding, of: [0x61, 0xFF]) && !baseline.knows(finding, of: [0x61, 0xFE]))
  }

  @Test(arguments: [
    (
      #"{"id":"a","known":["x"],"schema":"storedoctor.baseline/1"}"#,
      "column 20: 16 hex digits are expected, and a severity after a space"
    ),
    (#"{"known":[],"schema":"storedoctor.baseline/1"}"#, "'id' is missing"),
    (#"{"id":"a"}"#, "a line of 'storedoctor.baseline/1' is expected; make one with '--write-baseline'"),
    ("[]", "column 1: an object is expected"),
  ])
  func refusesWhatIsNoBaseline(_ text: String, _ message: String) {
    #expect(
      performing: { try baseline("\n" + text) },
      throws: { "\($0)".hasPrefix("cannot read line 2") && "\($0)".hasSuffix(message) })
  }
}

extension AuditBaseline {
  fileprivate func knows(_ finding: Finding, of key: [UInt8]) -> Bool { finding.isKnown(in: entries(of: key)) }
}
