import ArgumentParser
import StoreModels
import StoreDiagnosis
import StoreDataModel
import StoreFindings
import StoreSQLite
import StoreSourceLint

/// What was shipped, which `lint` holds the source against.
struct ShippedArguments: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp(
      "A store that was shipped: one of the versions has to have its hashes. Repeatable.", valueName: "store"),
    completion: .file())
  var stores: [String] = []

  @Option(name: .customLong("wal"), help: logHelp, completion: .file())
  var logPath: String?

  @Option(
    help: ArgumentHelp("Hashes of released versions, which 'storedoctor model pin' wrote.", valueName: "file"),
    completion: .file())
  var pins: String?

  @Option(
    help: ArgumentHelp(
      "A git repository, bare or not: versions have to be as in the source of its releases.", valueName: "folder"),
    completion: .directory)
  var git: String?

  @Option(
    help: ArgumentHelp(
      "With --git: which tags are releases, as in 'v*'; all where no branches or commits are named.", valueName: "glob")
  )
  var tags: String?

  @Option(
    help: ArgumentHelp(
      "With --git: which branches have releases at their tips, as in 'release/*'.", valueName: "glob"))
  var branches: String?

  @Option(
    help: ArgumentHelp(
      "With --git: a commit that was shipped, or v1..main for each of a range that changed Swift files. Repeatable.",
      valueName: "commit"))
  var commits: [String] = []

  func validate() throws {
    if logPath != nil, stores.count != 1 {
      throw ValidationError("--wal names the write-ahead log of one store; give that one with --store")
    }
    if git == nil, let option = releaseOptions.first { throw ValidationError("\(option) belongs to --git") }
  }

  /// The options given that say what was released from the repository.
  private var releaseOptions: [String] {
    [(tags != nil, "--tags"), (branches != nil, "--branches"), (!commits.isEmpty, "--commits")].filter(\.0).map(\.1)
  }

  /// The releases of the repository; nil without one.
  var releases: SourceReleases? {
    git.map {
      SourceReleases(
        repository: $0, tags: tags, branches: branches, commits: commits, temporaryFolder: .forTemporaryFiles)
    }
  }
}

/// Edits and copies that `lint` makes of the source.
struct EditArguments: ParsableArguments {
  @Flag(help: "Show what is certain to mend as a diff; with --in-place, write it.")
  var fix = false

  @Flag(help: "With --fix: write the files.")
  var inPlace = false

  @Option(
    help: ArgumentHelp("Print a self-contained copy of this schema, and look for no mistakes.", valueName: "schema"))
  var freeze: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "With --freeze: what the copy is called, an unused name or its own; the next in the row of versions unless given.",
      valueName: "name"))
  var copyName: String?

  func validate() throws {
    if copyName != nil, freeze == nil { throw ValidationError("--as belongs to --freeze") }
    if inPlace, !fix { throw ValidationError("--in-place belongs to --fix") }
  }
}

/// What is told of Swift source besides its files.
struct SourceTermArguments: ParsableArguments {
  @Option(help: defineHelp)
  var define: [String] = []

  @Option(help: assumeHelp)
  var assume: [AssumedType] = []

  /// What they and a configuration say.
  func terms(_ configuration: Configuration?) -> [String] {
    define + (assume + (configuration?.defaults.assume ?? [])).map(\.term)
  }
}

/// How `lint` writes, where to, and what makes it fail.
struct LintOutput: ParsableArguments, StyledOutput {
  /// The formats of the result.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, sarif, junit, xcode, github }

  @Option(
    help: """
      How to write the result: text, json, sarif (code scanning), junit (CI servers), xcode (a line for each finding, \
      for run scripts) or github (annotations).
      """)
  var format: Format = .text

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp("Write the result to this new file, and not to standard output.", valueName: "file"),
    completion: .file())
  var path: String?

  @Flag(help: "Replace the file of --report if it exists; never a database or Swift source.")
  var force = false

  @Option(help: "What makes the exit status 1: error, warning, note or never. (default: error)")
  var failOn: Gate?

  @Option(help: colorHelp)
  var color: ColorWish = .auto

  func validate() throws {
    if force, path == nil { throw ValidationError("--force replaces the file of --report; name one") }
  }
}
