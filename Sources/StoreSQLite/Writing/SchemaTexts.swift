import StoreText

/// The tables and indexes of a database by what its schema says of them, and what changes of it are written as.
struct SchemaTexts {
  /// A row of the schema.
  struct Row {
    let number: Int64
    var name: String
    var table: String
    /// Nil for an index that SQLite made itself.
    var text: SchemaText?
  }

  /// The tables with plain texts, by name.
  private var tables: [String: Row] = [:]
  /// The indexes of each table; nil for a table one of whose indexes has no plain text.
  private var indexes: [String: [Row]?] = [:]
  /// All names in lower case: SQLite takes names for equal that differ in case alone.
  private var names: Set<String> = []
  /// Whether there is anything but tables and indexes: a trigger or a view may name any of them.
  private var hasOthers = false
  /// Whether a table may name another one.
  private var hasReferences = false

  init(_ connection: Connection) throws {
    let rows = try connection.prepare("SELECT rowid, type, name, tbl_name, sql FROM sqlite_master")
    while try rows.step() {
      guard let name = rows.string(2), let table = rows.string(3) else {
        hasOthers = true
        continue
      }
      names.insert(name.lowercased())
      let text = rows.string(4).flatMap(SchemaText.init)
      let row = Row(number: rows.int64(0), name: name, table: table, text: text)
      switch rows.string(1) {
      case "table":
        if text?.isTable == true, name == table, tables[name] == nil {
          tables[name] = row
        } else if rows.string(4)?.uppercased().contains("REFERENCES") != false {
          hasReferences = true
        }
      case "index":
        let isAutomatic = rows.isNull(4) && name.hasPrefix(Self.automatic + table)
        if text?.isTable == false || isAutomatic, let known = indexes[table, default: []] {
          indexes[table] = known + [row]
        } else {
          indexes[table] = .some(nil)
        }
      default: hasOthers = true
      }
    }
  }

  /// What the names of indexes begin with that SQLite makes itself; the table's name follows.
  private static let automatic = "sqlite_autoindex_"

  /// The rows that a change writes, which are taken to be written; nil where it is left to SQLite.
  mutating func changes(for edit: SchemaEdit) -> [Row]? {
    guard !hasOthers else { return nil }
    switch edit {
    case .addColumn(let table, let definition):
      guard var row = tables[table], let text = row.text?.adding(definition) else { return nil }
      row.text = text
      tables[table] = row
      return [row]
    case .renameTable(let old, let new): return renamed(old, to: new)
    case .renameColumn(let old, let table, let new):
      guard !hasReferences, var row = tables[table], let text = row.text?.renaming(column: old, to: new),
        let own = indexes[table, default: []]
      else { return nil }
      row.text = text
      var changed = [row]
      var all: [Row] = []
      for var index in own {
        if let before = index.text {
          guard let after = before.renaming(column: old, to: new, isRequired: false) else { return nil }
          index.text = after
          if after.sql != before.sql { changed.append(index) }
        }
        all.append(index)
      }
      (tables[table], indexes[table]) = (row, all)
      return changed
    }
  }

  private mutating func renamed(_ old: String, to new: String) -> [Row]? {
    guard !hasReferences, SchemaText.isName(new), !names.contains(new.lowercased()),
      !new.lowercased().hasPrefix("sqlite_"),
      var row = tables[old], let text = row.text?.renaming(table: old, to: new), let own = indexes[old, default: []]
    else { return nil }
    (row.name, row.table, row.text) = (new, new, text)
    var changed = [row]
    for var index in own {
      if let text = index.text {
        guard let renamed = text.renaming(table: old, to: new) else { return nil }
        index.text = renamed
      } else {
        names.remove(index.name.lowercased())
        index.name = Self.automatic + new + index.name.dropFirst(Self.automatic.count + old.count)
        names.insert(index.name.lowercased())
      }
      index.table = new
      changed.append(index)
    }
    names.remove(old.lowercased())
    names.insert(new.lowercased())
    tables[old] = nil
    tables[new] = row
    indexes[old] = nil
    indexes[new] = Array(changed.dropFirst())
    return changed
  }
}

/// The statement of a table or an index that consists of plain names, types and directions between one pair of parentheses; a
/// table may have a key of several columns at the end.
struct SchemaText: Equatable {
  /// Whether it is a table's.
  let isTable: Bool
  /// Up to the name of the table: "CREATE TABLE ".
  private let start: String
  /// The table's name as it stands there, with quotes if it has any.
  private var name: String
  /// From the name to the first column: " ( ".
  private let middle: String
  /// Columns as they stand there, each with what follows its name: a comma, and spaces, are between them.
  private var columns: [Column]
  /// The key of a table of several columns, whose columns are names alone; empty where there is none.
  private var key: [Column]
  /// What stands around the key's columns: "PRIMARY KEY (" and ") )"; of a table without one " )".
  private let around: (before: String, after: String)

  /// A column or a part of one, as it stands in a text: spaces, its name, and what follows.
  private struct Column: Equatable {
    var space: String
    var name: String
    var rest: String

    var sql: String { space + name + rest }

    init?(_ text: Substring) {
      let name = text.drop { $0 == " " }
      let end = name.firstIndex(of: " ") ?? name.endIndex
      guard SchemaText.isName(String(name[..<end])) else { return nil }
      space = String(text[..<name.startIndex])
      self.name = String(name[..<end])
      rest = String(name[end...])
    }
  }

