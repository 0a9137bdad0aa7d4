import StoreWords
import StoreSQLite

/// Why a repaired store was not written, or a repair not undone. Each message says what to do.
package struct RepairError: NamesRepairChoices, Sendable {
  /// The file or folder it is about.
  package var path: String
  /// What went wrong.
  package var problem: Problem

  package init(_ path: PosixPath, _ problem: Problem) {
    self.path = path.description
    self.problem = problem
  }

  /// What can go wrong.
  package enum Problem: Equatable, Sendable {
    // The target.
    case targetExists
    case targetIsNoFile
    case targetIsSource
    case targetIsProtected
    case targetIsSideFile(of: String)
    case targetHasSideFile(String)
    case sharesSupportFolder(with: String, free: String)
    case noFolder
    case notEnoughSpace(needed: Int64, free: Int64)
    case diskFull
    case diskFullWithLog(String, grewBy: Int64)
    case targetReplaced
    // The store.
    case foreignWAL(reason: String)
    case damagedWAL(reason: String)
    case inUse
    case openIn(process: String)
    case hotJournal
    case truncated
    case changed(since: String)
    case readOnly
    case folderDenied(path: String)
    // The change.
    case leftOpen
    case unrecorded(table: String)
    case unrecordedSchema
    case commitFailed(journal: String, reason: String)
    // Journals.
    case journalExists
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
  package func message(naming name: (RepairChoice) -> String) -> String {
    let place = quoted(path)
    return switch problem {
    case .targetExists: "refusing to write \(place): it exists; name another file, or \(name(.replaces)) to replace it"
    case .targetIsNoFile: "refusing to write \(place): it exists and is not a regular file; name another file"
    case .targetIsSource:
      "refusing to write \(place): it is the store itself; name another file, or use \(name(.inPlace))"
    case .targetIsProtected:
      "refusing to write \(place): it is a model or store given to this command; name another file"
    case .targetIsSideFile(let main):
      "refusing to write \(place): that is the name of a side file of \(quoted(main)); name another file"
    case .targetHasSideFile(let side):
      "refusing to write \(place): \(quoted(side)) lies there and would be read together with it; "
        + "remove it, name another file, or \(name(.replaces)) to replace both"
    case .sharesSupportFolder(let other, let free):
      "refusing to write \(place): it would keep its external files in the same folder as \(quoted(other)); "
        + "write \(quoted(free)) instead"
    case .noFolder: "cannot write \(place): its folder does not exist or cannot be used; make it first"
    case .notEnoughSpace(let needed, let free):
      "not enough room in \(place): \(needed) bytes are needed and \(free) are free; make room, or write elsewhere"
    case .diskFull: "cannot write \(place): no room left; nothing was changed; make room, or write elsewhere"
    case .diskFullWithLog(let log, let bytes):
      "cannot write \(place): no room left; its content did not change, but its log \(quoted(log)) grew by "
        + "\(bytes) bytes, which the next transaction uses again; make room, or use \(name(.output)) elsewhere"
    case .targetReplaced:
      "refusing to write \(place): another file was put there meanwhile; look at it, then name another file or try again"
    case .foreignWAL(let reason):
      "refusing to repair \(place): its WAL may belong to another store (\(reason)), and merging it is for good; "
        + "use \(name(.output)) with \(name(.leavesOutWAL)) to leave it out, or with \(name(.acceptsWAL))"
    case .damagedWAL(let reason):
      "refusing to change \(place): \(reason), and the WAL would be emptied; use \(name(.output)), which leaves all files as "
        + "they are"
    case .inUse: "refusing to change \(place): another process has it open; close the app that uses it and try again"
    case .openIn(let process):
      "refusing to change \(place): process \(process) has it open; close the app that uses it and try again"
    case .hotJournal:
      "refusing to change \(place): a transaction was interrupted and its journal would be rolled back first; use \(name(.output))"
    case .truncated: "refusing to change \(place): it is shorter than its header says; use \(name(.output))"
    case .changed(let what):
      "refusing to apply: \(place) changed since \(what); make a new plan with 'storedoctor repair'"
    case .readOnly: "cannot change \(place): permission denied; use \(name(.output)), or run as its owner"
    case .folderDenied(let other):
      "cannot write \(place): permission denied for \(quoted(other)); use \(name(.output)) with a path in a folder of your own"
    case .leftOpen: "cannot finish \(place): a statement is still running; please report this"
    case .unrecorded(let table):
      "nothing was changed in \(place): changes of \(quoted(table)) could not be taken back; please report this"
    case .unrecordedSchema: "nothing was changed in \(place): the schema changed unrecorded; please report this"
    case .commitFailed(let journal, let reason):
      "cannot tell whether \(place) was changed: \(reason); run 'storedoctor undo \(journal)' to have it as it was"
    case .journalExists: "cannot make the journal \(place): it exists; name another folder with \(name(.journal))"
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

extension RepairError {
  /// The `RepairError` for a failure while writing `path`; other errors are passed on.
  static func explaining(_ error: any Error, writing path: PosixPath) -> any Error {
    switch error {
    case let error as SQLiteError where error.isFull: RepairError(path, .diskFull)
    case let error as SQLiteError where error.isBusy: RepairError(path, .inUse)
    case let error as SQLiteError where error.isReadOnly || error.cannotOpen: RepairError(path, .readOnly)
    case let error as FileActionError where error.isFull: RepairError(path, .diskFull)
    case let error as FileActionError where error.isDenied:
      RepairError(path, .folderDenied(path: PosixPath(error.path).parent.description))
    default: error
    }
  }
}

extension SQLiteError {
  /// `SQLITE_FULL`: "a write could not complete because the disk is full".
  var isFull: Bool { primaryCode == 13 }
  /// `SQLITE_CANTOPEN`
  var cannotOpen: Bool { primaryCode == 14 }
}
