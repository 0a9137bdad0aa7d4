import StoreCoreData
import StoreScanning
import StoreSQLite
import StoreText
import StoreWords

/// Reads the objects of an entity in the order of their keys, or those of given keys.
///
/// The table is read once, from end to end; what other tables contribute has been read before.
final class RowReader {
  let plan: RowPlan
  /// The rows of the table whose `Z_ENT` is of no entity that belongs there, after a read of the whole table.
  private(set) var strays = StrayRows()
  /// For each column, how many values are not of the storage class of the model's type, and are shown as stored.
  @exclusivity(unchecked) private(set) var misfits: [Int64]
  /// Objects a to-one of a path leads to that do not exist.
  @exclusivity(unchecked) private(set) var missing: [Int64]
  /// Values that are shown as empty because they are lost, of objects that are gone.
  fileprivate(set) var lost: Int64 = 0
  fileprivate let entity: EntityLayout
  fileprivate let store: Store
  private let loader: ColumnLoader
  private let home: Set<EntityID>
  private let readsBinary: Bool
  private let externalValues: RowQuery.ExternalValueWriter?
  /// Why an external value could not be written.
  private var failure: (any Error)?
  /// Contents of external files of the row that is being read.
  private var files: [UnsafeMutableRawBufferPointer] = []

  init(
    _ entity: EntityLayout, columns: [String]?, and further: [String] = [], includesSubentities: Bool = true,
    readsBinary: Bool = false, externalValues: RowQuery.ExternalValueWriter? = nil, loader: ColumnLoader
  ) throws {
    store = loader.store
    self.loader = loader
    self.entity = entity
    plan = try RowPlan(
      entity, columns: columns, and: further, includesSubentities: includesSubentities, readsBinary: readsBinary,
      loading: loader)
    home = loader.map.home(of: entity.table)
    self.readsBinary = readsBinary || externalValues != nil
    self.externalValues = externalValues
    misfits = [Int64](repeating: 0, count: plan.columns.count)
    missing = misfits
  }

  deinit { for file in files { file.deallocate() } }

  /// One object.
  struct Row {
    let key: Int64
    let entity: EntityID
    fileprivate let sources: [CellSource]
    fileprivate let statement: Statement
    fileprivate unowned let reader: RowReader

    /// The value of a column of the plan.
    @inline(__always)
    func value(_ column: Int) -> RowValue {
      switch sources[column] {
      case .absent: return .absent
      case .key: return .key(key)
      case .entity(let name): return .entity(name)
      case .version(let position), .toOne(let position):
        let stored = statement[position]
        switch stored.kind {
        case .null: return .null
        case .integer: return .key(stored.int64)
        default:
          reader.misfits[column] += 1
          return CellSource.Coder.stored.value(stored, misfits: &reader.misfits[column])
        }
      case .attribute(let position, let coder):
        let stored = statement[position]
        if coder.isExternal || coder.isBinary { return reader.binary(self, at: position, coder: coder, column: column) }
        return coder.value(stored, misfits: &reader.misfits[column])
      case .toMany(let links): return .keys(links.keys(of: key))
      case .mirror(let objects, let part): return objects.value(part, of: key)
      case .path(let position, let loaded):
        let stored = statement[position]
        guard stored.kind == .integer else { return .null }
        guard let value = loaded.value(of: stored.int64) else {
          reader.missing[column] += 1
          return .null
        }
        return value
      }
    }
  }

  /// Calls `body` for every object.
  ///
  /// - Parameter keys: the keys of the objects, in the order they are wanted; nil for all.
  /// - Throws: `SQLiteError` where the table cannot be read to its end, and what `body` throws.
  func forEach(keys: [Int64]? = nil, _ body: (Row) throws -> Void) throws {
    guard let keys else { return try read(cursor(), body: body) }
    guard let first = keys.first else { return }
    let cursor = try cursor(key: first)
    var missed: Set<Int64> = []
    for key in keys {
      try cursor.place(at: key)
      try read(cursor, body: body)
      if !cursor.hasMetRow { missed.insert(key) }
    }
    guard !missed.isEmpty, store.shape.tables[plan.table]?.has("Z_PK") == true else { return }
    for key in try keysInWholeTable(among: missed) {
      try read(Cursor(self, statement(.oneKeyAnywhere), key: key).placed(), body: body)
    }
  }

