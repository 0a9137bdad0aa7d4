import ArgumentParser
import StoreCoreData
import StoreDiagnosis
import StoreInspection
import StorePlatform
import StoreRecovery
import StoreReports
import StoreRows
import StoreSalvage
import StoreSQLite
import StoreWords
import StoreYAML

/// `storedoctor report STORE --output FILE.html`.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write one page about a store, for a browser: verdict, findings, entities, sizes.",
    discussion: """
      The page is one file that loads nothing and needs no script: for an issue, a customer, a case. It says in plain words \
      what is wrong, what to do first and what is not known; what the store is, with the SHA-256 of its files; with --model \
      what becomes of it with each version; the findings with their rows, the command that shows them and the one that \
      explains them; the entities with their attributes, links, delete rules, NULLs and different values; who saved when, by the \
      history and the log, with deletions by their grade; what takes the room; and how to repeat it. It judges by the same rules \
      as 'diagnose', and says all that it says.

      It has no values of rows, unless --show-values asks for the smallest and the largest of each attribute, --timeline for each \
      event, or --rows for the rows: then dates of objects are on the axis of time too, a small script filters and sorts the rows, \
      and without it the first 200 of each entity show. --recover puts deleted objects and earlier versions where they were, \
      marked. Of a store that is too damaged to be opened the page says so, what 'storedoctor salvage' would save, and shows what \
      was found in its pages. With --rows and an --output that ends with / the pages of a folder are written: index.html, and for each entity one \
      or several pages; links lead from page to page. The folder must not exist, or be empty.

      The file of --case is YAML: number, examiner, reference, note; each is optional.

      EXIT STATUS
        0   written
        2   could not do the work
        64  wrong usage

      EXAMPLES
        storedoctor report Notes.sqlite --output Notes.html
        storedoctor report Notes.sqlite --model Notes.momd --output Notes.html
        storedoctor report Notes.sqlite --case case.yaml --output Notes.html
        storedoctor report Notes.sqlite --rows --recover --output Rows.html
        storedoctor report Notes.sqlite --rows --output Notes/
        storedoctor report Notes.sqlite --timeline --output Times.html
      """)

  @Argument(help: "The store: a file of any name, or a folder or bundle with exactly one store.", completion: .file())
  var store: String

  @Option(
    help: ArgumentHelp(
      "Write the page to this file; with --rows also to a new folder: a name that ends with /, or an empty folder.",
      valueName: "file"), completion: .file())
  var output: String

  @Flag(help: "Replace an existing output; never a database or a file that is read.")
  var force = false

  @Option(
    name: .customLong("case"),
    help: ArgumentHelp("What is said of the case: a file with number, examiner, reference, note.", valueName: "file"),
    completion: .file())
  var caseFile: String?

  @Flag(help: "Show the smallest and the largest value of each attribute, and values of the app's own metadata.")
  var showValues = false

  @Flag(
    help: """
      Show the rows: a table for each entity, titles in place of keys, links to follow; 50 MB at most on one page, all in a \
      folder.
      """)
  var rows = false

  @Flag(help: "With --rows: deleted objects and earlier versions too, where they were.")
  var recover = false

  @Flag(
    help: "List each event with its time: saves, changes, commits, dates of objects; what 'timeline' says, up to 5,000."
  )
  var timeline = false

  /// The command that makes the page again. 'audit --report-dir' starts this one with a private place as --output, and says here
  /// what a person would type; it is hidden because it is for that alone, and tests of 'audit' hold it.
  @Option(name: .customLong("made-by"), help: .hidden)
  var madeBy: String?

  @OptionGroup(title: HelpGroup.model) var candidates: CandidateArguments

  @OptionGroup(title: HelpGroup.state) var moment: MomentArguments

  @OptionGroup(title: HelpGroup.checks) var looks: DiagnosisArguments

  @OptionGroup(title: HelpGroup.settings) var configuration: ConfigurationOptions

  @Flag(help: "Show no progress while reading a large store.")
  var quiet = false

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    if recover, !rows { throw ValidationError("--recover shows deleted rows among the others; add --rows") }
    if recover, moment.asOf != nil || moment.withoutWAL {
      throw ValidationError("--recover reads all files; omit --as-of and --without-wal")
    }
  }

  func run() throws {
    let progress = ProgressLine("reading \(store)", isQuiet: quiet)
    try reported {
      defer { progress?.clear() }
      var run = StorePageRun(made: Int(reportMoment() / 1_000_000_000), command: madeBy ?? givenCommand)
      run.showsValues = showValues
      run.note = try caseFile.map { try caseNote(PosixPath(argument: $0)) } ?? []
      let given = PosixPath(argument: store)
      let location = try StoreLocator.locate(given)
      let target = PosixPath(argument: output)
      let sources =
        [given, location]
        + (candidates.models + [moment.logPath, caseFile].compactMap(\.self)).map { PosixPath(argument: $0) }
      let isFolder = output.hasSuffix("/") || FileSystem.kind(of: target) == .folder
      if isFolder {
        guard rows else {
          throw ValidationError("a folder is written with --rows; name a file, as in --output Notes.html")
        }
        try PageFolder.require(target)
      } else {
        try requirePlace(for: target, replacing: force, madeFrom: sources)
      }
      let settings = try configuration.load(forStore: location, given: given)
      let options = try looks.options(
        settings, candidates: candidates, integrity: .full, readings: candidates.readings, store: location)
      let maker = StorePageMaker(
        location: location, opening: moment.opening(progress: progress).readingPastDamageOnce,
        options: options,
        run: run, log: moment.log, showsRows: rows, searchesPages: recover, listsEvents: timeline)
      let isPrivate = rows || showValues || timeline
      guard !isFolder else {
        try PageFolder(target, isPrivate: isPrivate).write { try maker.writePages(to: $0) { progress?.clear() } }
        return
      }
      let page = try maker.page()
      progress?.clear()
      try write(page.html, to: target, replacing: force, madeFrom: sources, isPrivate: isPrivate, canReplace: true)
    }
  }

  /// Reads what is said of the case.
  private func caseNote(_ path: PosixPath) throws -> [PageFact] {
    let bytes: [UInt8]
    do throws(FileError) {
      let file = try EvidenceFile(path)
      bytes = try file.read(at: 0, count: Int(clamping: min(file.size, Self.longestNote + 1)))
    } catch {
      throw CaseFileError(path: path, message: error.reason)
    }
    do throws(YAMLError) {
      var limits = YAMLNode.Limits()
      limits.bytes = Int(Self.longestNote)
      let names = ["number", "examiner", "reference", "note"]
      let members = try YAMLNode.reading(bytes, limits: limits)?.members(names) ?? [:]
      var facts: [PageFact] = []
      for name in names {
        if let member = members[name] { facts.append(.init(name, try member.text())) }
      }
      return facts
    } catch {
      throw CaseFileError(path: path, message: error.description)
    }
  }

  private static let longestNote: Int64 = 1 << 16
}

/// Why what is said of a case cannot be read.
private struct CaseFileError: Error, CustomStringConvertible {
  var path: PosixPath
  var message: String

  var description: String { "cannot read the case \(quoted(path.description)): \(escapedForTerminal(message))" }
}
