import StoreAudit
import StoreDiagnosis
import StoreFindings
import ArgumentParser
import StoreSQLite

/// Where and in which format results are written.
struct AuditOutput: ParsableArguments, StyledOutput {
  /// The formats of the result.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case jsonl, csv, sarif, junit, text, json, html

    /// Whether it is a format for summaries and not for lines.
    var isOfSummary: Bool {
      switch self {
      case .text, .json, .html: true
      case .jsonl, .csv, .sarif, .junit: false
      }
    }
  }

  @Option(
    help: ArgumentHelp(
      "How to write the result: jsonl, csv, sarif or junit; with --summary text, json or html. (default: jsonl, or text)",
      valueName: "format"))
  var format: Format?

  @Option(help: ArgumentHelp("Write the result to this new file, and not to standard output.", valueName: "file"))
  var report: String?

  @Flag(help: "Replace the file of --report if it exists; never a database or a file that the audit reads.")
  var force = false

  @Option(
    name: .customLong("report-dir"),
    help: ArgumentHelp(
      """
      Write a page about each store into this new folder, as 'report' does, and index.html, the page of the audit, which leads \
      to them.
      """, valueName: "folder"), completion: .directory)
  var pageFolder: String?

  @Flag(help: "Fold all lines into one report: versions in the field, verdicts, what blocks, what cannot be read.")
  var summary = false

  @Option(
    name: .customLong("resume"),
    help: ArgumentHelp("Keep lines in this file, and go on after those that are there already.", valueName: "file"))
  var resume: String?

  @Option(
    name: .customLong("merge"), parsing: .upToNextOption,
    help: ArgumentHelp(
      "Read no store: put the lines of these files together, in the order of ids or paths.", valueName: "file"))
  var merged: [String] = []

  @Option(help: colorHelp)
  var color: ColorWish = .auto

  /// Throws for options that exclude each other.
  ///
  /// - Parameter knows: whether there is a baseline.
  func check(_ input: AuditInputArguments, knows: Bool) throws {
    if merged.isEmpty, input.isEmpty {
      throw ValidationError("say what to audit: files, folders, archives, --from FILE, or lines with --merge FILE")
    }
    if !merged.isEmpty, !input.isEmpty || input.shard != nil || resume != nil || knows {
      throw ValidationError(
        "--merge reads lines and no stores: leave PATH, --from, --shard, --resume and --baseline out")
    }
    if !merged.isEmpty, pageFolder != nil {
      throw ValidationError(
        "--merge reads lines and no stores, and --report-dir writes pages about stores: leave one out")
    }
    if force, report == nil { throw ValidationError("--force goes with --report") }
    if let format, format.isOfSummary != summary {
      throw ValidationError(
        summary
          ? "--summary is written as text, json or html; not as \(format.rawValue)"
          : "lines are written as jsonl, csv, sarif or junit; \(format.rawValue) goes with --summary")
    }
    if resume != nil, !summary, report != nil || chosenFormat != .jsonl {
      throw ValidationError(
        "--resume keeps the lines in its file; make other forms of them with 'storedoctor audit --merge FILE'")
    }
  }

  /// The format of the result.
  var chosenFormat: Format { format ?? (summary ? .text : .jsonl) }
}

/// What makes an audit fail, and what is known already.
struct AuditGateArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What makes the exit status 1: error, warning, note or never. (default: error; never with --min-migrates or --write-baseline)",
      valueName: "severity"))
  var failOn: Gate?

  @Option(help: ArgumentHelp("Fail unless every store has this version of the models.", valueName: "version"))
  var expectVersion: String?

  @Option(
    help: ArgumentHelp("Fail unless so many of all stores open or migrate, as in 99.9%.", valueName: "percent"))
  var minMigrates: Percentage?

  @Flag(help: "Fail where a store may hold more than what was read: WAL mode without a -wal, or one that was not read.")
  var requireComplete = false

  @Option(help: ArgumentHelp("Leave out what this file says is known.", valueName: "file"))
  var baseline: String?

  @Option(help: ArgumentHelp("Write what was found to a new file, as known from now on.", valueName: "file"))
  var writeBaseline: String?

  /// The contents of the baseline, which influence lines.
  var baselineText: String {
    get throws {
      guard let baseline else { return "" }
      let file = try EvidenceFile(PosixPath(argument: baseline))
      return String(decoding: try file.read(at: 0, count: Int(clamping: file.size)), as: UTF8.self)
    }
  }

  /// The gate, from the command line, else from the configuration.
  func gate(_ configuration: Configuration?, rehearsal: AuditRehearsalArguments) -> AuditGate {
    // Writing a baseline accepts what is there, and a required rate replaces the default gate.
    let silent: Gate? =
      if writeBaseline != nil { .never } else if minMigrates != nil { nil } else { configuration?.defaults.failOn }
    return AuditGate(
      failOn: failOn ?? silent, expectedVersion: expectVersion, minimumMigrates: minMigrates,
      rehearses: rehearsal.rehearse, failsOnLoss: rehearsal.failOnLoss, requiresComplete: requireComplete)
  }
}

extension Percentage: ExpressibleByArgument {
  /// Reads "99.9%".
  public init?(argument: String) { self.init(argument) }
}