  /// Reads the keys of the whole table, where some are not found by themselves: pages that lead to another place, or to
  /// nothing, hide rows from who looks for their keys.
  ///
  /// - Returns: the keys that are there all the same, in order.
  private func keysInWholeTable(among missed: Set<Int64>) throws -> [Int64] {
    var found: [Int64] = []
    do throws(SQLiteError) {
      try forEachKey { key in
        if missed.contains(key), found.count < Self.mostLostKeys { found.append(key) }
      }
    } catch {
      guard error.isCorrupt, loader.toleratesDamage else { throw error }
      store.noteUnreadable(plan.table)
    }
    if !found.isEmpty { store.noteLostKey(of: plan.table) }
    return found.sorted()
  }

  private func forEachKey(_ body: (Int64) -> Void) throws(SQLiteError) {
    let all = try store.connection.prepare("SELECT Z_PK FROM \(quotedIdentifier(plan.table)) NOT INDEXED")
    var rows: Int64 = 0
    var last = Int64.min
    while try all.step() {
      let key = all.int64(0)
      if rows > 0, key <= last { store.noteDisorder(of: plan.table) }
      last = key
      rows &+= 1
      body(key)
    }
    store.compareRows(rows, of: plan.table, looksForLost: true)
  }

  /// The most objects that are read from a table that does not lead to them; each costs a read of the whole.
  private static let mostLostKeys = 100

  /// Which rows a statement reads.
  private enum Span: String {
    case all = ""
    case oneKey = " WHERE Z_PK = ?"
    /// Looked for in every row, not by the way that pages lead to the key.
    case oneKeyAnywhere = " WHERE +Z_PK = ?"
    case behindKey = " WHERE Z_PK > ?"
  }

  private func statement(_ span: Span) throws -> Statement {
    let table = store.shape.tables[plan.table]
    let names = ["Z_PK", "Z_ENT"].map { table?.has($0) == true ? $0 : "NULL" }
    // A table without keys, which Core Data never makes, has no objects.
    let filter = names[0] == "NULL" ? " WHERE 0" : span.rawValue
    let from = table == nil ? "(SELECT 1)" : "\(quotedIdentifier(plan.table)) NOT INDEXED"
    return try store.connection.prepare(
      "SELECT \((names + plan.selected).joined(separator: ", ")) FROM \(from)\(filter)")
  }

  private func read(_ cursor: Cursor, body: (Row) throws -> Void) throws {
    while let row = try cursor.next() { try body(row) }
  }

  /// The objects in the order of their keys, one at a time.
  ///
  /// - Parameter key: only the object with that key; nil for all.
  /// - Throws: `SQLiteError` where the statement cannot be compiled.
  func cursor(key: Int64? = nil) throws -> Cursor {
    let statement = try statement(key == nil ? .all : .oneKey)
    if let key { try statement.bind(key, at: 1) }
    return Cursor(self, statement, key: key)
  }

  /// The last of the keys that cannot be read where a read stopped.
  ///
  /// - Throws: `error` where nothing is to be left out.
  fileprivate func leaveOut(behind key: Int64?, after error: SQLiteError) throws -> Int64 {
    if error.isTooBig { throw tooLong(behind: key) }
    guard loader.toleratesDamage, error.isCorrupt, let gap = loader.unreadableKeys(behind: key, in: plan.table) else {
      throw error
    }
    loader.addUnreadable(gap, of: plan.table)
    return gap.upperBound
  }

  fileprivate func leaveOut(_ key: Int64, after error: SQLiteError) throws {
    if error.isTooBig {
      throw ValueTooLong(object: "\(loader.map.entity(ofTable: plan.table)?.name ?? plan.table) \(key)")
    }
    guard loader.toleratesDamage, error.isCorrupt else { throw error }
    loader.addUnreadable(key...key, of: plan.table)
    store.noteUnreadable(plan.table)
  }

