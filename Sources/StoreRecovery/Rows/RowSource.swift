import SQLitePages
import StoreDataModel
import StoreSQLite

/// The source of a recovered row's values. There may be millions of rows, so names are kept once for all of an entity,
/// and values are read in the files again.
enum RowSource: Sendable {
  /// Only the key is known.
  case key(RowOwner)
  /// The candidate with that number.
  case found(RowLayout, Int32)

  /// Whose row it is.
  var owner: RowOwner {
    switch self {
    case .key(let owner): owner
    case .found(let layout, _): layout.owner
    }
  }

  /// The bytes found; nil where only the key is known.
  var candidate: Candidate? {
    switch self {
    case .key: nil
    case .found(let layout, let index): layout.candidate(index)
    }
  }

  /// Whether it is a row of an object; rows of many-to-many tables are links.
  var isOfObject: Bool {
    switch self {
    case .key: true
    case .found(let layout, _): layout.isOfObjects
    }
  }

  /// How often its object was saved (`Z_OPT`); nil where that is lost, and for what is no object.
  var saves: Int64? {
    switch self {
    case .key: nil
    case .found(let layout, let index): layout.candidate(index).flatMap(layout.saves)
    }
  }

  /// The values that are there, and the names of those that are lost.
  func read(_ key: Int64?) -> (values: [RecoveredRow.Value], missing: [String]) {
    guard case .found(let layout, _) = self else { return ([], owner.missing) }
    var reader = layout.reader
    return read(key, with: &reader)
  }

  /// The same with a reader that is used for many rows.
  func read(
    _ key: Int64?, with reader: inout RecordReader
  ) -> (values: [RecoveredRow.Value], missing: [String]) {
    switch self {
    case .key(let owner): return ([], owner.missing)
    case .found(let layout, let index):
      return layout.candidate(index).map { layout.read($0, key: key, with: &reader) } ?? ([], [])
    }
  }
}

extension RowSource: Equatable {
  /// By what rows say; the key is compared with the row.
  static func == (left: Self, right: Self) -> Bool {
    let (first, second) = (left.read(nil), right.read(nil))
    return left.owner == right.owner && first == second && left.candidate?.place == right.candidate?.place
      && left.candidate?.otherPlaces == right.candidate?.otherPlaces
  }
}

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
  let files: PageFiles

  init(_ candidates: [Candidate], in files: PageFiles) {
    self.candidates = candidates
    self.files = files
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
  }

  let owner: RowOwner
  /// Whether its table is one of objects.
  let isOfObjects: Bool
  private let columns: [Column]
  private let found: FoundRows

  init(_ columns: [Column], owner: RowOwner, _ found: FoundRows) {
    self.owner = owner
    self.columns = columns
    self.found = found
    isOfObjects = columns.contains { $0.column == "Z_ENT" }
  }

  /// A layout by the table's declaration alone.
  convenience init(_ template: RowTemplate, _ found: FoundRows) {
    self.init(
      template.columns.map { Column($0, template) }, owner: RowOwner(entity: nil, table: template.table), found)
  }

  /// The candidate with that number.
  func candidate(_ index: Int32) -> Candidate? {
    found.candidates.indices.contains(Int(index)) ? found.candidates[Int(index)] : nil
  }

  /// `Z_OPT` of a candidate; nil where it is lost.
  func saves(of candidate: Candidate) -> Int64? {
    guard let column = columns.firstIndex(where: { $0.column == "Z_OPT" }) else { return nil }
    var reader = RecordReader(found.files)
    return try? reader.integer(column, of: candidate)
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

  /// A reader of the files that the rows are in.
  var reader: RecordReader { RecordReader(found.files) }

  /// The values of a candidate, and the names of those that are lost.
  fileprivate func read(
    _ candidate: Candidate, key: Int64?, with reader: inout RecordReader
  ) -> (values: [RecoveredRow.Value], missing: [String]) {
    let read = try? reader.read(candidate, isChecked: true) { record, bytes in
      var (values, missing): ([RecoveredRow.Value], [String]) = ([], [])
      for (index, column) in columns.enumerated() {
        guard let value = value(index, column: column, record: record, in: bytes, key: key, candidate: candidate) else {
          if column.isKey {
            missing.insert(column.name, at: 0)
          } else if !column.isOfOthers {
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

  private func value(
    _ index: Int, column: Column, record: Record, in bytes: UnsafeRawBufferPointer, key: Int64?,
    candidate: Candidate?
  ) -> SQLiteValue? {
    if column.isKey { return key.map(SQLiteValue.integer) }
    // Older than the column: SQLite reads its default, NULL in every table of Core Data.
    guard index < record.count else { return .null }
    if candidate?.isLost(index, field: record.fields[index]) == true { return nil }
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
