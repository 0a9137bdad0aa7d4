import StoreCoreData
import StoreSQLite
import StoreWords

// Explains the statements of a debug log: first what each statement does and why Core Data runs it, then what each
// table and column they name is.

extension LogInStore {
  static func statements(_ logged: [LoggedStatement], in store: Store) -> [Statement] {
    guard !logged.isEmpty else { return [] }
    let words = SchemaWords(store)
    var tables: [String] = []
    var columns: [LoggedStatement.Column] = []
    var seenTables: Set<String> = []
    var seenColumns: Set<LoggedStatement.Column> = []
    for statement in logged {
      tables += statement.tables.filter { seenTables.insert($0).inserted }
      columns += statement.columns.filter { seenColumns.insert($0).inserted }
    }
    return logged.map { Statement($0.subject, holds: nil, words: $0.purpose(words)) }
      + tables.map { table($0, words: words, in: store) }
      + columns.compactMap { column($0, words: words, in: store) }
  }

  private static func table(_ table: String, words: SchemaWords, in store: Store) -> Statement {
    let isThere = store.shape.tables[table] != nil
    if let links = words.links(in: table) {
      return Statement(
        table, holds: isThere, words: "the links of \(links)" + (isThere ? "" : "; there is no such table"))
    }
    if let entities = words.entities(of: table) {
      return Statement(
        table, holds: isThere, words: "the objects of \(entities)" + (isThere ? "" : "; there is no such table (SD301)")
      )
    }
    if let own = SchemaWords.ownTable(table) { return Statement(table, holds: nil, words: own) }
    guard isThere else {
      let object: Lacking.Object = table.hasPrefix("Z_") ? .joinTable(table) : .table(table)
      return Statement(table, holds: false, words: "there is no such table; \(words.reasonForLack(of: object))")
    }
    return Statement(table, holds: true, words: "a table that neither the model nor Core Data accounts for")
  }

  /// Nil if there is nothing to say: a key column that exists, or a column of a missing table.
  private static func column(
    _ column: LoggedStatement.Column, words: SchemaWords, in store: Store
  ) -> Statement? {
    guard let shape = store.shape.tables[column.table] else { return nil }
    let isThere = shape.has(column.name)
    if let meaning = words.meaning(of: column) {
      return Statement(
        column.text, holds: isThere, words: meaning.words + (isThere ? "" : "; there is no such column (SD302)"))
    }
    if let own = SchemaWords.ownColumn(column.name), isThere || SchemaWords.ownTable(column.table) == nil {
      return isThere ? nil : Statement(column.text, holds: false, words: "\(own); there is no such column")
    }
    guard isThere else {
      let why = words.reasonForLack(of: .column(table: column.table, column.name))
      return Statement(column.text, holds: false, words: "there is no such column; \(why)")
    }
    return SchemaWords.ownTable(column.table) == nil
      ? Statement(column.text, holds: true, words: "no property of the store's model has this column") : nil
  }
}

extension LoggedStatement {
  /// "line 3, SELECT ZNOTE by ZFOLDER".
  package var subject: String {
    let condition = key.map { " by \($0.name)" } ?? ""
    let times = count > 1 ? " and \(count - 1) more" : ""
    return "line \(line)\(times), \(kind.rawValue.uppercased()) \(tables.prefix(3).joined(separator: ", "))\(condition)"
  }

  /// Its purpose in terms of the model, and why Core Data runs it.
  fileprivate func purpose(_ words: SchemaWords) -> String {
    guard let table = tables.first else { return "" }
    let subject =
      words.entities(of: table).map { "objects of \($0)" } ?? words.links(in: table).map { "links of \($0)" }
    guard let subject else { return purposeInOwnTable(table) }
    switch kind {
    case .select: return purposeOfSelect(from: table, where: subject, words: words)
    case .insert: return "saves new \(subject)"
    case .update:
      let isGuarded = columns.contains { $0.name == "Z_OPT" }
      return "saves changed \(subject)"
        + (isGuarded ? ", if nobody else has saved them since they were read (else 134050)" : "")
    case .delete: return "saves that \(subject) were deleted"
    case .schema: return "changes where \(subject) are kept: a new store, or a migration"
    }
  }

  private func purposeOfSelect(from table: String, where subject: String, words: SchemaWords) -> String {
    guard let key else {
      let join = tables.dropFirst().lazy.compactMap { words.links(in: $0) }.first
      return join.map { "fetches \(subject) by the links of \($0)" } ?? "fetches \(subject)"
    }
    if let relationship = words.relationship(linkedBy: key) {
      return "reads the objects of \(relationship), when its fault is fired"
    }
    if key.name == "Z_PK" {
      return "reads \(subject) by key, when a fault is fired, an object is refreshed or a relationship is followed"
    }
    guard let meaning = words.meaning(of: key) else { return "fetches \(subject) by \(key.name)" }
    guard let relationship = meaning.relationship else { return "fetches \(subject) by \(meaning.words)" }
    return relationship.isToMany || relationship.inverse == nil
      ? "reads the objects of \(meaning.words)"
      : "reads the objects of \(relationship.inverseWords), when its fault is fired, or fetches \(subject) by "
        + "\(relationship.declaredBy).\(relationship.name)"
  }

  private func purposeInOwnTable(_ table: String) -> String {
    switch (kind, table.uppercased()) {
    case (.select, "Z_METADATA"): "reads the metadata, when the store is opened"
    case (.update, "Z_METADATA"), (.insert, "Z_METADATA"):
      "writes the metadata, when the store is made, migrated or changed"
    case (.select, "Z_PRIMARYKEY"): "asks for entity numbers, or for the highest key before objects are inserted"
    case (.update, "Z_PRIMARYKEY"): "takes keys for objects that are inserted"
    case (.schema, _): "changes tables: a new store, or a migration"
    default:
      SchemaWords.ownTable(table).map { "\(kind == .select ? "reads" : "writes") \($0)" }
        ?? "\(kind == .select ? "reads" : "writes") a table that no entity of the store has"
    }
  }
}
