import StoreAudit
import StoreJSON
import StoreWords

/// The rehearsed migrations of some stores.
package struct Rehearsal: Sendable {
  /// One store.
  package struct Entry: Sendable {
    /// The path as given or found.
    package var path: String
    /// Its id in a list.
    package var id: String?
    /// The given version with its hashes.
    package var version: String?
    /// What the models do with it; nil where it could not be read.
    package var verdict: String?
    /// The outcome; nil where it could not be read.
    package var result: AuditLine.Rehearsal?
    /// Why it could not be read.
    package var problem: String?
    /// Bytes of its files.
    package var bytes: Int64?
    /// How long it took.
    package var milliseconds: Int64?

    /// The entry of a line; nil for a file that is no store.
    package init?(_ line: AuditLine) {
      guard line.status.isStore else { return nil }
      (path, id, version, verdict) = (line.path, line.id, line.version, line.verdict?.rawValue)
      (result, problem, bytes, milliseconds) = (line.rehearsal, line.problem?.message, line.bytes, line.milliseconds)
    }

    /// "performed", or "unreadable".
    package var outcome: String { result?.outcome.rawValue ?? "unreadable" }

    /// Whether it opens, or was migrated as it was judged.
    package var isPassed: Bool { result?.outcome.isPassed == true }

    /// Why it did not pass.
    var reasons: [String] {
      guard let result else { return [problem ?? "it could not be read"] }
      return result.reasons + result.assumed.map { "assumed: \($0)" }
    }

    var name: String { id.map { "\($0) (\(path))" } ?? path }
  }

  /// In the order of the input.
  package var entries: [Entry] = []

  /// No stores.
  package init() {}

  /// Whether every store passed. A run without stores proves nothing.
  package var isPassed: Bool { !entries.isEmpty && entries.allSatisfy(\.isPassed) }

  private var failed: [Entry] { entries.filter { !$0.isPassed } }

  /// "rehearsed: 12 of 12 stores migrate or open".
  package var verdictLine: String {
    let passed = entries.count - failed.count
    return "\(isPassed ? "passed" : "failed"): \(grouped(Int64(passed))) of \(counted(Int64(entries.count), "store")) "
      + "\(passed == 1 ? "opens or was" : "open or were") migrated as judged"
  }

  private static let header = ["store", "version", "verdict", "outcome", "kept", "lost", "time", "size"]

  private func cells(_ entry: Entry) -> [String] {
    func number(_ value: Int64?, _ unit: String = "") -> String { value.map { grouped($0) + unit } ?? "-" }
    var cells = [entry.name, entry.version ?? "-", entry.verdict ?? "-", entry.outcome]
    cells += [number(entry.result?.kept), number(entry.result?.lost)]
    cells += [number(entry.milliseconds, " ms"), number(entry.bytes.map { $0 / 1024 }, " KiB")]
    return cells
  }

  /// Versions with the number of stores, of those that passed, and of the objects kept and lost.
  private var byVersion: [[String]] {
    let groups = Dictionary(grouping: entries) { $0.version ?? "of no given version" }
    return groups.sorted { $0.key < $1.key }.map { version, stores in
      let passed = Int64(stores.count(where: \.isPassed))
      let kept: Int64 = stores.reduce(0) { $0 + ($1.result?.kept ?? 0) }
      let lost: Int64 = stores.reduce(0) { $0 + ($1.result?.lost ?? 0) }
      return [version, grouped(Int64(stores.count)), grouped(passed), grouped(kept), grouped(lost)]
    }
  }

  /// The most stores that are shown one by one.
  private static let mostRows = 40

  // MARK: Text

  /// The rehearsal as text.
  package func text(width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    page.paragraph(verdictLine, indent: 0, first: "", style: .strong)
    if entries.count <= Self.mostRows {
      page.table(
        Self.header, entries.map { cells($0).map(escapedForTerminal) }, rightAligned: [4, 5, 6, 7], wrapping: 0)
    } else {
      page.table(
        ["version", "stores", "passed", "objects kept", "lost"], byVersion.map { $0.map(escapedForTerminal) },
        rightAligned: [1, 2, 3, 4])
    }
    if !failed.isEmpty {
      page.section("In the way")
      for entry in failed.prefix(Self.mostRows) {
        page.paragraph("\(escapedForTerminal(entry.name)): \(Self.words(entry))", first: "- ")
        for reason in entry.reasons { page.paragraph(escapedForTerminal(reason), indent: 4) }
      }
      if failed.count > Self.mostRows {
        page.paragraph("and \(failed.count - Self.mostRows) more: --format json has all")
      }
    }
    let assumed = Set(entries.filter(\.isPassed).flatMap { $0.result?.assumed ?? [] }).sorted()
    if !assumed.isEmpty {
      page.section("Assumed")
      for sentence in assumed { page.paragraph(escapedForTerminal(sentence), first: "- ") }
    }
    page.section("Not proved")
    page.paragraph(
      "no Apple framework has run: what Core Data writes is known from real stores, and the app's own code (custom stages, "
        + "mapping policies, what it does after opening) was not run")
    return page.text
  }

  private static func words(_ entry: Entry) -> String {
    switch entry.result?.outcome {
    case .notPossible: "\(entry.verdict ?? "not possible"); 'storedoctor diagnose --model' shows why"
    case .notRehearsed: "not rehearsed"
    case .notAsJudged: "verdict and performance disagree, which is an error of storedoctor's; please report it"
    case .performed, .opens, nil: "unreadable"
    }
  }

  // MARK: JSON

  /// `storedoctor.rehearsal/1`.
  package var json: JSONValue {
    let counts = Dictionary(grouping: entries, by: \.outcome).mapValues { JSONValue.integer(Int64($0.count)) }
    return .object([
      ("schema", .string("storedoctor.rehearsal/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("passed", .bool(isPassed)), ("counts", .object(counts)), ("stores", .array(entries.map(\.json))),
    ])
  }

  // MARK: JUnit

  /// JUnit's XML: a test case for each store.
  package var jUnit: String {
    let counts = "tests=\"\(entries.count)\" failures=\"\(failed.count)\" errors=\"0\" skipped=\"0\""
    let cases = entries.map { entry in
      let start =
        "    <testcase classname=\"storedoctor.rehearse\" name=\"\(escapedForXML(entry.name))\" time=\""
        + "\(Double(entry.milliseconds ?? 0) / 1000)\""
      guard !entry.isPassed else { return start + "/>\n" }
      return start + "><failure type=\"\(entry.outcome)\" message=\"\(escapedForXML(Self.words(entry)))\">"
        + "\(escapedForXML(entry.reasons.joined(separator: "\n")))</failure></testcase>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts)>
        <testsuite name="storedoctor rehearse" \(counts)>
      \(cases.joined())  </testsuite>
      </testsuites>

      """
  }

  // MARK: HTML

  /// A page that stands alone, for whoever signs a release off.
  package var html: String {
    func row(_ cells: [String], _ tag: String) -> String {
      let numbers: Set = [4, 5, 6, 7]
      return "<tr>"
        + cells.enumerated().map { position, cell in
          "<\(tag)\(numbers.contains(position) ? " class=\"number\"" : "")>\(escapedForXML(cell))</\(tag)>"
        }.joined() + "</tr>"
    }
    let versions = byVersion.map { cells in "<tr>" + cells.map { "<td>\(escapedForXML($0))</td>" }.joined() + "</tr>" }
    let reasons = failed.map { entry in
      "<li><span class=\"name\">\(escapedForXML(entry.name))</span>: \(escapedForXML(Self.words(entry)))"
        + entry.reasons.map { "<br>\(escapedForXML($0))" }.joined() + "</li>"
    }
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(escapedForXML(verdictLine))</title><style>\(AuditPageStyle.text) .wide { overflow-x: auto; }</style></head><body>
      <header><p class="kicker">storedoctor rehearse</p><h1>\(escapedForXML(verdictLine))</h1></header><main>
      <section class="card \(isPassed ? "passed" : "failed")"><h2>By version</h2><div class="wide"><table><thead><tr><th>version</th><th>stores</th>\
      <th>passed</th><th>objects kept</th><th>lost</th></tr></thead><tbody>\(versions.joined())</tbody></table></div></section>
      \(reasons.isEmpty ? "" : "<section class=\"card failed\"><h2>In the way</h2><ul>\(reasons.joined())</ul></section>")
      <section class="card"><h2>Stores</h2><div class="wide"><table><thead>\(row(Self.header, "th"))</thead><tbody>\
      \(entries.map { row(cells($0), "td") }.joined())</tbody></table></div></section>
      <section class="card"><h2>Not proved</h2><p>No Apple framework has run: what Core Data writes is known from real stores, and the \
      app's own code (custom stages, mapping policies, what it does after opening) was not run.</p></section>
      </main></body></html>

      """
  }
}

extension Rehearsal.Entry {
  fileprivate var json: JSONValue {
    let reasons = isPassed ? [] : result?.reasons ?? self.reasons
    let assumed = result?.assumed ?? []
    var members: [(String, JSONValue?)] = [
      ("path", .string(path)), ("id", .optional(id)), ("version", .optional(version)), ("verdict", .optional(verdict)),
      ("outcome", .string(outcome)),
    ]
    members += [
      ("reasons", reasons.isEmpty ? nil : .strings(reasons)), ("assumed", assumed.isEmpty ? nil : .strings(assumed)),
      ("kept", .optional(result?.kept)), ("lost", .optional(result?.lost)), ("output", .optional(result?.output)),
      ("bytes", .optional(bytes)), ("milliseconds", .optional(milliseconds)),
    ]
    return .object(members)
  }
}
