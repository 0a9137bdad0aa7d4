import StorePlatform
import StoreSQLite

/// Free space on the file system of a folder.
package enum DiskSpace {
  /// The bytes that this user may still write; nil where the file system does not tell.
  package static func free(in folder: PosixPath) -> Int64? {
    var status = statvfs()
    guard folder.withCString({ statvfs($0, &status) }) == 0 else { return nil }
    let (bytes, overflow) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: status.f_frsize))
    return overflow ? nil : bytes
  }
}
