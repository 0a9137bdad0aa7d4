/// Where one version of a page lies.
package struct PageOrigin: Equatable, Sendable {
  /// A file of the database.
  package enum File: String, Sendable, CaseIterable {
    /// The database file.
    case main
    /// The write-ahead log.
    case wal
    /// The rollback journal.
    case journal
  }

  /// The file.
  package var file: File
  /// Byte offset of the page in that file.
  package var offset: Int64
  /// The index of the frame or of the journal's record, counted from 0; nil in the main file.
  package var index: Int?

  /// A place in a file.
  package init(file: File, offset: Int64, index: Int? = nil) {
    self.file = file
    self.offset = offset
    self.index = index
  }
}
