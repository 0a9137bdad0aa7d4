import StoreDigests

/// Who read what with what: `storedoctor.custody/1`.
///
/// It holds no name of a user or a machine unless one is in an argument, a path or the note.
public struct CustodyRecord: Sendable, Equatable {
  /// The words of the command line, without the program.
  public var arguments: [String]
  /// The examiner's note for the record.
  public var note: String?
  /// The program's own file; nil where the system does not tell it.
  public var program: Content?
  /// When the run began, nanoseconds since 1970 UTC.
  public var started: Int64
  /// When it ended.
  public var ended: Int64
  /// The exit status.
  public var status: Int32
  /// The files that were there to read, before and after.
  public var files: [File]
  /// The outputs of the run; standard output first.
  public var outputs: [Output]
  /// The gaps in the record, and why.
  public var gaps: [String]

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
  public struct Content: Sendable, Equatable {
    /// Length.
    public var bytes: Int64
    /// MD5, SHA-1 and SHA-256.
    package var digests: FileDigests

    package init(bytes: Int64, digests: FileDigests) {
      self.bytes = bytes
      self.digests = digests
    }
  }

  /// A file at one moment.
  public struct State: Sendable, Equatable {
    /// Bytes and digests.
    public var content: Content
    /// When its content was last changed, nanoseconds since 1970 UTC.
    public var modified: Int64
    /// When content, name, owner or mode was last changed.
    public var changed: Int64
    /// When it was last read, as the system records it.
    public var accessed: Int64
  }

  /// The roles of files.
  public enum Role: String, Sendable { case main, wal, shm, journal, support, input }

  /// A file, before and after.
  public struct File: Sendable, Equatable {
    /// The path as given, or as found beside or below what was given.
    public var path: String
    /// The path byte for byte, where it is not UTF-8.
    public var pathBytes: [UInt8]?
    /// Its role.
    public var role: Role
    /// Before the run; nil where there was none.
    public var before: State?
    /// After the run; nil where there is none any more.
    public var after: State?
    /// Why it could not be read, before or after.
    public var problem: String?

    /// Whether content and times of change are the same before and after.
    public var isUnchanged: Bool {
      before?.content == after?.content && before?.modified == after?.modified && before?.changed == after?.changed
    }
  }

  /// An output of a run.
  public struct Output: Sendable, Equatable {
    /// The path; nil for standard output.
    public var path: String?
    /// The path byte for byte, where it is not UTF-8.
    public var pathBytes: [UInt8]?
    /// Its content.
    public var content: Content

    /// Output to a file, or to standard output for nil.
    package init(path: String?, pathBytes: [UInt8]? = nil, content: Content) {
      self.path = path
      self.pathBytes = pathBytes
      self.content = content
    }
  }
}
