import StoreDataModel
import StoreSQLite

/// What opening a store reads of it: what it says of itself, and how its entities are stored.
struct StoreContent {
  let opened: OpenedDatabase
  /// What was read in place of the store; nil where it was opened.
  private(set) var standIn: StandIn?
  let metadata: StoreMetadata
  let modelCache: ModelCache
  let entityMap: EntityMap
  let modelSource: Store.ModelSource
  let model: Model?
  let computedHashes: VersionHashes?
  let layout: Layout

  /// Opens a store; of one that is too damaged for that, what is read in its place.
  ///
  /// - Parameter path: the store, as it is named in errors.
  /// - Throws: `StoreError`.
  static func reading(
    _ location: PosixPath, path: String, _ options: Store.Options
  ) throws -> StoreContent {
    func standIn() -> StoreContent? {
      guard options.asOfCommit == nil, let standIn = options.standIn?(location, options),
        var content = try? StoreContent(OpenedDatabase(standIn), path: path, options)
      else { return nil }
      content.standIn = standIn
      return content
    }
    if options.prefersStandIn, let found = standIn() { return found }
    do {
      let content = try StoreContent(OpenedDatabase(location, options: options), path: path, options)
      let lost = options.tablesToEnter.map { content.lost(of: $0(content.layout)) } ?? []
      // Without a row in the tables that are lost it shows no more than the store itself.
      guard !lost.isEmpty, let found = standIn(), lost.contains(where: found.hasRow) else {
        return content
      }
      return found
    } catch {
      guard isTooDamaged(error), let found = standIn() else { throw error }
      return found
    }
  }

  /// Whether an error is of what the files hold, and not of one that could not be read: of such a store nothing is known.
  private static func isTooDamaged(_ error: any Error) -> Bool {
    if let error = error as? StoreError, case .unreadable = error.problem { return false }
    return isOfDamage(error)
  }

  private init(_ opened: OpenedDatabase, path: String, _ options: Store.Options) throws {
    self.opened = opened
    let (connection, shape) = (opened.connection, opened.shape)
    do {
      metadata = try StoreMetadata(reading: connection, shape: shape, options.knownModels)
      let cached =
        options.readsModel
        ? try options.decoded(ModelCache.content(reading: connection, shape: shape)) : nil
      modelCache = cached?.cache ?? .absent
      model = options.model ?? modelCache.model
      entityMap = try EntityMap(reading: connection, shape: shape, orNumbering: model)
      if options.readsModel, shape.tables["Z_PRIMARYKEY"] == nil, entityMap.rows.isEmpty {
        throw StoreError(path: path, .entityNumbersLost)
      }
      if let model {
        modelSource = options.model == nil ? .cache : .given
        computedHashes = options.model == nil ? cached?.hashes : model.versionHashes
        layout = options.layout(
          cached, model: model, entityMap: entityMap, shape: shape, isNamedInMetadata: metadata.names(model))
      } else {
        modelSource = .inferred
        computedHashes = nil
        layout =
          options.readsModel
          ? try Layout(inferredFrom: connection, entityMap: entityMap, shape: shape) : Layout()
      }
    } catch {
      let cause = opened.truncation.map { StoreError(path: path, truncation: $0) } ?? error
      throw StoreError(path: path, cause, reading: opened.files)
    }
  }

  /// The tables whose trees are lost from their roots on: not even a first row can be read.
  private func lost(of tables: [String]) -> [String] {
    tables.filter { table in
      guard opened.shape.tables[table] != nil else { return false }
      do throws(SQLiteError) {
        _ = try firstRow(of: table)
        return false
      } catch {
        return error.isCorrupt
      }
    }
  }

  private func hasRow(_ table: String) -> Bool { (try? firstRow(of: table)) ?? false }

  private func firstRow(of table: String) throws(SQLiteError) -> Bool {
    try opened.connection.prepare("SELECT 1 FROM \(quotedIdentifier(table)) NOT INDEXED LIMIT 1").step()
  }
}
