import StoreCoreData
import StoreSQLite

/// Device and inode, which identify a file whatever its path.
package struct FileKey: Hashable {
  private let device: UInt64
  private let inode: UInt64

  /// The file a path leads to; nil where there is none.
  package init?(_ path: PosixPath) {
    guard let identity = FileSystem.identity(of: path) else { return nil }
    device = identity.device
    inode = identity.inode
  }
}
