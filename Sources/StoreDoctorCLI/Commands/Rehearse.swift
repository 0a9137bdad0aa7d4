import ArgumentParser
import StoreAudit
import StoreDiagnosis
import StoreModels
import StorePlatform
import StoreReports
import StoreSQLite
import StoreSwiftCode
import StoreText
import StoreWords

/// `storedoctor rehearse PATH... --model M`.
struct Rehearse: ParsableCommand, StyledOutput {
  static let configuration = CommandConfiguration(
    commandName: "rehearse",
    abstract: "Perform the migration of many stores in private, and say what became of each: a gate for CI.",
    discussion: """
      PATH is a file, a folder that is searched for stores, or a .tar, .tar.gz or .zip, as for 'audit'. Each store is judged, \
      migrated on a private copy that vanishes, diagnosed with the model and compared with itself object by object. Stores \
      are read by worker processes; nothing is written near them.

      A store passes if it opens as it is, or was migrated as it was judged. A custom stage is code of the app, which is not \
      run here: such a store is "not rehearsed", and fails, unless --perform puts a recipe in its place. What is known by inference only needs --allow-assumed, as for \
      'migrate'. What the new version has no place for is listed under Lost; --fail-on-loss makes it fail.

      With --test-skeleton no store is read: PATH is a new folder, in which a sample store of every older version is made, \
      with a file of tests for a device. They copy each store, open it as the app does, and ask for the counts, values and \
      links that a rehearsal here gives. A version that is not migrated here has a test that is disabled, with the reason.

      EXIT STATUS
        0   all stores pass; with --test-skeleton, every version has a test
        1   some do not
        2   the run itself failed, a PATH does not exist, or there was no store
        64  wrong usage

      EXAMPLES
        storedoctor rehearse Shipped/ --model Notes.xcdatamodeld
        storedoctor rehearse Shipped/ --model Notes.momd --fail-on-loss \\
          --format junit > rehearsal.xml
        storedoctor rehearse --from stores.txt --model Notes.momd \\
          --keep-results Migrated/
        storedoctor rehearse --test-skeleton swift-testing Tests/Migration \\
          --model Notes.xcdatamodeld
      """)

  @OptionGroup var input: AuditInputArguments

  @OptionGroup(title: "The model they are migrated to") var candidates: CandidateArguments

  @OptionGroup(title: HelpGroup.settings) var configuration: ConfigurationOptions

  @OptionGroup(title: HelpGroup.plan) var stages: StageArguments

  @Flag(help: allowAssumedHelp)
  var allowAssumed = false

  @Flag(help: "A store that loses something in its migration (SD809) fails, too.")
  var failOnLoss = false

  @Option(
    help: ArgumentHelp("Keep the migrated copies in this folder, which must not exist.", valueName: "folder"),
    completion: .directory)
  var keepResults: String?

  @Option(
    help: ArgumentHelp(
      "Write tests of the migration for a device, swift-testing or xctest, into the new folder PATH, with stores for them.",
      valueName: "framework"))
  var testSkeleton: MigrationTests.Style?

  @OptionGroup(title: "How the work is done") var work: AuditWork

  /// The formats of a rehearsal.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, jsonl, junit, html }

  @Option(help: "How to write the result: text, json, jsonl (a line for each store, as of audit), junit or html.")
  var format: Format = .text

  @Option(help: colorHelp)
  var color: ColorWish = .auto

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  @Flag(help: .hidden)
  var worker: Audit.Worker?

  func validate() throws {
    guard worker == nil else { return }
    try input.check()
    if testSkeleton != nil { try checkSkeleton() }
    if input.isEmpty { throw ValidationError("name stores, folders or archives, or a list with --from") }
    if candidates.models.isEmpty { throw ValidationError("say to which model: --model MODEL") }
  }

  private func checkSkeleton() throws {
    guard input.path.count == 1, input.lists.isEmpty, input.shard == nil else {
      throw ValidationError(
        "--test-skeleton takes one PATH, the new folder for the tests; stores are made, and none is read")
    }
    guard format == .text, keepResults == nil, !failOnLoss, candidates.toVersion == nil else {
      throw ValidationError(
        "--test-skeleton does not go with --format, --keep-results, --fail-on-loss and --to-version")
    }
  }

