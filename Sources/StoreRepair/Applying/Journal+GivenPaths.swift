import StoreSQLite

// Paths for messages: as the user gave them, and what lies beside them relative to that.

extension Journal {
  /// The journal's folder as the user gave it; else relative to the store as that was given, if it lies beside it.
  func path(asGiven given: PosixPath?, beside store: PosixPath) -> PosixPath {
    given ?? named(folder, beside: store)
  }

  /// The journal's store as the user gave it; else relative to the journal as that was given, if it lies beside it.
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
