import StoreCoreData
import StoreSQLite
import StoreSystem

extension DiskSpace {
  /// Throws when a file system has less free for this user than is needed in its folders together; does nothing where
  /// that is not known.
  package static func require(_ needs: [(bytes: Int64, folder: PosixPath)]) throws(PublishingError) {
    for (index, need) in needs.enumerated() {
      let device = FileSystem.identity(of: need.folder)?.device
      let others = needs.enumerated().filter { other in
        other.offset != index && device != nil && FileSystem.identity(of: other.element.folder)?.device == device
      }
      let bytes = others.map(\.element.bytes).reduce(need.bytes) { $0 &+ $1 }
      if let free = free(in: need.folder), free < bytes {
        throw PublishingError(need.folder, .notEnoughSpace(needed: bytes, free: free))
      }
    }
  }
}
