import StoreSQLite

extension PosixPath {
  /// The folder the path lies in.
  var parent: PosixPath {
    let folder = sibling(named: [])
    return folder.bytes.isEmpty ? PosixPath(".") : folder
  }
}
