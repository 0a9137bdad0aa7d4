import SQLitePages
import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StorePublishing
import StoreRecovery
import StoreSQLite
import StoreText
import StoreWords
import StoreWriting

// How a salvage works
// -------------------
//
//   files ──► SalvageEvidence ──► SchemaSearch ──► PageOwners ──► OwnRows ─┐
//             pages with numbers  tables           leaves by table         │ where the schema is damaged: model, numbers,
//                                    ▲                                     │ and once more with the tables they give
//                                    └─────────────────────────────────────┘
//             ──► RowReader ──► SalvageDraft ──► diagnose ──► publish
//                 rows, each    new database
//                 with a state
//
// Nothing is believed because a page says so: a page is of a table when a tree, the pointer map or its rows say so and its keys
// are missing there; a row is sure when its page adds up and its overflow pages are its own.

/// Writes a new store with the rows of a damaged one.
///
/// - Parameters:
///   - path: the damaged store; it is only read.
///   - target: where the new one goes.
/// - Throws: `SalvageError` where nothing can be saved, `PublishingError`, `FileError`, `SQLiteError`.
package func salvage(_ path: PosixPath, to target: OutputTarget, _ options: SalvageOptions) throws -> Salvage {
  let files = try DatabaseFiles(path, log: options.log)
  var options = options
  if options.usesLog, options.log == nil, files.wal != nil, let store = try? Store(path) { options.judgeLog(of: store) }
  let evidence = try SalvageEvidence(files, usesLog: options.usesLog)
  let found = try FoundStore(evidence, options)
  var run = SalvageRun(found, options)
  var diagnosis: Diagnosis?
  try publishNew(to: target, mode: .ofRows, support: Store.supportFolder(of: files.location)) { draft in
    try run.write(to: draft)
  } verify: { draft in
    diagnosis = try diagnose(Examination(store: Store(draft), options: DiagnosisOptions()))
    if let changed = files.changedFile() {
      throw StoreError(path: path.description, .changedWhileReading(file: changed))
    }
  }
  guard let diagnosis else { throw SalvageError("the new store was not diagnosed") }
  return run.result(store: path.description, output: target.path.description, diagnosis)
}

/// Counts what `salvage` would save of a store that is open, and writes nothing.
///
/// - Throws: as `salvage`.
package func savable(_ store: Store) throws -> Savable {
  var options = SalvageOptions(usesLog: store.connection.readsWAL)
  options.judgeLog(of: store)
  return try savable(store.files, options)
}

/// Counts what `salvage` would save of a damaged store, and writes nothing.
///
/// - Throws: as `salvage`.
package func savable(_ path: PosixPath, _ options: SalvageOptions = SalvageOptions()) throws -> Savable {
  try savable(DatabaseFiles(path, log: options.log), options)
}

private func savable(_ files: DatabaseFiles, _ options: SalvageOptions) throws -> Savable {
  let found = try FoundStore(SalvageEvidence(files, usesLog: options.usesLog), options, counts: true)
  var run = SalvageRun(found, options)
  return try run.count()
}

/// What there is to save: tables with their leaves, and what the store says of itself.
struct FoundStore {
  let evidence: SalvageEvidence
  let schema: SchemaSearch
  let owners: PageOwners
  let own: OwnRows
  private(set) var made: [String] = []
  /// What of the schema cannot be made again, one sentence each.
  private(set) var leftOut: [String] = []
  /// What its rows come to, where they were counted.
  private(set) var tally: RowTally?

