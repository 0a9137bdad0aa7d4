import ArgumentParser
import StoreRecovery

/// Which results `recover` shows.
struct RecoveryChoice: ParsableArguments {
  @Option(
    name: .customLong("entity"),
    help: ArgumentHelp("Only rows of this entity (or table). Repeatable.", valueName: "name"), completion: .entities)
  var entities: [String] = []

  @Option(help: "Only rows of this grade or a stronger one: proved, shown or implied.")
  var grade: RecoveredRow.Grade = .implied

  @Option(help: ArgumentHelp("Write at most so many rows; the text says how many were left out.", valueName: "count"))
  var limit: Int?

  @Flag(help: "Write counts alone: for each entity how many ever were, are, and are proved, shown, implied deleted.")
  var summary = false

  @Flag(
    help: """
      Show earlier versions of the store's model alone: former metadata and model caches. With --format json whole \
      models.
      """)
  var models = false

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is 0 or more") }
  }
}

/// What `recover` searches.
struct RecoveryScope: ParsableArguments {
  @Flag(
    name: .customLong("all"), help: "Search every store of a folder, an archive or a backup. For text, jsonl and csv.")
  var takesAll = false

  @Flag(name: .customLong("any-sqlite"), help: "Read any SQLite database, by its schema alone.")
  var anySQLite = false

  @Option(name: .customLong("wal"), help: logHelp, completion: .file())
  var logPath: String?

  @Option(
    help: ArgumentHelp(
      "Search again as an earlier report (json or jsonl) did, and compare every result and byte range.",
      valueName: "report"),
    completion: .file())
  var verify: String?
}

/// The earlier versions of a model by which `recover` reads rows.
struct FormerModelArguments: ParsableArguments {
  @Option(
    name: .customLong("model"),
    help: ArgumentHelp(
      "An earlier version of the app's model, by which rows that it wrote are read, beside those that are left in the file; of "
        + "a bundle all its versions. Repeatable.", valueName: "model"), completion: .file())
  var paths: [String] = []
}

/// How `recover` writes, and where to.
struct RecoveryOutput: ParsableArguments, StyledOutput {
  /// How results are written.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, jsonl, csv, html, caseUCO = "case" }

  @Option(
    help: """
      How to write the result: text, json, jsonl (a row each line), csv (a row each line, values in one cell), html (a \
      page), or case (CASE/UCO JSON-LD for a case file, of at most 20,000 results).
      """)
  var format: Format = .text

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "Write to this new file, which only you may read, in place of standard output.", valueName: "file"),
    completion: .file())
  var path: String?

  @Option(
    name: .customLong("case"),
    help: ArgumentHelp(
      "The case, for the first page of --format html, and for text, json and case.", valueName: "name"))
  var caseName: String?

  @Option(help: ArgumentHelp("Who examines, likewise.", valueName: "name"))
  var examiner: String?

  @Option(help: colorHelp)
  var color: ColorWish = .auto
}

extension RecoveredRow.Grade: ExpressibleByArgument {}
