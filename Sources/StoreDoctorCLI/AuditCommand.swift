import ArgumentParser
import CoreDataStore
import Dispatch
import SQLite
import StoreDoctor
import StoreReports
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An audit as the command line asks for it.
struct AuditCommand {
  let input: AuditInputArguments
  let work: AuditWork
  let looks: AuditLooks
  let output: AuditOutput
  private let readings = SourceReadings()

  init(input: AuditInputArguments, work: AuditWork, looks: AuditLooks, output: AuditOutput) {
    self.input = input
    self.work = work
    self.looks = looks
    self.output = output
  }

  func run() throws {
    try looks.check(output, input, readings)
    let results = try AuditResults(output, ledger: try looks.ledger(), isResumed: output.resume != nil)
    let progress = AuditProgress(input.input, isQuiet: work.quiet || !output.merged.isEmpty)
    do {
      defer { progress?.clear() }
      if output.merged.isEmpty {
        try auditStores(results, progress)
      } else {
        try mergeAuditLines(output.merged.map { PosixPath(argument: $0) }) {
          try results.take($0 + [UInt8(ascii: "\n")])
        }
      }
    }
    try results.finish(isQuiet: work.quiet)
    // A part of a fleet may be without a store, and whoever wants no gate may have none at all.
    if results.stores == 0, input.shard == nil, output.failOn != .never {
      throw NoStoreFound(places: input.path + input.lists + output.merged)
    }
    if !results.isPassed || results.hasFailedRepairs { throw ExitCode(1) }
  }

  private func auditStores(_ results: AuditResults, _ progress: AuditProgress?) throws {
    let settings = try looks.settings(work, input, output, readings)
    let baseline = results.before
    let earlier = try results.earlierLines(run: settings.run)
    let options = AuditOptions(
      input.input, worker: workerCommand, environment: workerEnvironment, readings: readings, jobs: work.jobs,
      timeout: .milliseconds(Int(work.timeout * 1000)), temporaryFolder: .forTemporaryFiles,
      known: { baseline?.entries(of: $0) ?? [] }, interruption: Interruption.descriptor)
    try audit(options, after: earlier) { item, problem in
      AuditedStore(item, problem, run: settings.run, known: baseline?.entries(of: item.key) ?? []).line
    } write: { line in
      try results.take(line)
      progress?.count()
    }
  }

  /// This program with the same arguments: what a worker makes of them is what this process makes of them.
  private var workerCommand: (program: String, arguments: [String]) {
    (programPath, ["audit", readings.isEmpty ? "--worker" : "--informed-worker"] + CommandLine.arguments.dropFirst(2))
  }

  private var programPath: String {
    #if os(Linux)
      if let path = try? PosixPath("/proc/self/exe").resolved() { return path.description }
    #endif
    return CommandLine.arguments[0]
  }

  /// The same, but that a crash of a worker is answered at once, and not after minutes of making a trace of it.
  private var workerEnvironment: [String: String] {
    var environment: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let words = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if words.count == 2 { environment[String(words[0])] = String(words[1]) }
      next += 1
    }
    environment["SWIFT_BACKTRACE"] = "enable=no"
    return environment
  }
}

/// A whole audit without a single store is a mistake in what was named.
private struct NoStoreFound: Error, CustomStringConvertible {
  let places: [String]

  var description: String {
    "found no store in \(places.prefix(3).map(quoted).joined(separator: ", "))\(places.count > 3 ? ", ..." : ""); "
      + "files are told by content, so what is there is no Core Data store, or lies in a folder that could not be listed"
  }
}

/// Takes the lines of an audit as they come: to files, into the form that was asked for, and against the gate.
private final class AuditResults {
  private let output: AuditOutput
  private let lines: StreamedFile?
  private let report: StreamedFile?
  private let baseline: StreamedFile?
  private let ledgerPath: PosixPath?
  private var ledger: StreamedFile?
  /// What was known before.
  let before: AuditBaseline?
  private var form: (any AuditLineWriter)?
  private var summary = AuditSummary()
  private var gate: AuditGate
  private(set) var hasFailedRepairs = false
  private(set) var stores = 0

