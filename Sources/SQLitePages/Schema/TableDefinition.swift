import StoreText

/// The columns of a table as its `CREATE TABLE` statement tells them, as far as reading its records needs.
package struct TableDefinition: Equatable, Sendable {
  /// The table's name.
  package var name: String
  /// The columns, in the order of the statement.
  package var columns: [Column]
  /// The column that is the row id; it is NULL in every record.
  package var rowIDColumn: Int?
  /// Whether the rows are in an index, the primary key first.
  package var isWithoutRowID = false
  /// The columns of the primary key, in its order.
  package var primaryKey: [Int] = []
  /// Whether the table refuses no row but for its primary key: it has no other constraint, and no column that is computed.
  package private(set) var refusesNothingElse: Bool

  /// One column.
  package struct Column: Equatable, Sendable {
    /// The name.
    package var name: String
    /// The declared type, with single spaces between words and none in parentheses; empty for none.
    package var type: String
    /// Whether NULL is refused.
    package var isNotNull = false
    /// Whether the column is computed when it is read, and not stored.
    package var isVirtual = false

    /// What the column converts values to.
    package var affinity: Affinity { Affinity(declaredType: type) }
  }

  /// What a column converts values to.
  package enum Affinity: Sendable { case integer, text, blob, real, numeric }

  /// For each value of a record, its column: the primary key comes first in a table without row ids, and computed
  /// columns are left out.
  package var recordColumns: [Int] {
    let stored = columns.indices.filter { !columns[$0].isVirtual }
    guard isWithoutRowID else { return stored }
    var seen: Set<Int> = []
    return (primaryKey + stored).filter { seen.insert($0).inserted }
  }

  /// Reads a statement; nil where it is not one that creates an ordinary table with columns.
  package init?(sql: String) {
    var words = SQLWords(sql)
    refusesNothingElse = !words.hasKeyword(of: Self.refusals)
    guard words.take("CREATE") else { return nil }
    if !words.take("TEMP") { _ = words.take("TEMPORARY") }
    guard words.take("TABLE") else { return nil }
    if words.take("IF") { guard words.take("NOT"), words.take("EXISTS") else { return nil } }
    guard var name = words.name() else { return nil }
    if words.takeSymbol(".") {
      guard let second = words.name() else { return nil }
      name = second
    }
    guard words.takeSymbol("(") else { return nil }
    self.name = name
    columns = []
    var keys: [String] = []
    var inlineKey: (column: Int, isDescending: Bool)?
    repeat {
      let item = words.item()
      guard !item.isEmpty else { return nil }
      if let key = Self.primaryKey(of: item) {
        keys = key
      } else if !Self.isConstraint(item), columns.count < Record.maximumColumns {
        let (column, key) = Self.column(item)
        if let key { inlineKey = (columns.count, key) }
        columns.append(column)
      }
    } while words.takeSymbol(",")
    guard words.takeSymbol(")"), !columns.isEmpty else { return nil }
    isWithoutRowID = words.rest().contains("WITHOUT")
    primaryKey =
      inlineKey.map { [$0.column] }
      ?? keys.compactMap { key in
        columns.firstIndex { $0.name.lowercased() == key.lowercased() }
      }
    // "if a rowid table has a primary key that consists of a single column and the declared type of that column is
    // "INTEGER" in any mixture of upper and lower case, then the column becomes an alias for the rowid", but not when it
    // is "INTEGER PRIMARY KEY DESC" in the column's definition.
    if !isWithoutRowID, primaryKey.count == 1, let only = primaryKey.first,
      columns[only].type.uppercased() == "INTEGER", inlineKey?.isDescending != true
    {
      rowIDColumn = only
    }
  }

  private static let refusals: Set<String> = [
    "UNIQUE", "CHECK", "NOT", "REFERENCES", "FOREIGN", "GENERATED", "AS", "AUTOINCREMENT", "STRICT",
  ]

  private static func isConstraint(_ item: [SQLWords.Word]) -> Bool {
    guard case .bare(let word) = item.first else { return false }
    return ["CONSTRAINT", "UNIQUE", "CHECK", "FOREIGN", "PRIMARY"].contains(word.uppercased())
      && (item.count > 1)
  }

  /// The columns of a table constraint `PRIMARY KEY (a, b)`; nil for other items.
  private static func primaryKey(of item: [SQLWords.Word]) -> [String]? {
    var item = item[...]
    if case .bare(let word) = item.first, word.uppercased() == "CONSTRAINT" { item = item.dropFirst(2) }
    guard item.count > 2, item.first?.isWord("PRIMARY") == true, item.dropFirst().first?.isWord("KEY") == true else {
      return nil
    }
    var keys: [String] = []
    var expectsName = false
    for word in item.dropFirst(2) {
      switch word {
      case .symbol("("), .symbol(","): expectsName = true
      case .symbol(")"): return keys
      case .symbol: break
      case .bare(let text), .quoted(let text):
        if expectsName { keys.append(text) }
        expectsName = false
      }
    }
    return keys
  }

  /// A column, and whether it is the primary key, descending or not.
  private static func column(_ item: [SQLWords.Word]) -> (Column, keyIsDescending: Bool?) {
    var column = Column(name: item.first?.text ?? "", type: "")
    var depth = 0
    var words: [String] = []
    var isInType = true
    for word in item.dropFirst() {
      switch word {
      case .symbol("("): depth += 1
      case .symbol(")"): depth -= 1
      case .bare(let text) where depth == 0:
        if endOfType.contains(text.uppercased()) { isInType = false }
        if !isInType { words.append(text.uppercased()) }
      default: break
      }
      guard isInType else { continue }
      // "VARCHAR(20)": the size is part of the type, and INTEGER(4) is not INTEGER.
      if depth == 0, !column.type.isEmpty, word != .symbol(")") { column.type += " " }
      column.type += word.text
    }
    column.isNotNull = zip(words, words.dropFirst()).contains { $0 == ("NOT", "NULL") }
    column.isVirtual = words.contains("AS") && !words.contains("STORED")
    guard let key = zip(words, words.dropFirst()).enumerated().first(where: { $0.element == ("PRIMARY", "KEY") }) else {
      return (column, nil)
    }
    return (column, words.dropFirst(key.offset + 2).first == "DESC")
  }

  private static let endOfType: Set<String> = [
    "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "GENERATED", "AS",
  ]
}

extension TableDefinition.Affinity {
  /// "The affinity of a column is determined by the declared type of the column, according to the following rules in the
  /// order shown". https://www.sqlite.org/datatype3.html
  package init(declaredType type: String) {
    let upper = type.uppercased()
    if upper.contains("INT") {
      self = .integer
    } else if ["CHAR", "CLOB", "TEXT"].contains(where: upper.contains) {
      self = .text
    } else if upper.isEmpty || upper.contains("BLOB") {
      self = .blob
    } else {
      self = ["REAL", "FLOA", "DOUB"].contains(where: upper.contains) ? .real : .numeric
    }
  }

  /// The storage classes that values of a column have but for NULL, as a mask of `StorageClass`.
  package var mask: UInt8 {
    switch self {
    case .integer: StorageClass.integer.rawValue
    case .text: StorageClass.text.rawValue
    case .real, .numeric: StorageClass.real.rawValue | StorageClass.integer.rawValue
    case .blob:
      StorageClass.integer.rawValue | StorageClass.real.rawValue | StorageClass.text.rawValue
        | StorageClass.blob.rawValue
    }
  }
}