  /// Names the first object behind a key, of which a value is too long to be read.
  private func tooLong(behind key: Int64?) -> ValueTooLong {
    let name = loader.map.entity(ofTable: plan.table)?.name ?? plan.table
    let sql = "SELECT Z_PK FROM \(quotedIdentifier(plan.table)) NOT INDEXED WHERE Z_PK > ? ORDER BY Z_PK LIMIT 1"
    guard let next = try? store.connection.prepare(sql), (try? next.bind(key ?? .min, at: 1)) != nil,
      (try? next.step()) == true
    else { return ValueTooLong(object: "an object of \(name)") }
    return ValueTooLong(object: "\(name) \(next.int64(0))")
  }

  /// Takes note of a row that is of no entity of the table.
  private func isStray(_ entity: EntityID?) {
    if strays.count == 0 { store.noteRowsOfOtherEntities(in: plan.table) }
    strays.add(entity?.number)
  }

  /// A place among the objects.
  final class Cursor {
    private let reader: RowReader
    private var statement: Statement
    /// The only key it is at; nil for all.
    private var key: Int64?
    private var lastKey: Int64?
    /// The rows of the table that it went over.
    private var rows: Int64 = 0
    private var isOver = false
    /// Whether there was a row at its place, of whatever entity, or one that cannot be read.
    fileprivate private(set) var hasMetRow = false
    /// The last key that was left out.
    private var leftOut: Int64?
    /// Whether the statement is one that reads behind a key.
    private var isDetour = false
    private var last: (entity: EntityID, sources: [CellSource]?) = (EntityID(.min), nil)

    fileprivate init(_ reader: RowReader, _ statement: Statement, key: Int64?) {
      self.reader = reader
      self.statement = statement
      self.key = key
    }

    /// The next row; where damage hides some, the first one behind them.
    private func step() throws -> Bool {
      while !isOver {
        do throws(SQLiteError) {
          return try statement.step()
        } catch {
          if let key {
            try reader.leaveOut(key, after: error)
            hasMetRow = true
            return false
          }
          // Of keys that are not in order those that were left out are not come back to.
          let reached = [lastKey, leftOut].compactMap(\.self).max()
          let end = try reader.leaveOut(behind: reached, after: error)
          isOver = end == .max
          (lastKey, leftOut) = (end, end)
          if !isDetour { statement = try reader.statement(.behindKey) }
          isDetour = true
          statement.reset()
          try statement.bind(end, at: 1)
        }
      }
      return false
    }

    /// The next object, valid until the one after it; nil after the last one.
    func next() throws -> Row? {
      while try step() {
        if let failure = reader.failure { throw failure }
        let rowKey = statement.int64(0)
        if lastKey == nil, key == nil, rowKey <= 0, statement.kind(0) == .integer {
          reader.store.noteKeyOfNone(rowKey, of: reader.plan.table)
        }
        hasMetRow = true
        // In a sound table no key follows a larger one.
        if let lastKey, rowKey <= lastKey, key == nil { reader.store.noteDisorder(of: reader.plan.table) }
        lastKey = rowKey
        rows &+= 1
        let entity = EntityID(statement.int64(1))
        if entity != last.entity { last = (entity, reader.plan.sources[entity]) }
        guard let sources = last.sources else {
          if !reader.home.contains(entity) { reader.isStray(statement.kind(1) == .integer ? entity : nil) }
          continue
        }
        if !reader.files.isEmpty { reader.forgetFiles() }
        return Row(key: rowKey, entity: entity, sources: sources, statement: statement, reader: reader)
      }
      if let failure = reader.failure { throw failure }
      // Of a table that cannot be read whole, what is missing is said by its keys.
      if key == nil, !isDetour, !isOver {
        reader.store.compareRows(rows, of: reader.plan.table, looksForLost: true)
        isOver = true
      }
      return nil
    }

