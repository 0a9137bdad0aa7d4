import StorePublishing
import StoreWords
import ArgumentParser

/// Runs a command's work. If it fails, prints the error on standard error and ends with exit status 2.
func reported(_ work: () throws -> Void) throws {
  do {
    try work()
  } catch {
    if error is ExitCode || error is ValidationError { throw error }
    // A reader that closed the pipe does not want messages; the status still says that not everything was written.
    if (error as? OutputFileError)?.isOfGoneReader == true { throw ExitCode(2) }
    // SQLite's messages contain text from the store.
    let lines = message(of: error).split(separator: "\n", omittingEmptySubsequences: false)
    standardError("storedoctor: " + lines.map { escapedForTerminal(String($0)) }.joined(separator: "\n"))
    throw ExitCode(2)
  }
}

/// The message of an error for somebody at a command line.
func message(of error: any Error) -> String {
  (error as? any NamesCallerChoices)?.message(naming: \.option) ?? "\(error)"
}

/// Reports what a command left out, and ends it with exit status 2 if there is something.
///
/// - Parameter leftOut: a sentence for each version that is not in the output.
func endReportingLeftOut(_ leftOut: [String]) throws {
  for sentence in leftOut { standardError("storedoctor: left out: \(escapedForTerminal(sentence))") }
  if !leftOut.isEmpty { throw ExitCode(2) }
}
