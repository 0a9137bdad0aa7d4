import StoreCoreData
import StorePlatform
import StorePublishing
import StoreSQLite

/// A journal that does not lie beside its store is found there by a link, until its change is done or undone.
extension Journal {
  /// Makes the link, where one is needed and the file system has links.
  func putLink(_ files: FileActions) throws {
    let prefix = store.name + Array(".storedoctor-".utf8)
    if folder.name.starts(with: prefix), FileKey(folder.parent) == FileKey(store.parent) { return }
    do {
      try files.makeLink(JournalTarget.freePath(beside: store), to: folder)
    } catch let error as FileActionError {
      guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(error.code) else { throw error }
      return
    }
    try files.sync(folder: store.parent)
  }

  /// Removes such links beside a store. One that stays leads to a journal that says that it is done.
  func removeLinks(beside store: PosixPath, _ files: FileActions) {
    let prefix = store.name + Array(".storedoctor-".utf8)
    for name in (FileSystem.names(in: store.parent) ?? []).sorted(by: { $0.lexicographicallyPrecedes($1) })
    where name.starts(with: prefix) {
      let link = store.sibling(named: name)
      guard FileSystem.kind(of: link, followingLinks: false) == .link, (try? link.resolved()) == folder else {
        continue
      }
      try? files.unlink(link)
    }
  }
}
