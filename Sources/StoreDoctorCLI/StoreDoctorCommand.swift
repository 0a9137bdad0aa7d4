import ArgumentParser
import StoreCoreData
import StorePlatform
import StoreSQLite
import StorePublishing
import StoreReports
import StoreWords

/// The `storedoctor` command.
@main
struct StoreDoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storedoctor",
    abstract: "Forensics for Core Data and SwiftData stores, on any machine, without touching them.",
    discussion: """
      storedoctor reads the SQLite file behind an app's data and answers from it alone: what is in the store, \
      which model made it, what is damaged, and what mends it. Only repair and apply with --in-place, and undo, \
      write to a store; nothing else creates anything beside one. What is still in the write-ahead log is read.

      'storedoctor PATH...' needs no command: give it what there is, a store, a customer's zip, a backup, the app, the \
      log of a crash, in any order, and it says what is wrong, which rows, and what to do next. 'storedoctor look \
      --help' says more. On a terminal, what is longer than it is shown by a pager \
      (STOREDOCTOR_PAGER, PAGER, or less); --no-pager, with any command, shows it at once.

      EXIT STATUS
        0   done, and nothing at the gate
        1   done, and the answer is no: findings at the gate, no version made the
            store, a pinned version moved
        2   could not do the work; the message on standard error says why, and
            what to do
        64  wrong usage
      """,
    version: toolVersion,
    subcommands: [
      Look.self, Inspect.self, RowsCommand.self, Compare.self, TimelineCommand.self, Diagnose.self, Repair.self,
      MergeCommand.self, Apply.self, Undo.self, Migrate.self, Rehearse.self, Audit.self, Recover.self,
      SalvageCommand.self, AnonymizeCommand.self, ReportCommand.self, Lint.self, Explain.self, ModelCommand.self,
      SchemaCommand.self,
      MCPCommand.self, LSPCommand.self,
      Custody.self,
    ])

  /// Does what ArgumentParser's `main` does, after settings that must precede the opening of any file.
  static func main() {
    fillStandardDescriptors()
    EndWithInput.beginIfAsked()
    Platform.keepAccessTimes()
    FileDescriptors.raiseLimit()
    Leftovers.areRemovedOnSignals = true
    Leftovers.onRemoval = {
      standardError("storedoctor: removed \(quoted($0.description)), which a run that was ended left")
    }
    PlacedStores.onNote = { standardError("storedoctor: \($0)") }
    var command: ParsableCommand
    let given = Array(CommandLine.arguments.dropFirst())
    var arguments = Pager.noting(given)
    do {
      arguments = try CommandWords.completed(arguments)
      command = try parseAsRoot(arguments)
    } catch let error as UnknownCommand {
      standardError(error.description)
      exit(withError: ExitCode.validationFailure)
    } catch {
      // A request for help is no error, and goes to standard output.
      if exitCode(for: error).isSuccess { exitShowing(fullMessage(for: error)) }
      standardError(UsageHints.added(to: fullMessage(for: error), about: arguments))
      exit(withError: exitCode(for: error))
    }
    do {
      try runRecorded(&command, arguments: given) { exitCode(for: $0).rawValue }
    } catch {
      type(of: command).exit(withErrorOfRun: error)
    }
  }
}
