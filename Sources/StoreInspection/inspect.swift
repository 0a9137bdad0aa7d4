import StoreFindings
import StoreModels
import StoreWords
import StoreDataModel
import StoreCoreData
import StoreSQLite

/// Parts to inspect beyond the default.
public struct InspectionOptions: Sendable {
  /// Entities to inspect in detail (names in `Z_PRIMARYKEY` or the model); if given, only these are returned.
  public var entities: [String]
  /// Measure tables in bytes.
  public var measuresSizes: Bool
  /// SHA-256 of every file.
  public var hashesFiles: Bool
  /// Show values of the app's own metadata keys.
  public var showsValues: Bool
  /// A source that describes the store in place of its model cache: its version with the store's hashes, or else the
  /// current one.
  public var storeModel: ModelSource?
  /// List the commits of the WAL.
  public var listsCommits: Bool
  /// Count what CloudKit's mirroring knows of the objects.
  public var countsMirrored = false
  /// Inspect each entity in detail, and measure the values of its columns.
  package var measuresColumns = false

  /// The default inspection.
  public init(
    entities: [String] = [], measuresSizes: Bool = false, hashesFiles: Bool = false, showsValues: Bool = false,
    storeModel: ModelSource? = nil, listsCommits: Bool = false
  ) {
    self.entities = entities
    self.measuresSizes = measuresSizes
    self.hashesFiles = hashesFiles
    self.showsValues = showsValues
    self.storeModel = storeModel
    self.listsCommits = listsCommits
  }
}

/// Inspects the store at `path`: opens it, reads each table once, and makes sure it did not change meanwhile.
///
/// Reading takes no locks, so while another process writes to the store, parts from different moments could be read. If
/// the store changed, it is read once more; if it changed again, that is an error.
/// - Throws: `StoreError` when the file cannot be read as a store, or keeps changing.
public func inspect(
  path: String, opening: Store.Options = Store.Options(), options: InspectionOptions = InspectionOptions()
) throws -> Inspection {
  try inspect(PosixPath(path), opening: opening, options: options)
}

/// The same for a path that need not be UTF-8.
public func inspect(
  _ path: PosixPath, opening: Store.Options = Store.Options(), options: InspectionOptions = InspectionOptions()
) throws -> Inspection {
  let path = try StoreLocator.locate(path)
  var opening = opening
  if let source = options.storeModel { opening.model = try source.version(describing: path, opening).model }
  do {
    return try inspectOnce(path, opening: opening, options: options)
  } catch let error as StoreError {
    guard case .changedWhileReading = error.problem else { throw error }
    return try inspectOnce(path, opening: opening, options: options)
  }
}

private func inspectOnce(
  _ path: PosixPath, opening: Store.Options, options: InspectionOptions
) throws -> Inspection {
  let store = try Store(path, options: opening)
  let result = Result { try Inspector(store: store, options: options).inspection() }
  // Checked before errors are thrown, since reading a changing store may show damage that is not there.
  try store.checkUnchanged()
  return try result.get()
}

/// Reads the rows of one store and puts the facts together.
private struct Inspector {
  let store: Store
  let options: InspectionOptions

  func inspection() throws -> Inspection {
    try checkEntityNames()
    var problems = store.problems
    let counts = countRows(&problems)
    var history = historyFacts(&problems)
    let sizes = options.measuresSizes ? tableSizes(&problems) : [:]
    if history.isPresent, !sizes.isEmpty {
      history.bytes = HistoryTable.allCases.compactMap { sizes[$0.rawValue]?.whole }.reduce(0, +)
    }
    var entities = try store.layout.entities.map { try entity($0, counts: counts, sizes: sizes) }
    if options.measuresColumns { measureColumns(of: &entities) }
    let own = entities.filter { !$0.isInternal }
    let cloudKit = cloudKitFacts(&problems)
    let deleted =
      options.entities.isEmpty ? deletedObjects(counts, hasHistory: history.isPresent, problems: &problems) : []
    return Inspection(
      store: try storeFacts(), metadata: metadata(), model: modelFacts(), entities: entities.filter(isSelected),
      entityCount: own.count, objectCount: own.contains { $0.rows == nil } ? nil : own.compactMap(\.rows).reduce(0, +),
      joinTables: joinTables(sizes, problems: &problems), history: history, deleted: deleted,
      cloudKit: cloudKit, externalData: externalData(counts),
      unexplained: store.layout.unexplained.map(Inspection.Unexplained.init) + rowsOfOtherEntities(counts),
      problems: problems, commits: options.listsCommits ? try store.commits() : nil,
      parts: Inspection.parts(
        sizes, objects: Set(store.layout.entities.map(\.table)), links: Set(store.layout.joinTables.map(\.name))))
  }

