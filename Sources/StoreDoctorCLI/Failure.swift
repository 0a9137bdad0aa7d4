import ArgumentParser

/// Ends a command with the exit status that `design.md` §2 agreed.
enum Failure {
  /// Status 2, with the error's sentence on standard error.
  static func couldNotDoTheWork(_ error: any Error) -> any Error {
    if error is ExitCode || error is ValidationError { return error }
    standardError("storedoctor: \(error)")
    return ExitCode(2)
  }
}
