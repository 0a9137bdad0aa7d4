import StoreSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension DatabaseFiles {
  /// The files of the database at `path`, opened when nothing has been written to them for a moment.
  ///
  /// Times tell whether a file changed, but many file systems count them in steps of up to 10 ms: of two writes within
  /// one step only the first shows. So files that were written just now are looked at again a moment later.
  /// - Throws: `FileError` of kind `changed` when they are written all the time.
  static func settled(_ path: PosixPath) throws(FileError) -> DatabaseFiles {
    for _ in 0..<25 {
      let files = try DatabaseFiles(path)
      guard files.wereChangedJustNow else { return files }
      usleep(UInt32(step / 1000))
    }
    throw FileError(path: path.description, kind: .changed)
  }

  private var wereChangedJustNow: Bool {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    let recently = now &- step...now &+ step
    return [main, wal, journal].compactMap(\.self).contains { recently.contains($0.identity.statusChanged) }
  }
}

/// The coarsest step of file times that is reckoned with, in nanoseconds.
private let step: Int64 = 20_000_000
