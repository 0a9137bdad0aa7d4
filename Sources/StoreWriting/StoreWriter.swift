import StoreWords
import StoreDataModel
import StoreCoreData
import StorePropertyLists
import StoreSQLite

/// A value for an attribute.
package enum StoredValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  /// Seconds since 2001-01-01 UTC; a whole second is stored as an integer, as TIMESTAMP's affinity does.
  case date(Double)
}

extension StoredValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByNilLiteral
{
  /// Text.
  package init(stringLiteral value: String) { self = .text(value) }
  /// An integer.
  package init(integerLiteral value: Int64) { self = .integer(value) }
  /// A real number.
  package init(floatLiteral value: Double) { self = .real(value) }
  /// NULL.
  package init(nilLiteral: ()) { self = .null }
}

/// An object of a generated store.
package struct ObjectKey: Hashable, Sendable {
  /// The entity's name.
  package var entity: String
  /// `Z_PK`.
  package var key: Int64

  /// The object with that key, whether it exists or not.
  package init(entity: String, key: Int64) {
    self.entity = entity
    self.key = key
  }
}

/// Why a store could not be generated.
package struct GeneratorError: Error, CustomStringConvertible {
  /// The problem; lower case, no full stop.
  package var description: String

  /// An error with its sentence.
  package init(description: String) { self.description = description }
}

