import ArgumentParser
import StoreDataModel
import StoreJSON
import StoreModels
import StoreRecovery
import StoreReports
import StoreSQLite
import StoreSystem
import StoreWords

/// `storedoctor recover STORE`.
struct Recover: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Show what is left of deleted objects, and earlier versions of objects.",
    discussion: """
      Every version of every page is searched: unused space of live pages, free pages, superseded pages of the \
      file, its write-ahead log and its rollback journal, and persistent history. Nothing is changed. Each result \
      has its entity and key where they are known, its values, what is missing, and the bytes it was read from.

        proved    a delete change in the history, also one that was trimmed and is
                  still in the file, or a commit of the log that has the row before
                  one that has not
        shown     the bytes of a row whose key is not in use, or not known
        implied   a key that was handed out and is not in use; the object may never
                  have been saved

      "deleted" does not mean that a person deleted it: cascades, merges, sync and trimming look the same.

      Rows that an earlier version of the model wrote are read by that version, as far as the file still tells of it \
      (former model caches, Z_PRIMARYKEY, metadata, statements of the schema) or --model gives it; each says so. Rows that \
      lost their key are "undecided": deleted, or versions of what is there. "never-committed" rows are in a transaction \
      that the app did not finish. "unreachable" rows are of tables that are damaged: deleted, or there and out of reach.

      Of a store that is too damaged to be opened, the rows that 'storedoctor salvage' would save tell what is there; what \
      they leave open is said, and none is called deleted that may be live.

      The time of a deletion lies between the last witness of the object and the first one without it: changes in the \
      history, and commits of the log that wrote history. With --since and --until a result stays if its time may lie \
      inside; of how many nothing is known is said.

      With --all STORE is a folder, an archive, a backup or a device's file system, and every store in it is searched, one \
      after the other. What could not be read is said, and makes the exit status 2.

      EXAMPLES
        storedoctor recover Notes.sqlite
        storedoctor recover Notes.sqlite --summary
        storedoctor recover Notes.sqlite --entity Note --grade shown
        storedoctor recover Notes.sqlite --format jsonl --grade proved
        storedoctor recover Notes.sqlite --since 2024-03-01 --until 2024-03-04
        storedoctor recover Notes.sqlite --format html > recovered.html
        storedoctor recover Notes.sqlite --format html --case 12/2024 --examiner 'A. Smith' --output case-12.html
        storedoctor recover Notes.sqlite --format case > recovered.jsonld
        storedoctor recover Notes.sqlite --format json --output report.json
        storedoctor recover Notes.sqlite --verify report.json
        storedoctor recover Notes.sqlite --models
        storedoctor recover Notes.sqlite --model Old.xcdatamodeld
        storedoctor recover places.db --any-sqlite
        storedoctor recover Backup/ --all --summary
        storedoctor recover Extraction.zip --all --format csv --grade proved > gone.csv
      """)

  @Argument(help: "The store, or with --any-sqlite any SQLite database.", completion: .file())
  var store: String

  @OptionGroup(title: "Which results") var choice: RecoveryChoice

  @OptionGroup(title: HelpGroup.period) var period: PeriodArguments

  @OptionGroup(title: "What is searched") var scope: RecoveryScope

  @OptionGroup(title: HelpGroup.output) var output: RecoveryOutput

  @OptionGroup(title: "The models that rows are read by") var former: FormerModelArguments

  @OptionGroup(title: "The models that rows are read by") var storeModel: StoreModelArguments

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if scope.anySQLite, !former.paths.isEmpty {
      throw ValidationError("--any-sqlite reads by the schema alone; omit it, or --model")
    }
    if scope.anySQLite, storeModel.path != nil {
      throw ValidationError("--any-sqlite reads by the schema alone; omit it, or --store-model")
    }
    if scope.takesAll { try checkAll() }
    if choice.summary, period.since != nil || period.until != nil {
      throw ValidationError("--summary counts what is left of all times; omit --since and --until")
    }
    if choice.models,
      scope.anySQLite || choice.summary || scope.verify != nil || choice.limit != nil || !choice.entities.isEmpty
        || period.since != nil
        || period.until != nil
    {
      throw ValidationError(
        "--models shows versions of the model, not rows; omit --any-sqlite, --summary, --verify, --limit, --entity, --since "
          + "and --until")
    }
    if choice.models, output.format != .text, output.format != .json {
      throw ValidationError("--models is written as text or json; not as \(output.format.rawValue)")
    }
    if output.caseName != nil || output.examiner != nil,
      scope.verify != nil || output.format == .csv || output.format == .jsonl
    {
      throw ValidationError("--case and --examiner stand on a report; omit them with --verify, --format csv and jsonl")
    }
    if scope.verify != nil, output.path != nil { throw ValidationError("--verify writes a few lines; omit --output") }
    if scope.verify != nil, output.format != .text { throw ValidationError("--verify writes text; omit --format") }
    if choice.summary, output.format != .text, output.format != .json {
      throw ValidationError("--summary has no rows, which --format \(output.format.rawValue) writes; use --format json")
    }
  }

  func run() throws {
    try reported {
      if let verify = scope.verify {
        try runVerify(verify)
        return
      }
      if scope.takesAll { return try runAll() }
      returnFreedMemory()
      let started = reportMoment()
      let path = PosixPath(argument: store)
      let models = try readFormerModels()
      var recovery =
        try scope.anySQLite
        ? recoverRows(path, log: log)
        : recoverPastDamage(path, log: log, formerModels: models, describedBy: storeModel.source(of: store))
      try choose(from: &recovery, models.map(\.name))
      let file = try output.path.map {
        try StreamedFile(creating: PosixPath(argument: $0), keepsParts: false, mode: 0o600)
      }
      try write(recovery, started: started) { text in
        if let file {
          var text = text
          try text.withUTF8 { try file.write(UnsafeRawBufferPointer($0)) }
        } else {
          try standardOutput(text)
        }
      }
      try recovery.checkUnchanged()
      try file?.finish()
    }
  }

  private var log: PosixPath? { scope.logPath.map { PosixPath(argument: $0) } }

  /// The versions that are given, each with its name.
  func readFormerModels() throws -> [(name: String, model: Model)] {
    try former.paths.flatMap { path in
      let source = try readModel(PosixPath(argument: path))
      return source.versions.map { ("\(path)\(source.versions.count > 1 ? "#" + $0.name : "")", $0.model) }
    }
  }

  /// Leaves out what was not asked for.
  func choose(from recovery: inout Recovery, _ formerModels: [String]) throws {
    if !choice.entities.isEmpty { try checkEntities(recovery) }
    var wanted = Recovery.Choice()
    wanted.entities = choice.entities
    wanted.grade = choice.grade
    (wanted.since, wanted.until) = (try period.start, try period.end)
    wanted.limit = choice.limit
    wanted.models = formerModels
    recovery.caseName = output.caseName
    recovery.examiner = output.examiner
    wanted.part = choice.models ? .models : choice.summary && output.format == .json ? .summary : nil
    recovery.choose(wanted)
  }

  /// The most results of a case file, which is made in memory: each takes some 6 KB of it, and 25 KB until it is written.
  private static let mostInCase = 20_000

  private func write(
    _ recovery: Recovery, started: Int64, to put: (String) throws -> Void
  ) throws {
    if choice.models {
      return try put(
        output.format == .json
          ? recovery.json(withModels: true).text : recovery.modelsText(width: output.width, isStyled: output.isStyled))
    }
    switch output.format {
    case .json: try recovery.writeJSON(to: put)
    case .jsonl:
      tellNotes(recovery)
      for row in recovery.rows { try put(Recovery.line(row)) }
    case .csv:
      tellNotes(recovery)
      try put(Recovery.csvHeader)
      for row in recovery.rows { try put(Recovery.csvLine(row)) }
    case .html: try recovery.writeHTML(RecoveryRun(of: recovery, started: started), to: put)
    case .caseUCO:
      guard recovery.rows.count <= Self.mostInCase else {
        throw ValidationError(
          "a case file names each value, and \(grouped(Int64(recovery.rows.count))) results are more than a program reads "
            + "(\(grouped(Int64(Self.mostInCase)))); choose some with --entity, --grade, --since, --until or --limit, or use "
            + "--format json")
      }
      try put(recovery.caseJSON(RecoveryRun(of: recovery, started: started)).text)
    case .text:
      try recovery.writeText(width: output.width, isStyled: output.isStyled, isSummary: choice.summary, to: put)
    }
  }

  /// Tells the notes that formats of rows alone have no place for.
  func tellNotes(_ recovery: Recovery) {
    for note in recovery.notes { standardError("storedoctor: note: \(escapedForTerminal(note))") }
  }

  private func checkEntities(_ recovery: Recovery) throws {
    let known = Set(
      recovery.rows.flatMap { [$0.entity, $0.table] } + recovery.summary.flatMap { [$0.name, $0.table] })
    for name in choice.entities where recovery.isStore && !known.contains(name) {
      throw ValidationError("no entity or table '\(name)' here; without --entity all are shown")
    }
  }

  private func runVerify(_ report: String) throws {
    let bytes = try EvidenceFile(PosixPath(argument: report))
    let result = try verifyReport(
      try bytes.read(at: 0, count: Int(clamping: bytes.size)), path: PosixPath(argument: store), log: log,
      formerModels: readFormerModels(),
      opening: .searching(PosixPath(argument: store), log: log, describedBy: storeModel.source(of: store)))
    for difference in result.differences.prefix(20) { standardError("storedoctor: \(difference)") }
    if result.differences.count > 20 {
      standardError("storedoctor: and \(result.differences.count - 20) more differences")
    }
    try standardOutput(
      "\(result.equalRanges) of \(result.ranges) byte ranges are as in the report\n"
        + "\(result.equalResults) of \(result.results) results are as they are read again\n"
        + result.remarks.map { "note: \($0)\n" }.joined()
        + (result.differences.isEmpty ? "" : "not as in the report\n"))
    if !result.differences.isEmpty { throw ExitCode(1) }
  }
}
