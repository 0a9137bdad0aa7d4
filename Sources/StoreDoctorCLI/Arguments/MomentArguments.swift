import ArgumentParser

/// As of when a store is read; shared by the commands that read one.
struct MomentArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the store as of this commit of its write-ahead log, counted from 1; 0 is before the first. STORE@N says the "
        + "same. 'inspect --commits' lists them.", valueName: "commit"))
  var asOf: Int?

  func validate() throws {
    guard (asOf ?? 0) >= 0 else { throw ValidationError("--as-of is a number from 0 on") }
  }
}
