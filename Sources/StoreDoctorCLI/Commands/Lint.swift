import StoreDataModel
import StoreJSON
import StoreSwiftDataSchemas
import StoreWords
import StoreDiagnosis
import StoreFindings
import StoreModels
import StoreSourceChecks
import StoreSourceLint
import ArgumentParser
import StoreCoreData
import StoreSQLite
import StoreReports

/// `storedoctor lint PATH...`.
struct Lint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Find mistakes in SwiftData source: versions, plans, stages and model classes.",
    discussion: """
      Reads Swift files, folders and packages, also in archives (App.zip, App.zip!Sources); nothing of them is built or run. \
      Build folders are left out, and tests are read for how they open stores only. The models that SwiftData would build are derived and compared version by \
      version, and held against shipped stores (--store), pinned hashes (--pins) and the source of releases (--git) where \
      they are given. Entitlements and deployment targets are those of the project around the paths. What cannot be known \
      from the source is said to be not checked, and never passed.

      A finding that is known and accepted is silenced where it stands, with a reason: \
      // storedoctor:ignore SD945 removed on purpose. Severities and accepted findings of a project stand in \
      .storedoctor.yaml.

      --fix shows the edits that are certain as a diff, and with --in-place makes them.

      --freeze prints a copy of a schema under the next version's name, so that editing the classes leaves the version \
      alone that was shipped: stored properties with their macros, initial values and comments, and the value types they \
      need, in the words of the source, without methods and what is computed. What cannot be copied is named at its line, \
      and nothing is printed. The copy was read back and has the same version hashes; if the source does not tell them \
      all, that is said.

      It is done by the program storedoctor-swiftdata, beside this one or in PATH.

      EXIT STATUS
        0   done, no finding at the gate (--fail-on, error unless said otherwise)
        1   done, findings at the gate or above
        2   could not do the work, or not all of it: what was asked for is not
            known, such as which of two classes is meant, or whether a version is
            as shipped
        64  wrong usage

      EXAMPLES
        storedoctor lint Sources/
        storedoctor lint Sources/ --store Fixtures/v1.store --pins released.json
        storedoctor lint Sources/ --git . --tags 'v*'
        storedoctor lint Sources/ --git . --commits 1a2b3c4 --branches 'release/*'
        storedoctor lint Sources/ --check live-class-in-version --fail-on note
        storedoctor lint Sources/ --format sarif --report lint.sarif
        storedoctor lint "$SRCROOT" --format xcode
        storedoctor lint Sources/ --fix
        storedoctor lint Sources/ --freeze SchemaV2 --as SchemaV2 \\
          --report SchemaV2.swift
        storedoctor explain SD903
      """)

  @Argument(help: ArgumentHelp("Swift files, folders or packages.", valueName: "path"), completion: .file())
  var paths: [String]

  @OptionGroup(title: "What was shipped") var shipped: ShippedArguments

  @OptionGroup(title: HelpGroup.checks) var checks: CheckOptions<SourceCheck>

  @OptionGroup(title: HelpGroup.output) var output: LintOutput

  @OptionGroup(title: "What is mended or copied") var edits: EditArguments

  @OptionGroup(title: HelpGroup.settings) var source: SourceTermArguments

  @OptionGroup(title: HelpGroup.settings) var configuration: ConfigurationOptions

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func validate() throws {
    guard !paths.isEmpty else { throw ValidationError("give Swift files or folders") }
    if edits.freeze != nil, edits.fix || output.format != .text {
      throw ValidationError("--freeze prints Swift, and has no other format")
    }
    if edits.fix, output.format != .text || output.path != nil {
      throw ValidationError("--fix shows a diff, and has no other format")
    }
  }

  func run() throws {
    _ = try checks.selected
    try reported {
      if edits.fix || edits.freeze != nil, let archive = paths.first(where: { isInArchive(PosixPath(argument: $0)) }) {
        throw SourceInArchive(path: archive)
      }
      if let freeze = edits.freeze { return try copy(freeze) }
      let (result, configuration) = try linted(paths, shipped, checks, source, configuration)
      if !result.saysAnything { throw NothingToLint(paths: paths, reading: result.reading) }
      let gate = output.failOn ?? configuration?.defaults.failOn ?? .error
      if edits.fix { return try mend(result) }
      try write(result, gate: gate)
      if let worst = result.worstSeverity, gate.holds(worst) { throw ExitCode(1) }
      // An unknown result has not passed.
      if result.isUndecided { throw ExitCode(2) }
    }
  }

  private func write(_ result: SourceReport, gate: Gate) throws {
    let text =
      switch output.format {
      case .text:
        result.text(width: output.path == nil ? output.width : 100, isStyled: output.path == nil && output.isStyled)
      case .json: result.json.text
      case .sarif: result.sarif.text
      case .junit: result.jUnit(isAtGate: gate.holds)
      case .xcode: result.xcodeLines(in: try PosixPath(".").resolved().description)
      case .github: result.gitHubAnnotations
      }
    try report(text)
  }

  private func report(_ text: String) throws {
    let path = output.path.map { PosixPath(argument: $0) }
    if let path, output.force, path.name.suffix(6) == Array(".swift".utf8)[...],
      FileSystem.kind(of: path, followingLinks: false) != nil
    {
      throw OutputFileError(
        path: path, message: "it exists and is Swift source, which is not replaced; remove it first")
    }
    try StoreDoctorCLI.write(
      text, to: path, replacing: output.force,
      madeFrom: (shipped.stores + paths + [shipped.logPath, shipped.pins, configuration.config].compactMap(\.self)).map
      {
        PosixPath(argument: $0)
      },
      canReplace: true)
  }

  private func copy(_ schema: String) throws {
    let frozen = try StoreModels.freeze(
      paths, defines: source.terms(nil), schema: schema, as: edits.copyName)
    try report(frozen.text)
    for note in frozen.notes {
      let place = note.place.map { "\($0.file):\($0.line): " } ?? ""
      standardError("storedoctor: \(place)\(note.message)")
    }
    let takesItsPlace = frozen.schema.split(separator: ".").last == frozen.name[...]
    if !frozen.unchecked.isEmpty {
      standardError(
        "storedoctor: \(frozen.name) has the words of \(frozen.schema), but the hashes of "
          + "\(frozen.unchecked.joined(separator: ", ")) are not known for sure, so equal hashes are not proved; "
          + "match a store of \(frozen.schema) with it before release")
    } else if takesItsPlace {
      standardError("storedoctor: \(frozen.name) has the version hashes of the one whose place it takes")
    } else {
      standardError(
        "storedoctor: \(frozen.name) has the version hashes of \(frozen.schema); two versions with the same hashes are "
          + "refused in one plan, so put it in place of \(frozen.schema), or edit the classes first")
    }
  }

  private func mend(_ result: SourceReport) throws {
    let fixes = try SourceFixes(result)
    guard fixes.count > 0 else { return standardError("storedoctor: nothing here is certain to mend") }
    try standardOutput(fixes.diff)
    let what = "\(fixes.count) \(fixes.count == 1 ? "finding" : "findings")"
    if edits.inPlace {
      try fixes.write()
      standardError("storedoctor: mended \(what); lint again to see what is left")
    } else {
      standardError("storedoctor: nothing is written; --fix --in-place mends \(what) like this")
    }
  }
}

