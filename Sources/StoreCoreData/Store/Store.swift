import SQLitePages
import StoreDataModel
import StoreSQLite

/// One store, opened for reading without leaving a trace.
///
/// Opening reads the schema, `Z_METADATA`, `Z_PRIMARYKEY` and `Z_MODELCACHE`; rows are read on request. Damage in any
/// of these is recorded in its field and is no error; errors are for files that cannot be read as a store at all.
public final class Store {
  /// The path as the user gave it; an approximation if it is not valid UTF-8.
  package let path: String
  /// The path as the user gave it, byte for byte.
  package let location: PosixPath
  /// The main file and its side files.
  package let files: DatabaseFiles
  /// The database header, in the WAL's newer version if that has one.
  package let header: DatabaseHeader
  /// The WAL, whether it belongs to the store, and whether it was read; nil if there is none.
  package let wal: WALFacts?
  /// The rollback journal, if one lies beside the store.
  package let journal: JournalFacts?
  /// The tables and other objects of the schema.
  package let shape: Shape
  /// `Z_METADATA`.
  package let metadata: StoreMetadata
  /// `Z_PRIMARYKEY`.
  package let entityMap: EntityMap
  /// `Z_MODELCACHE`.
  package let modelCache: ModelCache
  /// Where the model in use comes from.
  package let modelSource: ModelSource
  /// The model in use; nil if the entities are inferred from the tables.
  package let model: Model?
  /// Whether there is a model in use.
  package var hasModel: Bool { modelSource != .inferred }
  /// Where each entity and property is stored.
  package let layout: Layout
  /// External data files treated as missing, because a repair plan would move them away.
  let absentFiles: Set<[UInt8]>
  /// Version hashes computed from the model in use.
  package let computedHashes: VersionHashes?

  /// The commit of its WAL as of which it is read; nil for all that it holds.
  package let asOf: StoreMoment?

  package let connection: Connection
  /// Looks at each page that is read; nil where that was not asked for.
  let pageWatcher: PageWatcher?
  /// Expected and actual size of the main file in bytes, if it is too short.
  package let truncation: (expected: Int64, actual: Int64)?

  /// What answers rest on where it is too damaged to be opened, and another database is read in its place; nil where its own
  /// files are read.
  let readingOfStandIn: Reading?
  /// The pages that the rows of that database were found in.
  package let foundPages: FoundDatabase?
  /// Whether another database is read in its place.
  package var isStandIn: Bool { readingOfStandIn != nil }

  /// Where the description of the entities comes from.
  public enum ModelSource: String, Sendable { case cache, given, inferred }

  /// Logs beside it under other names that fit; none where its own was read, or there is none in its mode.
  package private(set) lazy var fittingLogs = searchFittingLogs()

  /// Counts the entries of its indexes.
  private(set) lazy var indexEntries = IndexEntries(self)
  /// Tables with rows on pages that nothing leads to; asked for only where rows may be missing.
  private(set) lazy var lostRows = LostRows(self)
  /// Leaves of tables in the trees of others; asked for only where a table has rows of entities that are not its own.
  private(set) lazy var foreignLeaves = StoreForeignLeaves(self)

  /// How to open.
  public struct Options: Sendable {
    /// Whether to read the main file without its WAL.
    public var ignoresWAL: Bool
    /// The write-ahead log to read in place of the one beside the main file; nil for that one.
    package var log: PosixPath?
    /// The commit of its WAL as of which to read it: 0 for the main file before the first, nil for the last.
    public var asOfCommit: Int?
    /// Whether to decode and map the model; if not, only metadata and entity map are read.
    public var readsModel: Bool
    /// The most seconds reading may take; nil for no limit.
    public var deadline: Double?
    /// A model to describe the store with, in place of its cache.
    public var model: Model?
    /// Whether to look at each page that is read, so that `Reading.sound` is known; a few percent of the time.
    package var watchesPages = false
    /// Called now and then with the progress, on the thread that reads; of a large table two threads may call it at once.
    public var onProgress: (@Sendable (ReadProgress) -> Void)?
    /// Cache of decoded models; nil to decode every store's own.
    package var knownModels: KnownModels?
    /// What is read in place of a store that is too damaged to be opened; nil, or a result of nil, for the error.
    package var standIn: (@Sendable (PosixPath, Store.Options) -> StandIn?)?
    /// Whether that is read although the store can be opened: its pages proved to be damaged.
    package var prefersStandIn = false
    /// The tables without which an answer is none: where one of them cannot be entered, the store is too damaged, too.
    package var tablesToEnter: (@Sendable (Layout) -> [String])?

