import SQLitePages
import StoreDataModel
import StoreSQLite

/// The values of a row that was recovered: the bytes of its record, which are read when somebody asks.
enum RowContents: Sendable {
  /// Nothing is left.
  case none
  /// Nothing is left of values with these names.
  case lost([String])
  /// A record in the layout of its table.
  case record(RowLayout, RecordStore.Location, isFirstValueUnknown: Bool)

  /// The values that are there.
  func values(_ key: Int64?) -> [RecoveredRow.Value] {
    guard case .record(let layout, let location, let isFirstValueUnknown) = self else { return [] }
    return layout.read(location, key, isFirstValueUnknown).values
  }

  /// The names of values that are lost.
  func missing(_ key: Int64?) -> [String] {
    switch self {
    case .none: []
    case .lost(let names): names
    case .record(let layout, let location, let isFirstValueUnknown):
      layout.read(location, key, isFirstValueUnknown).missing
    }
  }
}

extension RowContents: Equatable {
  /// By what is in the bytes; the key is compared with the row.
  static func == (left: Self, right: Self) -> Bool {
    left.values(nil) == right.values(nil) && left.missing(nil) == right.missing(nil)
  }
}

/// What the values of a record are, for rows of one table and entity.
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

  private let columns: [Column]
  private let encoding: DatabaseHeader.TextEncoding
  private let records: RecordStore

  init(_ columns: [Column], _ encoding: DatabaseHeader.TextEncoding, _ records: RecordStore) {
    self.columns = columns
    self.encoding = encoding
    self.records = records
  }

  /// A layout by the table's declaration alone.
  convenience init(_ template: RowTemplate, _ encoding: DatabaseHeader.TextEncoding, _ records: RecordStore) {
    self.init(template.columns.map { Column($0, template) }, encoding, records)
  }

  /// The values of a record, and the names of those that are lost.
  func read(
    _ location: RecordStore.Location, _ key: Int64?, _ isFirstValueUnknown: Bool
  ) -> (values: [RecoveredRow.Value], missing: [String]) {
    var (values, missing): ([RecoveredRow.Value], [String]) = ([], [])
    records.withBytes(of: location) { bytes in
      var record = SQLitePages.Record()
      guard record.read(bytes) else { return }
      for (index, column) in columns.enumerated() {
        guard let value = value(index, column, record, bytes, key, isFirstValueUnknown) else {
          if column.isKey { missing.insert(column.name, at: 0) } else if !column.isOfOthers { missing.append(column.name) }
          continue
        }
        if column.isOfOthers, value.isNull { continue }
        values.append(RecoveredRow.Value(name: column.name, column: column.column, value: value, type: column.type))
      }
    }
    return (values, missing)
  }

  private func value(
    _ index: Int, _ column: Column, _ record: SQLitePages.Record, _ bytes: UnsafeRawBufferPointer, _ key: Int64?,
    _ isFirstValueUnknown: Bool
  ) -> SQLiteValue? {
    if column.isKey { return key.map(SQLiteValue.integer) }
    // Older than the column: SQLite reads its default, NULL in every table of Core Data.
    guard index < record.count else { return .null }
    if index == 0, isFirstValueUnknown { return nil }
    return record.value(index, in: bytes).map { SQLiteValue($0, column.affinity, encoding) }
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

extension SQLiteValue {
  /// A value as SQLite would read it: "a column with REAL affinity [...] forces integer values into floating point
  /// representation", and small ones are stored as integers.
  fileprivate init(
    _ value: PageValue, _ affinity: TableDefinition.Affinity, _ encoding: DatabaseHeader.TextEncoding
  ) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = affinity == .real ? .real(Double(number)) : .integer(number)
    case .real(let number): self = .real(number)
    case .text(let bytes):
      switch encoding {
      case .utf16LittleEndian, .utf16BigEndian: self = .text(decodedText(bytes, encoding))
      default: self = .text(bytes)
      }
    case .blob(let bytes): self = .blob(bytes)
    }
  }
}
