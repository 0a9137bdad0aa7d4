import StoreSQLite
import StoreSystem

// How a place is read
// -------------------
//
//   archive ─► ArchiveReader: members in place ─► MemberListing: those of interest ─► SetFinder: joined by name ─┐
//   backup  ─► FolderBackup, ArchivedBackup: files under hashes ─► BackupContents: joined by its list ───────────┴► sets
//   sets ─► spool: single members into private files ─► mount: read under the names that people know
//
// Nothing is unpacked to a name. A path in an archive is never a path of the file system.

/// Lists what an archive or the folder of a backup holds.
///
/// - Parameters:
///   - spool: private files for archives that lie in it packed.
///   - wanted: what is looked for behind the place's `!`; nil for everything.
/// - Returns: nil for anything that is neither.
/// - Throws: `ArchiveError` where nothing could be read, or at a limit.
package func readPlace(
  _ path: PosixPath, spool: (_ size: Int64) -> Spool, wanted: [UInt8]? = nil, limits: PlaceLimits = .standard
) throws -> PlaceContents? {
  if FileSystem.kind(of: path) == .folder {
    guard isBackup(names: FileSystem.names(in: path) ?? []) else { return nil }
    return try readBackup(path, limits: limits)
  }
  let file = try mapped { () throws(FileError) in try EvidenceFile(path) }
  guard let reader = try archiveReader(file, name: path.name, limits: limits) else { return nil }
  var contents = ArchiveContents(limits: limits, spool: spool(file.size), size: file.size, wanted: wanted)
  try contents.add(OpenArchive(reader, prefix: []))
  if (try? file.currentIdentity()) != file.identity {
    contents.result.leftOut.append(
      .init(name: [], kind: .whole, reason: "the archive changed while it was read; copy it first"))
  }
  return contents.result
}

private func readBackup(_ root: PosixPath, limits: PlaceLimits) throws -> PlaceContents {
  let files = FolderBackup(root: root, limits: limits)
  let hashed = files.hashedFiles()
  var backup = BackupContents(files, prefix: [])
  try backup.read(hashed.found)
  backup.result.filesSeen = hashed.count
  for name in hashed.unread {
    backup.result.leftOut.append(.init(name: name, kind: .refused, reason: "it may not be read"))
  }
  backup.result.backups = backup.facts.map { [([], $0)] } ?? []
  if FileSystem.kind(of: root.appending(component: Array("Snapshot".utf8)), followingLinks: false) == .folder {
    backup.result.leftOut.append(
      .init(
        name: Array("Snapshot".utf8), kind: .refused,
        reason: "a folder that a backup left which did not come to its end; name it to have it read"))
  }
  return backup.result
}

private func mapped<Value>(_ read: () throws(FileError) -> Value) throws(ArchiveError) -> Value {
  do { return try read() } catch { throw .unreadable(error) }
}