    /// The same, with each page looked at.
    package var watchingPages: Self {
      var options = self
      options.watchesPages = true
      return options
    }

    /// By default, reads everything, with the WAL and without time limit.
    public init(
      ignoresWAL: Bool = false, asOfCommit: Int? = nil, readsModel: Bool = true, deadline: Double? = nil,
      model: Model? = nil,
      onProgress: (@Sendable (ReadProgress) -> Void)? = nil
    ) {
      self.ignoresWAL = ignoresWAL
      self.asOfCommit = asOfCommit
      self.readsModel = readsModel
      self.deadline = deadline
      self.model = model
      self.onProgress = onProgress
    }

    /// The same with a cache, for reading many stores of a few models.
    package init(ignoresWAL: Bool = false, knownModels: KnownModels) {
      self.init(ignoresWAL: ignoresWAL)
      self.knownModels = knownModels
    }
  }

  /// How far reading has come.
  public struct ReadProgress: Sendable, Equatable {
    /// Bytes read so far; repeated reads count again, so it may exceed `totalBytes`.
    public var bytesRead: Int64
    /// Bytes of the main file and its WAL.
    public var totalBytes: Int64
  }

  /// Opens the store whose main file is `path`.
  /// - Throws: `StoreError` saying what the file is instead, or why it cannot be read.
  package convenience init(path: String, options: Options = Options()) throws {
    try self.init(PosixPath(path), options: options)
  }

  /// Opens the store whose main file is `location`, which need not be UTF-8. Where there is no such file and it ends with
  /// "@3", the store before that is read as of commit 3.
  /// - Throws: `StoreError` saying what the file is instead, or why it cannot be read.
  package init(_ location: PosixPath, options: Options = Options()) throws {
    let reference = StoreReference(location)
    self.location = reference.file
    var options = options
    options.asOfCommit = options.asOfCommit ?? reference.commit
    path = options.asOfCommit.map { "\(reference.file.description)@\($0)" } ?? location.description
    absentFiles = []
    let content = try StoreContent.reading(reference.file, path: path, options)
    readingOfStandIn = content.standIn?.reading
    foundPages = content.standIn?.pages
    let opened = content.opened
    asOf = opened.asOf
    files = opened.files
    header = opened.header
    wal = opened.wal
    journal = opened.journal
    connection = opened.connection
    truncation = opened.truncation
    pageWatcher = opened.pageWatcher
    shape = opened.shape
    metadata = content.metadata
    modelCache = content.modelCache
    entityMap = content.entityMap
    modelSource = content.modelSource
    model = content.model
    computedHashes = content.computedHashes
    layout = content.layout
  }

  /// A copy of a store, or the store itself during a change, read through an open connection.
  ///
  /// Facts about files (header, WAL, journal, external data) are those of `source`.
  ///
  /// - Parameters:
  ///   - absentFiles: names of external data files to treat as missing.
  ///   - migrated: the model it was migrated to; nil where it has that of `source`.
  /// - Throws: `SQLiteError` if it cannot be read.
  package init(
    reading connection: Connection, copiedFrom source: Store, absentFiles: Set<[UInt8]> = [],
    migratedTo migrated: Model? = nil
  ) throws {
    self.absentFiles = absentFiles
    path = source.path
    location = source.location
    files = source.files
    header = source.header
    wal = source.wal
    journal = source.journal
    truncation = source.truncation
    pageWatcher = nil
    readingOfStandIn = source.readingOfStandIn
    foundPages = source.foundPages
    asOf = source.asOf
    self.connection = connection
    shape = try Shape(reading: connection)
    metadata = try StoreMetadata(reading: connection, shape: shape)
    entityMap = try EntityMap(reading: connection, shape: shape, orNumbering: source.model)
    modelCache = source.modelCache
    modelSource = migrated == nil ? source.modelSource : .given
    model = migrated ?? source.model
    computedHashes = migrated?.versionHashes ?? source.computedHashes
    if let model {
      layout = Layout(
        model: model, entityMap: entityMap, shape: shape, isNamedInMetadata: metadata.names(model))
    } else {
      layout = try Layout(inferredFrom: connection, entityMap: entityMap, shape: shape)
    }
    // Looking again would open and close files that SQLite may hold locks on by now.
    fittingLogs = source.fittingLogs
  }

