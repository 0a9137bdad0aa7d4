import StoreJSON
import StorePlatform
import StoreWords
import StoreAudit
import StoreFindings
import StoreSQLite
import StoreReports

/// Receives an audit's lines: writes them to files, formats them, and checks them against the gate.
final class AuditResults {
  private let output: AuditOutput
  private var lines: StreamedFile?
  /// All lines, written again because some were out of date; replaces `lines` once it has caught up with it.
  private var renewed: StreamedFile?
  private let report: StreamedFile?
  private let baseline: StreamedFile?
  private let ledgerPath: PosixPath?
  private var ledger: StreamedFile?
  /// The baseline that was given.
  let before: AuditBaseline?
  private var form: (any AuditLineWriter)?
  private var summary = AuditSummary()
  private var gate: AuditGate
  private(set) var stores = 0
  /// The number of lines, including those of an earlier run.
  private(set) var lineCount = 0
  private let next: AuditSummary.NextCommands
  private let run: AuditPageRun
  /// The stores for the list of the page; nil where there is no page.
  private var list: AuditStoreList?

  init(
    _ output: AuditOutput, _ gate: AuditGate, of given: AuditGateArguments, ledger: PosixPath?, isResumed: Bool,
    next: AuditSummary.NextCommands,
    run: AuditPageRun, madeFrom sources: [String] = []
  ) throws {
    self.output = output
    self.gate = gate
    self.next = next
    self.run = run
    list = output.chosenFormat == .html || output.pageFolder != nil ? AuditStoreList() : nil
    lines = try output.resume.map { try StreamedFile(continuing: PosixPath(argument: $0)) }
    report = try output.report.map {
      try StreamedFile(
        creating: PosixPath(argument: $0), replacing: output.force,
        madeFrom: (sources + output.merged + [output.resume, given.baseline].compactMap(\.self)).map {
          PosixPath(argument: $0)
        }, keepsParts: output.chosenFormat == .jsonl)
    }
    baseline = try given.writeBaseline.map { try StreamedFile(creating: PosixPath(argument: $0), keepsParts: false) }
    ledgerPath = ledger
    self.ledger = try isResumed ? nil : ledger.map { try StreamedFile(creating: $0, keepsParts: true) }
    before = try given.baseline.map { try AuditBaseline(reading: PosixPath(argument: $0)) }
    let (failOn, failsOnLoss) = (gate.failOn, gate.failsOnLoss)
    form =
      switch output.chosenFormat {
      case .csv: AuditCSV()
      case .sarif: AuditSARIF()
      case .junit: AuditJUnit(failsOnLoss: failsOnLoss) { failOn.holds($0) }
      case .jsonl, .text, .json, .html: nil
      }
    if let form { try put(form.begin()) }
  }

  /// The lines of an earlier run. They are counted here, unless they are to be written again.
  ///
  /// - Parameter onChanged: called with the number of lines whose files have changed since.
  func earlierLines(run: String, onChanged: (Int) -> Void) throws -> EarlierLines? {
    guard let lines else { return nil }
    // Nothing is written before it is certain that the lines belong to this run.
    let earlier = try EarlierLines(lines.path, run: run)
    // The ledger may lack the last line's entry, so it is made again from the lines.
    ledger = try ledgerPath.map { try StreamedFile(continuing: $0, keepsLines: false) }
    let changed = try EarlierLines.changed(in: lines.path)
    if !changed.isEmpty {
      onChanged(changed.count)
      renewed = try StreamedFile(replacing: lines.path)
      return try EarlierLines(lines.path, run: run, changed: changed)
    }
    try forEachAuditLine(in: lines.path) { bytes in
      try count(Array(bytes.bytes) + [UInt8(ascii: "\n")], line: AuditLine(bytes, .whole, in: lines.path.description))
    }
    return earlier
  }

  /// Replaces the file by the lines that were written again.
  func catchUp() throws {
    guard let renewed else { return }
    try renewed.replace()
    lines = renewed
    self.renewed = nil
  }

  /// How much of each line is needed.
  private var detail: AuditLine.Detail {
    if form != nil || baseline != nil { return .whole }
    return output.summary || list != nil || gate.rehearses || gate.failsOnLoss ? .facts : .standing
  }

  /// Receives a line with its line feed.
  func take(_ bytes: [UInt8]) throws { try take(bytes, line: AuditLine(bytes, detail)) }

  /// Receives many lines at once.
  func take(_ lines: [[UInt8]]) throws {
    let detail = detail
    let understood = concurrentlyUnderstood(lines) { try AuditLine($0, detail) }
    for (bytes, line) in zip(lines, understood) { try take(bytes, line: try line.get()) }
  }

  private func take(_ bytes: [UInt8], line: AuditLine) throws {
    try (renewed ?? lines)?.write(bytes)
    try count(bytes, line: line)
    if let text = form?.line(line) { return try put(text) }
    if !output.summary, lines == nil { try put(bytes) }
  }

  private func count(_ bytes: [UInt8], line: AuditLine) throws {
    lineCount += 1
    if line.output != nil { try ledger?.write(bytes) }
    if line.status.isStore { stores += 1 }
    if output.summary || list != nil { summary.add(line) }
    list?.add(line)
    gate.add(line)
    if let baseline, let text = AuditBaseline.text(for: line, before: before) { try baseline.write(Array(text.utf8)) }
  }

  /// Writes the end of the report, and prints the result of the gate.
  ///
  /// - Parameter pages: writes a page about each store; nil for none.
  func finish(isQuiet: Bool, pages: AuditPages? = nil) throws {
    let outcome = gate.outcome
    summary.gate = outcome
    if let pages {
      var linked = list ?? AuditStoreList()
      try pages.write(&linked) { summary.html(run, stores: $0, next: next) }
      linked.pagesFolder = pages.reference(from: output.report)
      list = linked
    }
    if let form { try put(form.end(outcome)) }
    if output.summary {
      let isPlain = report != nil
      switch output.chosenFormat {
      case .json: try put(summary.json.text)
      case .html: try put(summary.html(run, stores: list ?? AuditStoreList(), next: next))
      case .text, .jsonl, .csv, .sarif, .junit:
        let width = isPlain ? 100 : output.width
        try put(summary.text(width: width, isStyled: !isPlain && output.isStyled, next: next))
      }
    }
    for file in [lines, report, baseline, ledger] { try file?.finish() }
    try report?.replace()
    if !isQuiet, output.chosenFormat != .text || output.report != nil { outcome.tell() }
  }

  /// Nil where no store was checked against the gate.
  var isPassed: Bool? { gate.outcome.isPassed }
  /// Whether the gate has no requirements.
  var demandsNothing: Bool { gate.outcome.demands.isEmpty }

  private func put(_ text: String) throws { try put(Array(text.utf8)) }

  private func put(_ bytes: [UInt8]) throws {
    if let report { return try report.write(bytes) }
    try bytes.withUnsafeBytes { try standardOutput($0) }
  }
}

extension AuditGate.Outcome {
  /// Prints each requirement on standard error.
  fileprivate func tell() {
    for demand in demands {
      let examples =
        demand.isMet != false || demand.examples.isEmpty
        ? ""
        : ": " + demand.examples.prefix(3).map { escapedForTerminal($0.id ?? $0.path) }.joined(separator: ", ")
          + (demand.examples.count > 3 ? ", ..." : "")
      standardError(
        "storedoctor: \(demand.option): \(word(demand.isMet, yes: "passed", no: "failed", unknown: "not asked")), \(demand.sentence)\(examples)"
      )
    }
  }
}