/// Writes a store as Core Data would: tables, indexes, metadata, model cache, then objects and links.
///
/// ```swift
/// let store = try StoreWriter(creating: path, StoreDescription(model: notes))
/// let folder = try store.insert("Folder", ["name": "Work"])
/// let note = try store.insert("Note", ["title": "Milk"])
/// try store.link(note, "folder", to: folder)
/// try store.finish()
/// ```
package final class StoreWriter {
  private let description: StoreDescription
  private let plan: TablePlan
  private let numbers: [String: Int64]
  private let connection: Connection
  private let columns: ColumnNames
  private var highWater: [String: Int64] = [:]
  private var orderKeys: [String: Int64] = [:]
  private var statements: [String: Statement] = [:]

  /// The connection, to inject damage and additions in SQL.
  package var database: Connection { connection }

  /// Fetch indexes that are not made because their statement is not known, as "Note.byDate".
  package let indexesLeftOut: [String]

  /// Creates the store's file, which must not exist, with everything but objects.
  package convenience init(creating path: String, _ description: StoreDescription) throws {
    try self.init(creating: PosixPath(path), description)
  }

  /// The most columns of a table, "SQLITE_MAX_COLUMN ... defaults to 2000" (sqlite.org/limits.html).
  private static let mostColumns = 2000

  /// Creates the store's file, which must not exist, with everything but objects.
  package init(creating path: PosixPath, _ description: StoreDescription) throws {
    var description = description
    description.model = description.model.compiled
    self.description = description
    numbers = TablePlan.entityNumbers(of: description.model)
    plan = TablePlan(description.model, numbers: numbers, knownTables: description.joinTableNames)
    columns = ColumnNames(plan)
    if let wide = plan.tables.first(where: { $0.columns.count + 3 > Self.mostColumns }) {
      throw GeneratorError(
        description:
          "the table of \(quoted(wide.root)) would have \(grouped(Int64(wide.columns.count + 3))) columns, and SQLite "
          + "allows \(grouped(Int64(Self.mostColumns))): no app can make this store")
    }
    connection = try Connection(creating: path)
    // All stores seen have incremental auto-vacuum, and all but one of 411 this page size.
    try connection.execute("PRAGMA page_size=\(description.pageSize)")
    try connection.execute("PRAGMA auto_vacuum=2")
    try connection.execute("PRAGMA journal_mode=\(description.usesWAL ? "WAL" : "DELETE")")
    // Nothing is lost by a power cut: the same bytes can be generated again.
    try connection.execute("PRAGMA synchronous=OFF")
    try connection.execute("BEGIN")
    let schema = SchemaStatements(
      model: description.model, plan: plan, framework: description.framework, keepsHistory: description.keepsHistory)
    indexesLeftOut = schema.leftOut
    for statement in schema.all { try connection.execute(statement.sql) }
    try writeEntityMap()
    try writeMetadata()
  }

  private func writeEntityMap() throws {
    let statement = try connection.prepare("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, 0)")
    for (name, number) in numbers.sorted(by: { $0.value < $1.value }) {
      let parent = description.model.entity(named: name)?.parent
      statement.reset()
      try statement.bind(number, at: 1)
      try statement.bind(name, at: 2)
      try statement.bind(parent.flatMap { numbers[$0] } ?? 0, at: 3)
      _ = try statement.step()
    }
  }

  private func writeMetadata() throws {
    let statement = try connection.prepare("INSERT INTO Z_METADATA VALUES (1, ?, ?)")
    try statement.bind(description.uuid, at: 1)
    try statement.bind(description.metadata.binaryPropertyList(), at: 2)
    _ = try statement.step()
    guard description.framework >= 637 else { return }
    let cache = try connection.prepare("INSERT INTO Z_MODELCACHE VALUES (?)")
    try cache.bind(ModelCache.content(of: description.model), at: 1)
    _ = try cache.step()
  }

  // MARK: Objects

  /// Inserts an object; attributes that are not given are NULL, even if the model has a default.
  @discardableResult
  package func insert(
    _ entity: String, _ values: [String: StoredValue] = [:], key: Int64? = nil
  ) throws -> ObjectKey {
    guard let number = numbers[entity], let root = description.model.root(of: entity) else {
      throw GeneratorError(description: "no entity \(quoted(entity)) in the model")
    }
    let key = key ?? (highWater[root.name] ?? 0) + 1
    highWater[root.name] = max(highWater[root.name] ?? 0, key)
    let names = values.keys.sorted(by: codeUnitsPrecede)
    let statement = try statement("\(entity) \(names.joined(separator: " "))") {
      let columns = try names.map { try self.column(of: $0, in: entity) }
      let list = ["Z_PK", "Z_ENT", "Z_OPT"] + columns
      let marks = ["?", "?", "1"] + columns.map { _ in "?" }
      return "INSERT INTO Z\(root.name.uppercased()) (\(list.joined(separator: ", "))) "
        + "VALUES (\(marks.joined(separator: ", ")))"
    }
    statement.reset()
    try statement.bind(key, at: 1)
    try statement.bind(number, at: 2)
    for (position, name) in names.enumerated() {
      try statement.bind(values[name] ?? .null, at: position + 3)
    }
    _ = try statement.step()
    return ObjectKey(entity: entity, key: key)
  }

  /// The column of "attribute" or, for an element of a composite, "attribute.element".
  private func column(of name: String, in entity: String) throws -> String {
    let parts = name.split(separator: ".").map(String.init)
    guard let first = parts.first, let declarer = description.model.topmostDeclarer(of: first, in: entity),
      let column = columns.names[.attribute(.init(declarer, first), leaf: Array(parts.dropFirst()))]
    else { throw GeneratorError(description: "no stored attribute \(quoted(name)) in \(quoted(entity))") }
    return column
  }

  private func statement(_ key: String, sql: () throws -> String) throws -> Statement {
    if let prepared = statements[key] { return prepared }
    let prepared = try connection.prepare(try sql())
    statements[key] = prepared
    return prepared
  }

  // MARK: Links

  /// Links two objects through a relationship of the first, with everything Core Data stores for it: companion, order
  /// key, the other side of a one-to-one, both rows of a reflexive link.
  package func link(_ source: ObjectKey, _ relationship: String, to destination: ObjectKey) throws {
    let model = description.model
    guard let described = model.property(relationship, of: source.entity)?.relationship,
      let declarer = model.topmostDeclarer(of: relationship, in: source.entity)
    else {
      throw GeneratorError(description: "no relationship \(quoted(relationship)) in \(quoted(source.entity))")
    }
    let id = TablePlan.PropertyID(declarer, relationship)
    guard let inverseName = described.inverse,
      let inverse = model.property(inverseName, of: described.destination)?.relationship
    else {
      return described.isToMany
        ? try setHiddenKey(id, of: destination, to: source) : try setKey(id, of: source, to: destination)
    }
    let inverseID = TablePlan.PropertyID(
      model.topmostDeclarer(of: inverseName, in: described.destination) ?? described.destination, inverseName)
    switch (described.isToMany, inverse.isToMany) {
    case (false, true): try setKey(id, of: source, to: destination)
    case (true, false): try setKey(inverseID, of: destination, to: source)
    case (false, false):
      try setKey(id, of: source, to: destination)
      if id != inverseID || source != destination { try setKey(inverseID, of: destination, to: source) }
    case (true, true): try join(id, source: source, destination: destination)
    }
  }

  private func setKey(_ id: TablePlan.PropertyID, of source: ObjectKey, to destination: ObjectKey) throws {
    var assignments: [(String, Int64)] = []
    if let column = columns.names[.key(id)] { assignments.append((column, destination.key)) }
    if let companion = columns.names[.companion(id)] {
      assignments.append((companion, numbers[destination.entity] ?? 0))
    }
    if let orderKey = columns.names[.orderKey(id)] {
      assignments.append((orderKey, nextOrderKey("\(orderKey) \(destination.key)")))
    }
    try update(source, setting: assignments)
  }

  private func setHiddenKey(_ id: TablePlan.PropertyID, of destination: ObjectKey, to source: ObjectKey) throws {
    guard let column = columns.names[.hiddenKey(id)] else { return }
    var assignments = [(column, source.key)]
    if let orderKey = columns.names[.hiddenOrderKey(id)] {
      assignments.append((orderKey, nextOrderKey("\(orderKey) \(source.key)")))
    }
    try update(destination, setting: assignments)
  }

  private func update(_ object: ObjectKey, setting assignments: [(column: String, value: Int64)]) throws {
    guard let root = description.model.root(of: object.entity), !assignments.isEmpty else { return }
    let list = assignments.map { "\($0.column) = ?" }.joined(separator: ", ")
    let sql = "UPDATE Z\(root.name.uppercased()) SET \(list) WHERE Z_PK = ?"
    let statement = try statement(sql) { sql }
    statement.reset()
    for (position, assignment) in assignments.enumerated() {
      try statement.bind(assignment.value, at: position + 1)
    }
    try statement.bind(object.key, at: assignments.count + 1)
    _ = try statement.step()
  }

  private func join(_ id: TablePlan.PropertyID, source: ObjectKey, destination: ObjectKey) throws {
    guard let table = plan.joinTables.first(where: { $0.source == id || $0.destination == id }) else { return }
    let isForward = table.source == id
    let (first, second) = isForward ? (source, destination) : (destination, source)
    try insertJoin(table, first: first, second: second)
    // A link of a relationship that is its own inverse is stored as two mirrored rows.
    if table.source == table.destination && first != second { try insertJoin(table, first: second, second: first) }
  }

  private func insertJoin(_ table: TablePlan.JoinTable, first: ObjectKey, second: ObjectKey) throws {
    var columns = [table.sourceColumn, table.destinationColumn]
    var values = [first.key, second.key]
    for order in table.orderColumns {
      let owner = order.relationship == table.source ? first : second
      // One with order and its own inverse was never seen: keys that differ in the whole table are right in either
      // reading.
      let list = table.source == table.destination ? "" : " \(owner.key)"
      columns.append(order.name)
      values.append(nextOrderKey("\(table.name) \(order.name)" + list))
    }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let sql = "INSERT INTO \(table.name) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    let statement = try statement(sql) { sql }
    statement.reset()
    for (position, value) in values.enumerated() { try statement.bind(value, at: position + 1) }
    _ = try statement.step()
  }

  /// The next order key in a list; Core Data's are multiples of 1024 from 2048 on.
  private func nextOrderKey(_ list: String) -> Int64 {
    let next = (orderKeys[list] ?? 1024) + 1024
    orderKeys[list] = next
    return next
  }

  // MARK: Finishing

  /// Writes `Z_MAX`, commits, and leaves one file without side files.
  package func finish() throws {
    try commit()
    statements = [:]
    connection.close()
  }

  /// Commits everything so far into the WAL, checkpoints it if `intoMain` is true, and continues.
  ///
  /// Copies of the files in this state are like those of an app that was killed.
  package func save(intoMain: Bool) throws {
    try commit()
    if description.usesWAL && intoMain { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    try connection.execute("BEGIN")
  }

  private func commit() throws {
    for (root, key) in highWater.sorted(by: { $0.key < $1.key }) {
      let statement = try connection.prepare("UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, ?) WHERE Z_NAME = ?")
      try statement.bind(key, at: 1)
      try statement.bind(root, at: 2)
      _ = try statement.step()
    }
    try connection.execute("COMMIT")
  }
}

/// The names of columns by their role.
private struct ColumnNames {
  var names: [TablePlan.Role: String] = [:]

  init(_ plan: TablePlan) {
    for column in plan.tables.flatMap(\.columns) { names[column.role] = column.name }
  }
}

extension Statement {
  fileprivate func bind(_ value: StoredValue, at index: Int) throws {
    switch value {
    case .null: try bindNull(at: index)
    case .integer(let value): try bind(value, at: index)
    case .real(let value), .date(let value): try bind(value, at: index)
    case .text(let value): try bind(value, at: index)
    case .blob(let value): try bind(value, at: index)
    }
  }
}
