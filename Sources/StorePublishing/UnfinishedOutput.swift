import StoreCoreData
import StorePlatform
import StoreSQLite
import StoreSystem

/// A file or folder that has a temporary name beside its own until it is whole: what ends the process leaves no part of it, as
/// with a store that is written (`publish`).
package final class UnfinishedOutput {
  /// Where it is written.
  package let path: PosixPath
  private let main: PosixPath
  private let removal: RemovalAtEnd?

  /// A name for what is to become `target`. Nothing is created yet; what ended runs left beside it is removed.
  package init(beside target: PosixPath, isFolder: Bool = false) {
    Leftovers.sweep(target.parent, files: FileActions())
    main = Leftovers.name(beside: target)
    path = isFolder ? Store.supportFolder(of: main) : main
    removal = Leftovers.guardDraft(main)
  }

  deinit { Leftovers.release(main) }

  /// Gives it the name of the target, which nothing may have.
  package func publish(as target: PosixPath) throws(FileActionError) {
    let files = FileActions()
    guard FileSystem.kind(of: path, followingLinks: false) == .folder else {
      return try files.renameNew(path, to: target)
    }
    guard FileSystem.kind(of: target, followingLinks: false) == nil else {
      throw FileActionError(action: .rename, path: target.description, code: EEXIST)
    }
    try files.rename(path, to: target)
  }

  /// Removes what was written.
  package func discard() {
    let files = FileActions()
    for file in [main] + sideFileSuffixes.map({ main.appending($0) }) { try? files.unlink(file) }
    try? files.removeTree(Store.supportFolder(of: main))
  }
}
