import StoreJSON
import StoreWords
import StoreAudit
import StoreFindings
import StoreSQLite
import StoreReports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Takes the lines of an audit as they come: to files, into the form that was asked for, and against the gate.
final class AuditResults {
  private let output: AuditOutput
  private var lines: StreamedFile?
  /// All lines, written anew because some no longer hold; takes the place of `lines` once it has what that has.
  private var renewed: StreamedFile?
  private let report: StreamedFile?
  private let baseline: StreamedFile?
  private let ledgerPath: PosixPath?
  private var ledger: StreamedFile?
  /// What was known before.
  let before: AuditBaseline?
  private var form: (any AuditLineWriter)?
  private var summary = AuditSummary()
  private var gate: AuditGate
  private(set) var stores = 0
  /// All lines, those of an earlier run included.
  private(set) var lineCount = 0
  private let next: AuditSummary.NextCommands

  init(
    _ output: AuditOutput, _ gate: AuditGate, ledger: PosixPath?, isResumed: Bool, next: AuditSummary.NextCommands
  ) throws {
    self.output = output
    self.gate = gate
    self.next = next
    lines = try output.resume.map { try StreamedFile(continuing: PosixPath(argument: $0)) }
    report = try output.report.map {
      try StreamedFile(creating: PosixPath(argument: $0), keepsParts: output.chosenFormat == .jsonl)
    }
    baseline = try output.writeBaseline.map { try StreamedFile(creating: PosixPath(argument: $0), keepsParts: false) }
    ledgerPath = ledger
    self.ledger = try isResumed ? nil : ledger.map { try StreamedFile(creating: $0, keepsParts: true) }
    before = try output.baseline.map { try AuditBaseline(reading: PosixPath(argument: $0)) }
    let failOn = gate.failOn
    form =
      switch output.chosenFormat {
      case .csv: AuditCSV()
      case .sarif: AuditSARIF()
      case .junit: AuditJUnit { failOn.holds($0) }
      case .jsonl, .text, .json, .html: nil
      }
    if let form { try put(form.begin()) }
  }

  /// The lines of an earlier run; counted in, unless they are to be written anew.
  ///
  /// - Parameter onChanged: told how many lines are about files that were written to since.
  func earlierLines(run: String, onChanged: (Int) -> Void) throws -> EarlierLines? {
    guard let lines else { return nil }
    // Nothing is written anew before it is clear that this is the run that goes on.
    let earlier = try EarlierLines(lines.path, run: run)
    // The ledger may lack what the last line says: it is made again from the lines that are there.
    ledger = try ledgerPath.map { try StreamedFile(continuing: $0, keepsLines: false) }
    let changed = try EarlierLines.changed(in: lines.path)
    if !changed.isEmpty {
      onChanged(changed.count)
      renewed = try StreamedFile(replacing: lines.path)
      return try EarlierLines(lines.path, run: run, changed: changed)
    }
    try forEachAuditLine(in: lines.path) { bytes in
      try count(Array(bytes.bytes) + [UInt8(ascii: "\n")], AuditLine(bytes, .whole, in: lines.path.description))
    }
    return earlier
  }

  /// The lines that were written anew are those of the file from here on.
  func catchUp() throws {
    guard let renewed else { return }
    try renewed.replace()
    lines = renewed
    self.renewed = nil
  }

  /// How much of a line is asked for.
  private var detail: AuditLine.Detail { form != nil || baseline != nil ? .whole : output.summary ? .facts : .standing }

  /// Takes a line with its line feed.
  func take(_ bytes: [UInt8]) throws { try take(bytes, AuditLine(bytes, detail)) }

  /// Takes many at once.
  func take(_ lines: [[UInt8]]) throws {
    let detail = detail
    let understood = concurrentlyUnderstood(lines) { try AuditLine($0, detail) }
    for (bytes, line) in zip(lines, understood) { try take(bytes, try line.get()) }
  }

  private func take(_ bytes: [UInt8], _ line: AuditLine) throws {
    try (renewed ?? lines)?.write(bytes)
    try count(bytes, line)
    if let text = form?.line(line) { return try put(text) }
    if !output.summary, lines == nil { try put(bytes) }
  }

  private func count(_ bytes: [UInt8], _ line: AuditLine) throws {
    lineCount += 1
    if line.output != nil { try ledger?.write(bytes) }
    if line.status.isStore { stores += 1 }
    if output.summary { summary.add(line) }
    gate.add(line)
    if let baseline, let text = AuditBaseline.text(for: line, before: before) { try baseline.write(Array(text.utf8)) }
  }

  /// Writes what comes at the end, and says how it stands.
  func finish(isQuiet: Bool) throws {
    let outcome = gate.outcome
    if let form { try put(form.end(outcome)) }
    if output.summary {
      summary.gate = outcome
      let isPlain = report != nil
      switch output.chosenFormat {
      case .json: try put(summary.json.text)
      case .html: try put(summary.html())
      case .text, .jsonl, .csv, .sarif, .junit:
        let width = isPlain ? 100 : output.width
        try put(summary.text(width: width, isStyled: !isPlain && output.isStyled, next: next))
      }
    }
    for file in [lines, report, baseline, ledger] { try file?.finish() }
    if !isQuiet, output.chosenFormat != .text || output.report != nil { outcome.tell() }
  }

  /// Nil where no store was held to what is demanded.
  var isPassed: Bool? { gate.outcome.isPassed }
  /// Whether nothing is demanded of stores.
  var demandsNothing: Bool { gate.outcome.demands.isEmpty }

  private func put(_ text: String) throws { try put(Array(text.utf8)) }

  private func put(_ bytes: [UInt8]) throws {
    if let report { return try report.write(bytes) }
    guard writeWhole(bytes, to: STDOUT_FILENO) else {
      throw OutputFileError(path: PosixPath("standard output"), code: errno)
    }
  }
}

extension AuditGate.Outcome {
  /// Each demand on standard error.
  fileprivate func tell() {
    for demand in demands {
      let examples =
        demand.isMet != false || demand.examples.isEmpty
        ? ""
        : ": " + demand.examples.prefix(3).map { escapedForTerminal($0.id ?? $0.path) }.joined(separator: ", ")
          + (demand.examples.count > 3 ? ", ..." : "")
      standardError(
        "storedoctor: \(demand.option): \(word(demand.isMet, "passed", "failed", "not asked")), \(demand.sentence)\(examples)"
      )
    }
  }
}
