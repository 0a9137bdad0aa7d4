import StoreSQLite

extension PosixPath {
  /// The folder that holds it.
  package var parent: PosixPath {
    let folder = sibling(named: [])
    return folder.bytes.isEmpty ? PosixPath(".") : folder
  }
}
