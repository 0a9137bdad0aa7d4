import StoreDigests

/// Who read what with what: `storedoctor.custody/1`.
///
/// It holds no name of a user or a machine unless one is in an argument, a path or the note.
package struct CustodyRecord: Sendable, Equatable {
  /// The words of the command line, without the program.
  package var arguments: [String]
  /// The examiner's note for the record.
  package var note: String?
  /// The program's own file; nil where the system does not tell it.
  package var program: Content?
  /// When the run began, nanoseconds since 1970 UTC.
  package var started: Int64
  /// When it ended.
  package var ended: Int64
  /// The exit status.
  package var status: Int32
  /// The files that were there to read, before and after.
  package var files: [File]
  /// The outputs of the run; standard output first.
  package var outputs: [Output]
  /// The gaps in the record, and why.
  package var gaps: [String]

  /// A run that began, with no files yet.
  package init(arguments: [String], note: String?, program: Content?, started: Int64) {
    self.arguments = arguments
    self.note = note
    self.program = program
    self.started = started
    ended = started
    status = 0
    files = []
    outputs = []
    gaps = []
  }

  /// Bytes and digests of a file, or of a stream.
  package struct Content: Sendable, Equatable {
    /// Length.
    package var bytes: Int64
    /// MD5, SHA-1 and SHA-256.
    package var digests: FileDigests

    package init(bytes: Int64, digests: FileDigests) {
      self.bytes = bytes
      self.digests = digests
    }
  }

  /// A file at one moment.
  package struct State: Sendable, Equatable {
    /// Bytes and digests.
    package var content: Content
    /// When its content was last changed, nanoseconds since 1970 UTC.
    package var modified: Int64
    /// When content, name, owner or mode was last changed.
    package var changed: Int64
    /// When it was last read, as the system records it.
    package var accessed: Int64
  }

  /// The roles of files.
  package enum Role: String, Sendable { case main, wal, shm, journal, support, input }

  /// A file, before and after.
  package struct File: Sendable, Equatable {
    /// The path as given, or as found beside or below what was given.
    package var path: String
    /// The path byte for byte, where it is not UTF-8.
    package var pathBytes: [UInt8]?
    /// Its role.
    package var role: Role
    /// Before the run; nil where there was none.
    package var before: State?
    /// After the run; nil where there is none any more.
    package var after: State?
    /// Why it could not be read, before or after.
    package var problem: String?

    /// Whether content and times of change are the same before and after.
    package var isUnchanged: Bool {
      before?.content == after?.content && before?.modified == after?.modified && before?.changed == after?.changed
    }
  }

  /// An output of a run.
  package struct Output: Sendable, Equatable {
    /// The path; nil for standard output.
    package var path: String?
    /// The path byte for byte, where it is not UTF-8.
    package var pathBytes: [UInt8]?
    /// Its content.
    package var content: Content

    /// Output to a file, or to standard output for nil.
    package init(path: String?, pathBytes: [UInt8]? = nil, content: Content) {
      self.path = path
      self.pathBytes = pathBytes
      self.content = content
    }
  }
}
