import SQLitePages
import StoreCoreData
import StoreDataModel
import StoreRecovery
import StoreSQLite
import StoreText

/// The schema of a damaged store: what its first page and the pages below it have, what other leaves have, and what a model
/// says that was there.
struct SchemaSearch {
  private(set) var entries: [PageSchema.Entry] = []
  /// Names of entries that were made from the model.
  private(set) var made: Set<String> = []
  /// Whether rows of the schema may be missing.
  private(set) var isIncomplete: Bool

  private let knowsNumbers: Bool

  /// - Throws: `FileError`.
  init(_ evidence: SalvageEvidence) throws {
    knowsNumbers = evidence.knowsNumbers
    let schema = try PageSchema(evidence.view)
    entries = try Self.readable(schema.entries)
    isIncomplete = schema.faults.count > 0 || entries.count < schema.entries.count
    guard isIncomplete else { return }
    var names = Set(entries.map { $0.type + $0.name })
    for entry in try Self.readable(Self.lostEntries(evidence.view, besides: schema.pages))
    where names.insert(entry.type + entry.name).inserted {
      entries.append(entry)
    }
  }

  /// The entries without tables whose statement SQLite does not understand: a byte of it is damaged.
  private static func readable(_ entries: [PageSchema.Entry]) throws -> [PageSchema.Entry] {
    let compiler = try StatementCompiler()
    return entries.filter { entry in
      guard entry.type == "table", let sql = entry.sql, !entry.name.lowercased().hasPrefix("sqlite_"), !entry.isVirtual
      else { return true }
      return compiler.refusal(of: sql) == nil
    }
  }

  /// Rows of the schema on leaves that page 1 does not lead to: all of its columns, and a statement that creates what the row
  /// says.
  private static func lostEntries(_ view: PageView, besides pages: PageSet) throws -> [PageSchema.Entry] {
    let geometry = view.files.geometry
    var found: [PageSchema.Entry] = []
    var record = Record()
    guard view.pageCount >= 1 else { return [] }
    for number in 1...view.pageCount where !pages.contains(number) {
      guard found.count < PageSchema.limit, let bytes = try view.page(number) else { continue }
      try bytes.withUnsafeBytes { page in
        guard let header = BTreePage(page, isFirst: number == 1, usableSize: geometry.usableSize),
          header.kind == .leafTable
        else { return }
        for cell in LeafCells(page, header, geometry).cells where cell.isSure {
          guard record.read(page, at: cell.cell.payloadStart), record.count == 5,
            [.text, .null].contains(record.fields[4].type.kind), record.fields[0].type.kind == .text,
            let payload = try view.payload(of: cell.cell, in: page)
          else { continue }
          let entry = payload.withUnsafeBytes { bytes -> PageSchema.Entry? in
            guard record.read(bytes) else { return nil }
            return PageSchema.Entry(record, bytes, view.files.header.textEncoding)
          }
          if let entry, isStatement(entry) { found.append(entry) }
        }
      }
    }
    return found
  }

  private static func isStatement(_ entry: PageSchema.Entry) -> Bool {
    guard ["table", "index", "trigger", "view"].contains(entry.type), let sql = entry.sql else { return false }
    return sql.uppercased().hasPrefix("CREATE ") && sql.contains(entry.name)
  }

  /// Adds what a store of that model has and is missing, where something may be missing.
  ///
  /// - Returns: fetch indexes whose statement is not known.
  mutating func complete(by model: Model, numbers: [String: Int64], framework: Int, keepsHistory: Bool) -> [String] {
    guard isIncomplete else { return [] }
    let known = Set(entries.filter { $0.type == "table" }.map(\.name))
    let statements = SchemaStatements(
      model: model, plan: TablePlan(model, numbers: numbers, knownTables: known), framework: framework,
      keepsHistory: keepsHistory)
    add(statements)
    return statements.leftOut
  }

  /// Adds the tables that every store has.
  mutating func completeOwnTables() {
    guard isIncomplete else { return }
    guard let empty = try? Model(entities: []) else { return }
    add(
      SchemaStatements(
        model: empty, plan: TablePlan(empty, numbers: [:]), framework: Self.framework, keepsHistory: false))
  }

  /// A framework whose stores have a model cache; which one it was is in the metadata.
  static let framework = 1344

  private mutating func add(_ statements: SchemaStatements) {
    var names = Set(entries.map { $0.type + $0.name })
    for statement in statements.all where names.insert(statement.kind + statement.name).inserted {
      made.insert(statement.name)
      entries.append(.init(kind: statement.kind, name: statement.name, sql: statement.sql))
    }
  }

  /// The ordinary tables, of which rows can be read.
  var tables: [SalvageTable] {
    entries.filter { $0.type == "table" }.compactMap { entry in
      guard let sql = entry.sql else { return nil }
      return SalvageTable(
        name: entry.name, sql: sql, root: entry.root == 0 || !knowsNumbers ? nil : entry.root,
        isMade: made.contains(entry.name))
    }
  }
}

extension PageSchema.Entry {
  /// Whether it is a virtual table, which makes tables itself.
  var isVirtual: Bool { sql?.uppercased().hasPrefix("CREATE VIRTUAL") == true }
}
