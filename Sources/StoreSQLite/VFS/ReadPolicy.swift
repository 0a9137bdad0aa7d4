/// How a database is read.
package struct ReadPolicy: Sendable {
  /// Whether committed frames of the write-ahead log count. If not, the main file is read alone.
  package var useWAL: Bool
  /// How many bytes of the write-ahead log count, for reading the database as of a commit; nil for all.
  package var walBytes: Int64?
  /// Whether a hot journal is rolled back in memory. If not, the database is read as the unfinished transaction left
  /// it.
  package var applyHotJournal: Bool
  /// How long the connection may work, from its opening on; nil for no limit.
  package var deadline: Duration?
  /// The most virtual-machine instructions that one statement may take; nil for no limit. A page that occurs in a tree
  /// many times makes a small database endless. Unlike a deadline, this always ends at the same point.
  package var instructionLimit: Int?
  /// Bytes of memory for the page cache. Reading a table from end to end is fastest when the pages in use fit into the
  /// processor's cache (`docs/performance.md`); random access in a large database needs more.
  package var cacheBytes: Int
  /// Whether a schema that does not parse as a whole is used as far as it does. This turns SQLite's defensive mode off;
  /// the connection still cannot write.
  package var toleratesDamagedSchema: Bool
  /// Called now and then, on a reading thread, with the number of bytes read so far; a page read twice counts twice. Of a
  /// large table two threads read.
  package var onProgress: (@Sendable (_ bytesRead: Int64) -> Void)?
  /// Called on a reading thread with each whole page that is read; `offset` is its place in the main file, nil for a page of
  /// the write-ahead log. A page read twice is shown twice.
  package var onPage: (@Sendable (_ page: UnsafeRawBufferPointer, _ offset: Int64?) -> Void)?

  /// The default: with WAL and hot journal, no deadline, 1 MiB of cache.
  package init(
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
