import ArgumentParser
import CoreDataStore

/// Runs a command's work and ends it with the exit status that `design.md` §2 agreed: 2, with the error's sentence on
/// standard error, when the work could not be done.
func reported(_ work: () throws -> Void) throws {
  do {
    try work()
  } catch {
    if error is ExitCode || error is ValidationError { throw error }
    // SQLite's messages and the names in them come from the store.
    let lines = "\(error)".split(separator: "\n", omittingEmptySubsequences: false)
    standardError("storedoctor: " + lines.map { escapedForTerminal(String($0)) }.joined(separator: "\n"))
    throw ExitCode(2)
  }
}
