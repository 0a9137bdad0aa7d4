import StoreCoreData
import StoreSQLite

/// Rows recovered from one database.
public struct Recovery: Sendable {
  /// The most rows that are looked for: the search stops when it has found them.
  package static let mostFound = 2_000_000

  /// The rows, in order of table, key and place.
  package var rows: [RecoveredRow] = []
  /// Earlier versions of the store's model, and other former metadata.
  package var models: [RecoveredModel] = []
  /// Counts of recovered rows, by table.
  package var summary: [TableSummary] = []
  /// What the answer rests on; nil for a database that is no store.
  package var reading: Reading?
  /// Parts that could not be read or were left out, in words.
  package var notes: [String] = []
  /// Tables that are in the file and not in the schema any more.
  package var droppedTables: [String] = []
  /// Bytes that were searched.
  package var bytesSearched: Int64 = 0
  /// Bytes that were not, because more was found than is kept.
  package var bytesUnsearched: Int64 = 0
  /// How much of the freed space has content, and how much was wiped.
  package var freedSpace = FreedSpace()
  /// Path, length and check of each file.
  package var files: [File] = []
  /// Whether it is a Core Data store.
  package var isStore = false
  /// `Z_UUID` of the store; nil where it has none that can be read.
  package var uuid: String?
  /// What of the search is in it.
  package internal(set) var choice = Choice()
  /// The case, as the examiner names it.
  package var caseName: String?
  /// Who examines.
  package var examiner: String?
  /// The database as header and schema describe it.
  package var database: Database?

  /// The files that values of rows are read from; nil where there are none.
  var evidence: DatabaseFiles?

  /// The rows that are there, of tables of which earlier versions were found; nil where none were.
  var live: LiveRows?

  /// To be called when the values of rows were read: they are read in the files when they are asked for, and are missing
  /// where those have changed.
  ///
  /// - Throws: `FileError` with the file that has changed since the search.
  package func checkUnchanged() throws {
    if let changed = evidence?.changedFile() { throw FileError(path: changed, kind: .changed) }
  }

  /// One file of the database.
  package struct File: Sendable, Equatable {
    /// "main", "wal" or "journal".
    package var role: String
    /// The path.
    package var path: String
    /// Length in bytes.
    package var size: Int64
    /// The path byte for byte.
    package var location: PosixPath
  }

  /// How many rows of an entity ever were, are, and what became of the others.
  package struct TableSummary: Sendable, Equatable {
    /// The root entity's name; the table's, where it is one of links.
    package var name: String
    /// The table.
    package var table: String
    /// Keys handed out (`Z_MAX`); nil where nothing tells, and for links, which have none.
    package var ever: Int64?
    /// Rows in the table.
    package var live: Int64
    /// Deleted rows that are proved, shown, implied.
    package var proved = 0
    /// Deleted rows that are shown.
    package var shown = 0
    /// Keys that only a gap shows.
    package var implied: Int64 = 0
    /// Those of them that are counted and not among the rows.
    var unlisted: Int64 = 0
    /// Earlier versions of rows.
    package var earlierVersions = 0
    /// Rows without a key: of objects that are gone, or versions of such as are there.
    package var undecided = 0
    /// Rows of a transaction that was never finished.
    package var neverCommitted = 0
  }
}

extension Recovery {
  /// Leaves out the rows whose time, as far as it is known, lies outside of limits, and those of whose time nothing is known; a note says
  /// how many the latter are.
  package mutating func limit(since: Double?, until: Double?) {
    guard since != nil || until != nil else { return }
    let undated = rows.count { !$0.ending.isKnown }
    rows.removeAll { !$0.ending.isKnown || !$0.ending.mayLieWithin(since: since, until: until) }
    guard undated > 0 else { return }
    notes.append(
      "\(undated) \(undated == 1 ? "result" : "results") of whose time nothing is known \(undated == 1 ? "was" : "were") left "
        + "out by --since or --until; they may lie inside")
  }
}
