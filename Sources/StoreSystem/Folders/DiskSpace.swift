import StoreSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Room on the file system of a folder.
package enum DiskSpace {
  /// Bytes that this user may still write; nil where the file system does not say.
  package static func free(in folder: PosixPath) -> Int64? {
    var status = statvfs()
    guard folder.withCString({ statvfs($0, &status) }) == 0 else { return nil }
    let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: status.f_frsize))
    return overflow ? nil : bytes
  }
}
