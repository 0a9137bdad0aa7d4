@testable import StoreDiagnosis
@testable import StoreFindings
@testable import StoreSourceChecks
@testable import StoreSourceLint
import Foundation
import StoreJSON
import StoreSwiftDataSchemas
import TestSupport
import Testing

@testable import StoreReports

/// What `storedoctor lint` prints.
@Suite struct SourceReportTests {
  private func place(_ line: Int, _ column: Int, length: Int, file: String = "Models/V1.swift") -> SourcePlace {
    SourcePlace(file: file, line: line, column: column, offset: 20 * line, length: length)
  }

  private var report: SourceReport {
    let finding = SourceFinding(
      check: "SD903", severity: .error, place: place(12, 16, length: 9), schema: "V1", entity: "Note",
      message: "V1 lists Note, which is not frozen in it", notes: [.init("declared here", at: place(1, 1, length: 4))],
      excerpt: "\t/* 日本 */ [Note.self]")
    let fix = SourceFinding.Edit(file: "Models/V1.swift", offset: 4, length: 3, replacement: "let")
    let other = SourceFinding(
      check: "SD995", severity: .note, place: place(14, 3, length: 900), schema: "V1", entity: "Note", property: "text",
      message: "a \u{1B}[31mstored\u{202E} var", fix: .init("write let", edits: [fix], isCertain: true),
      excerpt: "  static var a = 1")
    let muted = SourceFinding(check: "SD945", severity: .warning, place: place(9, 9, length: 1), message: "perhaps")
    return SourceReport(
      paths: ["Models"],
      reading: SourceReading(problems: [SourceProblem("a link leads out")], fileCount: 14, parsedFileCount: 3),
      findings: [finding, other], silenced: [.init(muted, reason: "removed on purpose")],
      skipped: [.init(check: "SD902", reason: "Money comes from another module", place: place(3, 1, length: 2))],
      config: .init(
        path: ".storedoctor.yaml",
        muted: [.init(mute: .init(check: "SD945", entity: "Note", reason: "it is new"), findings: [muted])],
        severities: ["SD995": .note]),
      checks: [.liveClass, .equalVersions, .mutableStatic, .perhapsRenamed], digests: [:])
  }

