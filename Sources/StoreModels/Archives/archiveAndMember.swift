import StoreCoreData
import StoreSQLite

/// Whether a path names an archive, or leads into one.
package func isInArchive(_ path: PosixPath) -> Bool {
  archiveAndMember(path).map { PlacedStores.isArchive($0.place) } ?? false
}

/// The archive that a path names or leads into, and what is named behind its `!`.
package func archiveAndMember(_ path: PosixPath) -> (place: PosixPath, member: [UInt8]?)? {
  if FileSystem.kind(of: path) == .file { return (path, nil) }
  for mark in path.bytes.indices where path.bytes[mark] == UInt8(ascii: "!") {
    let place = PosixPath(bytes: Array(path.bytes[..<mark]))
    if FileSystem.kind(of: place) == .file { return (place, Array(path.bytes[(mark + 1)...])) }
  }
  return nil
}
