/// Limits for unpacking an archive.
package struct ArchiveLimits: Sendable {
  /// Unpacked bytes, including those of skipped entries.
  package var bytes: Int64 = 4 << 30
  /// Entries of every type.
  package var entries = 200_000
  /// Bytes in an entry's name.
  package var nameLength = 4096
  /// Folders above an entry.
  var depth = 64
  /// Bytes that must stay free on the file system of the private folder.
  package var freeBytes: Int64 = 1 << 30
  /// Growth beyond this many times the archive's size, plus `growthAllowance`, counts as a bomb.
  package var growth: Int64 = 1000
  /// Unpacked bytes that are never called a bomb.
  package var growthAllowance: Int64 = 256 << 20

  /// The limits for stores that users sent.
  package static let standard = ArchiveLimits()

  /// The most bytes that an archive of `size` bytes may unpack to.
  package func growthLimit(of size: Int64) -> Int64 {
    let (grown, overflow) = max(0, size).multipliedReportingOverflow(by: growth)
    guard !overflow, grown <= .max - growthAllowance else { return .max }
    return grown + growthAllowance
  }
}
