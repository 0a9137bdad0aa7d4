import SQLitePages
import StoreDataModel
import StoreSQLite
import Synchronization

/// The entity and table of rows.
final class RowOwner: Sendable, Equatable {
  let entity: String?
  let table: String?
  /// The missing columns where only the key is known.
  let missing: [String]
  /// What told of the version by which it is read; nil for today's.
  let readWith: String?

  init(entity: String?, table: String?, missing: [String] = [], readWith: String? = nil) {
    self.entity = entity
    self.table = table
    self.missing = missing
    self.readWith = readWith
  }

  static func == (left: RowOwner, right: RowOwner) -> Bool {
    left.entity == right.entity && left.table == right.table && left.missing == right.missing
      && left.readWith == right.readWith
  }
}

/// All that a search found, for rows that were made of it.
final class FoundRows: Sendable {
  let candidates: [Candidate]
  private let extras: [Candidate.Extra]
  let files: PageFiles
  /// When the commits of the log were written.
  private let times = Mutex<[Int: CommitTime]>([:])

  init(_ candidates: [Candidate], extras: [Candidate.Extra], files: PageFiles) {
    (self.candidates, self.extras, self.files) = (candidates, extras, files)
  }

  /// Whether commits of the log prove one of them.
  var hasProof: Bool { extras.contains { $0.present >= 0 } }

  /// The candidate with that number.
  @inline(__always)
  subscript(_ index: Int) -> Candidate? { candidates.indices.contains(index) ? candidates[index] : nil }

  /// What few rows have.
  func extra(of candidate: Candidate) -> Candidate.Extra? {
    extras.indices.contains(Int(candidate.extra)) ? extras[Int(candidate.extra)] : nil
  }

  /// A reader of the files that the rows are in.
  var reader: RecordReader { RecordReader(files) }

  /// Gives the witnesses that are commits a time: their own, or the next one that is certain.
  func dateCommits(_ times: [Int: CommitTime]) { self.times.withLock { $0 = times } }

  /// The commits that prove a row.
  func witnesses(of candidate: Candidate) -> [RecoveredRow.Witness] {
    guard let extra = extra(of: candidate), extra.present >= 0 else { return [] }
    func witness(_ shows: RecoveredRow.Witness.Shows, commit: Int) -> RecoveredRow.Witness {
      var witness = RecoveredRow.Witness(
        shows: shows, what: commit == 0 ? "the main file before commit 1 of the log" : "commit \(commit) of the log",
        time: nil, commit: commit)
      if let time = times.withLock({ $0[commit] }) { witness.date(by: time) }
      return witness
    }
    return [witness(.present, commit: Int(extra.present)), witness(.absent, commit: Int(extra.absent))]
  }
}

/// The meaning of a record's values, for rows of one table and entity.
final class RowLayout: Sendable {
  /// One value of a record.
  struct Column: Sendable {
    /// The attribute or relationship; the column's name where no model says more.
    var name: String
    var column: String
    var type: AttributeType?
    var affinity: TableDefinition.Affinity
    /// Whether it is the row id, which is not in the record.
    var isKey: Bool
    /// Whether it belongs to another entity of the table: then NULL is no value of this one.
    var isOfOthers: Bool
    /// Whether it is not known which column it is: versions of the table have others in its place.
    var isOpen = false
  }

  let owner: RowOwner
  /// Whether its table is one of objects.
  let isOfObjects: Bool
  /// Whether the places of its values are taken for those of today's columns, and nothing proves it.
  let takesTodaysPlaces: Bool
  private let columns: [Column]
  let found: FoundRows
  /// Where `Z_OPT` is in the record.
  private let versionColumn: Int?

  init(_ columns: [Column], owner: RowOwner, takesTodaysPlaces: Bool = false, _ found: FoundRows) {
    self.owner = owner
    self.takesTodaysPlaces = takesTodaysPlaces
    self.columns = columns
    self.found = found
    isOfObjects = columns.contains { $0.column == "Z_ENT" }
    versionColumn = columns.firstIndex { $0.column == "Z_OPT" }
  }

  /// The same where other rows of the table are of a version that nothing tells of: numbers and links, which a migration that
  /// makes a table anew changes the places of, are left out.
  func withNumbersOpen() -> RowLayout {
    var columns = columns
    for index in columns.indices where columns[index].affinity == .integer && !columns[index].column.hasPrefix("Z_") {
      columns[index].isOpen = true
    }
    let reason =
      "today's columns, while other rows of its table are of a version that nothing tells of: numbers and links are left out"
    let readWith = owner.readWith.map { "\($0); by \(reason)" } ?? reason
    return RowLayout(
      columns, owner: RowOwner(entity: owner.entity, table: owner.table, missing: owner.missing, readWith: readWith),
      found)
  }

