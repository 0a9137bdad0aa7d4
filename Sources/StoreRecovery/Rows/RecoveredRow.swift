import SQLitePages
import StoreDataModel
import StoreSQLite

/// A row that is no longer in the database, or a version that a row no longer has.
package struct RecoveredRow: Sendable, Equatable {
  /// The kind of row.
  package enum Kind: String, Sendable, CaseIterable {
    /// A row that existed and is gone.
    case deleted
    /// A version that a row had before: the row still exists, or was deleted in a later version.
    case earlierVersion = "earlier-version"
    /// A row whose key is not known: of an object that is gone, or a version of one that is there.
    case undecided
    /// A row that is only in frames of a transaction that was never finished: it was never in the database.
    case neverCommitted = "never-committed"
    /// A row that its damaged table does not show, or that is in frames of the log behind a damaged one: it may be there all
    /// the same.
    case unreachable
  }

  /// How sure it is.
  package enum Grade: String, Sendable, CaseIterable, Comparable {
    /// Only a key that was handed out and is not in use: the row may never have been saved.
    case implied
    /// Its bytes were found, and the key is not in use or not known.
    case shown
    /// A change in the history says so, or one commit of the log has it and a later one does not.
    case proved

    /// By strength.
    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// What the key of a row that lost it follows from.
  package enum KeySource: String, Sendable, CaseIterable {
    /// A unique value that it shares with a row whose key is known.
    case value
    /// Its place between two cells of its page, where just as many keys are free as cells were freed.
    case place
    /// What is left of an index entry, which has values and key together.
    case index
  }

  /// One value with the name of what it belongs to.
  package struct Value: Sendable, Equatable {
    /// The attribute or relationship; the column's name where no model says more.
    package var name: String
    /// The column.
    package var column: String
    /// The value.
    package var value: SQLiteValue
    /// The attribute's type; nil for relationships, and where no model tells.
    package var type: AttributeType?

    /// A value of a column.
    package init(name: String, column: String, value: SQLiteValue, type: AttributeType? = nil) {
      self.name = name
      self.column = column
      self.value = value
      self.type = type
    }
  }

  /// Where bytes of the row are. There may be millions, so it is kept in 32 bytes.
  package struct Place: Sendable, Equatable {
    /// Offset of the first byte in the file.
    package let start: Int64
    private let hash: UInt64
    private let length: UInt32
    /// The number of the page.
    package let page: UInt32
    private let index: Int32
    let source: PageOrigin.File
    let how: Method

    /// How a row was found.
    enum Method: String, Sendable {
      /// By a cell pointer of a page that is in no tree.
      case cell
      /// A whole cell in space that is in no cell.
      case gap
      /// A cell whose first four bytes were overwritten when it was freed.
      case freeblock
      /// The part that does not fit on the cell's page.
      case overflow
    }

    /// The bytes `range` of a page that begins at `origin`.
    init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, page: UInt32, origin: PageOrigin, how: Method) {
      start = origin.offset + Int64(range.lowerBound)
      length = UInt32(clamping: range.count)
      hash = ByteHash.of(UnsafeRawBufferPointer(rebasing: bytes[range]))
      self.page = page
      index = origin.index.map { Int32(clamping: $0) } ?? -1
      source = origin.file
      self.how = how
    }

    /// "main", "wal" or "journal".
    package var file: String { source.rawValue }
    /// The frame of the log or record of the journal, counted from 0; nil in the main file.
    package var frame: Int? { index < 0 ? nil : Int(index) }
    /// Offset behind the last byte in the file.
    package var end: Int64 { start + Int64(length) }
    /// How it was found: "cell", "gap", "freeblock", "overflow".
    package var method: String { how.rawValue }
    /// A check of the bytes (FNV-1a, 64 bits, hexadecimal), for `--verify`.
    package var checksum: String { ByteHash.hexadecimal(hash) }

    /// Whether these are the bytes that were found.
    func isOf(_ bytes: UnsafeRawBufferPointer) -> Bool { ByteHash.of(bytes) == hash }

    /// In the order of files and bytes.
    static func isBefore(_ left: Self, _ right: Self) -> Bool {
      left.source == right.source ? left.start < right.start : left.source.rawValue < right.source.rawValue
    }
  }

  /// Evidence that the row existed, or that it was gone.
  package struct Witness: Sendable, Equatable {
    /// The fact that it proves.
    package var shows: Shows
    /// The witness in words, such as "delete change 41 in transaction 12".
    package var what: String
    /// When, in seconds since 2001-01-01 UTC; nil where the witness has no clock.
    package var time: Double?
    /// The commit of the log that it is, counted from 1, 0 for the main file before the first; nil for others.
    package var commit: Int?

    /// Whether it is a change that was trimmed from the history, and is left in unused space.
    package var isTrimmed = false
    /// Whether it is a change of the history that deletes the object, so that its time is that of the deletion.
    package var isDeletion = false

    /// The facts that a witness can prove.
    package enum Shows: String, Sendable {
      /// The row was there.
      case present
      /// The row was gone.
      case absent
    }

    /// A witness.
    package init(shows: Shows, what: String, time: Double?, commit: Int? = nil) {
      self.shows = shows
      self.what = what
      self.time = time
      self.commit = commit
    }
  }

  /// The entity; nil where it is not known, or the database is no store.
  package var entity: String? { source?.owner.entity }
  /// What told of the version of the model by which it is read, where that is not the store's own; or why the entity is not
  /// known, where several versions may have written it.
  package var readWith: String? { source?.owner.readWith }
  /// The table; nil where no table fits.
  package var table: String? { source?.owner.table }
  /// The key (`Z_PK`, the row id); nil where it is lost.
  package var key: Int64?
  /// What the key follows from, where it does not stand in the row itself.
  package var keySource: KeySource?
  /// The values that are there. They are read in the files each time they are asked for; `Recovery.checkUnchanged()` says
  /// whether those are still the same.
  package var values: [Value] { source?.read(key).values ?? [] }
  /// The names of those that are lost.
  package var missing: [String] { source?.read(key).missing ?? [] }
  /// Values and missing names together, which reads the file once.
  package var content: (values: [Value], missing: [String]) { source?.read(key) ?? ([], []) }
  /// The kind of row.
  package var kind: Kind
  /// How sure it is.
  package var grade: Grade
  /// Where its bytes are, the fullest copy first; empty where only its key is known.
  package var places: [Place] { source?.candidate.map { [$0.place] + $0.otherPlaces } ?? [] }
  /// How many more copies there are that are not listed.
  package var furtherCopies: Int { Int(source?.candidate?.furtherCopies ?? 0) }
  /// Who saw it, and who saw it gone.
  package var witnesses: [Witness] = []
  /// The number by which it is cited.
  package internal(set) var citation = Citation()
  /// For a row without a key which rows are of the same object; negative where it is the only one.
  var object: Int32 = -1

  /// The number of a result, the same in every format and whatever is chosen of the results.
  package struct Citation: Sendable, Equatable {
    /// The number of the object, from 1.
    package internal(set) var object: Int32 = 0
    /// The number of the version among those that were found of the object, from 1; 0 for the only one.
    package internal(set) var version: Int32 = 0

    /// "12", or "12.3" for a version among several.
    package var text: String { version == 0 ? "\(object)" : "\(object).\(version)" }
  }

  /// The source of its values; nil where nothing is known.
  var source: RowSource?
  /// The first place.
  var place: Place? { source?.candidate?.place }

  /// A row of which nothing but kind and grade is known yet.
  package init(kind: Kind, grade: Grade) {
    self.kind = kind
    self.grade = grade
  }
}
