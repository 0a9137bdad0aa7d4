import StoreDiagnosis
import StoreFindings
import Foundation
import StoreJSON
import StoreSQLite
import StoreReports
import TestSupport
import Testing

/// The formats for other programs contain the whole diagnosis, whatever names a store has.
@Suite struct DiagnosisFormatTests {
  /// A finding with texts that could break the format they are written in.
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

  /// The same diagnosis with two findings muted, one of a check that has another finding, and with one finding left
  /// out.
  private func steered() throws -> Diagnosis {
    var diagnosis = try diagnosis()
    var muted = [hostile, hostile]
    muted[0].id = "SD405"
    let mutes = muted.map { Configuration.Mute(check: $0.id, entity: "No\"te<&>", reason: "it <is> \u{202E}\n\u{1}so") }
    let path = PosixPath(bytes: Array("a&\"<\u{1B}".utf8) + [0xFF])
    let options = DiagnosisOptions(
      entities: ["Note"], configuration: Configuration(path: path, severities: ["SD410": .note], mutes: mutes))
    let made = try diagnose(path: Project.path("corpus/Notes.sqlite"), options: options)
    diagnosis.config = made.config
    diagnosis.config?.muted[0].findings = [muted[0]]
    diagnosis.config?.muted[1].findings = [muted[1]]
    diagnosis.scope = made.scope
    diagnosis.scope?.leftOut = [hostile]
    return diagnosis
  }

  @Test func sarifKeepsWhatIsMutedWithItsReason() throws {
    let text = try steered().sarif.text
    #expect(try sarifViolations(text) == [])
    let results = try JSONDecoder().decode(SARIF.self, from: Data(text.utf8)).runs[0].results
    #expect(results.map(\.ruleId) == ["SD401", "SD410", "SD405", "SD401"])
    #expect(results.map { $0.suppressions?.map(\.kind) } == [[], [], ["external"], ["external"]])
    #expect(results[2].suppressions?[0].justification == "it <is> \u{202E}\n\u{1}so")
    #expect(!text.unicodeScalars.contains("\u{202E}"))
  }

  @Test(.enabled(if: Python.isPresent, "needs python3")) func jUnitShowsWhatIsMuted() throws {
    let summary = try Python.run(
      """
      import sys, xml.etree.ElementTree as tree
      suite = tree.parse(sys.stdin).getroot()[0]
      print([child.get('name') for child in suite.find('properties')], suite.get('failures'), suite.get('skipped'))
      for case in suite.findall('testcase'):
          if len(case): print(case.get('name'), [child.tag for child in case])
      print(suite.find('properties')[0].get('value'))
      print(suite.find('.//testcase[@name="SD405 unmirrored-self-link"]/skipped').get('message')[:23])
      """, input: Array(try steered().jUnit(checks: Check.all) { $0 >= .error }.utf8))
    #expect(
      String(decoding: summary, as: UTF8.self) == """
        ['config', 'severity SD410', 'entities', 'findings left out'] 1 2
        SD401 dangling-reference ['failure', 'system-out']
        SD402 wrong-entity-reference ['skipped']
        SD405 unmirrored-self-link ['skipped']
        SD410 orphaned-object ['system-out']
        a&"<\\u{1B}\u{FFFD}
        muted: it <is> \\u{202E}

        """)
  }

  @Test func jsonLinesHoldWhatIsMutedWithItsReason() throws {
    let lines = try steered().jsonLines.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(lines.map(\.kind) == [nil, "finding", "finding", "muted", "muted", "skipped"])
    #expect(lines.map { $0.reason != nil } == [false, false, false, true, true, true])
  }

  @Test func textNamesWhatIsMutedWithItsReason() throws {
    let text = try steered().text(width: 100, isStyled: false)
    #expect(text.hasPrefix("healthy: 1 error, 1 note; 1 error of other entities left out; 2 errors muted; 1 check"))
    #expect(text.contains("  muted SD405 No\"te<&>: 1 error: it <is> \\u{202e}"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
  }

  @Test func sarifHasAResultForEachFindingAndARuleForEachCheck() throws {
    let text = try diagnosis().sarif.text
    #expect(try sarifViolations(text) == [])
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

  private func sarifViolations(_ text: String) throws -> [String] {
    try JSONSchema(
      String(contentsOfFile: Project.path("Tests/Expectations/sarif-2.1.0-used.json"), encoding: .utf8)
    ).violations(in: JSONTree(text)).map(\.description)
  }

  private struct Line: Decodable {
    var kind: String?
    var reason: String?
  }

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
      var suppressions: [Suppression]?
    }
    struct Suppression: Decodable {
      var kind: String
      var justification: String
    }
  }
}
