/// The entries found in an archive. Names are relative, without "." and double slashes, and may hold any bytes but NUL;
/// those of refused entries and links are as in the archive.
struct UnpackedArchive {
  /// Files that were written, each under its name below the private folder.
  var files: [File] = []
  /// Entries that were not unpacked although wanted, with the reason: part of a sentence, lower case, no full stop. An
  /// empty name stands for the archive itself, which could not be read to its end.
  var refused: [(name: [UInt8], reason: String)] = []
  /// Archives in the archive, by name; not unpacked.
  var nested: [[UInt8]] = []
  /// Links with the name of a store or a side file; not followed.
  var links: [[UInt8]] = []

  /// A file that was written.
  struct File: Equatable {
    /// Its name in the archive and below the private folder.
    var name: [UInt8]
    /// Its length in the archive; of a file that is a store by name only, less is written.
    var size: Int64
    /// Bytes written, including holes.
    var written: Int64
  }
}