  init(_ output: AuditOutput, ledger: PosixPath?, isResumed: Bool) throws {
    self.output = output
    gate = output.gate
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

  /// The lines of an earlier run, counted in.
  func earlierLines(run: String) throws -> EarlierLines? {
    guard let lines else { return nil }
    // Nothing is written anew before it is clear that this is the run that goes on.
    let earlier = try EarlierLines(lines.path, run: run)
    // The ledger may lack what the last line says: it is made again from the lines that are there.
    ledger = try ledgerPath.map { try StreamedFile(continuing: $0, keepsLines: false) }
    try forEachAuditLine(in: lines.path) { bytes in
      try count(Array(bytes.bytes) + [UInt8(ascii: "\n")], AuditLine(bytes, .whole, in: lines.path.description))
    }
    return earlier
  }

  /// Takes a line with its line feed.
  func take(_ bytes: [UInt8]) throws {
    try lines?.write(bytes)
    let line = try AuditLine(bytes, form == nil && baseline == nil ? .facts : .whole)
    try count(bytes, line)
    if let text = form?.line(line) { return try put(text) }
    if !output.summary, lines == nil { try put(bytes) }
  }

  private func count(_ bytes: [UInt8], _ line: AuditLine) throws {
    if line.output != nil { try ledger?.write(bytes) }
    if line.status.isStore { stores += 1 }
    if output.summary { summary.add(line) }
    if line.output?.outcome == "failed" { hasFailedRepairs = true }
    gate.add(line)
    if let baseline, let text = AuditBaseline.text(for: line, before: before) { try baseline.write(Array(text.utf8)) }
  }

  /// Writes what comes at the end, and says how it stands.
  func finish(isQuiet: Bool) throws {
    if let form { try put(form.end()) }
    let outcome = gate.outcome
    if output.summary {
      summary.gate = outcome
      let isPlain = report != nil
      switch output.chosenFormat {
      case .json: try put(summary.json.text)
      case .html: try put(summary.html())
      case .text, .jsonl, .csv, .sarif, .junit:
        try put(summary.text(width: isPlain ? 100 : output.style.width, isStyled: !isPlain && output.style.isStyled))
      }
    }
    for file in [lines, report, baseline, ledger] { try file?.finish() }
    if !isQuiet, output.chosenFormat != .text || output.report != nil { outcome.tell() }
  }

  var isPassed: Bool { gate.outcome.isPassed }

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
        demand.isMet || demand.examples.isEmpty
        ? ""
        : ": " + demand.examples.prefix(3).map { escapedForTerminal($0.id ?? $0.path) }.joined(separator: ", ")
          + (demand.examples.count > 3 ? ", ..." : "")
      standardError(
        "storedoctor: \(demand.option): \(demand.isMet ? "passed" : "failed"), \(demand.sentence)\(examples)")
    }
  }
}

/// How far an audit has come, on a terminal: stores, how many a second, and how long it will take.
private final class AuditProgress: Sendable {
  private let line: ProgressLine
  private let total = Atomic<Int>(-1)
  private let done = Atomic<Int>(0)
  private let start = ContinuousClock.now

  init?(_ input: AuditInput, isQuiet: Bool) {
    guard let line = ProgressLine("auditing", isQuiet: isQuiet) else { return nil }
    self.line = line
    // Lists can be read only once.
    guard input.lists.isEmpty else { return }
    DispatchQueue.global(qos: .utility).async { [weak self] in
      let count = countEntries(input) { self == nil }
      if let count { self?.total.store(count, ordering: .relaxed) }
    }
  }

  func count() {
    let done = done.add(1, ordering: .relaxed).newValue
    let seconds = Double((ContinuousClock.now - start).components.seconds) + 1
    let total = total.load(ordering: .relaxed)
    let rate = Double(done) / seconds
    let rest = total > done && done > 20 ? ", " + timeLeft(Double(total - done) / rate) : ""
    line.reportStep("\(done)\(total >= done ? " of \(total)" : "") stores, \(Int(rate)) a second\(rest)")
  }

  func clear() { line.clear() }

  private func timeLeft(_ seconds: Double) -> String {
    seconds < 90 ? "\(Int(seconds) + 1) s left" : "\(Int(seconds / 60) + 1) min left"
  }
}

/// A signal that asks to end comes as something that can be read, so that what is in the air is cleaned up.
private enum Interruption {
  /// Becomes readable.
  static let descriptor: Int32? = {
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // What a shell or nohup has it ignore stays ignored.
      let before = signal(number) { _ in interrupted() }
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
    // A reader that has gone shows where it is written to.
    signal(SIGPIPE, SIG_IGN)
    return ends[0]
  }()

  nonisolated(unsafe) fileprivate static var ends: [Int32] = [-1, -1]
}

private func interrupted() {
  var byte: UInt8 = 1
  _ = write(Interruption.ends[1], &byte, 1)
}
