import ArgumentParser
import CoreDataStore

/// Ends a command with the exit status that `design.md` §2 agreed.
enum Failure {
  /// Status 2, with the error's sentence on standard error.
  static func couldNotDoTheWork(_ error: any Error) -> any Error {
    if error is ExitCode || error is ValidationError { return error }
    // SQLite's messages and the names in them come from the store.
    let lines = "\(error)".split(separator: "\n", omittingEmptySubsequences: false)
    standardError("storedoctor: " + lines.map { escapedForTerminal(String($0)) }.joined(separator: "\n"))
    return ExitCode(2)
  }
}
