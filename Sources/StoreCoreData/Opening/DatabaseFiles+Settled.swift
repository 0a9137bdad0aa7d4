import StorePlatform
import StoreSQLite

extension DatabaseFiles {
  /// The files of the database at `path`, opened once they have not been written to for a moment.
  ///
  /// Changes are detected by file times, which many file systems count in steps of up to 10 ms, so a second write
  /// within one step goes unnoticed. Files written just now are therefore opened again a moment later.
  /// - Parameter log: the write-ahead log to read in place of the one beside it.
  /// - Throws: `FileError` of kind `changed` if they keep being written.
  static func settled(_ path: PosixPath, log: PosixPath? = nil) throws(FileError) -> DatabaseFiles {
    for _ in 0..<25 {
      let files = try DatabaseFiles(path, log: log)
      guard files.wereChangedJustNow, !files.areCopies else { return files }
      usleep(UInt32(step / 1000))
    }
    throw FileError(path: path.description, kind: .changed)
  }

  /// Whether all are private copies of what lies in an archive.
  private var areCopies: Bool {
    [main, wal, journal].compactMap(\.self).allSatisfy { MountedFiles.isCopy($0.location) }
  }

  private var wereChangedJustNow: Bool {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    let recently = now &- step...now &+ step
    return [main, wal, journal].compactMap(\.self).contains { recently.contains($0.identity.statusChanged) }
  }
}

/// The coarsest step of file times to allow for, in nanoseconds.
private let step: Int64 = 20_000_000
