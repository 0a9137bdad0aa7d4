import StoreJSON
import StorePublishing
import StoreWords
import StoreRepair
import ArgumentParser
import StoreCoreData
import StoreSQLite
import StoreReports

/// Where a repaired store goes; shared by the commands that change one.
struct DestinationArguments: ParsableArguments {
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp("Write a repaired copy to this path. STORE is only read.", valueName: "path"),
    completion: .file())
  var outputPath: String?

  @Flag(help: "Change STORE itself. A journal beside it lets 'storedoctor undo' take that back.")
  var inPlace = false

  @Option(
    help: ArgumentHelp("The folder for the journal of --in-place, which must not exist.", valueName: "folder"),
    completion: .directory)
  var journal: String?

  @Flag(help: "Replace an existing output, with its side files and support folder.")
  var force = false

  func validate() throws {
    if outputPath != nil, inPlace { throw ValidationError("--output and --in-place are two ways; choose one") }
    if journal != nil, !inPlace { throw ValidationError("--journal goes with --in-place") }
    if force, outputPath == nil { throw ValidationError("--force goes with --output") }
  }
}

/// What a repair may do; shared by the commands that change a store.
struct AllowanceArguments: ParsableArguments {
  @Flag(help: "Allow repairs that lose something.")
  var allowLossy = false

  @Flag(help: "Allow changes of the metadata.")
  var allowMetadata = false

  @Flag(help: "Allow deleting rows of a store that CloudKit mirrors.")
  var allowMirrored = false

  @Flag(help: "Allow values that the model's own validation forbids.")
  var allowInvalid = false

  @Flag(name: .customLong("accept-wal"), help: "Repair although the write-ahead log may be another store's.")
  var acceptsWAL = false
}

/// Where a repair goes, with which log it reads the store, and what it may do.
struct RepairPlace {
  var destination: DestinationArguments
  var log: LogArguments
  var allowed: AllowanceArguments

  /// - Throws: `ValidationError` for options that exclude each other.
  init(_ destination: DestinationArguments, _ log: LogArguments, _ allowed: AllowanceArguments) throws {
    (self.destination, self.log, self.allowed) = (destination, log, allowed)
    guard destination.inPlace else { return }
    if log.path != nil {
      throw ValidationError("--in-place changes a store with the log beside it; use --output with --wal")
    }
    if log.isLeftOut {
      throw ValidationError("--in-place cannot leave the write-ahead log out; use --output with --without-wal")
    }
  }

  /// Whether nothing is to be written but a plan.
  var isDryRun: Bool { destination.outputPath == nil && !destination.inPlace }

  /// The destination; nil for a dry run.
  func destination(protecting protected: [PosixPath]) -> RepairDestination? {
    if let path = destination.outputPath {
      return .output(
        OutputTarget(
          PosixPath(argument: path), replaces: destination.force, acceptsWAL: allowed.acceptsWAL,
          leavesOutWAL: log.isLeftOut, protected: protected + [log.file].compactMap(\.self)))
    }
    return destination.inPlace ? .inPlace(journal: destination.journal.map { PosixPath(argument: $0) }) : nil
  }

  /// The permissions; with `--require`, only for a result that migrates.
  func allowance(requiring requirement: RequirementArguments) -> RepairAllowance {
    RepairAllowance(
      lossy: allowed.allowLossy, metadata: allowed.allowMetadata, mirrored: allowed.allowMirrored,
      invalid: allowed.allowInvalid, requiresMigration: requirement.require == .migrates)
  }

  /// The options without which the store would be read otherwise.
  var asGiven: [String] {
    (log.isLeftOut ? ["--without-wal"] : []) + (log.path.map { ["--wal", $0] } ?? [])
      + (allowed.acceptsWAL ? ["--accept-wal"] : [])
  }
}

/// How a plan is written, or what was done; for `repair`.
struct PlanOutput: ParsableArguments, StyledOutput {
  /// The formats of a plan; an outcome is text or JSON.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, html }

  @Option(help: "How to write the result: text, json, or html (a page of the plan for whoever signs it off).")
  var format: Format = .text

  @Option(help: colorHelp)
  var color: ColorWish = .auto

  @Flag(help: "Show values of rows: what objects are known by, what changes, what differs. Without it keys alone.")
  var showValues = false

  @Option(
    help: ArgumentHelp(
      "How many rows or groups of each operation a plan shows: 10 in text, 1000 on a page. JSON has all.",
      valueName: "number"))
  var examples: Int?

  @Option(help: ArgumentHelp("Write the plan to a file that does not exist, readable by you alone.", valueName: "file"))
  var planOut: String?

  @Flag(help: "Show no progress.")
  var quiet = false

  @Flag(
    help: "Say on standard error how long each step took, and which objects an output has otherwise than its source.")
  var verbose = false

  func validate() throws {
    if let examples, examples < 0 { throw ValidationError("--examples takes a number from 0 on") }
  }

  /// Writes a plan.
  func write(_ plan: RepairPlan, of store: Store, next: [String]) throws {
    switch format {
    case .text:
      let review = try StoreRepair.review(plan, of: store, examples: examples ?? 10, showsValues: showValues)
      try standardOutput(plan.text(width: width, isStyled: isStyled, review: review, next: next))
    case .json: try standardOutput(plan.json(toolVersion: toolVersion, showsValues: showValues).text)
    case .html:
      let review = try StoreRepair.review(plan, of: store, examples: examples ?? 1000, showsValues: showValues)
      try standardOutput(plan.html(review: review, showsValues: showValues, next: next, command: givenCommand))
    }
  }

  /// For what was done.
  var outcome: RepairOutput {
    var output = RepairOutput()
    output.format = format == .json ? .json : .text
    output.color = color
    output.showValues = showValues
    return output
  }
}

/// How a plan or its outcome is written.
struct RepairOutput: ParsableArguments, StyledOutput {
  @Option(help: "How to write the result: text or json.")
  var format: OutputOptions.Format = .text

  @Option(help: colorHelp)
  var color: ColorWish = .auto

  @Flag(help: "Show the values that rows get; without it plans show keys and counts only.")
  var showValues = false

  func write(_ outcome: RepairOutcome) throws {
    // If the result cannot be printed, the error still says what was written, and where the journal is.
    let places = [outcome.store] + (outcome.journal.map { [$0] } ?? [])
    let repaired = "all the same " + outcome.verdictLine + ": " + places.map(quoted).joined(separator: ", journal ")
    switch format {
    case .text: try standardOutput(outcome.text(width: width, isStyled: isStyled), done: repaired)
    case .json: try standardOutput(outcome.json.text, done: repaired)
    }
  }

  func write(_ outcome: UndoOutcome, of journal: String) throws {
    let undone = "all the same " + outcome.verdictLine
    switch format {
    case .text: try standardOutput(outcome.text(of: journal, width: width, isStyled: isStyled), done: undone)
    case .json: try standardOutput(outcome.json(of: journal).text, done: undone)
    }
  }
}
