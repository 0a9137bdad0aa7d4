import StoreSQLite

extension Store {
  /// Looks for logs under other names where the store's own is not there or does not fit.
  func searchFittingLogs() -> FittingLogs {
    guard header.isWAL || wal?.isReadable == false, asOf == nil, files.namedLog == nil, !files.accessTimeMayChange,
      files.wal == nil || wal?.isReadable == false,
      !files.problems.contains(where: { $0.path.hasSuffix("-wal") })
    else { return FittingLogs() }
    let isLink = FileSystem.kind(of: location, followingLinks: false) == .link
    return FittingLogs(beside: files, header: header, shownAs: isLink ? files.location : location)
  }
}
