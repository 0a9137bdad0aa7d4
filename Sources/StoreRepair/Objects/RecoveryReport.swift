import StoreCoreData
import StoreJSON
import StoreSQLite
import StoreText
import StoreWords

/// A report of `recover --format json`: the deleted objects whose values it has, for a copy of the store to hold them.
struct RecoveryReport {
  /// A deleted row.
  struct Row {
    var table: String
    /// `Z_PK`; nil for a link.
    var key: Int64?
    /// By column.
    var values: [String: SQLiteValue]
    /// Whether all of its values were found.
    var isWhole: Bool
  }

  /// `Z_UUID` of the store that was searched.
  let uuid: String
  /// The newest version that was found of each deleted object, and links between objects.
  private(set) var rows: [Row] = []
  /// Deleted objects that cannot be put back by what the report has: no content, no key, or the shape of an earlier version.
  private(set) var unusable = 0

  /// - Throws: `RecoveryReportError`, `FileError`.
  init(_ path: PosixPath) throws {
    let file = try EvidenceFile(path)
    let limits = JSONValue.Limits()
    guard file.size <= Int64(limits.bytes) else {
      throw RecoveryReportError(
        path, "it has \(grouped(file.size)) bytes; make one of fewer results (--entity, --grade, --since, --limit)")
    }
    let bytes = try file.read(at: 0, count: Int(clamping: file.size))
    let document: JSONValue
    do throws(JSONError) { document = try JSONValue(bytes, limits: limits) } catch {
      throw RecoveryReportError(path, "\(error)")
    }
    guard case .object(let members) = document, case .string("storedoctor.recovery/1")? = members["schema"],
      case .array(let rows)? = members["rows"]
    else { throw RecoveryReportError(path, "make one with 'storedoctor recover STORE --format json'") }
    guard case .string(document.seal)? = members["checksum"] else {
      throw RecoveryReportError(path, "it was changed after it was written: its checksum is not that of its content")
    }
    guard case .string(let uuid)? = members["uuid"] else {
      throw RecoveryReportError(path, "it does not say which store it is of (Z_UUID): make it again with this version")
    }
    self.uuid = uuid
    try take(rows, path)
  }

  private mutating func take(_ rows: [JSONValue], _ path: PosixPath) throws {
    var newest: [Int64: (version: Int64, row: Row?)] = [:]
    for value in rows {
      guard case .object(let row) = value, case .string("deleted")? = row["kind"] else { continue }
      let version = row["version"].flatMap(\.whole) ?? 0
      guard let object = row["object"].flatMap(\.whole), case .string(let table)? = row["table"] else {
        throw RecoveryReportError(path, "a row of it has no object or no table")
      }
      if let known = newest[object], known.version > version { continue }
      newest[object] = (version, Row(row, table: table))
    }
    for (_, found) in newest.sorted(by: { $0.key < $1.key }) {
      if let row = found.row { self.rows.append(row) } else { unusable += 1 }
    }
  }
}

extension RecoveryReport.Row {
  /// Nil for one that cannot be put back.
  fileprivate init?(_ row: [String: JSONValue], table: String) {
    guard row["readWith"] == nil, case .array(let values)? = row["values"], !values.isEmpty else { return nil }
    self.init(table: table, key: row["key"].flatMap(\.whole), values: [:], isWhole: true)
    if case .array(let missing)? = row["missing"], !missing.isEmpty { isWhole = false }
    for value in values {
      guard case .object(let members) = value, case .string(let column)? = members["column"] else { return nil }
      guard let content = SQLiteValue(reported: members) else {
        isWhole = false
        continue
      }
      self.values[column] = content
    }
    // A link has no key of its own.
    if self.values["Z_PK"] != nil || self.values["Z_ENT"] != nil, key == nil { return nil }
  }
}

extension SQLiteValue {
  /// As a report has it: one of `value`, `real`, `textBytes` and `blob`; nil for anything else.
  fileprivate init?(reported members: [String: JSONValue]) {
    switch (members["value"], members["real"], members["textBytes"], members["blob"]) {
    case (.null?, nil, nil, nil): self = .null
    case (.integer(let number)?, nil, nil, nil): self = .integer(number)
    case (.number(let number)?, nil, nil, nil): self = .real(number)
    case (.string(let text)?, nil, nil, nil): self = .text(text)
    case (nil, .string(let words)?, nil, nil):
      guard let number = Double(words) else { return nil }
      self = .real(number)
    case (nil, nil, .string(let digits)?, nil):
      guard let bytes = bytes(hexadecimal: digits) else { return nil }
      self = .text(bytes)
    case (nil, nil, nil, .string(let digits)?):
      guard let bytes = bytes(hexadecimal: digits) else { return nil }
      self = .blob(bytes)
    default: return nil
    }
  }
}

private func bytes(hexadecimal digits: String) -> [UInt8]? {
  let digits = digits.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
  guard digits.count % 2 == 0 else { return nil }
  return stride(from: 0, to: digits.count, by: 2).reduce(into: [UInt8]?.some([])) { bytes, place in
    guard let high = digits[place], let low = digits[place + 1] else {
      bytes = nil
      return
    }
    bytes?.append(UInt8(high << 4 | low))
  }
}

