import StorePlatform
import StoreWords
import StoreAudit
import StoreDiagnosis
import StoreModels
import ArgumentParser
import StoreSQLite
import StoreReports

/// An audit with the options of the command line.
struct AuditCommand {
  let input: AuditInputArguments
  let work: AuditWork
  let looks: AuditLooks
  let output: AuditOutput
  private let readings: SourceReadings
  /// The arguments behind `audit`, which its workers get too.
  private let arguments: [String]

  init(
    input: AuditInputArguments, work: AuditWork, looks: AuditLooks, output: AuditOutput,
    arguments: [String] = Array(CommandLine.arguments.dropFirst(2))
  ) {
    self.arguments = arguments
    self.input = input
    self.work = work
    var looks = looks
    if looks.anonymizing.anonymize { looks.keys = .random(isOne: looks.anonymizing.oneMapping) }
    self.looks = looks
    self.output = output
    readings = looks.candidates.readings
  }

  func run() throws {
    try input.requireThere()
    let configuration = try AuditConfiguration(looks.configuration, input)
    if let settings = configuration.settings, !work.quiet {
      standardError("storedoctor: settings of \(quoted(settings.path.description)) hold; --no-config leaves them out")
    }
    try looks.check(output, input: input, configuration: configuration.settings, readings: readings)
    let pages = try output.pageFolder.map { try AuditPages($0, looks: looks, work: work, log: input.logPath) }
    let next = AuditNextCommands(input: input, work: work, looks: looks, output: output).value
    let results = try AuditResults(
      output, looks.gate.gate(configuration.settings, rehearsal: looks.rehearsal), of: looks.gate,
      ledger: try looks.recipe.ledger(input.input.shard),
      isResumed: output.resume != nil,
      next: next, run: pageRun, madeFrom: looks.sources(configuration.settings?.path) + input.lists + input.path)
    let progress = AuditProgress(input.input, isQuiet: work.quiet || !output.merged.isEmpty)
    do {
      defer { progress?.clear() }
      if output.merged.isEmpty {
        try auditStores(into: results, progress: progress, configuration: configuration)
      } else {
        try mergeAuditLines(output.merged.map { PosixPath(argument: $0) }, body: results.take)
      }
    }
    // A shard may have no stores, and without a gate none are required.
    let lacksStores = results.stores == 0 && input.shard == nil && !results.demandsNothing
    // Lines that are not about stores explain why there are none.
    if !lacksStores || results.lineCount > 0 { try results.finish(isQuiet: work.quiet, pages: pages) }
    if lacksStores { throw NoStoreFound(places: input.path + input.lists, merged: output.merged) }
    if results.isPassed == false { throw ExitCode(1) }
  }

  /// The facts about this audit on the page.
  private var pageRun: AuditPageRun {
    AuditPageRun(
      moment: reportMoment(), places: output.merged.isEmpty ? input.path + input.lists : output.merged,
      isOfLines: !output.merged.isEmpty, models: looks.candidates.models,
      arguments: Array(CommandLine.arguments.dropFirst()))
  }

  private func auditStores(
    into results: AuditResults, progress: AuditProgress?, configuration: AuditConfiguration
  ) throws {
    let baseline = results.before
    let run = try settings(configuration)
    let earlier = try results.earlierLines(run: run.run) { count in
      guard !work.quiet else { return }
      standardError(
        "storedoctor: stores of \(count) \(count == 1 ? "line" : "lines") of \(quoted(output.resume ?? "")) changed since; "
          + "they are looked at again")
    }
    progress?.goOn(after: results.lineCount)
    let repetitions = try eachLine(
      configuration, settings: run, baseline: baseline, after: earlier, onCaughtUp: results.catchUp
    ) { line in
      try results.take(line)
      progress?.count()
    }
    if repetitions.count > 0, !work.quiet {
      progress?.clear()
      let names = repetitions.first.map { quoted($0.description) }.joined(separator: ", ")
      let others = repetitions.count > repetitions.first.count ? ", ..." : ""
      standardError("storedoctor: named more than once, and looked at once: \(names)\(others)")
    }
  }

  private func settings(_ configuration: AuditConfiguration) throws -> AuditSettings {
    try looks.settings(
      of: work, configuration: configuration.settings, output: output, log: input.log, readings: readings)
  }

  /// Audits the stores, and hands each line over as it comes; nothing is written.
  func eachLine(_ write: @escaping ([UInt8]) throws -> Void) throws {
    try input.requireThere()
    let configuration = try AuditConfiguration(looks.configuration, input)
    _ = try eachLine(configuration, settings: settings(configuration), write: write)
  }

  private func eachLine(
    _ configuration: AuditConfiguration, settings: AuditSettings, baseline: AuditBaseline? = nil,
    after earlier: EarlierLines? = nil, onCaughtUp: @escaping () throws -> Void = {},
    write: @escaping ([UInt8]) throws -> Void
  ) throws -> Repetitions {
    var stores = input.input
    let looks = looks
    stores.admit = {
      try configuration.requireApart($0)
      try looks.requireApart($0)
    }
    var environment = workerEnvironment
    if let keys = looks.keys { environment[AuditAnonymizing.Keys.variable] = keys.text }
    var options = AuditOptions(
      stores, worker: workerCommand(configuration), environment: environment, readings: readings,
      jobs: work.jobs, timeout: .milliseconds(Int(work.timeout * 1000)), temporaryFolder: .forTemporaryFiles,
      known: { baseline?.entries(of: $0) ?? [] }, interruption: Interruption.descriptor)
    options.writesCopies = settings.recipe?.outputFolder != nil
    return try audit(options, after: earlier, onCaughtUp: onCaughtUp) { item, problem in
      AuditedStore(item, problem, run: settings.run, known: baseline?.entries(of: item.key) ?? []).line
    } write: {
      try write($0)
    }
  }

  /// This program with the same arguments, which a worker interprets as this process does.
  private func workerCommand(_ configuration: AuditConfiguration) -> (program: String, arguments: [String]) {
    let worker = readings.isEmpty ? "--worker" : "--informed-worker"
    return (programPath, ["audit", worker] + configuration.arguments + arguments)
  }
}

/// Reported when a whole audit found no store, since something was probably misspelled.
private struct NoStoreFound: Error, CustomStringConvertible {
  let places: [String]
  let merged: [String]

  var description: String {
    guard merged.isEmpty else { return "no line of \(listed(merged)) is about a store" }
    return "found no store in \(listed(places)); files are told by content, so what is there is no Core Data store, or "
      + "lies behind a link, in an archive in an archive, or in a folder that could not be listed"
  }

  private func listed(_ names: [String]) -> String {
    names.prefix(3).map(quoted).joined(separator: ", ") + (names.count > 3 ? ", ..." : "")
  }
}
