import ArgumentParser
import StoreAudit
import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreExplanation
import StoreFindings
import StoreModels
import StoreReports
import StoreSQLite
import StoreTriage
import StoreWords

/// `storedoctor PATH...`, the front door: what the things are, what is wrong with the store among them, and what to do.
///
/// Its own name, `look`, is put before the paths where the first word of a command line is one; see `CommandWords`.
struct Look: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "look",
    abstract: "Say what something is, what is wrong with it, and what to do next.",
    discussion: """
      Things are named alone or together, in any order: a store, a folder, a zip or a backup with stores in it, the app or \
      the project with its models, a log of a crash, an error number. Stores, models and logs are told by content. One \
      store is diagnosed, with the models that were found; several are listed, the gravest first. What could not be read, \
      or was not looked at, is said.

      EXIT STATUS
        0   done, no finding at the gate
        1   done, findings at the gate or above; of several stores, one that cannot be read counts too
        2   could not do the work: something cannot be read, or there is no store
        64  wrong usage

      EXAMPLES
        storedoctor Notes.sqlite
        storedoctor Customer.zip
        storedoctor crash.ips Customer.zip MyApp.ipa
        storedoctor 134110 Notes.sqlite MyApp/
        storedoctor ~/Backups/00008030-001A2B3C4D5E6F70
      """)

  @Argument(
    help: "What there is: stores, folders, archives, backups, models, logs, error numbers.", completion: .file())
  var path: [String]

  @Flag(help: "Show no progress.")
  var quiet = false

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: HelpGroup.record) var custody: CustodyArguments

  func run() throws {
    try reported {
      let codes = path.filter { isCode($0) && !isThere($0) }
      let missing = path.filter { !codes.contains($0) && !isThere($0) }
      guard missing.isEmpty else { throw NothingNamed(paths: missing) }
      let named = path.filter { !codes.contains($0) }.map { (name: $0, path: PosixPath(argument: $0)) }
      let explained = try codes.map { GivenThing.ReadLog(name: $0, explanation: try explain([$0])) }
      if named.isEmpty {
        var all = try explain(codes)
        all.log = nil
        return try write(all)
      }
      let progress = ProgressLine("looking", isQuiet: quiet)
      defer { progress?.clear() }
      let things = sortOut(named)
      var front = FrontDoor(things: things, codes: explained, progress: progress, isQuiet: quiet)
      let (triage, status) = try front.answer()
      progress?.clear()
      switch output.format {
      case .json: try standardOutput(triage.json.text)
      case .text: try standardOutput(triage.text(width: output.width, isStyled: output.isStyled))
      }
      if status != 0 { throw ExitCode(status) }
    }
  }

  private func write(_ explanation: Explanation) throws {
    switch output.format {
    case .json: try standardOutput(explanation.json.text)
    case .text: try standardOutput(explanation.text(width: output.width, isStyled: output.isStyled))
    }
  }
}

/// Whether a word is a check's or an error's, and not a path: a number, SD401, NSMigrationError, sqlite:11.
func isCode(_ word: String) -> Bool {
  let starts = ["SD", "sd", "NS", "SQLITE_", "sqlite:", "cocoa:", "0x"]
  guard Int(word) != nil || starts.contains(where: word.hasPrefix) else { return false }
  return (try? explain([word])) != nil
}

/// Whether a word is the path of something, in an archive or a backup too.
func isThere(_ word: String) -> Bool {
  let path = PosixPath(argument: word)
  if FileSystem.sight(of: path) != .nothing { return true }
  let reference = StoreReference(path)
  if reference.commit != nil, FileSystem.kind(of: reference.file) != nil { return true }
  return path.bytes.indices.contains { mark in
    path.bytes[mark] == UInt8(ascii: "!") && FileSystem.kind(of: PosixPath(bytes: Array(path.bytes[..<mark]))) != nil
  }
}

/// Paths on the command line that name nothing.
private struct NothingNamed: Error, CustomStringConvertible {
  let paths: [String]

  var description: String {
    paths.prefix(10).map { StoreError(path: $0, .missing).description }.joined(separator: "\n")
      + (paths.count > 10 ? "\nand \(paths.count - 10) more" : "")
  }
}

extension Look: RecordedCommand {}
