import ArgumentParser
import StoreAnonymizing
import StoreCoreData
import StoreDiagnosis
import StoreModels
import StorePublishing
import StoreReports
import StoreSQLite
import StoreWords

/// `storedoctor anonymize STORE --output PATH`.
struct AnonymizeCommand: ParsableCommand, StyledOutput {
  static let configuration = CommandConfiguration(
    commandName: "anonymize",
    abstract: "Write a copy of a store with the same faults and nobody's values, and prove it.",
    discussion: """
      For a bug report, or a test: the copy has the schema, model, hashes, keys, links, order and NULLs of STORE, and the same \
      findings. Texts become others of the same length, script and case; equal ones stay equal, also where only case or marks \
      differ. Numbers keep sign and magnitude, and stay where they are true or false, or few and small. All dates move by the \
      same number of days. UUIDs become others, alike everywhere. Bytes keep their length and kind, and archives their classes. \
      What is not known is replaced. With --sizes rough \
      lengths of texts and bytes are those of their class, and with --sample a part of the objects is copied: then the copy has \
      no finding that STORE has not, and what is missing is listed. The copy is written anew, without free pages and without a log, so that nothing that was \
      deleted is in it. What replaces a value is computed with a key that is made for the run and thrown away.

      Before the copy gets its name, it is diagnosed and compared with STORE, and searched for every run of six bytes that a \
      replaced value has. If any of this fails, nothing is written, and the message says which.

      It is a pseudonymised copy, not an anonymous one in the law's sense: numbers of rows, links, lengths and the times between \
      dates can tell those who know the data whose it is. What was kept is listed; look at it before you send the copy on.

      EXIT STATUS
        0   written and proved
        2   nothing was written: the store is damaged, a proof failed, or something
            is not understood
        64  wrong usage

      EXAMPLES
        storedoctor anonymize Notes.sqlite --output ToSend.sqlite
        storedoctor anonymize Notes.sqlite --output ToSend.sqlite \\
          --keep Note.state --drop Attachment
        storedoctor anonymize Notes.sqlite --output ToSend.sqlite --policy-out p.yaml
        storedoctor anonymize Notes.sqlite --output ToSend.sqlite --policy p.yaml
        storedoctor anonymize Notes.sqlite --output Small.sqlite --sample 100 \\
          --sizes rough
      """)

  @Argument(help: "The store, or a folder, bundle or archive with exactly one store.", completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp("Write the copy to this path, readable by you alone. STORE is only read.", valueName: "path"),
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp("What becomes of attributes, in YAML as --policy-out writes it.", valueName: "file"),
    completion: .file())
  var policy: String?

  @Option(
    help: ArgumentHelp(
      "Write what was decided for each attribute, and why, to a file that does not exist.", valueName: "file"))
  var policyOut: String?

  @Option(
    help: ArgumentHelp(
      "Keep the values of this attribute, or of all of an entity. Repeatable.", valueName: "entity[.attribute]"))
  var keep: [String] = []

  @Option(
    help: ArgumentHelp(
      "Put NULL in the place of these values; objects and links stay. Repeatable.", valueName: "entity[.attribute]"))
  var drop: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Whether lengths of texts and bytes stay (exact), or become the end of their class (rough): 1, 2, 3, 4, 6, 8, 12, 16, \
      24 and so on.
      """, valueName: "exact|rough"))
  var sizes: AnonymizingSizes = .exact

  @Option(
    help: ArgumentHelp(
      """
      Copy at most so many objects of each entity, those that findings name first, and the objects that these cannot be \
      without. Other links become NULL.
      """, valueName: "n"))
  var sample: Int?

  @OptionGroup(title: "Models whose verdicts have to be the same") var candidates: CandidateArguments

  @Option(
    help: ArgumentHelp(
      "Describe the store with this model in place of its model cache: a model, or a bundle with its version.",
      valueName: "model"), completion: .file())
  var storeModel: String?

  @Flag(help: "Replace an existing output, with its side files and support folder.")
  var force = false

  @Flag(name: .customLong("without-wal"), help: "Read the main file alone, without its write-ahead log.")
  var withoutWAL = false

  @Option(name: .customLong("wal"), help: logHelp, completion: .file())
  var logPath: String?

  @Flag(help: "Show no progress.")
  var quiet = false

  @Option(help: "How to write the result: text or json.")
  var format: OutputOptions.Format = .text

  @Option(help: colorHelp)
  var color: ColorWish = .auto

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if logPath != nil, withoutWAL {
      throw ValidationError("--wal names the write-ahead log to read; omit --without-wal")
    }
    if let sample, !(1...1_000_000).contains(sample) {
      throw ValidationError("--sample is a number from 1 to 1,000,000")
    }
    if let both = Set(keep).intersection(drop).sorted(by: codeUnitsPrecede).first {
      throw ValidationError("\(quoted(both)) is given to --keep and to --drop")
    }
  }

  func run() throws {
    let progress = ProgressLine("anonymizing \(store)", isQuiet: quiet)
    try reported {
      defer { progress?.clear() }
      let path = PosixPath(argument: store)
      let readings = candidates.readings
      var diagnosis = DiagnosisOptions(
        storeModel: try storeModel.map { try readModel(PosixPath(argument: $0), readings: readings) },
        candidates: try candidates.options(nil, readings: readings, store: path))
      diagnosis.examples = 0
      var options = AnonymizingOptions(
        policy: try decisions(), sizes: sizes, sample: sample, diagnosis: diagnosis, ignoresWAL: withoutWAL)
      options.onProgress = progress?.reportStep
      var opening = Store.Options()
      opening.log = logPath.map { PosixPath(argument: $0) }
      let given = [store, policy, storeModel, logPath].compactMap(\.self) + candidates.models
      let located = try StoreLocator.locate(path)
      let target = OutputTarget(
        PosixPath(argument: output), replaces: force, protected: given.map { PosixPath(argument: $0) } + [located])
      let policyFile = policyOut.map { PosixPath(argument: $0) }
      if let policyFile, FileSystem.kind(of: policyFile, followingLinks: false) != nil {
        throw OutputFileError(path: policyFile, message: "it exists; name another file, or remove it")
      }
      let result = try anonymize(located, opening: opening, to: target, options)
      progress?.clear()
      if let policyFile { try write(result.policy, to: policyFile) }
      let done = "all the same it was written: \(quoted(output))"
      switch format {
      case .text:
        try standardOutput(result.text(width: width, isStyled: isStyled, next: next), done: done)
      case .json: try standardOutput(result.json.text, done: done)
      }
    }
  }

  private func decisions() throws -> AnonymizingPolicy {
    var decisions = AnonymizingPolicy()
    if let policy { decisions = try AnonymizingPolicy(file: policy) }
    for name in keep { decisions.decide(name, .keep) }
    for name in drop { decisions.decide(name, .drop) }
    return decisions
  }

  private var next: [String] {
    [
      "storedoctor diagnose \(shellQuoted(output))",
      "storedoctor rows \(shellQuoted(output))",
    ]
  }
}
