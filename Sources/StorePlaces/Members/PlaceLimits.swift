import StoreSystem

/// Limits for reading what lies in archives.
package struct PlaceLimits: Sendable {
  /// Limits on bytes: what is written to private files, in all, and what one archive unpacks to.
  package var archive: ArchiveLimits
  /// How many archives may lie in each other, the outermost counted.
  package var depth = 5
  /// How much is read of a file that has a store's name and is no database: enough to tell its kind.
  package var namedStoreBytes: Int64 = 64 << 10
  /// The most bytes of a property list that is read.
  package var listBytes: Int64 = 4 << 20
  /// The most members of one kind that are named one by one as left out; the others are counted.
  package var mostNamed = 1000

  /// The limits for what people send. Members have no limit, only what is read of them.
  package init() {
    archive = .standard
    archive.bytes = 1 << 40
  }

  /// The limits for what people send.
  package static let standard = PlaceLimits()
}
