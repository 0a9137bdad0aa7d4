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
struct AnonymizeCommand: ParsableCommand {
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

  @OptionGroup(title: HelpGroup.place) var destination: CopyDestination

  @OptionGroup(title: "What becomes of values") var values: ValueArguments

  @OptionGroup(title: HelpGroup.output) var output: AnonymizingOutput

  @OptionGroup(title: "Models whose verdicts have to be the same") var candidates: CandidateArguments

  @OptionGroup(title: HelpGroup.description) var model: RepairModelArguments

  @OptionGroup(title: HelpGroup.state) var log: LogArguments

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func run() throws {
    let progress = ProgressLine("anonymizing \(store)", isQuiet: output.quiet)
    try reported {
      defer { progress?.clear() }
      let path = PosixPath(argument: store)
      let readings = candidates.readings
      var diagnosis = DiagnosisOptions(
        storeModel: try model.storeModel.map { try readModel(PosixPath(argument: $0), readings: readings) },
        candidates: try candidates.options(nil, readings: readings, store: path))
      diagnosis.examples = 0
      var options = AnonymizingOptions(
        policy: try decisions(), sizes: values.sizes, sample: values.sample, diagnosis: diagnosis,
        ignoresWAL: log.isLeftOut)
      options.onProgress = progress?.reportStep
      var opening = Store.Options()
      opening.log = log.file
      let given = [store, values.policy, model.storeModel, log.path].compactMap(\.self) + candidates.models
      let located = try StoreLocator.locate(path)
      let target = OutputTarget(
        PosixPath(argument: destination.output), replaces: destination.force,
        protected: given.map { PosixPath(argument: $0) } + [located])
      let policyFile = values.policyOut.map { PosixPath(argument: $0) }
      if let policyFile, FileSystem.kind(of: policyFile, followingLinks: false) != nil {
        throw OutputFileError(path: policyFile, message: "it exists; name another file, or remove it")
      }
      let result = try anonymize(located, opening: opening, to: target, options)
      progress?.clear()
      if let policyFile { try write(result.policy, to: policyFile) }
      let done = "all the same it was written: \(quoted(destination.output))"
      switch output.format {
      case .text:
        try standardOutput(result.text(width: output.width, isStyled: output.isStyled, next: next), done: done)
      case .json: try standardOutput(result.json.text, done: done)
      }
    }
  }

  private func decisions() throws -> AnonymizingPolicy {
    var decisions = AnonymizingPolicy()
    if let policy = values.policy { decisions = try AnonymizingPolicy(file: policy) }
    for name in values.keep { decisions.decide(name, .keep) }
    for name in values.drop { decisions.decide(name, .drop) }
    return decisions
  }

  private var next: [String] {
    [
      "storedoctor diagnose \(shellQuoted(destination.output))",
      "storedoctor rows \(shellQuoted(destination.output))",
    ]
  }
}
