import StoreCoreData
import StoreDigests
import StoreInspection
import StorePlatform
import StoreRecovery
import StoreReports
import StoreSQLite
import StoreSystem

extension RecoveryRun {
  /// The facts for a report about the run that made `recovery`: its files are read once more, for their digests.
  ///
  /// - Throws: `FileError` where a file cannot be read, or is not of the length that was searched.
  init(of recovery: Recovery, started: Int64) throws {
    let files = try recovery.files.map { file in
      let evidence = try EvidenceFile(file.location)
      let content = try CustodyRecord.Content(of: evidence)
      guard content.bytes == file.size else { throw FileError(path: file.path, kind: .changed) }
      return File(
        role: file.role, path: file.path, bytes: content.bytes, modified: evidence.identity.modified,
        md5: hexadecimal(content.digests.md5), sha1: hexadecimal(content.digests.sha1),
        sha256: hexadecimal(content.digests.sha256))
    }
    self.init(
      arguments: Array(CommandLine.arguments.dropFirst()), started: started, ended: reportMoment(), files: files)
    isClockFixed = fixedMoment != nil
    guard let main = recovery.files.first(where: { $0.role == "main" })?.location else { return }
    let support = Store.supportFolder(of: (try? main.resolved()) ?? main)
    if FileSystem.kind(of: support) == .folder {
      unread.append("the files in \(support.description), which hold large values of the store's objects")
    }
  }
}

/// The moment that a report gives as its own, nanoseconds since 1970 UTC: that of `SOURCE_DATE_EPOCH`, else now.
func reportMoment() -> Int64 {
  if let fixedMoment { return fixedMoment }
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

/// The moment of `SOURCE_DATE_EPOCH`; nil where it is not set.
private var fixedMoment: Int64? {
  guard let text = getenv("SOURCE_DATE_EPOCH"), let seconds = Int64(String(cString: text)), seconds >= 0,
    seconds < 253_402_300_800
  else { return nil }
  let (moment, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
  return overflow ? nil : moment
}
