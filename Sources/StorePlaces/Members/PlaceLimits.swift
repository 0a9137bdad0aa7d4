import StoreSystem

/// Limits for reading what lies in archives.
package struct PlaceLimits: Sendable {
  /// Limits on bytes: what is written to private files, in all, and what one archive unpacks to.
  package var archive: ArchiveLimits
  /// How many archives may lie in each other, the outermost counted.
  package var depth = 5
  /// How much is read of a file that has a store's name and is no database: enough to tell its kind.
  package var namedStoreBytes: Int64 = 64 << 10
  /// The most files that are looked into since they may be databases without their header, and the most bytes of all of them.
  package var mostHeadless = 200
  package var headlessBytes: Int64 = 4 << 30
  /// The most bytes of a property list that is read.
  package var listBytes: Int64 = 4 << 20
  /// The most bytes of the list that says what a container belongs to.
  var containerListBytes: Int64 = 256 << 10
  /// The most members that are named one by one as left out; the others are counted.
  package var mostNamed = 1000
  /// The most files of an archive that may be stores or belong to them. Of 830,298 files of a phone 6,000 do.
  package var mostFiles = 250_000
  /// The most archives in archives that are followed, and the most members of all of them.
  package var mostNested = 10_000
  package var mostNestedMembers = 4_000_000
  /// The most backups in one archive, each of which is gone through once more.
  package var mostBackups = 8
  /// The most containers whose app is looked up.
  var mostContainers = 50_000

  /// The longest `Manifest.mbdb`: of some 500,000 files.
  private var tableBytes: Int64 { 64 << 20 }

  /// The most bytes that are read of a list of a backup.
  func bytes(ofList name: String) -> Int64 { name == "Manifest.mbdb" ? tableBytes : listBytes }

  /// The limits for what people send. Members have no limit, only what is read of them.
  package init() {
    archive = .standard
    archive.bytes = 1 << 40
  }

  /// The limits for what people send.
  package static let standard = PlaceLimits()
}