  /// A layout by the table's declaration alone.
  convenience init(_ template: RowTemplate, _ found: FoundRows) {
    self.init(
      template.columns.map { Column($0, template) }, owner: RowOwner(entity: nil, table: template.table), found)
  }

  /// How often the object of what was found was saved (`Z_OPT`); nil where that is lost, and for what is no object.
  func saves(of index: Int) -> Int64? {
    guard let versionColumn, let candidate = found[index] else { return nil }
    var reader = found.reader
    return try? reader.integer(versionColumn, of: candidate, extra: found.extra(of: candidate))
  }

  /// The values of a row that is there.
  func read(_ record: Record, in bytes: UnsafeRawBufferPointer, key: Int64) -> [RecoveredRow.Value] {
    columns.enumerated().compactMap { index, column in
      guard let value = value(index, column: column, record: record, in: bytes, key: key, candidate: nil),
        !(column.isOfOthers && value.isNull)
      else { return nil }
      return RecoveredRow.Value(name: column.name, column: column.column, value: value, type: column.type)
    }
  }

  /// The values of what was found, and the names of those that are lost.
  func read(_ index: Int, with reader: inout RecordReader) -> (values: [RecoveredRow.Value], missing: [String]) {
    guard let candidate = found[index] else { return ([], []) }
    let key = candidate.key
    let read = try? reader.read(candidate, extra: found.extra(of: candidate), isChecked: true) { record, bytes in
      var (values, missing): ([RecoveredRow.Value], [String]) = ([], [])
      for (index, column) in columns.enumerated() {
        guard let value = value(index, column: column, record: record, in: bytes, key: key, candidate: candidate) else {
          if column.isKey {
            missing.insert(column.name, at: 0)
          } else if !column.isOfOthers || column.isOpen {
            missing.append(column.name)
          }
          continue
        }
        if column.isOfOthers, value.isNull { continue }
        values.append(RecoveredRow.Value(name: column.name, column: column.column, value: value, type: column.type))
      }
      return (values, missing)
    }
    return read ?? ([], columns.filter { !$0.isOfOthers }.map(\.name))
  }

  /// An end of a link.
  enum End {
    /// Its value is lost.
    case lost
    case key(Int64)
    /// A value that is no key.
    case other

    /// The key; nil where it is lost, or no key.
    var key: Int64? { if case .key(let key) = self { key } else { nil } }
  }

  /// What a row of a many-to-many table has. There may be millions, so nothing is allocated for one.
  struct Ends {
    /// Whether it has any value.
    var hasValue = false
    var source = End.lost
    var destination = End.lost
  }

  /// What a row has in two columns; nil for none of that name.
  func ends(
    source: String?, destination: String?, of candidate: Candidate, with reader: inout RecordReader
  ) throws -> Ends {
    try reader.read(candidate, extra: found.extra(of: candidate), isChecked: true) { record, bytes in
      var ends = Ends()
      for (index, column) in columns.enumerated() {
        guard
          let value = value(index, column: column, record: record, in: bytes, key: candidate.key, candidate: candidate)
        else { continue }
        if !value.isNull { ends.hasValue = true }
        guard column.column == source || column.column == destination, !(column.isOfOthers && value.isNull) else {
          continue
        }
        let end = if case .integer(let key) = value { End.key(key) } else { End.other }
        if column.column == source { ends.source = end } else { ends.destination = end }
      }
      return ends
    } ?? Ends()
  }

  private func value(
    _ index: Int, column: Column, record: Record, in bytes: UnsafeRawBufferPointer, key: Int64?,
    candidate: Candidate?
  ) -> SQLiteValue? {
    if column.isKey { return key.map(SQLiteValue.integer) }
    // Older than the column: SQLite reads its default, NULL in every table of Core Data.
    guard index < record.count else { return .null }
    if candidate?.isLost(index, field: record.fields[index]) == true { return nil }
    if column.isOpen { return nil }
    let value = record.value(index, in: bytes, encoding: found.files.header.textEncoding)
    // "a column with REAL affinity [...] forces integer values into floating point representation", and small ones are
    // stored as integers.
    if column.affinity == .real, case .integer(let number) = value { return .real(Double(number)) }
    return value
  }
}

extension RowLayout.Column {
  /// A column by its declaration alone.
  init(_ declared: RowTemplate.Column, _ template: RowTemplate) {
    self.init(
      name: declared.name, column: declared.name, affinity: declared.affinity,
      isKey: declared.index == template.definition.rowIDColumn, isOfOthers: false)
  }
}
