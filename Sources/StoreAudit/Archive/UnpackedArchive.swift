/// What was found in an archive. Names are relative, without "." and double slashes, any bytes but NUL; those of refused
/// and linked entries are as the archive has them.
struct UnpackedArchive {
  /// What was written: under the private folder each file has the name it has here.
  var files: [File] = []
  /// Entries that would have been unpacked but were not, and why: a sentence's part, lower case, no full stop. The empty
  /// name is the archive itself, which could not be read to its end.
  var refused: [(name: [UInt8], reason: String)] = []
  /// Files that need a password, by name; not unpacked.
  var encrypted: [[UInt8]] = []
  /// Archives in the archive, by name; not unpacked.
  var nested: [[UInt8]] = []
  /// Links with the name of a store or a side file; not followed.
  var links: [[UInt8]] = []

  /// A file that was written.
  struct File: Equatable {
    /// Its name in the archive and under the private folder.
    var name: [UInt8]
    /// Its length in the archive; of a file that is only called a store, less was written.
    var size: Int64
    /// Bytes that were written, holes counted.
    var written: Int64
  }
}
