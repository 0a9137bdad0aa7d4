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

  /// Where bytes of the row are.
  package struct Place: Sendable, Equatable {
    private let ref: PlaceRef
    private let files: PageFiles

    /// How a row was found.
    enum Method: UInt8, Sendable {
      /// By a cell pointer of a page that is in no tree.
      case cell
      /// A whole cell in space that is in no cell.
      case gap
      /// A cell whose first four bytes were overwritten when it was freed.
      case freeblock
      /// The part that does not fit on the cell's page.
      case overflow

      var name: String {
        switch self {
        case .cell: "cell"
        case .gap: "gap"
        case .freeblock: "freeblock"
        case .overflow: "overflow"
        }
      }
    }

    init(_ ref: PlaceRef, in files: PageFiles) { (self.ref, self.files) = (ref, files) }

    /// "main", "wal" or "journal".
    package var file: String { ref.source.rawValue }
    /// The number of the page.
    package var page: UInt32 { ref.page(in: files) }
    /// The frame of the log or record of the journal, counted from 0; nil in the main file.
    package var frame: Int? {
      // Of overflow pages in a journal only the page is of interest.
      ref.source == .wal || ref.source == .journal && ref.how != .overflow ? Int(ref.version) : nil
    }
    /// Offset of the first byte in the file.
    package var start: Int64 { ref.start(in: files) }
    /// Offset behind the last byte in the file.
    package var end: Int64 { start + Int64(ref.count) }
    /// How it was found: "cell", "gap", "freeblock", "overflow".
    package var method: String { ref.how.name }

    /// A check of the bytes (FNV-1a, 64 bits, hexadecimal), for `--verify`. They are read for it; `Recovery.checkUnchanged()`
    /// says whether they are still those that were found.
    package var checksum: String {
      var bytes = (try? files.source(ref.source)?.read(at: start, count: ref.count)) ?? []
      // A page that its file ends in is filled up with zeros.
      bytes.append(contentsOf: repeatElement(0, count: ref.count - bytes.count))
      return bytes.withUnsafeBytes { ByteHash.checksum($0) }
    }

    /// Whether two places are the same bytes of one file.
    package static func == (left: Self, right: Self) -> Bool { left.ref == right.ref }
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

  /// Its source: whose row it is, or the layout of what was found; nil where nothing is known.
  private enum Origin: Sendable {
    case owner(RowOwner)
    case found(RowLayout)
    /// One of them, and witnesses besides the commits of the log, which few rows have.
    indirect case witnessed(Origin?, [Witness])
  }

  // There may be millions, so it is kept in 24 bytes: values, key and places are with what was found.
  private var origin: Origin?
  /// The key of a row of which only that is known, the number of what was found of others.
  private var number: Int64 = 0
  private var citedObject: Int32 = 0
  /// Kind, grade, whether there is a key, and the version that is cited.
  private var packed: UInt32 = 0

  /// A row of which nothing but kind and grade is known yet.
  package init(kind: Kind, grade: Grade) {
    (self.kind, self.grade) = (kind, grade)
  }

  /// A row of which only the key is known.
  init(grade: Grade, key: Int64, owner: RowOwner) {
    self.init(kind: .deleted, grade: grade)
    (origin, number) = (.owner(owner), key)
  }

  /// A row that was found.
  init(kind: Kind, grade: Grade, layout: RowLayout, index: Int32) {
    self.init(kind: kind, grade: grade)
    (origin, number) = (.found(layout), Int64(index))
  }

  /// The kind of row.
  package var kind: Kind {
    get { Kind(code: UInt8(truncatingIfNeeded: packed & 7)) }
    set { packed = packed & ~7 | UInt32(newValue.code) }
  }
  /// How sure it is.
  package var grade: Grade {
    get { Grade(code: UInt8(truncatingIfNeeded: packed >> 3 & 3)) }
    set { packed = packed & ~(3 << 3) | UInt32(newValue.code) << 3 }
  }
  /// The number by which it is cited.
  package internal(set) var citation: Citation {
    get { Citation(object: citedObject, version: Int32(packed >> 5)) }
    set {
      citedObject = newValue.object
      packed = packed & 31 | UInt32(clamping: newValue.version) << 5
    }
  }

  /// The entity; nil where it is not known, or the database is no store.
  package var entity: String? { owner?.entity }
  /// What told of the version of the model by which it is read, where that is not the store's own; or why the entity is not
  /// known, where several versions may have written it.
  package var readWith: String? { owner?.readWith }
  /// The table; nil where no table fits.
  package var table: String? { owner?.table }
  /// The key (`Z_PK`, the row id); nil where it is lost.
  package var key: Int64? {
    switch source {
    case .owner: number
    case .found: candidate?.key
    case .witnessed, nil: nil
    }
  }
  /// What the key follows from, where it does not stand in the row itself.
  package var keySource: KeySource? { candidate?.keySource }
  /// The values that are there. They are read in the files each time they are asked for; `Recovery.checkUnchanged()` says
  /// whether those are still the same.
  package var values: [Value] { content.values }
  /// The names of those that are lost.
  package var missing: [String] { content.missing }
  /// Values and missing names together, which reads the file once.
  package var content: (values: [Value], missing: [String]) {
    guard let layout else { return ([], owner?.missing ?? []) }
    var reader = layout.found.reader
    return layout.read(index, with: &reader)
  }
  /// Where its bytes are, the fullest copy first; empty where only its key is known.
  package var places: [Place] { placeRefs.compactMap { ref in found.map { Place(ref, in: $0.files) } } }
  /// How many more copies there are that are not listed.
  package var furtherCopies: Int { candidate.flatMap { found?.extra(of: $0) }.map { Int($0.furtherCopies) } ?? 0 }
  /// Who saw it, and who saw it gone.
  package var witnesses: [Witness] {
    get { commits + own }
    set {
      let commits = commits
      own = newValue.filter { !commits.contains($0) }
    }
  }

  /// Those besides the commits of the log.
  private var own: [Witness] {
    get { if case .witnessed(_, let own) = origin { own } else { [] } }
    set { origin = newValue.isEmpty ? source : .witnessed(source, newValue) }
  }

  /// Its source without witnesses.
  private var source: Origin? { if case .witnessed(let source, _) = origin { source } else { origin } }

  /// The commits of the log among the witnesses.
  private var commits: [Witness] { candidate.flatMap { found?.witnesses(of: $0) } ?? [] }

  /// Whether commits of the log are among the witnesses.
  var isSeenInLog: Bool { candidate.flatMap { found?.extra(of: $0) }.map { $0.present >= 0 } ?? false }

  /// Adds a witness besides the commits of the log.
  mutating func add(_ witness: Witness) {
    if !own.contains(witness), !commits.contains(witness) { own.append(witness) }
  }

  /// The number of a result, the same in every format and whatever is chosen of the results.
  package struct Citation: Sendable, Equatable {
    /// The number of the object, from 1.
    package internal(set) var object: Int32 = 0
    /// The number of the version among those that were found of the object, from 1; 0 for the only one.
    package internal(set) var version: Int32 = 0

    /// "12", or "12.3" for a version among several.
    package var text: String { version == 0 ? "\(object)" : "\(object).\(version)" }
  }

  // MARK: What was found

  /// Whose row it is.
  var owner: RowOwner? {
    switch source {
    case .owner(let owner): owner
    case .found(let layout): layout.owner
    case .witnessed, nil: nil
    }
  }

  /// By what rows of one layout or of one owner are known; nil where nothing is known.
  var sourceID: ObjectIdentifier? {
    switch source {
    case .owner(let owner): ObjectIdentifier(owner)
    case .found(let layout): ObjectIdentifier(layout)
    case .witnessed, nil: nil
    }
  }

  /// The layout of what was found of it; nil where nothing was.
  var layout: RowLayout? { if case .found(let layout) = source { layout } else { nil } }

  /// Reads what was found of it by another layout.
  mutating func read(by layout: RowLayout) {
    guard case .found = source else { return }
    let own = own
    origin = .found(layout)
    self.own = own
  }

  /// The number of what was found of it.
  var index: Int { Int(clamping: number) }

  private var found: FoundRows? { layout?.found }

  /// What was found of it; nil where only its key is known.
  var candidate: Candidate? { layout?.found[index] }

  /// Where its bytes are.
  var placeRefs: [PlaceRef] {
    guard let candidate else { return [] }
    return [candidate.place] + (found?.extra(of: candidate)?.otherPlaces ?? [])
  }

  /// For a row without a key which rows are of the same object; negative where it is the only one.
  var object: Int32 { candidate?.object ?? -1 }

  /// Whether two rows say the same of the same bytes.
  package static func == (left: Self, right: Self) -> Bool {
    let (first, second) = (left.content, right.content)
    return left.kind == right.kind && left.grade == right.grade && left.key == right.key
      && left.keySource == right.keySource && left.witnesses == right.witnesses && left.citation == right.citation
      && left.owner == right.owner && first == second && left.placeRefs == right.placeRefs
  }
}

// Numbers of few bits.

extension RecoveredRow.Kind {
  init(code: UInt8) {
    switch code {
    case 0: self = .deleted
    case 1: self = .earlierVersion
    case 2: self = .undecided
    case 3: self = .neverCommitted
    default: self = .unreachable
    }
  }

  var code: UInt8 {
    switch self {
    case .deleted: 0
    case .earlierVersion: 1
    case .undecided: 2
    case .neverCommitted: 3
    case .unreachable: 4
    }
  }
}

extension RecoveredRow.Grade {
  init(code: UInt8) {
    switch code {
    case 0: self = .implied
    case 1: self = .shown
    default: self = .proved
    }
  }

  var code: UInt8 {
    switch self {
    case .implied: 0
    case .shown: 1
    case .proved: 2
    }
  }
}

extension RecoveredRow.KeySource {
  /// Nil for 0.
  init?(code: UInt8) {
    switch code {
    case 0: return nil
    case 1: self = .value
    case 2: self = .place
    default: self = .index
    }
  }

  var code: UInt8 {
    switch self {
    case .value: 1
    case .place: 2
    case .index: 3
    }
  }
}
