import StoreSQLite
import StoreSystem

extension DiskSpace {
  /// Throws when the file system of `folder` has less than `bytes` free for this user; does nothing where that is not
  /// known.
  static func require(_ bytes: Int64, in folder: PosixPath) throws(RepairError) {
    guard let free = free(in: folder), free < bytes else { return }
    throw RepairError(folder, .notEnoughSpace(needed: bytes, free: free))
  }
}
