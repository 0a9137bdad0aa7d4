import SQLitePages
import StoreSQLite

/// What is read in place of a store that is too damaged to be opened: a private database with the rows that were found in its
/// pages.
package struct StandIn {
  /// The private database, which vanishes with its connection.
  package var connection: Connection
  /// The files of the store itself.
  package var files: DatabaseFiles
  /// The header of its main file, as far as it is known.
  package var header: DatabaseHeader
  /// What answers rest on.
  package var reading: Reading
  /// The pages that the rows were found in.
  package var pages: FoundDatabase

  /// A database for the files of a store.
  package init(
    _ connection: Connection, for files: DatabaseFiles, header: DatabaseHeader, reading: Reading, pages: FoundDatabase
  ) {
    (self.connection, self.files, self.header, self.reading) = (connection, files, header, reading)
    self.pages = pages
  }
}

/// Whether a store cannot be read because of what is in it, so that `salvage` may help.
package func isOfDamage(_ error: any Error) -> Bool {
  switch error {
  case let error as SQLiteError: error.damage != nil
  case let error as StoreError:
    switch error.problem {
    case .truncated, .damaged, .unreadable, .otherKind, .unknownBytes, .entityNumbersLost: true
    case .missing, .notPermitted, .notRegularFile, .empty, .notCoreData, .changedWhileReading, .folderWithoutStore,
      .folderWithSeveralStores, .noDescriptors, .commitNotReadable, .logLeftBehind, .logDoesNotFit, .undoneHalfway:
      false
    }
  default: false
  }
}

/// Whether a store cannot be opened because its pages are damaged or its header is lost, so that rows may be found in it one by
/// one.
package func isOfDamagedPages(_ error: any Error) -> Bool {
  guard isOfDamage(error), let error = error as? StoreError else { return isOfDamage(error) }
  return switch error.problem {
  case .truncated, .damaged, .entityNumbersLost, .otherKind(.lostHeader): true
  default: false
  }
}
