import ArgumentParser

/// Where a migrated copy goes.
struct MigrationDestination: ParsableArguments {
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp("Write the migrated copy to this path. STORE is only read.", valueName: "path"),
    completion: .file())
  var path: String?

  @Flag(help: "Print the statements and the loss, and write nothing.")
  var dryRun = false

  @Flag(help: "Replace an existing output, with its side files and support folder.")
  var force = false
}

/// What a migration may do.
struct MigrationAllowance: ParsableArguments {
  @Flag(help: allowAssumedHelp)
  var allowAssumed = false

  @Flag(help: "Write the result although a recipe deletes objects or loses values.")
  var allowLossy = false

  @Flag(name: .customLong("accept-wal"), help: "Migrate although the write-ahead log may be another store's.")
  var acceptsWAL = false
}

/// The Swift that is written of the stages.
struct StageCodeArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "With --perform: write the Swift of these stages to this file, for SwiftData or NSStagedMigrationManager.",
      valueName: "file"), completion: .file())
  var stageSwift: String?
}

/// How what was done is written.
struct MigrationOutput: ParsableArguments, StyledOutput {
  @Option(help: "How to write the result: text or json.")
  var format: OutputOptions.Format = .text

  @Flag(help: "Print the statements after migrating, too.")
  var statements = false

  @Option(
    help: ArgumentHelp(
      "With --dry-run: hold the statements against this log, which the app wrote with -com.apple.CoreData.SQLDebug 1.",
      valueName: "log"), completion: .file())
  var against: String?

  @Flag(help: "Show no progress.")
  var quiet = false

  @Flag(help: "Say on standard error how long each step took.")
  var verbose = false

  @Option(help: colorHelp)
  var color: ColorWish = .auto
}
