/// How far the unpacking of an archive may go.
package struct ArchiveLimits: Sendable {
  /// Unpacked bytes, those of entries that are passed over included.
  package var bytes: Int64 = 4 << 30
  /// Entries of every type.
  package var entries = 200_000
  /// Bytes of an entry's name.
  package var nameLength = 4096
  /// Folders above an entry.
  var depth = 64
  /// Bytes that stay free on the file system of the private folder.
  package var freeBytes: Int64 = 1 << 30
  /// More than this many times the archive's size, and `growthAllowance` on top, is a bomb.
  package var growth: Int64 = 1000
  /// Unpacked bytes that are never called a bomb.
  var growthAllowance: Int64 = 256 << 20

  /// For stores that users sent.
  package static let standard = ArchiveLimits()

  /// Bytes that an archive of `size` bytes may unpack to before it is called a bomb.
  package func growthLimit(of size: Int64) -> Int64 {
    let (grown, overflow) = max(0, size).multipliedReportingOverflow(by: growth)
    guard !overflow, grown <= .max - growthAllowance else { return .max }
    return grown + growthAllowance
  }
}
