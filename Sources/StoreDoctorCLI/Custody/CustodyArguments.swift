import ArgumentParser

/// The record of a run; an option of every command.
///
/// Its content is taken from the words of the command line: the files that they name before the run, and after it. So
/// a command need say nothing more.
struct CustodyArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Write a record of the run to this new file: what was read, with hashes before and after, and what was written. "
        + "'storedoctor custody --verify FILE' reads it all again.", valueName: "file"), completion: .file())
  var custody: String?

  @Option(
    help: ArgumentHelp(
      "Words for that record, such as a case number and a name. It has no name of a user or machine of its own.",
      valueName: "text"))
  var custodyNote: String?

  func validate() throws {
    if custodyNote != nil, custody == nil { throw ValidationError("--custody-note goes with --custody") }
  }
}

/// A command whose runs can be recorded.
protocol RecordedCommand: ParsableCommand {
  /// Where the record goes.
  var custody: CustodyArguments { get }
}
