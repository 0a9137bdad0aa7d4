import StorePlaces
import StoreSystem
import StoreSQLite

/// Unpacks the stores in an archive, with their side files and external data, into a folder private to this user;
/// everything else is skipped.
///
/// To be called in a separate process with a time limit. The archive is only read.
///
/// - Throws: `ArchiveError` when nothing could be read, or at a limit; files written so far are not usable then.
func unpackArchive(
  _ archive: PosixPath, into folder: PosixPath, limits: ArchiveLimits = .standard
) throws(ArchiveError) -> UnpackedArchive {
  let target = try PrivateFolder(folder)
  let file = try mapped { () throws(FileError) in try EvidenceFile(archive) }
  let zip = try zipFacts(of: file)
  // bsdtar would ask for a password, and give up at the first encrypted entry.
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
  // In a compressed zip the directory at its end cannot be looked up; such files do not occur in practice.
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
