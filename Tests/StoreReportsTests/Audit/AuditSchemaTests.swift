@testable import StoreAudit
@testable import StoreFindings
import StoreReports
import TestSupport
import Testing

/// Lines, baselines and summaries follow `docs/schemas`.
@Suite struct AuditSchemaTests {
  @Test func linesFollowTheSchema() throws {
    let schema = try JSONSchema.of("audit")
    for line in AuditSample.lines { #expect(schema.violations(in: try JSONTree(line)).map(\.description) == []) }
    let later = AuditSample.problem("a", "lost", "no-kind")
    #expect(schema.violations(in: try JSONTree(later)).map(\.pointer) == ["/problem/kind", "/status"])
  }

  @Test func summariesFollowTheSchema() throws {
    let schema = try JSONSchema.of("audit-summary")
    let gate = AuditGate(failOn: .note, expectedVersion: "V", minimumMigrates: Percentage("50%"))
    var lines = try AuditSample.read()
    lines[0].milliseconds = 12
    lines[1].plan = .init(operations: [.init(repair: "backfill", changes: 3)], obstacles: 1)
    lines[1].output = .init(path: nil, outcome: "written")
    lines[2].run = "fedcba9876543210"
    for (number, outcome) in AuditLine.Rehearsal.Outcome.allCases.enumerated() {
      lines[number].rehearsal = .init(outcome)
      lines[number].rehearsal?.assumed = ["\(number)"]
    }
    (lines[3].pathBytes, lines[3].id) = ([0xFF], "3")
    lines[3].findings = lines.last?.findings ?? []
    var (summary, full) = (AuditSummary(), gate)
    #expect(schema.violations(in: try JSONTree(summary.json.text)).map(\.description) == [])
    for line in lines {
      summary.add(line)
      full.add(line)
    }
    summary.gate = full.outcome
    #expect(schema.violations(in: try JSONTree(summary.json.text)).map(\.description) == [])
    summary.add(.init(toolVersion: "", run: "", path: "", status: .audited))
    #expect(!summary.json.text.contains("\"others\""))
  }

  @Test func tooManyNamesFollowTheSchemaToo() throws {
    var line = AuditLine(toolVersion: "0.1.0", run: "r", path: "a", status: .audited)
    line.entities = (0..<6_000).map { .init(name: String($0), rows: 1) }
    var summary = AuditSummary()
    summary.add(line)
    let json = try JSONTree(summary.json.text)
    #expect(json["others"]?["entities"]?.wholeNumber == 1_000 && json["entities"]?.list?.count == 5_000)
    #expect(try JSONSchema.of("audit-summary").violations(in: json).map(\.description) == [])
  }

  @Test func baselinesFollowTheSchema() throws {
    let schema = try JSONSchema.of("audit-baseline")
    var texts = try AuditSample.read().compactMap { AuditBaseline.text(for: $0) }
    #expect(texts.count == 6 + AuditSample.hostileNames.count)
    var line = try AuditSample.read()[18]
    line.pathBytes = [0xFF]
    texts.append(try #require(AuditBaseline.text(for: line)))
    for text in texts { #expect(schema.violations(in: try JSONTree(text)).map(\.description) == []) }
  }
}