  /// Throws if a file of the store changed since it was opened, because what was read may then be inconsistent.
  package func checkUnchanged() throws {
    if let changed = files.changedFile() { throw StoreError(path: path, .changedWhileReading(file: changed)) }
  }
}

extension StoreMetadata {
  /// Reads the row with `Z_VERSION` 1, the only one in 411 of 411 stores.
  init(reading connection: Connection, shape: Shape, _ known: KnownModels? = nil) throws {
    self.init()
    guard let table = shape.tables["Z_METADATA"] else {
      problems.append(Self.lost)
      return
    }
    let columns = ["Z_UUID", "Z_PLIST"].map { table.has($0) ? $0 : "NULL" }.joined(separator: ", ")
    // If there are several rows, the one with `Z_VERSION` 1 counts.
    let first = table.has("Z_VERSION") ? "NOT INDEXED WHERE Z_VERSION = 1" : ""
    var statement = try connection.prepare("SELECT \(columns) FROM Z_METADATA \(first) LIMIT 1")
    var hasRow = false
    do {
      hasRow = try statement.step()
      if !hasRow, !first.isEmpty {
        statement = try connection.prepare("SELECT \(columns) FROM Z_METADATA LIMIT 1")
        hasRow = try statement.step()
      }
      if !hasRow { problems.append("Z_METADATA has no row") }
    } catch {
      guard error.isCorrupt else { throw error }
      problems.append("Z_METADATA cannot be read: \(error.message)")
    }
    guard hasRow else { return }
    let uuid = statement.string(0)
    if let bytes = statement.blob(1) {
      self = known?.metadata(bytes) ?? StoreMetadata(propertyList: bytes)
    } else {
      problems.append("the metadata property list (Z_PLIST) is NULL")
    }
    self.uuid = uuid
  }
}

extension ModelCache {
  /// The content of the cache before decoding.
  enum Content {
    case absent, empty
    case unreadable(String)
    case bytes([UInt8])
  }

  static func content(reading connection: Connection, shape: Shape) throws -> Content {
    guard let table = shape.tables["Z_MODELCACHE"], table.has("Z_CONTENT") else { return .absent }
    let statement = try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")
    do {
      return try statement.step() ? statement.blob(0).map(Content.bytes) ?? .empty : .empty
    } catch {
      guard error.isCorrupt else { throw error }
      return .unreadable(error.message)
    }
  }
}

extension Store.Options {
  /// The decoded content of a model cache, with the hashes.
  func decoded(_ content: ModelCache.Content) -> KnownModels.Decoded {
    switch content {
    case .absent: KnownModels.Decoded(.absent)
    case .empty: KnownModels.Decoded(.empty)
    case .unreadable(let why): KnownModels.Decoded(.unreadable(why))
    case .bytes(let bytes): knownModels?.decoded(bytes) ?? KnownModels.Decoded(ModelCache(content: bytes))
    }
  }

  /// The layout for a model, from the cache if the model is the store's own.
  func layout(
    _ decoded: KnownModels.Decoded?, model: Model, entityMap: EntityMap, shape: Shape, isNamedInMetadata: Bool
  ) -> Layout {
    guard self.model == nil, let decoded, let knownModels else {
      return Layout(model: model, entityMap: entityMap, shape: shape, isNamedInMetadata: isNamedInMetadata)
    }
    return knownModels.layout(
      decoded, model: model, entityMap: entityMap, shape: shape, isNamedInMetadata: isNamedInMetadata)
  }
}