extension JSONValue {
  fileprivate var whole: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }
}

/// A file that is no report of deleted objects, or not one of this store.
struct RecoveryReportError: Error, CustomStringConvertible {
  let path: PosixPath
  let reason: String

  init(_ path: PosixPath, _ reason: String) { (self.path, self.reason) = (path, reason) }

  var description: String { "\(quoted(path.description)) is no report of deleted objects that can be used: \(reason)" }
}

/// The deleted objects of which a report of `recover --format json` has the values, as a store like the one that was searched
/// which has them alone, under their keys: for asking which of them fulfil a predicate.
///
/// - Throws: `RecoveryReportError` for a file that is no such report or is of another store, `FileError`, `SQLiteError`.
package func deletedObjects(inReport path: PosixPath, of store: Store) throws -> Store {
  let report = try RecoveryReport(path)
  guard let uuid = store.metadata.uuid, uuid == report.uuid else {
    throw RecoveryReportError(path, "it is of another store: its UUID differs, so that the same key is another object")
  }
  return try Workbench(lookingIn: store.connection, like: store).tables(of: report).copy.store
}

extension Workbench {
  /// Tables like the store's with the deleted objects that a report has the values of, under their keys, and no others.
  ///
  /// - Returns: the tables, and what is to be said of objects that they do not hold.
  func tables(of report: RecoveryReport) throws -> (copy: Workbench, obstacles: [Obstacle], notices: [String]) {
    let copy = try Workbench(lookingIn: emptyTables(), like: store)
    var obstacles: [Obstacle] = []
    var notices: [String] = []
    var held: [String: [Int64]] = [:]
    var (strange, torn) = (0, 0)
    for row in report.rows {
      guard let shape = store.shape.tables[row.table], row.values.keys.allSatisfy(shape.has) else {
        strange += 1
        continue
      }
      if let key = row.key {
        guard case .integer(let number)? = row.values["Z_ENT"], let entity = map.entity(EntityID(number)),
          entity.table == row.table, !entity.id.isInternal
        else {
          strange += 1
          continue
        }
        let isLacking = entity.attributes.contains { attribute in
          !attribute.property.isOptional
            && attribute.columns.contains { $0.name.map { row.values[$0] ?? .null }?.isNull == true }
        }
        if isLacking {
          held[entity.name, default: []].append(key)
          continue
        }
        torn += row.isWhole ? 0 : 1
      } else if !row.isWhole {
        strange += 1
        continue
      }
      try copy.connection.insert(row, isObject: row.key != nil)
    }
    for (entity, keys) in held.sorted(by: { $0.key < $1.key }) {
      obstacles.append(
        Obstacle(
          .restore, entity: entity, count: keys.count, keys: keys.sorted(),
          "\(counted(keys.count, "object")) cannot be put back: a required value of \(keys.count == 1 ? "it" : "them") is "
            + "lost", refusesPlan: false))
    }
    if torn > 0 {
      notices.append("of \(counted(torn, "object")) not all values were found: those that are lost are empty")
    }
    let unusable = strange + report.unusable
    if unusable > 0 {
      notices.append(
        "\(counted(unusable, "result")) of the report cannot be put back: no content, no key, or the columns of an earlier "
          + "version of the model")
    }
    return (copy, obstacles, notices)
  }
}

extension Workbench {
  /// The store's tables without indexes, triggers and rows, but for those that tell what the tables are.
  private func emptyTables() throws -> Connection {
    let other = try Connection.scratch()
    let tables = try connection.prepare(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND rootpage > 0")
    // One statement each, whatever the text has behind it.
    while try tables.step() {
      if let sql = tables.string(0) { _ = try other.prepare(sql).step() }
    }
    for table in ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"] where store.shape.tables[table] != nil {
      let rows = try connection.prepare("SELECT * FROM \(table)")
      while try rows.step() {
        let values = (0..<rows.columnCount).map { rows.value($0) }
        let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
        let insertion = try other.prepare("INSERT INTO \(table) VALUES (\(marks))")
        for (index, value) in values.enumerated() { try insertion.bind(value, at: index + 1) }
        while try insertion.step() {}
      }
    }
    return other
  }
}

extension Connection {
  fileprivate func insert(_ row: RecoveryReport.Row, isObject: Bool) throws(SQLiteError) {
    var values = row.values
    if isObject, let key = row.key { values["Z_PK"] = .integer(key) }
    let columns = values.sorted { $0.key < $1.key }
    let names = columns.map { quotedIdentifier($0.key) }.joined(separator: ", ")
    let marks = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    let statement = try prepare("INSERT OR IGNORE INTO \(quotedIdentifier(row.table)) (\(names)) VALUES (\(marks))")
    for (index, column) in columns.enumerated() { try statement.bind(column.value, at: index + 1) }
    while try statement.step() {}
  }
}
