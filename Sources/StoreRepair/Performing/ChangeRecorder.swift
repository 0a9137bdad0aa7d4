import StoreSQLite

/// What the code that changes a store tells of its changes, so that they can be taken back.
///
/// Rows of tables with a primary key are recorded by themselves. To be reported are
///
/// - rows of a table without primary key (`Z_MODELCACHE`), and rows with NULL in their key (join tables): `note(.rows)`;
/// - indexes made or dropped: `note(.index)`;
/// - external files that are moved aside, which happens once the rows are committed: `moveAside(externalFile:)`;
/// - the end of each step: `step()`, so that memory stays bounded.
///
/// A copy (`publish`) needs none of this and takes it all the same, so that one closure serves both ways.
package final class ChangeRecorder {
  /// Changes that are not in changesets, in order.
  package private(set) var entries: [JournalEntry] = []
  private var recording: ChangeRecording?
  private var updates: UpdateRecording?
  private let connection: Connection?
  private let keep: (Changeset) throws -> Void

  /// A changeset is kept when the recording has so many bytes: some 100,000 changed rows.
  private static let mostMemory: Int64 = 24 << 20

  /// For a copy: nothing is kept.
  package init() {
    connection = nil
    keep = { _ in }
  }

  /// Records the changes of a connection from now on and hands out a changeset now and then.
  init(_ connection: Connection, keep: @escaping (Changeset) throws -> Void) throws {
    self.connection = connection
    self.keep = keep
    recording = try ChangeRecording(of: connection)
  }

  /// Reports a change that no changeset carries.
  package func note(_ entry: JournalEntry) { entries.append(entry) }

  /// Asks for a file in the store's `_EXTERNAL_DATA` to be moved aside.
  package func moveAside(externalFile name: [UInt8]) { note(.externalFile(name: name, isMovedAside: true)) }

  /// Runs `body`, which changes `columns` of a table and nothing else. It gets what records that faster than a session
  /// does; nil where nothing is kept, or a session is needed.
  ///
  /// - Throws: what `body` throws, what keeping a changeset throws, and `SQLiteError`.
  func recordingUpdates<Result>(
    of table: String, _ columns: [String], _ body: (UpdateRecording?) throws -> Result
  ) throws -> Result {
    guard let connection, let updates = try UpdateRecording(of: connection, table: table, columns: columns) else {
      return try body(nil)
    }
    try flush()
    // A session takes its time also for changes that it does not keep.
    recording = nil
    self.updates = updates
    let result = try body(updates)
    try flush()
    self.updates = nil
    recording = try ChangeRecording(of: connection)
    return result
  }

  /// A step is done and none of its statements is running.
  ///
  /// - Throws: what keeping a changeset throws.
  package func step() throws {
    if let updates, updates.memory > Self.mostMemory { try flush() }
    guard let recording, recording.memory > Self.mostMemory else { return }
    try flush()
  }

  /// Hands out what has been recorded and begins anew.
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

  /// The names of files that go.
  var externalFilesMovedAside: [[UInt8]] {
    entries.compactMap { entry in
      if case .externalFile(let name, isMovedAside: true) = entry { name } else { nil }
    }
  }
}
