import ArgumentParser
import CoreDataStore
import SQLite
import StoreDoctor
import StoreReports

/// `storedoctor diagnose STORE`.
struct Diagnose: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Find what is wrong with a store, down to the rows.",
    discussion: """
      Every check looks at the store's own metadata, entity map, relationships and rows; each table is read once. \
      Nothing is written. STORE is a file of any name, or a folder or bundle that holds exactly one store.

      With --model it says what would happen on opening the store with that model: opens, migrates, blocked-by-data, \
      needs-custom-stage, unknown-version or damaged, with the error code the app prints, and names the change or the \
      rows that stand in the way. A bundle stands for all its versions, its current one deciding; of several models \
      the last decides.

      EXIT STATUS
        0   done, no finding at the gate (--fail-on, error unless said otherwise)
        1   done, findings at the gate or above
        2   could not do the work
        64  wrong usage

      EXAMPLES
        storedoctor diagnose Notes.sqlite
        storedoctor diagnose Notes.sqlite --model Notes.momd
        storedoctor diagnose Notes.sqlite --model Notes.momd --stage-skeleton swiftdata
        storedoctor diagnose Notes.sqlite --model V1.mom --model V2.mom --opening staged
        storedoctor diagnose Notes.sqlite --check dangling-reference --examples 100
        storedoctor diagnose Notes.sqlite --skip SD410 --fail-on warning
        storedoctor diagnose Trips.sqlite --unique Trip.name,startDate
        storedoctor diagnose Notes.sqlite --format json | jq '.findings[] | {id, entity, property, count}'
        storedoctor diagnose Notes.sqlite --format sarif --report notes.sarif
      """)

  @Argument(help: "The store: a file of any name, or a folder or bundle with exactly one store.")
  var store: String

  @OptionGroup var candidates: CandidateArguments

  @OptionGroup var checks: CheckOptions

  @Option(help: ArgumentHelp("The most examples of a finding.", valueName: "n"))
  var examples = 5

  @Option(
    help: ArgumentHelp(
      "Describe the store with this model in place of its model cache: a model, or a bundle with its version.",
      valueName: "model"))
  var storeModel: String?

  @Option(
    help: ArgumentHelp(
      "Look for duplicates as if these attributes had to be unique together. Repeatable.",
      valueName: "entity.attribute[,attribute]"))
  var unique: [String] = []

  @Flag(
    name: .customLong("cloudkit"), help: "Hold the model against CloudKit's rules even if the store is not mirrored.")
  var judgesAsMirrored = false

  @Flag(name: .customLong("without-wal"), help: "Read the main file alone, without its write-ahead log.")
  var withoutWAL = false

  @Flag(
    inversion: .prefixedNo,
    help: "Hold each index against its table (integrity_check); without, pages and rows only (quick_check).")
  var integrity = true

  @Option(help: "What makes the exit status 1: error, warning, note or never.")
  var failOn: Gate = .error

  @Flag(help: "Show no progress while reading a large store.")
  var quiet = false

  @OptionGroup var output: DiagnosisOutput

  /// From which severity on a finding makes the exit status 1.
  enum Gate: String, ExpressibleByArgument, CaseIterable {
    case error, warning, note, never

    /// Whether findings of this severity are at the gate.
    func holds(_ severity: Severity) -> Bool {
      switch self {
      case .error: severity >= .error
      case .warning: severity >= .warning
      case .note: true
      case .never: false
      }
    }
  }

  func validate() throws {
    guard examples >= 0 else { throw ValidationError("--examples is a number from 0 on") }
    for key in unique where UniqueKey(key) == nil {
      throw ValidationError("--unique is an entity and its attributes, as in Trip.name,startDate; not '\(key)'")
    }
  }

  private func write(_ skeleton: CandidateArguments.Skeleton, of diagnosis: Diagnosis) {
    guard let advice = diagnosis.deciding?.advice else {
      return standardError("storedoctor: no stage is needed: " + diagnosis.verdictLine)
    }
    switch skeleton {
    case .swiftdata: standardOutput(SwiftDataStages.text(advice))
    case .staged: standardOutput(ManagerStages.text(advice))
    }
  }

  func run() throws {
    let progress = ProgressLine("reading \(store)", isQuiet: quiet)
    let selected = try checks.selected
    try reported {
      defer { progress?.clear() }
      let diagnosis = try diagnose(
        PosixPath(argument: store),
        opening: Store.Options(ignoresWAL: withoutWAL, onProgress: progress?.report),
        options: DiagnosisOptions(
          examples: examples, storeModel: try storeModel.map { try readModel(PosixPath(argument: $0)) },
          integrity: integrity ? .full : .quick, unique: unique.compactMap { UniqueKey($0) },
          judgesAsMirrored: judgesAsMirrored, candidates: try candidates.options),
        with: selected)
      progress?.clear()
      if let skeleton = candidates.stageSkeleton {
        write(skeleton, of: diagnosis)
      } else {
        try output.write(diagnosis, checks: selected, store: PosixPath(argument: store), isAtGate: failOn.holds)
      }
      if let worst = diagnosis.worstSeverity, failOn.holds(worst) { throw ExitCode(1) }
    }
  }
}

/// Which checks are run; shared by the commands that diagnose.
struct CheckOptions: ParsableArguments {
  @Option(
    name: .customLong("check"),
    help: ArgumentHelp("Run this check only, by id or name. Repeatable.", valueName: "id|name"))
  var only: [String] = []

  @Option(
    name: .customLong("skip"),
    help: ArgumentHelp("Leave this check out, by id or name. Repeatable.", valueName: "id|name"))
  var skipped: [String] = []

  /// The checks to run.
  var selected: [Check] {
    get throws {
      let wanted = try only.map(named)
      let unwanted = Set(try skipped.map(named).map(\.id))
      let ids = Set(wanted.map(\.id))
      return Check.all.filter { (wanted.isEmpty || ids.contains($0.id)) && !unwanted.contains($0.id) }
    }
  }

  private func named(_ name: String) throws -> Check {
    guard let check = Check.named(name) else {
      throw ValidationError("there is no check '\(name)'; they are called like SD401 or dangling-reference")
    }
    return check
  }
}
