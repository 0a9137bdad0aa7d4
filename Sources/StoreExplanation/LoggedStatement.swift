/// A statement that Core Data ran, as `-com.apple.CoreData.SQLDebug 1` prints it.
package struct LoggedStatement: Sendable, Hashable {
  /// The kind of statement.
  package var kind: Kind
  /// The tables it names, each once, in order of occurrence.
  package var tables: [String]
  /// The columns it names, each once, in order of occurrence.
  package var columns: [Column]
  /// The column its condition selects rows by; nil if there is none.
  package var key: Column?
  /// The first line it occurs in, counted from 1.
  package var line: Int
  /// How many times it occurs.
  package var count = 1

  /// The kinds of statements.
  package enum Kind: String, Sendable {
    case select, insert, update, delete
    /// Makes, changes or drops a table or an index.
    case schema
  }

  /// A column of a table.
  package struct Column: Sendable, Hashable {
    /// The table.
    package var table: String
    /// The column.
    package var name: String

    /// "ZNOTE.ZTITLE".
    package var text: String { "\(table).\(name)" }
  }

  /// The statement without line and count, to compare it with others.
  var withoutPlace: Self {
    var statement = self
    (statement.line, statement.count) = (0, 1)
    return statement
  }
}

/// Parses a statement; accepts any bytes.
struct LoggedStatementReader {
  /// The most bytes of a statement that are read.
  static let mostBytes = 1 << 16
  /// The most tables, and columns, that are kept.
  private static let mostNames = 1000

  private var tokens: [Token] = []
  private var tables: [String] = []
  private var tableOfAlias: [String: String] = [:]
  /// Columns before their tables are known: with their alias, or without where there is none.
  private var columns: [(alias: String?, name: String)] = []
  private var key: (alias: String?, name: String)?

  private enum Token: Equatable {
    case word(String)
    case sign(UInt8)
  }

  /// - Parameter text: one statement, to the end of its line.
  static func statement(in text: ArraySlice<UInt8>, line: Int) -> LoggedStatement? {
    var reader = LoggedStatementReader()
    reader.readTokens(text.prefix(mostBytes))
    guard case .word(let verb)? = reader.tokens.first, let kind = kind(of: verb.lowercased()) else { return nil }
    reader.readNames()
    guard !reader.tables.isEmpty else { return nil }
    var seen: Set<LoggedStatement.Column> = []
    return LoggedStatement(
      kind: kind, tables: reader.tables,
      columns: reader.columns.compactMap { reader.column($0) }.filter { seen.insert($0).inserted },
      key: reader.key.flatMap { reader.column($0) }, line: line)
  }

  private static func kind(of verb: String) -> LoggedStatement.Kind? {
    switch verb {
    case "select": .select
    case "insert": .insert
    case "update": .update
    case "delete": .delete
    case "create", "alter", "drop": .schema
    default: nil
    }
  }

  // MARK: Tokens

  private mutating func readTokens(_ text: ArraySlice<UInt8>) {
    var place = text.startIndex
    while place < text.endIndex {
      let byte = text[place]
      if isWord(byte) {
        let word = text[place...].prefix(while: isWord)
        tokens.append(.word(String(decoding: word, as: UTF8.self)))
        place = word.endIndex
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        let inside = text[(place + 1)...].prefix { $0 != byte }
        // Text in single quotes is a value.
        if byte == UInt8(ascii: "\"") { tokens.append(.word(String(decoding: inside, as: UTF8.self))) }
        place = min(inside.endIndex + 1, text.endIndex)
      } else {
        if byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") { tokens.append(.sign(byte)) }
        place += 1
      }
    }
  }

  private func word(_ position: Int) -> String? {
    guard tokens.indices.contains(position), case .word(let word) = tokens[position] else { return nil }
    return word
  }

  private func isSign(_ position: Int, sign: Unicode.Scalar) -> Bool {
    tokens.indices.contains(position) && tokens[position] == .sign(UInt8(ascii: sign))
  }

  // MARK: Names

  private mutating func readNames() {
    var position = 0
    var isInCondition = false
    while position < tokens.count {
      guard let word = word(position) else {
        position += 1
        continue
      }
      let lower = word.lowercased()
      if Self.beforeTable.contains(lower), let next = self.position(ofTableAfter: position) {
        position = readTables(from: next)
      } else if lower == "where" {
        isInCondition = true
        position += 1
      } else if isSign(position + 1, sign: "."), let name = self.word(position + 2) {
        keep((word, name), at: position + 3, isInCondition: isInCondition)
        position += 3
      } else {
        if isColumnName(word), !isSign(position + 1, sign: "(") {
          keep((nil, word), at: position + 1, isInCondition: isInCondition)
        }
        position += 1
      }
    }
  }

  private mutating func keep(_ column: (alias: String?, name: String), at next: Int, isInCondition: Bool) {
    if columns.count < Self.mostNames { columns.append(column) }
    guard isInCondition, key == nil, column.name != "Z_ENT" else { return }
    if isSign(next, sign: "=") || word(next)?.lowercased() == "in" { key = column }
  }

  private static let beforeTable: Set = ["from", "join", "into", "update", "table", "on"]
  private static let betweenThem: Set = ["or", "replace", "fail", "ignore", "abort", "rollback", "if", "not", "exists"]

  /// The position of the table name after a keyword; nil if there is none. An `ON` is followed by one only in
  /// `CREATE INDEX`.
  private func position(ofTableAfter start: Int) -> Int? {
    if word(start)?.lowercased() == "on" {
      guard word(0)?.lowercased() == "create", word(1)?.lowercased() != "table" else { return nil }
    }
    var position = start + 1
    while let next = word(position)?.lowercased(), Self.betweenThem.contains(next) { position += 1 }
    return word(position) == nil || word(position)?.lowercased() == "select" ? nil : position
  }

  /// Reads "ZNOTE t0, ZTAG AS t1" and returns the position after it.
  private mutating func readTables(from start: Int) -> Int {
    var position = start
    while let table = word(position) {
      if tableOfAlias[table] != table, tables.count < Self.mostNames { tables.append(table) }
      tableOfAlias[table] = table
      position += 1
      if word(position)?.lowercased() == "as" { position += 1 }
      if let alias = word(position), !Self.afterTable.contains(alias.lowercased()) {
        tableOfAlias[alias] = table
        position += 1
      }
      guard isSign(position, sign: ","), word(0)?.lowercased() == "select" else { break }
      position += 1
    }
    return position
  }

  private static let afterTable: Set = [
    "where", "set", "order", "group", "left", "inner", "outer", "cross", "natural", "join", "on", "limit", "using",
    "values", "default", "indexed", "not", "add", "rename", "drop", "select", "union", "having",
  ]

  /// Core Data's columns are in capitals, with a Z before them.
  private func isColumnName(_ word: String) -> Bool {
    word.hasPrefix("Z") && word.utf8.count > 1 && tableOfAlias[word] == nil
      && word.utf8.allSatisfy { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
  }

  private func column(_ column: (alias: String?, name: String)) -> LoggedStatement.Column? {
    if let alias = column.alias { return tableOfAlias[alias].map { .init(table: $0, name: column.name) } }
    // With several tables it is not known which one has the column.
    return tables.count == 1 && column.name != tables[0] ? .init(table: tables[0], name: column.name) : nil
  }
}

/// Letters, digits, underscores, and whatever is not ASCII.
private func isWord(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (0x41...0x5a).contains(byte & 0xdf)
    || byte == UInt8(ascii: "_") || byte >= 0x80
}
