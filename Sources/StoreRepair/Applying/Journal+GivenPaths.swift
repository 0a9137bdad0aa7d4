import StoreSQLite

// Paths as people know them: what they gave stays as they gave it, and what lies beside that is named beside it.

extension Journal {
  /// Its folder as the user gave it, or beside the store as that was given, where it lies there.
  func path(asGiven given: PosixPath?, beside store: PosixPath) -> PosixPath {
    given ?? named(folder, beside: store)
  }

  /// Its store as the user gave it, or beside a journal as that was given, where it lies there.
  func storePath(asGiven given: PosixPath?, beside journal: PosixPath) -> PosixPath {
    given ?? named(store, beside: journal)
  }
}

/// - Parameter path: a path with all links followed.
private func named(_ path: PosixPath, beside given: PosixPath) -> PosixPath {
  // A shell completes a folder's name with a slash.
  let slashes = given.bytes.reversed().prefix { $0 == UInt8(ascii: "/") }.count
  let sibling = PosixPath(bytes: given.bytes.dropLast(slashes)).sibling(named: path.name)
  return (try? sibling.resolved()) == path ? sibling : path
}
