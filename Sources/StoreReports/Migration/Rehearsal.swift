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
    /// The verdict of the models on it; nil where it could not be read.
    package var verdict: String?
    /// The outcome; nil where it could not be read.
    package var result: AuditLine.Rehearsal?
    /// Why it could not be read.
    package var problem: String?
    /// Bytes of its files.
    package var bytes: Int64?
    /// How long it took.
    package var milliseconds: Int64?
    /// The losses of its rows by the migration, a sentence each.
    package var losses: [String] = []
    /// Whether rows lose something.
    package var isLosing = false
    /// What its files leave open: a log that is missing, damage, access times.
    package var remarks: [String] = []

    /// The entry of a line; nil for a file that is no store.
    package init?(_ line: AuditLine) {
      guard line.status.isStore else { return nil }
      (path, id, version, verdict) = (line.path, line.id, line.version, line.verdict?.rawValue)
      (result, problem, bytes, milliseconds) = (line.rehearsal, line.problem?.message, line.bytes, line.milliseconds)
      isLosing = line.losesInRehearsal
      remarks = line.remarks
      guard result?.outcome == .performed else { return }
      losses = line.findings.filter { $0.traits.contains(.losses) && $0.severity > .note }.map { finding in
        "\([finding.entity, finding.property].compactMap(\.self).joined(separator: ".")): \(finding.message)"
      }
    }

    /// "performed", or "unreadable".
    package var outcome: String { result?.outcome.rawValue ?? "unreadable" }

    /// Why it did not pass; without what is assumed where it passed.
    var reasons: [String] {
      guard let result else { return [problem ?? "it could not be read"] }
      return result.reasons + (result.outcome.isPassed ? [] : result.assumed.map { "assumed: \($0)" })
    }

    /// "18 values", "3 objects, 18 values"; nil where nothing is lost or nothing was performed.
    var lost: String? {
      let parts = [(result?.lost ?? 0, "object"), (result?.lostValues ?? 0, "value")].filter { $0.0 > 0 }
      return parts.isEmpty ? nil : parts.map { counted($0.0, $0.1) }.joined(separator: ", ")
    }

    var name: String { id.map { "\($0) (\(path))" } ?? path }
  }

  /// In the order of the input.
  package var entries: [Entry] = []
  /// Whether a migration that loses something fails.
  package var failsOnLoss: Bool

  /// No stores.
  package init(failsOnLoss: Bool) { self.failsOnLoss = failsOnLoss }

  /// Whether a store opens, or was migrated as it was judged.
  package func isPassed(_ entry: Entry) -> Bool {
    entry.result?.outcome.isPassed == true && !(failsOnLoss && entry.isLosing)
  }

  /// Whether every store passed. A run without stores proves nothing.
  package var isPassed: Bool { !entries.isEmpty && entries.allSatisfy(isPassed) }

  private var failed: [Entry] { entries.filter { !isPassed($0) } }
  private var losing: [Entry] { entries.filter(\.isLosing) }

  /// "passed: 12 of 12 stores open or were migrated as judged, 3 losing data".
  package var verdictLine: String {
    (isPassed ? "passed: " : "failed: ")
      + rehearsalSentence(
        passed: Int64(entries.count - failed.count), of: Int64(entries.count), losing: Int64(losing.count))
  }

  /// The folder that all stores are in, with its slash; empty where there is none.
  var folder: Substring {
    guard entries.count > 1, let first = entries.first?.path, entries.allSatisfy({ $0.id == nil }) else { return "" }
    let common = entries.reduce(first[...]) { $0.prefix(zip($0, $1.path).prefix { $0 == $1 }.count) }
    return common.lastIndex(of: "/").map { common[...$0] } ?? ""
  }

  /// The same without that folder.
  func shortened(by folder: Substring) -> Rehearsal {
    var shorter = self
    for index in shorter.entries.indices { shorter.entries[index].path.removeFirst(folder.count) }
    return shorter
  }

  /// Stores with the same words about them, the most frequent first.
  private func alike(_ entries: [Entry], words: (Entry) -> [String]) -> [(words: [String], names: [String])] {
    var order: [[String]] = []
    var names: [[String]: [String]] = [:]
    for entry in entries {
      let words = words(entry)
      if names[words] == nil { order.append(words) }
      names[words, default: []].append(entry.name)
    }
    let groups = order.map { (words: $0, names: names[$0] ?? []) }
    return groups.enumerated().sorted { ($1.element.names.count, $0.offset) < ($0.element.names.count, $1.offset) }
      .map(\.element)
  }

  var obstacles: [(words: [String], names: [String])] {
    alike(failed) { entry in
      [words(entry)] + entry.reasons + (entry.result?.outcome.isPassed == true ? entry.losses : [])
    }
  }

  var losses: [(words: [String], names: [String])] { alike(losing.filter(isPassed), words: \.losses) }

  /// "a.sqlite, b.sqlite and 12 more".
  func listed(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(grouped(Int64(names.count - 3))) more" : "")
  }

  static let versionHeader = ["version", "stores", "passed", "objects kept", "losing data"]

  static let header = ["store", "version", "verdict", "outcome", "kept", "lost", "time", "size"]

  func cells(_ entry: Entry) -> [String] {
    func number(_ value: Int64?, unit: String = "") -> String { value.map { grouped($0) + unit } ?? "-" }
    var cells = [entry.name, entry.version ?? "-", entry.verdict ?? "-", entry.outcome]
    cells += [number(entry.result?.kept), entry.lost ?? (entry.result?.kept == nil ? "-" : "nothing")]
    cells += [number(entry.milliseconds, unit: " ms"), number(entry.bytes.map { $0 / 1024 }, unit: " KiB")]
    return cells
  }

  /// Versions with the number of stores, of those that passed, of objects kept, and of stores that lose something.
  var byVersion: [[String]] {
    let groups = Dictionary(grouping: entries) { $0.version ?? "of no given version" }
    return groups.sorted { $0.key < $1.key }.map { version, stores in
      let passed = Int64(stores.count(where: isPassed))
      let kept: Int64 = stores.reduce(0) { $0 + ($1.result?.kept ?? 0) }
      let losing = Int64(stores.count(where: \.isLosing))
      return [version, grouped(Int64(stores.count)), grouped(passed), grouped(kept), grouped(losing)]
    }
  }

  /// The most stores that are shown one by one.
  private static let mostRows = 40

  // MARK: Text

  /// The rehearsal as text.
  package func text(width: Int, isStyled: Bool) -> String {
    let folder = folder
    return shortened(by: folder).text(in: folder, width: width, isStyled: isStyled)
  }

  private func text(in folder: Substring, width: Int, isStyled: Bool) -> String {
    var page = Page(width: width, isStyled: isStyled)
    write(to: &page, in: folder)
    return page.text
  }

  /// The sections of the text, of which every format for people is made.
  var sections: [Page.Section] {
    var page = Page.forSections
    write(to: &page, in: "")
    return page.sections
  }

  private func write(to page: inout Page, in folder: Substring) {
    page.paragraph(verdictLine, indent: 0, first: "", style: .strong)
    if !folder.isEmpty { page.paragraph("in " + escapedForTerminal(String(folder)), first: "  ") }
    if entries.count <= Self.mostRows {
      page.table(
        Self.header, rows: entries.map { cells($0).map(escapedForTerminal) }, rightAligned: [4, 5, 6, 7], wrapping: 0,
        moving: [4, 5, 6, 7])
    } else {
      page.table(
        Self.versionHeader,
        rows: byVersion.map { $0.map(escapedForTerminal) },
        rightAligned: [1, 2, 3, 4])
    }
    write(obstacles, title: "In the way", to: &page)
    write(losses, title: "Lost", to: &page)
    let assumed = Set(entries.filter(isPassed).flatMap { $0.result?.assumed ?? [] }).sorted()
    if !assumed.isEmpty {
      page.section("Assumed")
      for sentence in assumed { page.paragraph(escapedForTerminal(sentence), first: "- ") }
    }
    write(alike(entries.filter { !$0.remarks.isEmpty }, words: \.remarks), title: "Left open", to: &page)
    page.section("Not proved")
    page.paragraph(AuditLine.Rehearsal.notProved)
  }

  private func write(_ groups: [(words: [String], names: [String])], title: String, to page: inout Page) {
    guard !groups.isEmpty else { return }
    page.section(title)
    for group in groups.prefix(Self.mostRows) {
      page.paragraph(escapedForTerminal(listed(group.names)), first: "- ")
      for words in group.words { page.paragraph(escapedForTerminal(words), indent: 4) }
    }
    if groups.count > Self.mostRows {
      page.paragraph("and \(groups.count - Self.mostRows) more: --format json has all")
    }
  }

  private func words(_ entry: Entry) -> String {
    switch entry.result?.outcome {
    case .notPossible:
      entry.verdict == "foreign-model"
        ? "foreign-model: no version of these models made it; name the stores of this app only"
        : "\(entry.verdict ?? "not possible"): 'storedoctor diagnose --model' shows the rows and ways out"
    case .notRehearsed: "not rehearsed"
    case .notAsJudged: "verdict and performance disagree, which is an error of storedoctor's; please report it"
    case .performed, .opens: "loses data"
    case nil: "unreadable"
    }
  }

  // MARK: JSON

  /// `storedoctor.rehearsal/1`.
  package var json: JSONValue {
    let counts = Dictionary(grouping: entries, by: \.outcome).mapValues { JSONValue.integer(Int64($0.count)) }
    return .object([
      ("schema", .string("storedoctor.rehearsal/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("passed", .bool(isPassed)), ("counts", .object(counts)), ("stores", .array(entries.map(json))),
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
      let open =
        entry.remarks.isEmpty
        ? "" : "<system-out>\(escapedForXML(entry.remarks.joined(separator: "\n")))</system-out>"
      guard !isPassed(entry) else { return start + (open.isEmpty ? "/>\n" : ">\(open)</testcase>\n") }
      return start + "><failure type=\"\(entry.outcome)\" message=\"\(escapedForXML(words(entry)))\">"
        + "\(escapedForXML((entry.reasons + entry.losses).joined(separator: "\n")))</failure>\(open)</testcase>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts)>
        <testsuite name="storedoctor rehearse" \(counts)>
      \(cases.joined())  </testsuite>
      </testsuites>

      """
  }
}

extension Rehearsal {
  private func json(_ entry: Entry) -> JSONValue {
    let result = entry.result
    let (reasons, assumed) = (result?.reasons ?? entry.reasons, result?.assumed ?? [])
    var members: [(String, JSONValue?)] = [
      ("path", .string(entry.path)), ("id", .optional(entry.id)), ("version", .optional(entry.version)),
      ("verdict", .optional(entry.verdict)), ("outcome", .string(entry.outcome)),
      ("reasons", reasons.isEmpty ? nil : .strings(reasons)), ("assumed", assumed.isEmpty ? nil : .strings(assumed)),
    ]
    members += [
      ("kept", .optional(result?.kept)), ("lost", .optional(result?.lost)),
      ("lostValues", .optional(result?.lostValues)),
      ("losses", entry.losses.isEmpty ? nil : .strings(entry.losses)),
      ("remarks", entry.remarks.isEmpty ? nil : .strings(entry.remarks)), ("output", .optional(result?.output)),
      ("bytes", .optional(entry.bytes)), ("milliseconds", .optional(entry.milliseconds)),
    ]
    return .object(members)
  }
}
