import SQLitePages
import StoreRecovery
import StoreSQLite

/// Counts rows while their pages are read to find out whose they are, in the order of the file, so that what `salvage` would save
/// is known without reading them again.
///
///     a leaf that a tree leads to       is of that table: added at once
///     another leaf                      kept by page for the table that its rows fit, and added where it is taken for that
///
/// It counts as `salvage` writes as long as no row depends on others: `isExact`. Where two rows lead to the same page, or leaves
/// contradict each other, the rows have to be written in their order to be counted.
final class RowTally: LeafCounter {
  /// What there is of one table.
  struct Sums {
    /// By `Z_ENT`.
    var saved: [Int64: Int] = [:]
    var doubtful = 0
    var torn = 0
    var damagedPages = 0
  }

  /// A leaf that no tree leads to.
  private struct LooseLeaf {
    var table: Int
    var saved: [(entity: Int64, rows: Int)]
    var doubtful: Int
    var torn: Int
  }

  private let view: PageView
  private let encoding: DatabaseHeader.TextEncoding
  private let tables: [SalvageTable]
  private let asked: [AskedTemplates]
  private let entityColumns: [Int?]
  /// The tables whose rows are inserted to find out which are refused; nil for a table that refuses none.
  private let draft: SalvageDraft?
  private var reader: RowReader
  private var strict: [Sums]
  private var lenient: [Sums]
  private var loose: [UInt32: LooseLeaf] = [:]
  /// Whether the rows of a table that may refuse some depend on whether anything is damaged.
  private var insertedDiffer = false
  private let isPossible: Bool

  /// The most leaves that are kept until it is known whose they are.
  private static let mostLoose = 1 << 18

  /// - Throws: `SQLiteError`.
  init(_ evidence: SalvageEvidence, _ tables: [SalvageTable], hasVirtualTables: Bool) throws {
    self.tables = tables
    view = evidence.view
    encoding = view.files.header.textEncoding
    asked = tables.map { AskedTemplates([$0.template]) }
    entityColumns = tables.map { table in table.template.columns.firstIndex { $0.name == "Z_ENT" } }
    reader = RowReader(evidence, reached: PageSet(upTo: view.pageCount), isStrict: true)
    (strict, lenient) = (Array(repeating: Sums(), count: tables.count), Array(repeating: Sums(), count: tables.count))
    let refusing = tables.filter(\.mayRefuseRows)
    let draft = try refusing.isEmpty ? nil : SalvageDraft(privateLike: view.files.header)
    self.draft = draft
    var isPossible = !hasVirtualTables && !tables.contains { $0.name.lowercased() == "sqlite_sequence" }
    for table in refusing where isPossible { isPossible = try draft?.create(table.sql) == nil }
    self.isPossible = isPossible
  }

  /// Runs `body`, which reads the pages.
  ///
  /// - Throws: what `body` throws, and `SQLiteError`.
  func counting<Result>(_ body: () throws -> Result) throws -> Result {
    guard let draft else { return try body() }
    var result: Result?
    _ = try draft.filled { _ in result = try body() }
    guard let result else { return try body() }
    return result
  }

  private func counts(_ table: Int) -> Bool {
    isPossible && tables.indices.contains(table) && !tables[table].name.lowercased().hasPrefix("sqlite_")
  }

  /// Counts the rows of a leaf that is of a table.
  func count(_ page: UnsafeRawBufferPointer, _ leaf: SalvageTable.Leaf, of table: Int) throws {
    guard counts(table) else { return }
    var (certain, lax) = (Sums(), Sums())
    let inserts = tables[table].mayRefuseRows
    let coverage = try reader.read(page, of: leaf, template: asked[table]) { row in
      var isNew = true
      if inserts, row.state == .whole {
        isNew = try draft?.insert(row, into: tables[table], values: row.record.count, encoding: encoding) ?? true
      }
      if inserts, (row.state == .whole) != (row.lenientState == .whole) { insertedDiffer = true }
      certain.add(row.state, isNew: isNew, entity(of: row, in: table))
      lax.add(row.lenientState, isNew: isNew, entity(of: row, in: table))
    }
    let unread = Sums(doubtful: coverage.unreadable.count, damagedPages: coverage.isComplete ? 0 : 1)
    for sums in [certain, unread] { strict[table].add(sums) }
    for sums in [lax, unread] { lenient[table].add(sums) }
  }

  /// Counts the rows of a sound leaf that no tree leads to, which seems to be of a table.
  func countLoose(_ page: UnsafeRawBufferPointer, _ leaf: SalvageTable.Leaf, of table: Int) throws {
    guard counts(table), !tables[table].mayRefuseRows, loose.count < Self.mostLoose else { return }
    var sums = Sums()
    let coverage = try reader.read(page, of: leaf, template: asked[table]) { row in
      sums.add(row.state, isNew: true, entity(of: row, in: table))
    }
    loose[leaf.page] = LooseLeaf(
      table: table, saved: sums.saved.map { ($0.key, $0.value) }, doubtful: sums.doubtful + coverage.unreadable.count,
      torn: sums.torn)
  }

  /// Adds a leaf that no tree leads to, now that it is taken for one of a table.
  func take(_ leaf: SalvageTable.Leaf, of table: Int) throws {
    guard let known = loose.removeValue(forKey: leaf.page), known.table == table, !leaf.isDamaged else {
      try view.pageAlone(leaf.page)?.withUnsafeBytes { try count($0, leaf, of: table) }
      return
    }
    let saved = Dictionary(known.saved.map { ($0.entity, $0.rows) }, uniquingKeysWith: +)
    let sums = Sums(saved: saved, doubtful: known.doubtful, torn: known.torn)
    strict[table].add(sums)
    lenient[table].add(sums)
  }

  private func entity(of row: RowReader.Row, in table: Int) -> Int64 {
    entityColumns[table].flatMap { row.record.integer($0, in: row.payload) } ?? 0
  }

  /// What was counted for each table; nil where that need not be what `salvage` writes.
  ///
  /// - Parameter isStrict: whether anything was found damaged.
  func sums(_ owners: PageOwners, isStrict: Bool) -> [Sums]? {
    guard isPossible, !reader.metClaimed, reader.claimed.isDisjoint(with: owners.reached),
      isStrict || !insertedDiffer, !owners.tables.contains(where: { $0.leaves.contains(where: \.isContested) })
    else { return nil }
    return isStrict ? strict : lenient
  }
}

extension RowTally.Sums {
  fileprivate mutating func add(_ state: RowReader.State, isNew: Bool, _ entity: @autoclosure () -> Int64) {
    if state == .whole, isNew {
      saved[entity(), default: 0] += 1
    } else {
      doubtful += 1
      if state == .torn { torn += 1 }
    }
  }

  fileprivate mutating func add(_ other: Self) {
    saved.merge(other.saved, uniquingKeysWith: +)
    doubtful += other.doubtful
    torn += other.torn
    damagedPages += other.damagedPages
  }
}

extension SalvageTable {
  /// Whether a row may be refused although its key is free.
  fileprivate var mayRefuseRows: Bool { definition.rowIDColumn == nil || !definition.refusesNothingElse }
}
