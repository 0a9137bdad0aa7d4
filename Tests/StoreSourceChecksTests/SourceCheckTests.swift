import StoreDiagnosis
import StoreExplanation
import StoreFindings
import StoreSourceChecks
import StoreSQLite
import Testing

@Suite struct SourceCheckTests {
  @Test func idsAndNamesAreUniqueAndInOrder() {
    #expect(CheckWords.all.map(\.id) == Set(CheckWords.all.map(\.id)).sorted())
    #expect(Set(CheckWords.all.map(\.name)).count == CheckWords.all.count)
  }

  @Test(arguments: SourceCheck.all)
  func isExplainedUnderFourHeadings(_ check: SourceCheck) {
    #expect(check.id.hasPrefix("SD9"))
    let headings = check.explanation.split(separator: "\n").filter { $0.hasPrefix("#") && $0.dropFirst().first == "#" }
    #expect(headings == ["## What it looks for", "## Why it matters", "## Example", "## What can be done"])
    #expect(check.summary.hasSuffix(".") && !check.summary.contains("\n"))
    for line in check.explanation.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    #expect(check.explanation.contains("// bad\n") && check.explanation.contains("// good\n"))
  }

  @Test func isExplainedByIdAndName() throws {
    let check = SourceCheck.liveClass
    #expect(try explain(["sd903"]).checks == [CheckWords(check)])
    #expect(try explain(["live-class-in-version"]).checks == [CheckWords(check)])
  }

  @Test func configurationsMayMoveAndMuteThem() throws {
    let text = """
      severities: {live-class-in-version: note}
      skips: [{check: SD945, entity: Note.title, reason: it is new}]
      """
    let configuration = try Configuration(Array(text.utf8), path: PosixPath(".storedoctor.yaml"))
    #expect(configuration.severities == ["SD903": .note])
    #expect(configuration.mutes.map(\.check) == ["SD945"])
  }
}