  private func isSelected(_ entity: Inspection.Entity) -> Bool {
    options.entities.isEmpty || isAskedFor(entity.name, modelName: entity.modelName)
  }

  private func isAskedFor(_ name: String, modelName: String?) -> Bool {
    options.measuresColumns || options.entities.contains { $0 == name || $0 == modelName }
  }

  private func checkEntityNames() throws {
    for name in options.entities where store.layout.entity(named: name) == nil {
      throw UnknownEntity(
        name: name, known: store.layout.entities.filter { !$0.id.isInternal }.map(\.name), place: "store")
    }
  }

  // MARK: Rows

  /// Reads each root table once; an incompletely readable table becomes a problem and does not stop the inspection.
  private func countRows(_ problems: inout [String]) -> [String: RowCounts] {
    var counts: [String: RowCounts] = [:]
    for (table, members) in Dictionary(grouping: store.layout.entities, by: \.table).sorted(by: { $0.key < $1.key }) {
      guard members.contains(where: \.tableExists) else { continue }
      do {
        counts[table] = try store.rowCounts(
          of: table,
          nullColumns: members.filter { isAskedFor($0.name, modelName: $0.modelName) }.flatMap(\.storedColumns))
      } catch {
        problems.append("table \(quoted(table)) cannot be read whole: \(error)")
      }
    }
    return counts
  }

  /// Measures the attributes' columns, each table in one read; a table that cannot be read whole is a problem already.
  private func measureColumns(of entities: inout [Inspection.Entity]) {
    for (table, places) in Dictionary(grouping: entities.indices, by: { entities[$0].table }) {
      let columns = places.flatMap { entities[$0].attributes.flatMap(\.columns) }
      guard
        let measures = try? store.columnMeasures(of: table, columns: columns, keepingValues: options.showsValues)
      else { continue }
      for place in places where !entities[place].isInternal {
        guard let own = measures[EntityID(entities[place].number)] else { continue }
        for attribute in entities[place].attributes.indices {
          for column in entities[place].attributes[attribute].columns {
            entities[place].attributes[attribute].measures[column] = own[column]
          }
        }
      }
    }
  }

  private func joinTables(_ sizes: [String: TableSize], problems: inout [String]) -> [Inspection.JoinTable] {
    store.layout.joinTables.map { join in
      var rows: Int64?
      do { rows = try store.count(join.name) } catch {
        problems.append("table \(quoted(join.name)) cannot be read whole: \(error)")
      }
      return Inspection.JoinTable(
        name: join.name, source: .init(join.source), destination: .init(join.destination),
        orderColumns: join.orderColumns, rows: rows, bytes: sizes[join.name]?.whole,
        indexBytes: sizes[join.name]?.indexes)
    }
  }

  private func tableSizes(_ problems: inout [String]) -> [String: TableSize] {
    do { return try store.tableSizes() } catch {
      problems.append("the sizes of the tables cannot be told: \(error)")
      return [:]
    }
  }

  private func historyFacts(_ problems: inout [String]) -> Inspection.History {
    do {
      guard let facts = try store.historyFacts() else { return Inspection.History(isPresent: false) }
      return Inspection.History(
        isPresent: true, transactions: facts.transactions, changes: facts.changes, oldest: facts.oldest,
        newest: facts.newest, goneTransactions: facts.goneTransactions.map(Inspection.GoneNumbers.init),
        goneChanges: facts.goneChanges.map(Inspection.GoneNumbers.init))
    } catch {
      problems.append("persistent history cannot be read whole: \(error)")
      return Inspection.History(isPresent: true)
    }
  }

