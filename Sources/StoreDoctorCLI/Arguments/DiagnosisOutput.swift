import StoreJSON
import StoreDiagnosis
import StoreFindings
import ArgumentParser
import StoreSQLite
import StoreReports

/// How a diagnosis is written, and where to.
struct DiagnosisOutput: ParsableArguments, StyledOutput {
  /// The formats of a diagnosis.
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, jsonl, sarif, junit, markdown }

  @Option(
    help:
      "How to write the result: text, json, jsonl (a line each), sarif (code scanning), junit (CI servers) or markdown (issues and pull requests)."
  )
  var format: Format = .text

  @Option(
    help: ArgumentHelp("Write the result to this new file, and not to standard output.", valueName: "file"),
    completion: .file())
  var report: String?

  @Flag(help: "Replace the file of --report if it exists; never a database or a file that is read.")
  var force = false

  @Flag(help: "Show each finding, also of checks that found more than ten.")
  var unfold = false

  @Flag(
    name: .customLong("all"),
    help: """
      List each version, and each step between versions, also of more than twelve, and notes on versions that do not \
      decide, also of more than twenty.
      """)
  var showsAllVersions = false

  @Flag(help: "Show one line for each check, not its findings.")
  var statistics = false

  @Option(help: colorHelp)
  var color: ColorWish = .auto

  func validate() throws {
    if force, report == nil { throw ValidationError("--force replaces the file of --report; name one") }
    if unfold || statistics || showsAllVersions, format != .text {
      throw ValidationError(
        "--unfold, --all and --statistics are about the text; other formats hold every finding and version")
    }
    if unfold, statistics { throw ValidationError("--unfold and --statistics are two ways; choose one") }
  }

  /// Writes a diagnosis.
  ///
  /// - Parameters:
  ///   - checks: the checks that were run.
  ///   - isAtGate: whether a finding of that severity fails the gate.
  ///   - sources: the store and the models, which the report never replaces.
  /// - Throws: `OutputFileError`.
  func write(
    _ diagnosis: Diagnosis, checks: [Check], madeFrom sources: [PosixPath], isAtGate: (Severity) -> Bool
  ) throws {
    let text =
      switch format {
      case .text:
        diagnosis.text(
          width: report == nil ? width : 100, isStyled: report == nil && isStyled,
          detail: statistics ? .statistics : unfold ? .each : .folded, showsAllVersions: showsAllVersions)
      case .json: diagnosis.json.text
      case .jsonl: diagnosis.jsonLines
      case .sarif: diagnosis.sarif.text
      case .markdown: diagnosis.markdown
      case .junit: diagnosis.jUnit(checks: checks, isAtGate: isAtGate)
      }
    try StoreDoctorCLI.write(
      text, to: report.map { PosixPath(argument: $0) }, replacing: force, madeFrom: sources, canReplace: true)
  }
}
