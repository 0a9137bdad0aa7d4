import Foundation
import JSON
import StoreDoctor
import StoreReports
import TestSupport
import Testing

/// The forms for other programs hold what the diagnosis says, whatever names a store has.
@Suite struct DiagnosisFormatTests {
  /// A finding whose every text is out to break the form it is written in.
  private let hostile = Finding(
    id: "SD401", name: "dangling-reference", severity: .error, entity: "No\"te<&>\u{0}\u{202E}", table: "ZNOTE",
    property: "]]>\n--", count: 12, examples: [.init(7, ["key": .number(99)])], message: "12 rows <b>\u{1B}[31m & more",
    blocks: [1550],
    remedies: [.init("dangling: nullify", isSafe: true)], basis: .observed)

  private func diagnosis() throws -> Diagnosis {
    var diagnosis = try diagnose(path: Project.path("corpus/Notes.sqlite"))
    diagnosis.store.path = "a b/ü&\"<\u{7}>.sqlite"
    diagnosis.findings = [hostile]
    diagnosis.findings.append(hostile)
    diagnosis.findings[1].id = "SD410"
    diagnosis.findings[1].severity = .note
    diagnosis.skipped = [.init(check: "SD402", reason: "it is <not> known")]
    return diagnosis
  }

  @Test func sarifHasAResultForEachFindingAndARuleForEachCheck() throws {
    let text = try diagnosis().sarif.text
    let violations = try JSONSchema(
      String(contentsOfFile: Project.path("Tests/Expectations/sarif-2.1.0-used.json"), encoding: .utf8)
    ).violations(in: JSONTree(text))
    #expect(violations.isEmpty, "\(violations.prefix(5).map(\.description).joined(separator: "\n"))")
    let log = try JSONDecoder().decode(SARIF.self, from: Data(text.utf8))
    #expect(log.runs[0].tool.driver.rules.map(\.id) == Check.all.map(\.id))
    for result in log.runs[0].results {
      #expect(log.runs[0].tool.driver.rules[result.ruleIndex].id == result.ruleId)
    }
    #expect(log.runs[0].results.map(\.level) == ["error", "note"])
    #expect(text.contains("\"uri\": \"a%20b/%C3%BC%26%22%3C%07%3E.sqlite\""))
  }

  @Test(.enabled(if: Python.isPresent, "needs python3")) func jUnitIsXMLWithACaseForEachCheck() throws {
    let xml = try diagnosis().jUnit(checks: Check.all) { $0 >= .error }
    let summary = try Python.run(
      """
      import sys, xml.etree.ElementTree as tree
      suite = tree.parse(sys.stdin).getroot()[0]
      cases = suite.findall('testcase')
      print(len(cases), suite.get('tests'), suite.get('failures'), suite.get('skipped'))
      for case in cases:
          if len(case): print(case.get('name'), [child.tag for child in case])
      print(cases[0].get('classname'), '12 rows <b>' in suite.find('.//failure').text)
      """, input: Array(xml.utf8))
    let count = Check.all.count
    #expect(
      String(decoding: summary, as: UTF8.self) == """
        \(count) \(count) 1 1
        SD401 dangling-reference ['failure']
        SD402 wrong-entity-reference ['skipped']
        SD410 orphaned-object ['system-out']
        storedoctor True

        """)
  }

  @Test func jsonLinesAreTheDocumentTakenApart() throws {
    let lines = try diagnosis().jsonLines.split(separator: "\n")
    #expect(lines.count == 1 + 2 + 1)
    let kinds = try lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)).kind }
    #expect(kinds == [nil, "finding", "finding", "skipped"])
    #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
  }

  private struct Line: Decodable { var kind: String? }

  private struct SARIF: Decodable {
    var runs: [Run]
    struct Run: Decodable {
      var tool: Tool
      var results: [Result]
    }
    struct Tool: Decodable { var driver: Driver }
    struct Driver: Decodable { var rules: [Rule] }
    struct Rule: Decodable { var id: String }
    struct Result: Decodable {
      var ruleId: String
      var ruleIndex: Int
      var level: String
    }
  }
}