    /// The object with another key, for a cursor of one key.
    func move(to key: Int64) throws -> Row? {
      try place(at: key)
      return try next()
    }

    fileprivate func place(at key: Int64) throws {
      self.key = key
      hasMetRow = false
      statement.reset()
      try statement.bind(key, at: 1)
    }

    /// The same at its own key, for a statement that has none yet.
    fileprivate func placed() throws -> Cursor {
      if let key { try place(at: key) }
      return self
    }
  }

  // MARK: What is gone

  /// Calls `body` for objects of the entity that are not in the table any more, read as the others are: their values go
  /// through a statement of the same columns.
  ///
  /// - Parameter keys: only objects with these keys; nil for all.
  /// - Throws: `SQLiteError`, and what `body` throws.
  func forEachGone(_ rows: [GoneRow], keys: [Int64]?, body: (Row) throws -> Void) throws {
    guard !rows.isEmpty, let table = store.shape.tables[plan.table] else { return }
    let names = table.columns.map(\.name)
    let values = names.enumerated().map { "?\($0.offset + 1) AS \(quotedIdentifier($0.element))" }
    let own = ["Z_PK", "Z_ENT"].map { table.has($0) ? $0 : "NULL" }
    let statement = try store.connection.prepare(
      "SELECT \((own + plan.selected).joined(separator: ", ")) FROM (SELECT \(values.joined(separator: ", ")))")
    for row in rows {
      guard let sources = sources(of: row) else { continue }
      if let keys, row.key.map(keys.contains) != true { continue }
      for (index, name) in names.enumerated() { try statement.bind(row.values[name] ?? .null, at: index + 1) }
      guard try statement.step() else { continue }
      try body(
        Row(
          key: row.key ?? 0, entity: EntityID(statement.int64(1)), sources: sources, statement: statement, reader: self)
      )
      if let failure { throw failure }
      if !files.isEmpty { forgetFiles() }
      statement.reset()
    }
  }

  /// Where the values of an object that is gone come from: what is lost is absent, and so are to-many relationships, whose
  /// rows are those of today. Nil for an object of another entity.
  private func sources(of row: GoneRow) -> [CellSource]? {
    let kind = row.entity.flatMap { name in store.layout.entities.first { $0.name == name } }
    // An object whose entity is lost may be of any entity of the table: it is shown with their root.
    guard let known = plan.sources[kind?.id ?? entity.id], kind != nil || entity.parent == nil else { return nil }
    func isLost(_ position: Int) -> Bool {
      guard plan.selected.indices.contains(position - 2) else { return true }
      let expression = plan.selected[position - 2]
      return expression != "NULL" && !row.values.keys.contains { expression.contains(quotedIdentifier($0)) }
    }
    var absent: Int64 = 0
    let sources = zip(plan.columns, known).map { column, source -> CellSource in
      switch (column.content, source) {
      case (.state, _): return .entity(row.state)
      case (_, .key) where row.key == nil, (_, .mirror) where row.key == nil, (.entity, _) where kind == nil: break
      case (_, .toMany): return .absent
      case (_, .version(let position)), (_, .toOne(let position)), (_, .attribute(let position, _)),
        (_, .path(let position, _)):
        guard isLost(position) else { return source }
      default: return source
      }
      absent += 1
      return .absent
    }
    lost += absent
    return sources
  }

  private func forgetFiles() {
    for file in files { file.deallocate() }
    files.removeAll(keepingCapacity: true)
  }

  /// Bytes, with those in external files; or their length, if the content is not wanted.
  private func binary(_ row: Row, at position: Int, coder: CellSource.Coder, column: Int) -> RowValue {
    let stored = row.statement[position]
    if coder.isBinary, !readsBinary, stored.kind == .null {
      // The next column is the length of a large value. The first byte of one that may be external says that it is not.
      let length = row.statement[position + 1]
      return length.kind == .null ? .null : .dataLength(length.int64 - (coder.isExternal ? 1 : 0))
    }
    let value = coder.value(stored, misfits: &misfits[column])
    guard coder.isExternal else { return value }
    switch value {
    case .data(let bytes): return written(external(bytes, column: column, isDecoded: false), in: row, column: column)
    case .transformed(let bytes): return external(bytes, column: column, isDecoded: true)
    default: return value
    }
  }

