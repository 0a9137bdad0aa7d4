import ArgumentParser
import StoreCoreData
import StoreModels
import StorePublishing
import StoreReports
import StoreSalvage
import StoreSQLite
import StoreWords

/// `storedoctor salvage STORE --output PATH`.
struct SalvageCommand: ParsableCommand, StyledOutput {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Write a new, valid store with all that can be read of a damaged one.",
    discussion: """
      Every page with rows is read, whether something leads to it or not: a page is of a table when its tree, the pointer map or \
      its rows say so and its keys are missing there. Where the header or the schema is lost, they are made from the pages and \
      the model: the store's own model cache, found by its content, or the one given with --store-model. Keys, entities, links, \
      metadata, model cache and history are the store's own where they can be read; what was made anew is named. Indexes and \
      triggers are made again.

      A row is written when its page adds up and its long values are whole. One of which a part is lost, which lies on a damaged \
      page, or of which there are two, is left out and listed; --doubtful writes these, too, with NULL for what is lost. What was \
      deleted is not written: 'recover' shows it.

      External files beside the store are copied. The new store is diagnosed before it gets its name. STORE is only read, and \
      'salvage' of a sound store writes an equal one.

      EXIT STATUS
        0   written, with all rows
        1   written; rows are lost, or were left out as doubtful
        2   nothing could be saved, or it could not be written
        64  wrong usage

      EXAMPLES
        storedoctor salvage Damaged.sqlite --output Saved.sqlite
        storedoctor salvage Damaged.sqlite --store-model Notes.momd --output Saved.sqlite
        storedoctor salvage Damaged.sqlite --doubtful --output All.sqlite
        storedoctor salvage Damaged.sqlite --output Saved.sqlite --format json
      """)

  @Argument(help: "The damaged store, or a folder, bundle or archive with exactly one store.", completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp("Write the new store to this path. STORE is only read.", valueName: "path"), completion: .file())
  var output: String

  @Flag(help: "Write doubtful rows, too, with NULL for what is lost of them.")
  var doubtful = false

  @OptionGroup(title: "The model that made the store, where it has lost its own") var storeModel: StoreModelArguments

  @Flag(help: "Replace an existing output, with its side files and support folder.")
  var force = false

  @OptionGroup(title: HelpGroup.state) var log: LogArguments

  @Option(help: "How to write the result: text or json.")
  var format: OutputOptions.Format = .text

  @Option(help: colorHelp)
  var color: ColorWish = .auto

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func run() throws {
    try reported {
      let path = try StoreLocator.locate(PosixPath(argument: store))
      let model = try storeModel.source(of: store)?.decidingVersion().whole().model
      let options = SalvageOptions(
        keepsDoubtful: doubtful, usesLog: !log.isLeftOut, log: log.file, model: model)
      let target = OutputTarget(
        PosixPath(argument: output), replaces: force,
        protected: ([store] + [storeModel.path, log.path].compactMap(\.self)).map { PosixPath(argument: $0) } + [path])
      let salvage = try salvage(path, to: target, options)
      let done = "all the same it was written: \(quoted(output))"
      switch format {
      case .text:
        try standardOutput(salvage.text(width: width, isStyled: isStyled, next: nextCommands(salvage)), done: done)
      case .json: try standardOutput(salvage.json.text, done: done)
      }
      if !salvage.isWhole { throw ExitCode(1) }
    }
  }

  private func nextCommands(_ salvage: Salvage) -> [String] {
    var next = ["storedoctor diagnose \(shellQuoted(output))"]
    if salvage.diagnosis.findings.contains(where: { $0.id.hasPrefix("SD3") }) {
      next.append("storedoctor repair \(shellQuoted(output)) --dangling nullify --output Repaired.sqlite")
    }
    if salvage.doubtful > 0, !doubtful {
      next.append("storedoctor salvage \(shellQuoted(store)) --doubtful --output All.sqlite")
    }
    return next
  }
}