  static func == (left: Self, right: Self) -> Bool { left.sql == right.sql }

  /// The statement.
  var sql: String {
    let columns = columns.map(\.sql).joined(separator: ",")
    guard !key.isEmpty else { return start + name + middle + columns + around.after }
    return start + name + middle + columns + "," + around.before + key.map(\.sql).joined(separator: ",") + around.after
  }

  /// Nil for any other form.
  init?(_ sql: String) {
    let bytes = sql.utf8
    guard bytes.count <= Self.longest, bytes.allSatisfy(Self.isPlain), bytes.last == UInt8(ascii: ")") else {
      return nil
    }
    let words = sql.uppercased().split(whereSeparator: { " ,()".contains($0) })
    guard !words.contains(where: { Self.refused.contains($0) }) else { return nil }
    guard let open = sql.firstIndex(of: "(") else { return nil }
    let head = sql[..<open]
    var inner = sql[sql.index(after: open)...].dropLast()
    isTable = head.hasPrefix(Self.table)
    // "CREATE INDEX name ON table", "CREATE UNIQUE INDEX name ON table".
    let before = isTable ? Self.table.endIndex : head.firstRange(of: " ON ")?.upperBound
    guard let before, isTable || head.hasPrefix("CREATE INDEX ") || head.hasPrefix("CREATE UNIQUE INDEX ") else {
      return nil
    }
    let named = head[before...]
    let end = named.lastIndex { $0 != " " }.map(named.index(after:)) ?? named.startIndex
    name = String(named[..<end])
    guard Self.isName(name) || Self.isName(Self.unquoted(name)) else { return nil }
    (start, middle) = (String(head[..<before]), String(named[end...]) + "(")
    var keyColumns: Substring?
    var texts = ("", ")")
    if isTable, let second = inner.firstIndex(of: "(") {
      guard let comma = inner[..<second].lastIndex(of: ","),
        inner[comma...].dropFirst().prefix(upTo: second).split(separator: " ") == ["PRIMARY", "KEY"],
        let close = inner.lastIndex(of: ")"), inner[inner.index(after: close)...].allSatisfy({ $0 == " " })
      else { return nil }
      keyColumns = inner[inner.index(after: second)..<close]
      texts = (String(inner[inner.index(after: comma)...second]), String(inner[close...]) + ")")
      inner = inner[..<comma]
    }
    around = texts
    guard let columns = Self.columns(inner), let key = keyColumns.map(Self.columns) ?? [] else { return nil }
    (self.columns, self.key) = (columns, key)
  }

  /// The longest text that is looked at.
  private static let longest = 1 << 20
  private static let table = "CREATE TABLE "
  /// Words that give a text a meaning beyond names and types.
  private static let refused: Set<Substring> = ["CONSTRAINT", "AUTOINCREMENT", "REFERENCES", "AS", "WHERE"]

  private static func columns(_ text: Substring) -> [Column]? {
    var columns: [Column] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard !part.contains(where: { "()\"".contains($0) }), let column = Column(part) else { return nil }
      columns.append(column)
    }
    return columns
  }

  private static func unquoted(_ name: String) -> String {
    name.count > 2 && name.hasPrefix("\"") && name.hasSuffix("\"") ? String(name.dropFirst().dropLast()) : name
  }

  /// Whether it stands in a statement without quotes.
  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return name.utf8.allSatisfy { isWord($0) }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool { isWord(byte) || " ,()\"".utf8.contains(byte) }

  // MARK: Changes

  /// With a column at the end, as SQLite writes it; nil for a definition that is not plain, or a table with a key at the end.
  func adding(_ definition: String) -> SchemaText? {
    let name = definition.prefix { $0 != " " }.lowercased()
    guard isTable, key.isEmpty, definition.utf8.allSatisfy({ Self.isWord($0) || $0 == UInt8(ascii: " ") }),
      definition.utf8.last != UInt8(ascii: " "), !columns.contains(where: { $0.name.lowercased() == name })
    else { return nil }
    return SchemaText("\(sql.dropLast()), \(definition))")
  }

  /// With another name of the table, which SQLite writes with quotes; nil where the name there is another one.
  func renaming(table old: String, to new: String) -> SchemaText? {
    guard Self.unquoted(name) == old, Self.isName(new) else { return nil }
    var text = self
    text.name = "\"\(new)\""
    return text
  }

  /// With another name of a column; nil where it has none of that name, or one of the new name, or names that SQLite takes for
  /// equal.
  ///
  /// - Parameter isRequired: whether there has to be such a column.
  func renaming(column old: String, to new: String, isRequired: Bool = true) -> SchemaText? {
    guard Self.isName(new) else { return nil }
    let (oldName, newName) = (old.lowercased(), new.lowercased())
    var text = self
    var found = 0
    func renamed(_ columns: [Column]) -> [Column]? {
      var columns = columns
      for place in columns.indices {
        let name = columns[place].name
        if name == old {
          columns[place].name = new
          found += 1
        } else if case let lowered = name.lowercased(), lowered == oldName || lowered == newName {
          return nil
        }
      }
      return columns
    }
    guard let columns = renamed(text.columns), !isRequired || found == 1, let key = renamed(text.key) else {
      return nil
    }
    (text.columns, text.key) = (columns, key)
    return text
  }
}
