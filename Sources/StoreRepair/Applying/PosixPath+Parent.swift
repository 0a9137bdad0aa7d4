import StoreSQLite

extension PosixPath {
  /// The folder that holds it.
  var parent: PosixPath {
    let folder = sibling(named: [])
    return folder.bytes.isEmpty ? PosixPath(".") : folder
  }
}
