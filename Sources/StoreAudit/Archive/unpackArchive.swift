import StorePlaces
import StoreSystem
import StoreSQLite

/// Unpacks the stores in a tar that is packed in a way that is not read here (`StorePlaces` reads the others in place), with
/// their side files and external data, into a folder private to this user; everything else is skipped.
///
/// To be called in a separate process with a time limit. The archive is only read.
///
/// - Throws: `ArchiveError` when nothing could be read, or at a limit; files written so far are not usable then.
func unpackArchive(
  _ archive: PosixPath, into folder: PosixPath, limits: ArchiveLimits = .standard
) throws(ArchiveError) -> UnpackedArchive {
  let target = try PrivateFolder(folder)
  let file = try mapped { () throws(FileError) in try EvidenceFile(archive) }
  try requireTar(file)
  var unpacking = Unpacking(stream: try ArchiveStream(file, limits: limits), folder: target, limits: limits)
  try unpacking.run()
  if (try? file.currentIdentity()) != file.identity {
    unpacking.result.refused.append(([], "the archive changed while it was read; copy it first"))
  }
  return unpacking.result
}

/// Throws for anything but a tar: what bsdtar takes for another format may name files of this machine.
private func requireTar(_ archive: EvidenceFile) throws(ArchiveError) {
  let head = try ArchiveStream.head(of: archive)
  // A tar without entries is all zeros.
  if head.count == TarHeader.size, head.allSatisfy({ $0 == 0 }) { return }
  guard ArchiveKind(head: head) == .tar else { throw .notAnArchive }
}

private func mapped<Value>(_ read: () throws(FileError) -> Value) throws(ArchiveError) -> Value {
  do { return try read() } catch { throw .unreadable(error) }
}
