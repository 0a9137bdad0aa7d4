import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreSQLite

/// What was saved of a damaged store, and what was not.
package struct Salvage: Sendable {
  /// The damaged store, as it was named.
  package var store: String
  /// The new store, as it was named.
  package var output: String
  /// What its files had, one sentence each: a lost header, missing pages, a log that was not read.
  package var notes: [String]
  /// What is not the store's own but was made anew, one sentence each.
  package var made: [String]
  /// What of the schema could not be made again, one sentence each.
  package var leftOut: [String]
  /// The tables with rows, in the order of the schema.
  package var tables: [Table]
  /// Leaves with rows that were not taken, and why.
  package var pages: Pages
  /// Leaves that are damaged in part and may have had more rows than were found, the first of them.
  package var damagedPages: [DamagedPage]
  /// The rows that were left out, the first of them.
  package var rows: [LeftOut]
  /// What it rests on: whether all that the app saved was read, and whether reading left no trace.
  package var reading: Reading
  /// Whether what was saved last may be missing, since the log breaks off.
  package var mayLackLastSave: Bool
  /// Whether doubtful rows were written, too.
  package var keepsDoubtful: Bool
  /// What the new store is found to be.
  package var diagnosis: Diagnosis

  /// A table of the store.
  package typealias Table = Savable.Table
  /// The saved rows of one entity.
  package typealias Entity = Savable.Entity

  /// Pages, by what became of them.
  package struct Pages: Sendable, Equatable {
    /// All that the store has.
    package var all: Int
    /// Leaves of which rows were written.
    package var read: Int
    /// Those of them to which no tree leads.
    package var unreached: Int
    /// Leaves that look like an older state of others.
    package var older: Int
    /// Leaves whose rows fit no table, or several.
    package var unclear: Int
    /// Pages of nothing but zeros.
    package var blank: Int
    /// Leaves that are damaged in part and may have had more rows than were found.
    package var damaged: Int
  }

  /// A leaf of which rows were found, and of which nothing shows that they are all.
  package struct DamagedPage: Sendable, Equatable {
    /// The table.
    package var table: String
    /// The page.
    package var page: UInt32
    /// How many rows were found on it, doubtful ones among them.
    package var found: Int
    /// How many rows its header counts, which may be damaged itself; nil where it has not the room for so many.
    package var stated: Int?
    /// The keys that lost rows can have had: those between the leaves around it.
    package var keys: ClosedRange<Int64>
  }

  /// A row that was left out, or written with doubt.
  package struct LeftOut: Sendable, Equatable {
    /// The table.
    package var table: String
    /// Its key.
    package var key: Int64
    /// The page.
    package var page: UInt32
    /// Why.
    package var why: Why
  }

  /// Why a row is left out.
  package enum Why: String, Sendable {
    /// A part of it is lost.
    case torn
    /// It lies on a damaged page, or does not look like a row of its table.
    case damaged
    /// Another leaf has another row with this key, or should have this one.
    case contested
    /// Its key, or a value that is unique, is taken by a row that is sure.
    case taken
  }

  /// The rows that were saved.
  package var saved: Int { tables.reduce(0) { $0 + $1.saved } }
  /// Whether all rows are there, as far as can be seen, and all of the schema.
  package var isWhole: Bool {
    !mayLackLastSave && doubtful == 0 && leftOut.isEmpty && pages.unclear == 0 && pages.damaged == 0
      && tables.allSatisfy { $0.lostKeys == 0 }
  }
  /// The rows that are doubtful.
  package var doubtful: Int { tables.reduce(0) { $0 + $1.doubtful } }
}

/// How to save.
package struct SalvageOptions: Sendable {
  /// Whether doubtful rows are written, too.
  package var keepsDoubtful: Bool
  /// Whether the log beside the store is read.
  package var usesLog: Bool
  /// A log to read in place of the one beside the store.
  package var log: PosixPath?
  /// Whether the log was found to be another store's, so that it is not read.
  var logIsForeign = false
  /// The model of the store, where it has lost its own.
  package var model: Model?

  /// Leaves the log beside the store out where it is another store's.
  mutating func judgeLog(of store: Store) {
    guard usesLog, log == nil, store.wal?.belongsToStore == .no else { return }
    (usesLog, logIsForeign) = (false, true)
  }

  /// By default sure rows only, with the log.
  package init(keepsDoubtful: Bool = false, usesLog: Bool = true, log: PosixPath? = nil, model: Model? = nil) {
    self.keepsDoubtful = keepsDoubtful
    self.usesLog = usesLog
    self.log = log
    self.model = model
  }

  /// Those that read what a store reads that is opened so.
  ///
  /// - Throws: `FileError` where the log that is named cannot be found.
  package init(_ opening: Store.Options) throws {
    self.init(
      usesLog: !opening.ignoresWAL, log: try opening.log.map { try PlacedFile.located($0) }, model: opening.model)
  }
}