  /// The value, or where it was written.
  private func written(_ value: RowValue, in row: Row, column: Int) -> RowValue {
    guard let externalValues, case .data(let bytes) = value, failure == nil else { return value }
    do {
      let entity = store.entityMap[row.entity]?.name ?? ""
      let file = try externalValues(entity, row.key, plan.columns[column].name, bytes)
      return .written(file: file, length: Int64(bytes.count))
    } catch {
      // Thrown by the next step: a value cannot throw.
      failure = error
      return value
    }
  }

  /// The value behind the bytes of a column whose large values are in files.
  private func external(_ bytes: UnsafeRawBufferPointer, column: Int, isDecoded: Bool) -> RowValue {
    func value(_ content: UnsafeRawBufferPointer) -> RowValue { isDecoded ? .transformed(content) : .data(content) }
    switch bytes.first {
    case nil: return value(bytes)
    case 1: return value(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
    case 2 where bytes.count == 38 && bytes[37] == 0:
      let name = UnsafeRawBufferPointer(rebasing: bytes[1..<37])
      guard let file = store.externalFile(String(decoding: name, as: UTF8.self)) else { return .missingFile(name) }
      guard readsBinary || isDecoded || file.size <= RowPlan.largestDecoded else { return .dataLength(file.size) }
      guard file.size <= ValueTooLong.longestFile else {
        // Thrown by the next step.
        if failure == nil {
          failure = ValueTooLong(file: "\(quoted(String(decoding: name, as: UTF8.self))) of \(plan.table)")
        }
        return .missingFile(name)
      }
      let content = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(clamping: file.size), alignment: 1)
      files.append(content)
      guard let count = try? file.read(into: content, at: 0), count == content.count else { return .missingFile(name) }
      return value(UnsafeRawBufferPointer(content))
    default:
      misfits[column] += 1
      return value(bytes)
    }
  }

  /// Remarks on values left out or shown otherwise than the model says, in a sentence each.
  var remarks: [String] {
    var remarks = plan.remarks
    if lost > 0 {
      remarks.append(
        "\(counted(lost, "value")) of objects that are gone \(lost == 1 ? "is" : "are") lost: left out in JSON, empty in other"
          + " formats; to-many relationships of such objects are not known")
    }
    if let words = strays.words(plan.table, fate: "shown") { remarks.append(words) }
    for (column, count) in zip(plan.columns, misfits) where count > 0 {
      remarks.append(
        "\(counted(count, "value")) of \(quoted(column.name)) \(count == 1 ? "is" : "are") not of type"
          + " \(column.typeName), and shown as stored")
    }
    for (column, count) in zip(plan.columns, missing) where count > 0 {
      remarks.append(
        "\(quoted(column.name)) is empty for \(counted(count, "object")) that \(count == 1 ? "leads" : "lead")"
          + " to an object that does not exist")
    }
    return remarks
  }
}

/// An object of which a value is longer than is read.
struct ValueTooLong: Error, CustomStringConvertible {
  /// The most bytes of a value in a file of its own that are read.
  static let longestFile: Int64 = 4 << 30

  /// "Note 3: a value, or the whole row,"
  private let what: String
  private let limit: Int64

  /// Of an object: "Note 3".
  init(object: String) {
    what = "\(object): a value, or the whole row,"
    limit = Int64(Connection.longestValue)
  }

  /// Of a value's file: "'0308CA1C-D76C-4F97-8631-28E8EFF6F510' of ZPHOTO".
  init(file: String) {
    what = "a value in a file of its own, \(file),"
    limit = Self.longestFile
  }

  var description: String {
    "\(what) is longer than the limit of \(limit) bytes, so that it is not "
      + "read; 'rows' with --columns that leave it out, or --key with others, shows the rest"
  }
}