  private func cloudKitFacts(_ problems: inout [String]) -> Inspection.CloudKit {
    var facts = Inspection.CloudKit(isMirrored: store.isMirrored)
    guard options.countsMirrored else { return facts }
    do {
      guard let counts = try store.mirrorCounts() else { return facts }
      facts.entities = counts.byEntity.filter { count in
        options.entities.isEmpty
          || isAskedFor(count.entity, modelName: store.layout.entity(named: count.entity)?.modelName)
      }.map(Inspection.MirroredEntity.init)
      facts.unknownRecords = counts.strangers
    } catch {
      problems.append("what CloudKit knows of the objects cannot be read: \(error)")
    }
    return facts
  }

  /// The facts that counts and history tell of deleted objects; no page is read for it that was not read already, but
  /// those of the keys that delete changes name.
  private func deletedObjects(
    _ counts: [String: RowCounts], hasHistory: Bool, problems: inout [String]
  ) -> [Inspection.Deleted] {
    var proved: ProvedDeletions?
    if hasHistory {
      do { proved = try store.provedDeletions() } catch {
        problems.append("deletions in the history cannot be counted: \(error)")
      }
    }
    return store.layout.entities.filter { !$0.id.isInternal }.compactMap { entity in
      let count = proved.map { $0.byEntity[entity.id] ?? 0 }
      let unused = entity.parent == nil ? unusedKeys(of: entity, counts) : nil
      guard count ?? 0 > 0 || unused ?? 0 > 0 else { return nil }
      return Inspection.Deleted(
        entity: entity.name, proved: count, isAtLeast: proved?.isAtLeast ?? false, unusedKeys: unused)
    }
  }

  /// Keys up to `Z_MAX` that no row of the table has; nil where a row has a higher one, or rows could not be counted.
  private func unusedKeys(of root: EntityLayout, _ counts: [String: RowCounts]) -> Int64? {
    guard let largest = store.entityMap[root.id]?.keysHandedOut, let rows = counts[root.table] else { return nil }
    let live = rows.byEntity.values.reduce(0, +)
    guard (rows.highestKey ?? 0) <= largest, live <= largest else { return nil }
    return largest - live
  }

  /// Rows in a table whose `Z_ENT` is not that of an entity of this table.
  private func rowsOfOtherEntities(_ counts: [String: RowCounts]) -> [Inspection.Unexplained] {
    guard options.entities.isEmpty else { return [] }
    let homes = Dictionary(grouping: store.layout.entities, by: \.table).mapValues { Set($0.map(\.id)) }
    return counts.sorted { $0.key < $1.key }.flatMap { table, counts in
      let strays = counts.byEntity.filter { id, _ in id.map { homes[table]?.contains($0) != true } ?? true }
        .sorted { ($0.key?.number ?? .min) < ($1.key?.number ?? .min) }
      let named = strays.prefix(Self.namedStrays).map {
        Inspection.Unexplained(table: table, why: sentence($1, id: $0))
      }
      guard strays.count > Self.namedStrays else { return named }
      let rest = strays.dropFirst(Self.namedStrays).map(\.value).reduce(0, +)
      return named + [.init(table: table, why: "\(rest) rows have other numbers in Z_ENT that belong elsewhere")]
    }
  }

  /// How many misplaced entity numbers are listed for a table; a hostile table may have one in every row.
  private static let namedStrays = 20

  private func sentence(_ rows: Int64, id: EntityID?) -> String {
    let count = rows == 1 ? "1 row has" : "\(rows) rows have"
    guard let id else { return "\(count) NULL in Z_ENT" }
    guard let name = store.entityMap[id]?.name else { return "\(count) Z_ENT \(id), which Z_PRIMARYKEY does not know" }
    return "\(count) Z_ENT \(id) (\(escapedForTerminal(name))), an entity of another table"
  }

  // MARK: Facts

  private func storeFacts() throws -> Inspection.StoreFacts {
    Inspection.StoreFacts(
      path: store.path, pathBytes: store.location.isText ? nil : store.location.bytes, identity: StoreIdentity(store),
      files: try store.fileFacts(hashing: options.hashesFiles).map(Inspection.File.init),
      journalMode: store.header.isWAL ? "wal" : "delete", pageSize: Int(store.header.pageSize),
      freePages: Int64(store.header.freelistCount),
      wal: store.wal.map(Inspection.WAL.init), hotJournal: store.journal.flatMap(Inspection.HotJournal.init),
      accessTimesKept: !store.files.accessTimeMayChange)
  }

