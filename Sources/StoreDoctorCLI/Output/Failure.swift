import StoreWords
import ArgumentParser

/// Runs a command's work and ends it with the exit status that `design.md` §2 agreed: 2, with the error's sentence on
/// standard error, when the work could not be done.
func reported(_ work: () throws -> Void) throws {
  do {
    try work()
  } catch {
    if error is ExitCode || error is ValidationError { throw error }
    // Whoever has gone does not want to hear of it; the status still says that not all was written.
    if (error as? OutputFileError)?.isOfGoneReader == true { throw ExitCode(2) }
    // SQLite's messages and the names in them come from the store.
    let lines = "\(error)".split(separator: "\n", omittingEmptySubsequences: false)
    standardError("storedoctor: " + lines.map { escapedForTerminal(String($0)) }.joined(separator: "\n"))
    throw ExitCode(2)
  }
}

/// Names what a command could not do of its work, if anything, and ends it with the exit status of that.
///
/// - Parameter leftOut: a sentence for each version that is not in the output.
func endReportingLeftOut(_ leftOut: [String]) throws {
  for sentence in leftOut { standardError("storedoctor: left out: \(escapedForTerminal(sentence))") }
  if !leftOut.isEmpty { throw ExitCode(2) }
}
