import StoreCoreData
import StoreSQLite

/// Finds the configuration in effect: the nearest `.storedoctor.yaml` from the working directory upwards.
///
/// A file that is part of the evidence must not influence its examination, so a file in the store's own folder tree
/// is never used, even if that is the working directory.
package struct ConfigurationLocator: Sendable {
  /// The name it is looked for under.
  package static let fileName = ".storedoctor.yaml"

  /// The nearest usable file, as seen from the working directory.
  package private(set) var found: PosixPath?
  /// Nearer files that were refused because they are in the store's own folder tree.
  package private(set) var refused: [PosixPath] = []
  /// The folders the found file is in; two for a link, its own and that of its target.
  private var foldersOfFound: [PosixPath] = []

  /// - Parameters:
  ///   - store: the store's main file.
  ///   - given: the path the user gave; if it is a folder or bundle, everything in it counts as the store's.
  package init(forStore store: PosixPath, given: PosixPath) {
    self.init(outside: Self.ownFolders(store, given: given))
  }

  /// - Parameter paths: the paths given to an audit; everything in a folder among them counts as the stores'.
  package init(forAudit paths: [PosixPath]) {
    self.init(outside: paths.flatMap(Self.ownFolders))
  }

  /// - Parameter stores: stores to compare the source with; everything in a folder among them counts as theirs. The
  ///   folder of the source itself is the project's.
  package init(forSourceBeside stores: [PosixPath]) {
    self.init(forAudit: stores)
  }

  private init(outside own: [PosixPath]) {
    guard var folder = try? PosixPath(".").resolved() else { return }
    var prefix = ""
    while true {
      let candidate = PosixPath(prefix + Self.fileName)
      if FileSystem.kind(of: candidate, followingLinks: false) != nil {
        let places = [folder, (try? candidate.resolved())?.folder].compactMap(\.self)
        guard places.contains(where: { place in own.contains { place.isInside($0) } }) else {
          found = candidate
          foldersOfFound = places
          return
        }
        refused.append(candidate)
      }
      guard folder.bytes.count > 1 else { return }
      folder = folder.folder
      prefix += "../"
    }
  }

  /// Whether the found file is in the own folder tree of another store.
  package func isFound(inFolderOf store: PosixPath) -> Bool {
    let own = Self.ownFolders(store)
    return foldersOfFound.contains { place in own.contains { place.isInside($0) } }
  }

  /// The folders that belong to the store with everything below them.
  private static func ownFolders(_ store: PosixPath, given: PosixPath) -> [PosixPath] {
    var folders: [PosixPath] = []
    // Both the target of a link and its own folder may be the evidence.
    if let main = try? store.resolved() { folders.append(main.folder) }
    if let beside = try? store.sibling(named: Array(".".utf8)).resolved() { folders.append(beside) }
    if FileSystem.kind(of: given) == .folder, let whole = try? given.resolved() { folders.append(whole) }
    return folders + folders.compactMap(\.enclosingBundle)
  }

  /// The same for a path that is a store or a folder of stores; for a folder, the one it is in does not belong to the
  /// stores.
  private static func ownFolders(_ given: PosixPath) -> [PosixPath] {
    guard FileSystem.kind(of: given) == .folder else { return ownFolders(given, given: given) }
    let folder = [try? given.resolved()].compactMap(\.self)
    return folder + folder.compactMap(\.enclosingBundle)
  }
}

extension PosixPath {
  /// The folder a resolved path is in; the root's is the root.
  fileprivate var folder: PosixPath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return PosixPath("/") }
    return PosixPath(bytes: Array(bytes[..<slash]))
  }

  /// Whether a resolved folder is `other` or below it.
  fileprivate func isInside(_ other: PosixPath) -> Bool {
    // Everything is below the root, so a store directly in it has no folder of its own.
    guard other.bytes.count > 1 else { return bytes == other.bytes }
    return bytes == other.bytes || bytes.starts(with: other.bytes + [UInt8(ascii: "/")])
  }

  /// The outermost of a resolved folder and its parents that is a bundle with an app's data.
  fileprivate var enclosingBundle: PosixPath? {
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
    let bundles = [".xcappdata", ".photoslibrary", ".app", ".appex", ".bundle", ".xcresult"].map { Array($0.utf8) }
    guard let end = parts.firstIndex(where: { part in bundles.contains { part.suffix($0.count) == $0[...] } }) else {
      return nil
    }
    return PosixPath(bytes: parts[...end].flatMap { [UInt8(ascii: "/")] + $0 })
  }
}