  /// - Parameter counts: whether rows are counted while their pages are read.
  init(_ evidence: SalvageEvidence, _ options: SalvageOptions, counts: Bool = false) throws {
    self.evidence = evidence
    var schema = try SchemaSearch(evidence)
    if !schema.isIncomplete, !schema.tables.contains(where: { ["Z_METADATA", "Z_PRIMARYKEY"].contains($0.name) }) {
      throw SalvageError(
        "it is no Core Data store (no tables Z_METADATA and Z_PRIMARYKEY); 'recover --any-sqlite' shows the rows of any database"
      )
    }
    schema.completeOwnTables()
    var owners = try PageOwners(evidence, tables: schema.tables.filter { OwnRows.tables.contains($0.name) })
    var own = try OwnRows(owners, evidence)
    if let given = options.model {
      try Self.requireSame(given, own)
      if own.model == nil {
        made.append("the model is the one given with --store-model: the store has none that can be read")
      }
      own.take(given)
    }
    if own.entityMap.rows.isEmpty, own.model != nil {
      own.numberByModel()
      made.append(
        "the numbers of the entities (Z_PRIMARYKEY) are those that Core Data gives the model's: the store's are lost")
    }
    if try own.numberByMetadata(schema.tables.map(\.name), number: { try Self.number(inRowsOf: $0, schema, evidence) })
    {
      made.append(
        "the numbers of the entities (Z_PRIMARYKEY) are those that Core Data gives entities of these names, which is what their "
          + "rows say: the store's are lost")
    }
    guard !own.entityMap.rows.isEmpty else {
      throw SalvageError(
        "its model cannot be found in it (Z_MODELCACHE), nor its entities (Z_PRIMARYKEY): name the model that made it with "
          + "--store-model; 'recover --any-sqlite' shows rows without one")
    }
    if schema.isIncomplete {
      let read = schema.entries.count - schema.made.count
      if let model = own.model {
        let numbers = Dictionary(own.entityMap.rows.map { ($0.name, $0.id.number) }) { first, _ in first }
        leftOut += schema.complete(
          by: model, numbers: numbers,
          framework: Int(clamping: own.metadata?.frameworkVersion ?? Int64(SchemaSearch.framework)),
          keepsHistory: true
        ).map { "the fetch index \($0): what its statement was is not known" }
        let count = schema.made.count
        if count > 0 {
          made.append(
            "\(counted(Int64(count), "statement")) of the schema (tables, indexes, triggers) are those that Core Data makes for "
              + "the model: of the store's own \(read) could be read")
        }
      } else {
        leftOut += try Self.requireTables(schema, own)
      }
    }
    var tables = schema.tables
    own.refine(&tables)
    if counts {
      let tally = try RowTally(evidence, tables, hasVirtualTables: schema.entries.contains(where: \.isVirtual))
      owners = try tally.counting { [tables] in try PageOwners(evidence, tables: tables, tally: tally) }
      self.tally = tally
    } else {
      owners = try PageOwners(evidence, tables: tables)
    }
    (self.schema, self.owners, self.own) = (schema, owners, own)
  }

  /// Names the entities whose tables are lost with the schema, where no model says what they were.
  private static func requireTables(_ schema: SchemaSearch, _ own: OwnRows) throws -> [String] {
    let roots = own.entityMap.rows.filter { own.entityMap.root(of: $0.id) == $0.id && !$0.id.isInternal }
    let known = Set(schema.tables.map(\.name))
    let lost = roots.filter { !known.contains("Z" + $0.name.uppercased()) }.map(\.name)
    guard !lost.isEmpty else { return [] }
    let advice = "name the model that made it with --store-model"
    guard lost.count < roots.count else { throw SalvageError("its schema is lost, and its model with it: \(advice)") }
    return ["the tables of \(listed(lost)): their statements are lost, and so is the model; \(advice)"]
  }

  /// `Z_ENT` in the rows of a table; nil without rows.
  private static func number(
    inRowsOf table: String, _ schema: SchemaSearch, _ evidence: SalvageEvidence
  ) throws -> Int64? {
    let owners = try PageOwners(evidence, tables: schema.tables.filter { $0.name == table })
    guard let found = owners.tables.first, let leaf = found.leaves.first,
      let column = found.template.columns.firstIndex(where: { $0.name == "Z_ENT" })
    else { return nil }
    var reader = RowReader(evidence, reached: owners.reached, isStrict: true)
    var number: Int64?
    try reader.read(leaf, template: AskedTemplates([found.template])) { row in
      number = number ?? row.record.integer(column, in: row.payload)
    }
    return number
  }

  /// A model that is not the store's would give its rows the wrong names.
  private static func requireSame(_ given: Model, _ own: OwnRows) throws {
    guard let hashes = own.metadata?.hashes, given.versionHashes != hashes else { return }
    let differing = Set(hashes.names + given.versionHashes.names).filter {
      hashes.byEntity[$0] != given.versionHashes.byEntity[$0]
    }.sorted(by: codeUnitsPrecede)
    throw SalvageError(
      "the model given with --store-model is not the store's: the version hashes of \(listed(differing)) differ from those in "
        + "its metadata")
  }

  private static func listed(_ names: [String]) -> String {
    names.prefix(5).map(quoted).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
  }

  /// Whether anything was found damaged.
  var isDamaged: Bool { !evidence.hasHeader || schema.isIncomplete || owners.isDamaged }

  /// The schema of the new store.
  var entries: [PageSchema.Entry] {
    schema.entries.filter { entry in
      guard schema.made.contains(entry.name), !hasHistory else { return true }
      return HistoryTable(rawValue: entry.name) == nil
        && HistoryTable.allCases.allSatisfy { history in
          entry.sql?.contains(" ON \(history.rawValue)") != true
        }
    }
  }

  /// Whether the new store gets the tables of history: where they were read, or made for the model and have rows.
  var hasHistory: Bool {
    owners.tables.contains { HistoryTable(rawValue: $0.name) != nil && (!$0.leaves.isEmpty || !$0.isMade) }
  }
}
