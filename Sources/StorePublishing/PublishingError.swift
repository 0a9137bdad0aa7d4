import StoreSQLite
import StoreWords

/// Why a store was not written, under a new name or in place. Each message says what to do.
package struct PublishingError: NamesCallerChoices, Sendable {
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
    case targetReplaced
    case folderDenied(path: String)
    /// The file system of the folder is read-only.
    case fileSystemReadOnly(path: String)
    // The store.
    case foreignWAL(reason: String)
    case inUse
    case readOnly
    case leftOpen
  }

  /// The message for the user.
  ///
  /// - Parameter name: what a choice is called.
  package func message(naming name: (CallerChoice) -> String) -> String {
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
    case .targetReplaced:
      "refusing to write \(place): another file was put there meanwhile; look at it, then name another file or try again"
    case .foreignWAL(let reason):
      "refusing to repair \(place): its WAL may belong to another store (\(reason)), and merging it is for good; "
        + "use \(name(.output)) with \(name(.leavesOutWAL)) to leave it out, or with \(name(.acceptsWAL))"
    case .inUse: "refusing to change \(place): another process has it open; close the app that uses it and try again"
    case .readOnly: "cannot change \(place): permission denied; use \(name(.output)), or run as its owner"
    case .folderDenied(let other):
      "cannot write \(place): permission denied for \(quoted(other)); use \(name(.output)) with a path in a folder of your own"
    case .fileSystemReadOnly(let other):
      "cannot write \(place): the file system of \(quoted(other)) is read-only; use \(name(.output)) with a path elsewhere"
    case .leftOpen: "cannot finish \(place): a statement is still running; please report this"
    }
  }
}

extension PublishingError {
  /// The `PublishingError` for a failure while writing `path`; other errors are passed on.
  package static func explaining(_ error: any Error, writing path: PosixPath) -> any Error {
    switch error {
    case let error as SQLiteError where error.isFull: PublishingError(path, .diskFull)
    case let error as SQLiteError where error.isBusy: PublishingError(path, .inUse)
    case let error as SQLiteError where error.isReadOnly || error.cannotOpen: PublishingError(path, .readOnly)
    case let error as FileActionError where error.isFull: PublishingError(path, .diskFull)
    case let error as FileActionError where error.isReadOnly:
      PublishingError(path, .fileSystemReadOnly(path: PosixPath(error.path).parent.description))
    case let error as FileActionError where error.isDenied:
      PublishingError(path, .folderDenied(path: PosixPath(error.path).parent.description))
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
