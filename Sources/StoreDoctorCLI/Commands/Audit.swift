import StoreAnonymizing
import StoreAudit
import StoreDiagnosis
import StoreModels
import ArgumentParser
import StorePlatform
import StoreReports

/// `storedoctor audit PATH...`.
struct Audit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Diagnose thousands of stores: one line each, one report, a gate for CI.",
    discussion: """
      PATH is a file, a folder that is searched for stores (by content, whatever they are called), or a .tar, .tar.gz or \
      .zip. Stores are read by worker processes, so one that is damaged, hostile, huge or slow costs one line and never \
      the run. Lines come in the order of the input, whatever the number of jobs. Nothing is written \
      near the stores; links are not followed.

      With --anonymize the folder of --output-dir gets a copy of each store that has the same faults and nobody's values; a \
      store that is refused is named with the reason, and the others go on. The names of the copies are of chance: keep the \
      lines, which say whose they are, and do not send them on. --timeout and --memory hold for the copy, too.

      EXIT STATUS
        0   done, no store at the gate
        1   done, stores at the gate (an unreadable store is an error), copies of --apply or --anonymize
            that were not written, or stores that --rehearse did not migrate as they were judged
        2   the run itself failed, a PATH does not exist, or there was no store
        64  wrong usage

      EXAMPLES
        storedoctor audit Backups/ > stores.jsonl
        storedoctor audit Backups/ --model Notes.xcdatamodeld --resume stores.jsonl
        storedoctor audit --merge stores.jsonl --summary
        storedoctor audit --merge stores.jsonl --summary --format html \\
          --report fleet.html
        find /srv/tickets -name '*.zip' -print0 \\
          | storedoctor audit --from - -0 --model Notes.momd
        storedoctor audit Shipped/ --model Sources/ --fail-on error
        storedoctor audit Shipped/ --model Notes.momd --min-migrates 99.9% \\
          --baseline known.jsonl
        storedoctor audit Backups/ --recipe clean-up.yaml --apply \\
          --output-dir Repaired/
        storedoctor audit --from stores.txt --shard 3/8 > part-3.jsonl
        storedoctor audit Shipped/ --model Notes.momd --rehearse --summary
        storedoctor audit Tickets/ --anonymize --output-dir ToSend/ \\
          --fail-on never > whose.jsonl
      """)

  @OptionGroup var input: AuditInputArguments

  @OptionGroup var files: AuditFileArguments

  @OptionGroup(title: HelpGroup.model) var candidates: CandidateArguments

  @OptionGroup(title: HelpGroup.checks) var checks: CheckOptions<Check>

  @OptionGroup(title: HelpGroup.checks) var diagnosis: DiagnosisArguments

  @OptionGroup(title: "What comes of it") var output: AuditOutput

  @OptionGroup(title: "What makes it fail") var gate: AuditGateArguments

  @OptionGroup(title: "Repairs of copies") var recipe: AuditRecipeArguments

  @OptionGroup(title: "A rehearsal of the migration") var rehearsal: AuditRehearsalArguments

  @OptionGroup(title: "Copies without anybody's values") var anonymizing: AuditAnonymizingArguments

  @OptionGroup(title: "How the work is done") var work: AuditWork

  @OptionGroup(title: HelpGroup.settings) var configuration: ConfigurationOptions

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  /// How this program starts itself as a worker; `informed` if it passes on Swift source that was read.
  enum Worker: EnumerableFlag {
    case plain, informed

    static func name(for value: Self) -> NameSpecification {
      switch value {
      case .plain: .customLong("worker")
      case .informed: .customLong("informed-worker")
      }
    }

    static func help(for value: Self) -> ArgumentHelp? { .hidden }
  }

  @Flag(help: .hidden)
  var worker: Worker?

  func validate() throws {
    guard worker == nil else { return }
    try input.check()
    try output.check(input, knows: gate.baseline != nil)
    if recipe.outputFolder != nil, !recipe.apply, !anonymizing.anonymize, output.merged.isEmpty {
      throw ValidationError("--output-dir goes with --apply or with --anonymize")
    }
    if anonymizing.anonymize, recipe.outputFolder == nil {
      throw ValidationError("--anonymize and --output-dir go together")
    }
    if anonymizing.anonymize, recipe.apply {
      throw ValidationError("--anonymize copies stores as they are; leave out --apply, or audit the repaired copies")
    }
    if rehearsal.failOnLoss, !rehearsal.rehearse, output.merged.isEmpty {
      throw ValidationError("--fail-on-loss goes with --rehearse, or with --merge and lines of such a run")
    }
    let names = looks.names + (work.timings ? ["--timings"] : [])
    if !output.merged.isEmpty, let name = names.first {
      throw ValidationError(
        "--merge reads lines and no stores: what \(name) asks was decided when the lines were made; leave it out, or "
          + "audit the stores again")
    }
  }

  private var looks: AuditLooks {
    AuditLooks(
      candidates: candidates, checks: checks, diagnosis: diagnosis, files: files, configuration: configuration,
      recipe: recipe, rehearsal: rehearsal, anonymizing: anonymizing, gate: gate)
  }

  func run() throws {
    try reported {
      if let worker {
        let readings =
          try worker == .informed ? SourceReadings(handedOver: (), defines: candidates.terms) : candidates.readings
        var looks = looks
        // Only a worker of this run knows them, and each line says what its copy is called.
        if anonymizing.anonymize {
          looks.keys = workerEnvironment[AuditAnonymizing.Keys.variable].flatMap { AuditAnonymizing.Keys(text: $0) }
          guard looks.keys != nil else {
            throw ValidationError("--anonymize is not for workers that are started by hand")
          }
        }
        let settings = try looks.settings(
          of: work, configuration: looks.configuration.named(), output: output, log: input.log, readings: readings)
        try serveAudit(settings, memory: work.memoryBytes) { $0.line }
      }
      try AuditCommand(input: input, work: work, looks: looks, output: output).run()
    }
  }
}