  @Test func readsLikeACompiler() {
    #expect(
      report.text(width: 100, isStyled: false) == """
        Models/V1.swift:12:16: error: V1 lists Note, which is not frozen in it [SD903 live-class-in-version]
           12 |     /* 日本 */ [Note.self]
              |                 ^~~~~~~~~
          Models/V1.swift:1:1: note: declared here
        Models/V1.swift:14:3: note: a \\u{1b}[31mstored\\u{202e} var [SD995 static-var-in-version]
           14 |   static var a = 1
              |   ^~~~~~~~~~~~~~~~
          fix: write let

        1 error, 1 note in 14 files, 0 versions and 0 plans; 1 silenced in the source
        not checked: Models/V1.swift:3:1: Money comes from another module [SD902]
        not read: a link leads out
        settings of '.storedoctor.yaml' hold
        muted: 1 finding of SD945: it is new
        'storedoctor lint --fix' shows what can be mended for certain

        """)
  }

  @Test func givesXcodeALineForEachFinding() {
    #expect(
      report.xcodeLines(in: "/Users/me/App") == """
        /Users/me/App/Models/V1.swift:12:16: error: V1 lists Note, which is not frozen in it; declared here [SD903 live-class-in-version]
        /Users/me/App/Models/V1.swift:14:3: note: a \\u{1b}[31mstored\\u{202e} var [SD995 static-var-in-version]
        /Users/me/App/Models/V1.swift:3:1: note: not checked: Money comes from another module [SD902]
        note: not read: a link leads out

        """)
  }

  @Test func givesGitHubAnnotations() {
    #expect(
      report.gitHubAnnotations == """
        ::error file=Models/V1.swift,line=12,title=SD903 live-class-in-version::V1 lists Note, which is not frozen in it; declared here [SD903 live-class-in-version]
        ::notice file=Models/V1.swift,line=14,title=SD995 static-var-in-version::a \\u{1b}[31mstored\\u{202e} var [SD995 static-var-in-version]
        ::notice file=Models/V1.swift,line=3,title=SD902 not checked::not checked: Money comes from another module [SD902]
        ::notice title=not read::not read: a link leads out

        """)
  }

  @Test func pathsOfTheFolderItselfArePlain() {
    var here = report
    here.findings[0].place.file = "./V1.swift"
    #expect(here.gitHubAnnotations.hasPrefix("::error file=V1.swift,line=12,"))
    #expect(here.xcodeLines(in: "/App").hasPrefix("/App/V1.swift:12:16: error: "))
    #expect(here.sarif.text.contains(#""uri": "V1.swift""#))
  }

  @Test func oneReasonIsOneLine() {
    var skipping = report
    skipping.findings = []
    skipping.reading.problems = []
    skipping.skipped = ["SD994", "SD996"].map { .init(check: $0, reason: "there are no tests", place: nil) }
    #expect(skipping.xcodeLines(in: "/") == "note: not checked: there are no tests [SD994, SD996]\n")
  }

  /// Neither a path nor a name in the source can begin a line or end the properties of a command.
  @Test func aLineStaysALine() {
    var hostile = report
    hostile.skipped = []
    hostile.reading.problems = []
    hostile.findings = [
      SourceFinding(
        check: "SD903", severity: .warning, place: place(0, 0, length: 0, file: "/a\n::error,b:50%\r\n.swift"),
        message: "100%\n::set-env name=X::y\r\u{2028}/b.swift:1:1: error: z",
        notes: (1...7).map { .init("n\($0)", at: nil) })
    ]
    let notes = "n1; n2; n3; n4; n5; 2 more notes with --format text [SD903 live-class-in-version]"
    #expect(
      hostile.xcodeLines(in: "/") == """
        /a\\u{a}::error,b:50%\\u{d}\\u{a}.swift:1:1: warning: 100%\\u{a}::set-env name=X::y\\u{d}\\u{2028}/b.swift:1:1: error: z; \(notes)

        """)
    #expect(
      hostile.gitHubAnnotations == """
        ::warning file=/a%0A%3A%3Aerror%2Cb%3A50%25%0D%0A.swift,line=1,title=SD903 live-class-in-version::100%25\\u{a}::set-env name=X::y\\u{d}\\u{2028}/b.swift:1:1: error: z; \(notes)

        """)
  }

  /// The path is not broken across lines, so that it can be opened from a terminal.
  @Test func staysWithinTheTerminal() {
    var narrow = report
    narrow.findings[0].place.file = "My Models/V1.swift"
    let lines = narrow.text(width: 60, isStyled: false).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.prefix(2) == [
        "My Models/V1.swift:12:16: error: V1 lists Note, which is not",
        "    frozen in it [SD903 live-class-in-version]",
      ])
    #expect(lines.allSatisfy { $0.count <= 60 })
    let styled = narrow.text(width: 60, isStyled: true)
    let (off, strong) = ("\u{1B}[0m", "\u{1B}[1m")
    #expect(
      styled.hasPrefix(
        "My Models/V1.swift:12:16: \u{1B}[1;31merror:\(off) \(strong)V1 lists Note, which is not\(off)\n"))
    #expect(styled.contains("\n    \u{1B}[1mfrozen in it\u{1B}[0m [SD903"))
  }

  /// `--fix` leaves what a person has to decide.
  @Test func onlyWhatFixMakesIsCalledAFix() {
    var report = report
    report.findings[1].fix?.isCertain = false
    let text = report.text(width: 100, isStyled: false)
    #expect(text.contains("\n  perhaps: write let\n") && !text.contains("fix"))
  }

  private func excerpt(_ line: String, _ column: Int, length: Int, width: Int = 48) -> [String] {
    var report = report
    report.findings = [report.findings[0]]
    (report.findings[0].place, report.findings[0].excerpt) = (place(12, column, length: length), line)
    let lines = report.text(width: width, isStyled: false).split(separator: "\n").drop { !$0.hasPrefix("   12 | ") }
    return lines.prefix(2).map { String($0.dropFirst(8)) }
  }

  @Test func longLinesAreCutAroundTheCaret() {
    let line = "  static var models: [any PersistentModel.Type] { [Alpha.self, Beta.self, Gamma.self] }"
    #expect(excerpt(line, 3, length: 6) == ["  static var models: [any PersistentM...", "  ^~~~~~"])
    #expect(excerpt(line, 52, length: 10) == ["...pe] { [Alpha.self, Beta.self, Gamm...", "          ^~~~~~~~~~"])
    #expect(excerpt(line, 75, length: 10).first?.hasSuffix("Gamma.self] }") == true)
    #expect(
      excerpt(line, 3, length: 80) == [
        "  static var models: [any PersistentM...", "  ^" + repeatElement("~", count: 37),
      ])
    for column in stride(from: 1, through: line.count, by: 4) {
      for length in [1, 9, 70] {
        let lines = excerpt(line, column, length: length)
        #expect(lines.allSatisfy { $0.count <= 40 }, "\(column) \(length)")
        let caret = lines[1].prefix { $0 == " " }.count
        #expect(Array(lines[0])[caret] == Array(line)[column - 1], "\(column) \(length)")
      }
    }
  }

  @Test func jsonFollowsItsSchema() throws {
    let schema = try JSONSchema(String(contentsOfFile: Project.path("docs/schemas/lint.json"), encoding: .utf8))
    #expect(try schema.violations(in: JSONTree(report.json.text)).map(\.description) == [])
    var empty = report
    (empty.findings, empty.silenced, empty.skipped, empty.config) = ([], [], [], nil)
    #expect(try schema.violations(in: JSONTree(empty.json.text)).map(\.description) == [])
  }

  @Test func sarifHasRegionsInUTF16() throws {
    let text = report.sarif.text
    #expect(text.contains("\"startColumn\": 12"), "16 bytes in, with two characters of three bytes each")
    #expect(text.contains("\"endColumn\": 21"))
    #expect(text.contains("\"kind\": \"inSource\""))
    #expect(text.contains("\"ruleId\": \"SD903\""))
  }

  @Test func jUnitHasACaseForEachCheck() {
    let xml = report.jUnit { $0 >= .error }
    #expect(xml.contains("tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"2\""))
    #expect(xml.contains("<failure type=\"error\" message=\"Models/V1.swift:12:16: error: V1 lists Note"))
    #expect(xml.contains("not checked: Money comes from another module"))
    #expect(xml.contains("silenced: removed on purpose"))
    #expect(!xml.contains("\u{1B}"))
  }
}