/// What is found in source, and the configuration that was followed; for a command and for an editor.
///
/// - Throws: what `lintSource` and reading the configuration and the pins throw.
func linted(
  _ paths: [String], _ shipped: ShippedArguments, _ checks: CheckOptions<SourceCheck>, _ source: SourceTermArguments,
  _ options: ConfigurationOptions
) throws -> (report: SourceReport, configuration: Configuration?) {
  let stores = shipped.stores.map { PosixPath(argument: $0) }
  let configuration = try checks.unmuting(options.load(forSourceBeside: stores))
  let pins = try shipped.pins.map { try ModelPins(contentsOf: PosixPath(argument: $0)) }
  let report = try lintSource(
    paths, defines: source.terms(configuration), with: checks.selected, configuration: configuration, stores: stores,
    log: shipped.logPath.map { PosixPath(argument: $0) }, pins: pins, releases: shipped.releases)
  return (report, configuration)
}

extension SourceReport {
  /// Whether there is anything of SwiftData in the sources.
  fileprivate var saysAnything: Bool {
    !(reading.schemas.isEmpty && reading.plans.isEmpty && reading.containers.isEmpty && findings.isEmpty
      && silenced.isEmpty)
  }
}

/// Thrown when there is no model to look at, since a gate that checked nothing must not pass.
private struct NothingToLint: Error, CustomStringConvertible {
  let paths: [String]
  let reading: SourceReading

  var description: String {
    let what =
      switch reading.fileCount {
      case 0: "no Swift file"
      case 1: "no @Model class, VersionedSchema or container in 1 Swift file"
      default: "no @Model class, VersionedSchema or container in \(reading.fileCount) Swift files"
      }
    let unread = reading.problems.first.map { "; not read: \($0.message)" } ?? ""
    return
      "found \(what) in \(paths.prefix(3).map(quoted).joined(separator: ", "))\(paths.count > 3 ? ", ..." : "")\(unread)"
  }
}

/// Why nothing in an archive is mended or copied.
private struct SourceInArchive: Error, CustomStringConvertible {
  let path: String

  var description: String {
    "\(quoted(path)) is in an archive, which --fix and --freeze do not take; unpack it, and name the folder"
  }
}
