import StorePublishing
import StoreWords
import StoreSQLite

/// Why a store was not changed in place, or a repair not undone. Each message says what to do. Why a file cannot be written
/// at all is a `PublishingError`.
package struct RepairError: NamesCallerChoices, Sendable {
  /// The file or folder it is about.
  package var path: String
  /// The problem.
  package var problem: Problem

  package init(_ path: PosixPath, _ problem: Problem) {
    self.path = path.description
    self.problem = problem
  }

  /// The problems of repairs.
  package enum Problem: Equatable, Sendable {
    case diskFullWithLog(String, grewBy: Int64)
    // The store.
    case damagedWAL(reason: String)
    case openIn(process: String)
    case hotJournal
    case truncated
    case changed(since: String)
    // The change.
    case unrecorded(table: String)
    case unrecordedSchema
    case commitFailed(journal: String, reason: String)
    // Journals.
    case journalExists
    case neverBegun
    case journalUnreadable(String)
    case journalOfAnotherStore(String)
    case ofTwoStores(beside: String, recorded: String)
    case noJournal
    case severalJournals([String])
    case onlyJournalsOfUndos([String])
    case onlyWhole(String)
    case alreadyUndone
    case undoingElsewhere
    case filesNotMovedBack(String)
    case changedSinceRepair(table: String)
    case backupDamaged(String)
    case noStore
    case failed(String)
  }

  /// The message for the user.
  ///
  /// - Parameter name: what a choice is called.
  package func message(naming name: (CallerChoice) -> String) -> String {
    let place = quoted(path)
    return switch problem {
    case .diskFullWithLog(let log, let bytes):
      "cannot write \(place): no room left; its content did not change, but its log \(quoted(log)) grew by "
        + "\(bytes) bytes, which the next transaction uses again; make room, or use \(name(.output)) elsewhere"
    case .damagedWAL(let reason):
      "refusing to change \(place): \(reason), and the WAL would be emptied; use \(name(.output)), which leaves all files as "
        + "they are"
    case .openIn(let process):
      "refusing to change \(place): process \(process) has it open; close the app that uses it and try again"
    case .hotJournal:
      "refusing to change \(place): a transaction was interrupted and its journal would be rolled back first; use \(name(.output))"
    case .truncated: "refusing to change \(place): it is shorter than its header says; use \(name(.output))"
    case .changed(let what):
      "refusing to apply: \(place) changed since \(what); make a new plan with 'storedoctor repair'"
    case .unrecorded(let table):
      "nothing was changed in \(place): changes of \(quoted(table)) could not be taken back; please report this"
    case .unrecordedSchema: "nothing was changed in \(place): the schema changed unrecorded; please report this"
    case .commitFailed(let journal, let reason):
      "cannot tell whether \(place) was changed: \(reason); run 'storedoctor undo \(journal)' to have it as it was"
    case .journalExists: "cannot make the journal \(place): it exists; name another folder with \(name(.journal))"
    case .neverBegun:
      "there is nothing to undo with \(place): the repair or undo that made it was ended before it changed anything; the "
        + "folder can be removed"
    case .journalUnreadable(let why): "cannot read the journal \(place): \(why)"
    case .journalOfAnotherStore(let store): "refusing the journal \(place): it is of another store, \(quoted(store))"
    case .ofTwoStores(let beside, let recorded):
      "refusing the journal \(place): it may be of \(quoted(beside)) beside it, which has changed since, or of "
        + "\(quoted(recorded)), where the repair was made; name the one to change with \(name(.store))"
    case .noJournal:
      "there is no journal beside \(place); name the folder that \(name(.inPlace)) named when it was done"
    case .severalJournals(let names):
      "cannot choose: \(place) has \(names.count) journals that can be undone; name one (newest first):\n  "
        + names.joined(separator: "\n  ")
    case .onlyJournalsOfUndos(let names):
      "cannot choose: beside \(place) no repair is left to undo; to take an undo back, name its journal (newest first):"
        + "\n  " + names.joined(separator: "\n  ")
    case .onlyWhole(let why):
      "cannot undo: \(place) has changed since the repair, which can be taken back only as a whole (\(why)); nothing "
        + "was done; the file 'main' in the journal is the store as it was before"
    case .alreadyUndone: "refusing the journal \(place): it has been undone already"
    case .filesNotMovedBack(let why):
      "the rows of the store are as before, but not all external files, which lie in \(place): \(why)"
    case .undoingElsewhere:
      "refusing the journal \(place): it says that an undo was interrupted, and beside the store there is no sign of one"
    case .changedSinceRepair(let table):
      "cannot undo: \(place) has changed since the repair in rows of \(quoted(table)) that it touched; nothing was done"
    case .backupDamaged(let file):
      "cannot undo with \(place): \(quoted(file)) is not what was saved; nothing was done"
    case .noStore: "cannot change \(place): there is no such store; name it with \(name(.store))"
    case .failed(let why): "cannot change \(place): \(why)"
    }
  }
}
