import ArgumentParser
import StoreReports

/// The `storedoctor` command: arguments to values, values to exit codes.
@main
struct StoreDoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storedoctor",
    abstract: "Forensics for Core Data and SwiftData stores, on any machine, without touching them.",
    discussion: """
      storedoctor reads the SQLite file behind an app's data and answers from it alone: what is in the store, \
      which model made it, what is damaged. It never writes to a store, creates nothing beside it, and reads \
      what is still in the write-ahead log.

      EXIT STATUS
        0   done, and nothing at the gate
        1   done, and the answer is no: findings at the gate, no version made the store, a pinned version moved
        2   could not do the work; the message on standard error says why and what to do
        64  wrong usage
      """,
    version: toolVersion,
    subcommands: [Inspect.self, Diagnose.self, Explain.self, ModelCommand.self])
}
