import StoreSQLite

/// Records the changes made to a store, so that they can be undone.
///
/// Rows of tables with a primary key are recorded automatically. To be reported are
///
/// - rows of a table without primary key (`Z_MODELCACHE`), and rows with NULL in their key (join tables):
///   `note(.rows)`;
/// - indexes created or dropped: `note(.index)`;
/// - that the file is to be written anew, which happens after the commit: `note(.compacted)`;
/// - external files to move aside, which happens after the commit: `moveAside(externalFile:)`;
/// - the end of each step: `step()`, so that memory stays bounded.
///
/// A copy (`publish`) needs no record and ignores all of this, so that one closure serves both.
package final class ChangeRecorder {
  /// Changes that are not in changesets, in order.
  package private(set) var entries: [JournalEntry] = []
  private var recording: ChangeRecording?
  private var updates: UpdateRecording?
  private let connection: Connection?
  private let keep: (Changeset) throws -> Void

  /// A changeset is handed out when the recording takes this many bytes: some 100,000 changed rows.
  private static let mostMemory: Int64 = 24 << 20

  /// For a copy: nothing is recorded.
  package init() {
    connection = nil
    keep = { _ in }
  }

  /// Records a connection's changes from now on, and passes them to `keep` one changeset at a time.
  init(_ connection: Connection, keep: @escaping (Changeset) throws -> Void) throws {
    self.connection = connection
    self.keep = keep
    recording = try ChangeRecording(of: connection)
  }

  /// Reports a change that no changeset contains.
  package func note(_ entry: JournalEntry) { entries.append(entry) }

  /// Asks for a file in the store's `_EXTERNAL_DATA` to be moved aside.
  package func moveAside(externalFile name: [UInt8]) { note(.externalFile(name: name, isMovedAside: true)) }

  /// Runs `body`, which changes `columns` of a table and nothing else. Its argument records such changes faster than a
  /// session does; nil where nothing is recorded, or a session is needed.
  ///
  /// - Throws: what `body` throws, what `keep` throws, and `SQLiteError`.
  func recordingUpdates<Result>(
    of table: String, columns: [String], body: (UpdateRecording?) throws -> Result
  ) throws -> Result {
    guard let connection, let updates = try UpdateRecording(of: connection, table: table, columns: columns) else {
      return try body(nil)
    }
    try flush()
    // An attached session costs time even for changes it does not record.
    recording = nil
    self.updates = updates
    let result = try body(updates)
    try flush()
    self.updates = nil
    recording = try ChangeRecording(of: connection)
    return result
  }

  /// To be called between steps, when no statement is running.
  ///
  /// - Throws: what `keep` throws.
  package func step() throws {
    if let updates, updates.memory > Self.mostMemory { try flush() }
    guard let recording, recording.memory > Self.mostMemory else { return }
    try flush()
  }

  /// Hands out what has been recorded so far.
  func flush() throws {
    if let updates, !updates.isEmpty { try keep(updates.takeChangeset()) }
    guard let connection, let recording else { return }
    if !recording.isEmpty { try keep(recording.changeset()) }
    self.recording = nil
    self.recording = try ChangeRecording(of: connection)
  }

  /// Ends the recording.
  func finish() throws {
    try flush()
    recording = nil
  }

  /// Whether the file is to be written anew after the commit.
  var compacts: Bool { entries.contains(.compacted) }

  /// The names of the external files to move aside.
  var externalFilesMovedAside: [[UInt8]] {
    entries.compactMap { entry in
      if case .externalFile(let name, isMovedAside: true) = entry { name } else { nil }
    }
  }
}
