import SQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Asks beforehand whether there is room.
enum DiskSpace {
  /// Throws when the file system of `folder` has less than `bytes` for this user; silent where it does not say.
  static func require(_ bytes: Int64, in folder: PosixPath) throws(RepairError) {
    guard let free = free(in: folder), free < bytes else { return }
    throw RepairError(folder, .notEnoughSpace(needed: bytes, free: free))
  }

  /// Bytes that this user may still write; nil where the file system does not say.
  static func free(in folder: PosixPath) -> Int64? {
    var status = statvfs()
    guard folder.withCString({ statvfs($0, &status) }) == 0 else { return nil }
    let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: status.f_frsize))
    return overflow ? nil : bytes
  }
}
