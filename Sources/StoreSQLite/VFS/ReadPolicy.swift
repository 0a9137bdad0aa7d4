/// How a database is read.
public struct ReadPolicy: Sendable {
  /// Whether committed frames of the write-ahead log are part of the database. Without, the main file is read alone.
  public var useWAL: Bool
  /// Whether a hot journal is rolled back in memory. Without, the database is read as the unfinished transaction
  /// left it.
  public var applyHotJournal: Bool
  /// How long the connection may work, counted from its opening; nil for as long as it takes.
  public var deadline: Duration?
  /// The most instructions of SQLite's virtual machine that one statement may take, nil for no limit. A page that is in
  /// a tree many times makes a small database endless; unlike a deadline this ends it at the same place each time.
  public var instructionLimit: Int?
  /// Bytes of memory for the page cache. Reading a table from end to end is fastest when the pages in use fit into the
  /// processor's own cache (`docs/performance.md`); jumping about in a large database wants more.
  public var cacheBytes: Int
  /// Whether a schema that does not parse as a whole is used as far as it does. Then the sanity checks of SQLite's
  /// defensive mode are off; the connection still cannot write.
  public var toleratesDamagedSchema: Bool
  /// Told from time to time, on the thread that reads, how many bytes have been read from the files; a page that is
  /// read twice counts twice.
  public var onProgress: (@Sendable (_ bytesRead: Int64) -> Void)?

  /// The usual: with WAL and hot journal, no deadline, 1 MiB of cache.
  public init(
    useWAL: Bool = true, applyHotJournal: Bool = true, deadline: Duration? = nil, instructionLimit: Int? = nil,
    cacheBytes: Int = 1 << 20,
    toleratesDamagedSchema: Bool = false, onProgress: (@Sendable (_ bytesRead: Int64) -> Void)? = nil
  ) {
    self.useWAL = useWAL
    self.applyHotJournal = applyHotJournal
    self.deadline = deadline
    self.instructionLimit = instructionLimit
    self.cacheBytes = cacheBytes
    self.toleratesDamagedSchema = toleratesDamagedSchema
    self.onProgress = onProgress
  }
}
