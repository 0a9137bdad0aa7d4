import CStoreSQLite

/// A row of `sqlite_schema`: a table, index, view or trigger.
package struct SchemaObject: Equatable, Sendable {
  /// Its kind.
  package var type: Kind
  /// Its name.
  package var name: String
  /// The table it belongs to; for a table or view its own name.
  package var tableName: String
  /// The root page of its tree; 0 for views, triggers and virtual tables.
  package var rootPage: Int64
  /// The statement that created it; nil for an index that belongs to a table's constraints.
  package var sql: String?

  /// The kind of an object of the schema.
  package enum Kind: Equatable, Sendable, CustomStringConvertible {
    /// A table, ordinary or virtual.
    case table
    /// An index.
    case index
    /// A view.
    case view
    /// A trigger.
    case trigger
    /// A word that SQLite does not write.
    case other(String)

    /// The word that SQLite writes.
    package var description: String {
      switch self {
      case .table: "table"
      case .index: "index"
      case .view: "view"
      case .trigger: "trigger"
      case .other(let word): word
      }
    }
  }

  /// Makes an object.
  package init(type: Kind, name: String, tableName: String, rootPage: Int64, sql: String?) {
    self.type = type
    self.name = name
    self.tableName = tableName
    self.rootPage = rootPage
    self.sql = sql
  }

  /// Whether it is a table with rows of its own; views and virtual tables are not.
  package var isOrdinaryTable: Bool { type == .table && rootPage > 0 && !isVirtualTable }

  /// Whether it is a virtual table, whose rows a module's code produces.
  package var isVirtualTable: Bool {
    guard type == .table, let sql else { return false }
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let words = sql.utf8.prefix(200).split(maxSplits: 2, whereSeparator: isSpace).prefix(2)
    return words.elementsEqual(["create", "virtual"]) { $0.map { $0 | 0x20 }.elementsEqual($1.utf8) }
  }
}

/// The contents of `sqlite_schema`.
package struct Schema: Sendable {
  /// Its objects in stored order.
  package var objects: [SchemaObject]
  /// A fault of the schema; nil when SQLite understands all of it. Otherwise objects may be missing.
  package var damage: SQLiteError?
}

extension Connection {
  /// The objects of the database that can be read; `readSchema` also tells whether these are all.
  ///
  /// - Throws: `SQLiteError` when nothing can be read, or the deadline has passed.
  package func schema() throws(SQLiteError) -> [SchemaObject] {
    try readSchema().objects
  }

  /// The objects of the database and what is wrong with them.
  ///
  /// SQLite refuses every statement if it does not understand one object of the schema. Then a second, private
  /// connection to the same files reads the rows of `sqlite_schema` without parsing them.
  ///
  /// - Throws: `SQLiteError` when nothing can be read, or the deadline has passed.
  package func readSchema() throws(SQLiteError) -> Schema {
    do throws(SQLiteError) {
      var schema = Schema(objects: [])
      try readObjects(into: &schema)
      return schema
    } catch {
      guard error.isDamagedSchema, let evidence, !evidence.policy.toleratesDamagedSchema else { throw error }
      return try tolerantSchema(evidence, damage: error)
    }
  }

  private func tolerantSchema(_ evidence: Evidence, damage: SQLiteError) throws(SQLiteError) -> Schema {
    var policy = evidence.policy
    policy.toleratesDamagedSchema = true
    let tolerant = try Connection(reading: evidence.session.image, path: path, policy: policy, watch: watch)
    var schema = Schema(objects: [], damage: damage)
    do throws(SQLiteError) {
      try tolerant.readObjects(into: &schema)
    } catch {
      // Some rows may have been read before the damaged page.
      if !error.isCorrupt || schema.objects.isEmpty { throw error }
    }
    return schema
  }

  private func readObjects(into schema: inout Schema) throws(SQLiteError) {
    let rows = try prepare("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master")
    var bytes = 0
    while try rows.step() {
      let object = SchemaObject(
        type: .init(rows.string(0) ?? ""), name: rows.string(1) ?? "", tableName: rows.string(2) ?? "",
        rootPage: rows.int64(3), sql: rows.string(4))
      bytes += object.name.utf8.count + object.tableName.utf8.count + (object.sql?.utf8.count ?? 0) + 100
      guard bytes <= largestSchema else {
        throw error(SQLITE_TOOBIG, message: "the schema is too large", sql: rows.sql)
      }
      schema.objects.append(object)
    }
  }
}

extension SchemaObject.Kind {
  fileprivate init(_ word: String) {
    switch word {
    case "table": self = .table
    case "index": self = .index
    case "view": self = .view
    case "trigger": self = .trigger
    default: self = .other(word)
    }
  }
}

/// The most bytes of schema that are read; the largest of Apple's own stores have less than a megabyte.
private let largestSchema = 64 << 20