  func run() throws {
    try reported {
      if let testSkeleton { return try writeTests(testSkeleton) }
      if let worker {
        let all = candidates.assuming(try configuration.named())
        let readings = try worker == .informed ? SourceReadings(handedOver: (), defines: all.terms) : all.readings
        try serveAudit(try settings(readings), memory: work.memoryBytes) { $0.line }
      }
      try rehearse()
    }
  }

  private func settings(_ readings: SourceReadings) throws -> AuditSettings {
    var diagnosis = DiagnosisOptions(integrity: .quick)
    diagnosis.candidates = try candidates.options(nil, readings: readings).openingStaged
    return AuditSettings(
      diagnosis: diagnosis, log: input.log,
      rehearsal: AuditRehearsal(
        allowsAssumed: allowAssumed, stages: try stages.stages,
        outputFolder: keepResults.map { PosixPath(argument: $0) }),
      isTimed: true, toolVersion: toolVersion)
  }

  private func writeTests(_ style: MigrationTests.Style) throws {
    let folder = input.path.first ?? ""
    let settings = try configuration.load(forSourceBeside: [])
    let tests = try RehearseSkeleton(
      style: style, folder: PosixPath(argument: folder), candidates: candidates.assuming(settings),
      stages: try stages.stages,
      allowsAssumed: allowAssumed
    ).make()
    try standardOutput(tests.summary(of: folder, width: width, isStyled: isStyled))
    if !tests.isComplete { throw ExitCode(1) }
  }

  private func rehearse() throws {
    try input.requireThere()
    if let keepResults { try makeFolder(PosixPath(argument: keepResults)) }
    let configuration = try AuditConfiguration(configuration, input)
    let readings = candidates.assuming(configuration.settings).readings
    let settings = try settings(readings)
    let progress = AuditProgress(input.input, isQuiet: work.quiet, verb: "rehearsing")
    var stores = input.input
    stores.admit = { try configuration.requireApart($0) }
    var options = AuditOptions(
      stores,
      worker: (
        programPath,
        ["rehearse", readings.isEmpty ? "--worker" : "--informed-worker"] + configuration.arguments
          + CommandLine.arguments.dropFirst(2)
      ), environment: workerEnvironment, readings: readings, jobs: work.jobs,
      timeout: .milliseconds(Int(work.timeout * 1000)), temporaryFolder: .forTemporaryFiles,
      interruption: Interruption.descriptor)
    options.writesCopies = keepResults != nil
    var rehearsal = Rehearsal(failsOnLoss: failOnLoss)
    do {
      defer { progress?.clear() }
      try audit(options) { item, problem in
        AuditedStore(item, problem, run: settings.run).line
      } write: { bytes in
        let line = try AuditLine(bytes)
        progress?.count()
        if let entry = Rehearsal.Entry(line) { rehearsal.entries.append(entry) }
        if format == .jsonl { try standardOutput(String(decoding: bytes, as: UTF8.self)) }
      }
    }
    guard !rehearsal.entries.isEmpty else { throw NothingToRehearse(places: input.path + input.lists) }
    switch format {
    case .text: try standardOutput(rehearsal.text(width: width, isStyled: isStyled))
    case .json: try standardOutput(rehearsal.json.text)
    case .jsonl: break
    case .junit: try standardOutput(rehearsal.jUnit)
    case .html:
      let facts = candidates.models.map { PageFact("model", $0) }
      try standardOutput(
        rehearsal.html(
          made: DateText.text(secondsSince1970: Int(reportMoment() / 1_000_000_000)), command: givenCommand, facts))
    }
    if !rehearsal.isPassed { throw ExitCode(1) }
  }

  private func makeFolder(_ path: PosixPath) throws {
    guard path.withCString({ mkdir($0, 0o700) }) == 0 else {
      throw OutputFileError(
        path: path, message: "this folder cannot be made; --keep-results names one that does not exist yet")
    }
  }
}

/// No store was found.
private struct NothingToRehearse: Error, CustomStringConvertible {
  let places: [String]

  var description: String {
    "found no store in \(places.prefix(3).map(quoted).joined(separator: ", "))\(places.count > 3 ? ", ..." : ""); files are told "
      + "by content"
  }
}
