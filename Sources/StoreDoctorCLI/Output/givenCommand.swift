import StoreReports

/// The command as it was given, for a page that says how it was made.
var givenCommand: String {
  (["storedoctor"] + CommandLine.arguments.dropFirst().filter { $0 != Pager.option }).map(shellQuoted)
    .joined(separator: " ")
}
