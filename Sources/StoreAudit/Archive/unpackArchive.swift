import StoreSystem
import StoreSQLite

/// Unpacks the stores of an archive, with their side files and the values they keep in files, into a folder that only
/// this user can enter; all else in it is passed over.
///
/// Called in a process of its own that has a time limit. The archive is read as evidence is: nothing of it changes.
///
/// - Throws: `ArchiveError` when nothing could be read, or at a limit; then what was written so far is of no use.
func unpackArchive(
  _ archive: PosixPath, into folder: PosixPath, limits: ArchiveLimits = .standard
) throws(ArchiveError) -> UnpackedArchive {
  let target = try PrivateFolder(folder)
  let file = try mapped { () throws(FileError) in try EvidenceFile(archive) }
  let zip = try zipFacts(of: file)
  // bsdtar would ask for a password, of nobody, and give up at the first such entry.
  guard let leftOut = zip == nil ? [] : zip?.patternsOfEncrypted else { throw .encrypted }
  var unpacking = Unpacking(
    stream: try ArchiveStream(file, leavingOut: leftOut, limits: limits), zip: zip, folder: target, limits: limits)
  try unpacking.run()
  unpacking.result.encrypted = zip?.encrypted ?? []
  if (try? file.currentIdentity()) != file.identity {
    unpacking.result.refused.append(([], "the archive changed while it was read; copy it first"))
  }
  return unpacking.result
}

/// Nil for a tar.
private func zipFacts(of archive: EvidenceFile) throws(ArchiveError) -> ZipFacts? {
  let head = try ArchiveStream.head(of: archive)
  // A tar without entries is all zeros.
  if head.count == TarHeader.size, head.allSatisfy({ $0 == 0 }) { return nil }
  switch ArchiveKind(head: head) {
  case .tar: return nil
  case .zip: break
  case .gzip, nil: throw .notAnArchive
  }
  // Compressed once more, a zip has no end that could be looked up; nobody does that.
  guard head.starts(with: try mapped { () throws(FileError) in try archive.read(at: 0, count: 8) }) else {
    throw .notAnArchive
  }
  let facts = try mapped { () throws(FileError) in ZipFacts(try ZipDirectory(of: archive)) }
  let isFirstEncrypted = head.starts(with: [0x50, 0x4b, 3, 4]) && head.count > 6 && head[6] & 1 != 0
  guard facts.hasDirectory ? !facts.isWhollyEncrypted : !isFirstEncrypted else { throw .encrypted }
  return facts
}

private func mapped<Value>(_ read: () throws(FileError) -> Value) throws(ArchiveError) -> Value {
  do { return try read() } catch { throw .unreadable(error) }
}
