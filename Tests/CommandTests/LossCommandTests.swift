import Foundation
import TestSupport
import Testing

/// Data lost by migrations, and foreign models: JSON output and exit statuses.
@Suite struct LossCommandTests {
  private static let foreign = ["Shop.sqlite", "--model", "Notes.xcdatamodeld"]
  private static let losing = ["SchoolBridge.sqlite", "--model", "School.xcdatamodeld"]

  private func run(_ arguments: [String]) throws -> Program.Outcome {
    try Program.launch(["sh", "-c", "cd \"$0\" && exec \"$@\"", Project.path("corpus"), Program.path] + arguments)
  }

  @Test(arguments: [
    (["diagnose"] + foreign, 1), (["diagnose"] + foreign + ["--fail-on", "never"], 0),
    (["diagnose"] + foreign + ["--opening", "staged"], 1), (["diagnose"] + foreign + ["--check", "SD401"], 1),
    (["diagnose"] + losing, 0), (["diagnose"] + losing + ["--fail-on", "warning"], 1),
    (["diagnose"] + losing + ["--fail-on", "warning", "--skip", "SD809"], 0),
    (["audit", "--quiet"] + foreign, 1), (["audit", "--quiet", "--min-migrates", "100%"] + foreign, 1),
    (["audit", "--quiet", "--min-migrates", "100%"] + losing, 0),
    (["audit", "--quiet", "--min-migrates", "100%", "--fail-on", "warning"] + losing, 1),
    (["audit", "--quiet"] + losing, 0), (["audit", "--quiet", "--fail-on", "warning"] + losing, 1),
  ])
  func decidesTheExitStatus(_ arguments: [String], _ status: Int) throws {
    let outcome = try run(arguments)
    #expect(outcome.status == Int32(status), "\(outcome.output)\(outcome.errors)")
  }

  @Test(arguments: [
    (foreign, "text", ["foreign-model: 'Notes 3' has none of the store's entities\n", "E SD810 ", "keep none of 14"]),
    (foreign, "json", ["\"verdict\": \"foreign-model\"", "\"id\": \"SD810\""]),
    (foreign, "jsonl", ["\"verdict\": \"foreign-model\"", "\"id\": \"SD810\""]),
    (foreign, "sarif", ["\"verdict\": \"foreign-model\"", "\"ruleId\": \"SD810\""]),
    (foreign, "junit", ["name=\"SD810 foreign-model\">\n      <failure type=\"error\""]),
    (
      losing, "text",
      [
        "migrates, losing Student.enrolledAt in 5 rows and 2 more: automatic migration to 'School 3' succeeds\n",
        "What is lost\n", "W SD809 ",
        "automatic  migrates, losing data\n",
      ]
    ),
    (losing, "json", ["\"verdict\": \"migrates\"", "\"losing\": true", "\"id\": \"SD809\"", "\"rows\": 5"]),
    (losing, "sarif", ["\"ruleId\": \"SD809\"", "\"level\": \"warning\""]),
    (losing, "junit", ["name=\"SD809 migration-loses-data\">"]),
  ])
  func isInEachFormatOfADiagnosis(_ store: [String], _ format: String, _ words: [String]) throws {
    let output = try run(["diagnose"] + store + ["--format", format]).output
    for word in words { #expect(output.contains(word), "\(word)\n\(output)") }
  }

  @Test(arguments: [
    (foreign, "jsonl", ["\"verdict\": \"foreign-model\"", "SD810"]),
    (foreign, "csv", [",foreign-model,", "SD810 (1)"]),
    (foreign, "sarif", ["SD810"]), (foreign, "junit", ["SD810"]),
    (losing, "jsonl", ["\"consequence\": \"loses\"", "SD809"]),
    (losing, "csv", [",migrates,", "SD809 Student.enrolledAt (5)"]),
    (losing, "sarif", ["SD809"]),
  ])
  func isInEachFormatOfAnAudit(_ store: [String], _ format: String, _ words: [String]) throws {
    let output = try run(["audit", "--quiet"] + store + ["--format", format]).output
    for word in words { #expect(output.contains(word), "\(word)\n\(output)") }
  }

  @Test(arguments: [
    (foreign, "text", ["0 of 1 store open or migrate (0%)", "foreign-model", "SD810: foreign-model, 1 store"]),
    (foreign, "json", ["\"foreign-model\": 1"]), (foreign, "html", ["1 foreign-model", "class=\"foreign-model\""]),
    (losing, "text", ["1 of them loses rows or values by it", "migrates, losing data       1   100%"]),
    (losing, "json", ["\"losing\": 1", "\"migrates\": 1"]),
    (losing, "html", ["1 migrates, losing data", "class=\"losing\""]),
  ])
  func isInEachFormatOfASummary(_ store: [String], _ format: String, _ words: [String]) throws {
    let output = try run(["audit", "--quiet", "--summary"] + store + ["--format", format]).output
    for word in words { #expect(output.contains(word), "\(word)\n\(output)") }
  }

  /// An intended removal is accepted with a reason; the verdict still reports it.
  @Test func aReasonLetsAnIntendedRemovalThroughTheGate() throws {
    let folder = try TemporaryFolder()
    let settings = """
      version: 1
      skips:
        - {check: migration-loses-data, entity: Course.students, reason: enrollments have them}
        - {check: SD809, entity: Student, reason: enrollments and enrolledOn have it}
      """
    try folder.write(Array(settings.utf8), to: ".storedoctor.yaml")
    let outcome = try run(
      ["diagnose"] + Self.losing + ["--fail-on", "warning", "--config", folder(".storedoctor.yaml")])
    #expect(outcome.status == 0 && outcome.output.hasPrefix("migrates, losing "), "\(outcome.output)")
    #expect(outcome.output.contains("muted SD809 Course.students: 1 warning: enrollments have them\n"))
    #expect(outcome.output.contains("muted SD809 Student: 2 warnings: "), "\(outcome.output)")
  }

  @Test(arguments: [("SD809", "migration-loses-data"), ("SD810", "foreign-model")])
  func isExplained(_ id: String, _ name: String) throws {
    let outcomes = try [id, name].map { try Program.run(["explain", $0]) }
    #expect(outcomes.allSatisfy { $0.status == 0 && $0.output.hasPrefix("\(id) \(name), ") })
  }
}
