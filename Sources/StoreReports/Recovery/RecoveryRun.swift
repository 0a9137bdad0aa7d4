/// The facts about its run in a report: for a case file.
package struct RecoveryRun: Sendable {
  /// The words of the command line, without the program.
  package var arguments: [String]
  /// When it began, nanoseconds since 1970 UTC.
  package var started: Int64
  /// When it ended.
  package var ended: Int64
  /// Whether both are the moment of `SOURCE_DATE_EPOCH`, and not of a clock.
  package var isClockFixed = false
  /// The files that were read.
  package var files: [File]
  /// Files and folders that belong to the database and were not searched, with the reason.
  package var unread: [String] = []

  /// A run.
  package init(arguments: [String], started: Int64, ended: Int64, files: [File]) {
    self.arguments = arguments
    self.started = started
    self.ended = ended
    self.files = files
  }

  /// One file with its digests, lower-case hexadecimal.
  package struct File: Sendable {
    /// "main", "wal" or "journal".
    package var role: String
    /// The path.
    package var path: String
    /// Length in bytes.
    package var bytes: Int64
    /// When its content was last changed, nanoseconds since 1970 UTC.
    package var modified: Int64
    /// The digests.
    package var md5: String
    /// The digests.
    package var sha1: String
    /// The digests.
    package var sha256: String

    /// A file that was read.
    package init(
      role: String, path: String, bytes: Int64, modified: Int64, md5: String, sha1: String, sha256: String
    ) {
      self.role = role
      self.path = path
      self.bytes = bytes
      self.modified = modified
      self.md5 = md5
      self.sha1 = sha1
      self.sha256 = sha256
    }
  }
}