  private func metadata() -> Inspection.Metadata {
    let metadata = store.metadata
    return Inspection.Metadata(
      uuid: metadata.uuid, frameworkVersion: metadata.frameworkVersion,
      maximumFrameworkVersion: metadata.maximumFrameworkVersion, versionIdentifiers: metadata.versionIdentifiers,
      hashesVersion: metadata.hashesVersion,
      hashes: metadata.hashes.map { $0.byEntity.mapValues(\.description) },
      digest: metadata.digest, checksum: metadata.checksum, digestConsistent: metadata.digestIsConsistent,
      checksumConsistent: metadata.checksumIsConsistent, keys: metadata.keys, otherKeys: metadata.otherKeys,
      otherValues: options.showsValues ? metadata.otherValues : nil)
  }

  private func modelFacts() -> Inspection.ModelFacts {
    let equal = store.computedHashes.flatMap { computed in store.metadata.hashes.map { $0 == computed } }
    return Inspection.ModelFacts(
      source: store.modelSource.rawValue, path: options.storeModel?.path, hashesEqual: equal)
  }

  private func externalData(_ counts: [String: RowCounts]) -> Inspection.ExternalData {
    let references = counts.values.flatMap(\.externalReferences)
    let further = counts.values.map(\.furtherExternalReferences).reduce(0, +)
    guard !references.isEmpty else { return Inspection.ExternalData(references: 0) }
    let found = references.count { store.hasExternalFile($0) }
    return Inspection.ExternalData(
      references: Int64(references.count) + further, found: Int64(found), missing: Int64(references.count - found))
  }

  // MARK: Entities

  private func entity(
    _ layout: EntityLayout, counts allCounts: [String: RowCounts], sizes: [String: TableSize]
  ) throws -> Inspection.Entity {
    let isClose = isAskedFor(layout.name, modelName: layout.modelName)
    let counts = allCounts[layout.table]
    let nulls: (String) -> Int64? = { column in
      isClose && counts != nil ? counts?.nullCounts[column]?[layout.id] ?? 0 : nil
    }
    return Inspection.Entity(
      name: layout.name, modelName: layout.modelName, number: layout.id.number, parent: layout.parent,
      root: layout.root, table: layout.table, isAbstract: layout.isAbstract, isInternal: layout.id.isInternal,
      rows: counts.map { _ in rows(of: layout.id, allCounts) }, highWater: store.entityMap[layout.id]?.highWater,
      versionHash: versionHash(layout),
      attributes: layout.attributes.map { Inspection.Attribute($0, in: layout, nulls: nulls) },
      relationships: layout.relationships.map { Inspection.Relationship($0, in: layout, nulls: nulls) },
      uniquenessConstraints: layout.uniquenessConstraints,
      bytes: layout.parent == nil ? sizes[layout.table]?.whole : nil,
      indexBytes: layout.parent == nil ? sizes[layout.table]?.indexes : nil,
      indexes: isClose && layout.tableExists ? try store.indexes(of: layout.table).map(Inspection.Index.init) : nil)
  }

  /// Rows with an entity's number, in all tables: a row in the wrong table is still counted, and also listed as
  /// unexplained (`energy--artsypartner-1.3`).
  private func rows(of id: EntityID, _ counts: [String: RowCounts]) -> Int64 {
    counts.values.map { $0.byEntity[id] ?? 0 }.reduce(0, +)
  }

  private func versionHash(_ layout: EntityLayout) -> Inspection.VersionHash? {
    let name = layout.modelName ?? layout.name
    let stored = store.metadata.hashes?.byEntity[name]
    let computed = store.computedHashes?.byEntity[name]
    guard stored != nil || computed != nil else { return nil }
    return Inspection.VersionHash(
      stored: stored?.description, computed: computed?.description,
      isEqual: stored.flatMap { stored in computed.map { $0 == stored } },
      unproven: store.model?.unprovenRules(of: name).map(\.rawValue) ?? [])
  }
}

extension Inspection.MirroredEntity {
  fileprivate init(_ counts: MirrorCounts) {
    entity = counts.entity
    objects = counts.objects
    uploaded = counts.uploaded
    waiting = counts.waiting
    toBeDeleted = counts.toBeDeleted
    ghosts = counts.ghosts
    withoutRecord = counts.withoutRecord
  }
}
