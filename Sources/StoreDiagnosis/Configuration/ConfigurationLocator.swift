import StoreCoreData
import StoreSQLite

/// Finds the configuration that holds where somebody works: the nearest `.storedoctor.yaml` from the working directory
/// upwards.
///
/// A file that came with the evidence must not steer its examination: what lies in the store's own folder tree is not
/// taken, even by somebody who works there.
public struct ConfigurationLocator: Sendable {
  /// The name it is looked for under.
  public static let fileName = ".storedoctor.yaml"

  /// The nearest that may be used, as seen from the working directory.
  public private(set) var found: PosixPath?
  /// Nearer ones that were not used, since they lie in the store's own folder tree.
  public private(set) var refused: [PosixPath] = []
  /// Where the one that was found lies: a link counts as lying at both of its ends.
  private var foldersOfFound: [PosixPath] = []

  /// - Parameters:
  ///   - store: the store's main file.
  ///   - given: what the user named to get there; of a folder or bundle everything counts as the store's.
  public init(forStore store: PosixPath, given: PosixPath) {
    self.init(outside: Self.ownFolders(store, given))
  }

  /// - Parameter paths: what an audit was given; of a folder everything counts as the stores'.
  public init(forAudit paths: [PosixPath]) {
    self.init(outside: paths.flatMap(Self.ownFolders))
  }

  /// - Parameter stores: stores that source is held against; of a folder everything counts as theirs. The source's own
  ///   folder is the project's.
  public init(forSourceBeside stores: [PosixPath]) {
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

  /// Whether the one that was found lies in the own folder tree of a store it was not looked for.
  public func isFound(inFolderOf store: PosixPath) -> Bool {
    let own = Self.ownFolders(store)
    return foldersOfFound.contains { place in own.contains { place.isInside($0) } }
  }

  /// The folders of which everything below is the store's.
  private static func ownFolders(_ store: PosixPath, _ given: PosixPath) -> [PosixPath] {
    var folders: [PosixPath] = []
    // Where a link leads, and where it lies: either may be the evidence.
    if let main = try? store.resolved() { folders.append(main.folder) }
    if let beside = try? store.sibling(named: Array(".".utf8)).resolved() { folders.append(beside) }
    if FileSystem.kind(of: given) == .folder, let whole = try? given.resolved() { folders.append(whole) }
    return folders + folders.compactMap(\.enclosingBundle)
  }

  /// The same of what is a store, or a folder of some: the folder it lies in is the project's, or anybody's.
  private static func ownFolders(_ given: PosixPath) -> [PosixPath] {
    guard FileSystem.kind(of: given) == .folder else { return ownFolders(given, given) }
    let folder = [try? given.resolved()].compactMap(\.self)
    return folder + folder.compactMap(\.enclosingBundle)
  }
}

extension PosixPath {
  /// The folder a resolved path lies in; that of the root is the root.
  fileprivate var folder: PosixPath {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return PosixPath("/") }
    return PosixPath(bytes: Array(bytes[..<slash]))
  }

  /// Whether a resolved folder is `other` or lies below it.
  fileprivate func isInside(_ other: PosixPath) -> Bool {
    // Everything lies below the root: a store there has no folder of its own.
    guard other.bytes.count > 1 else { return bytes == other.bytes }
    return bytes == other.bytes || bytes.starts(with: other.bytes + [UInt8(ascii: "/")])
  }

  /// The outermost folder above or at a resolved one that is a bundle with data of an app.
  fileprivate var enclosingBundle: PosixPath? {
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true)
    let bundles = [".xcappdata", ".photoslibrary", ".app", ".appex", ".bundle", ".xcresult"].map { Array($0.utf8) }
    guard let end = parts.firstIndex(where: { part in bundles.contains { part.suffix($0.count) == $0[...] } }) else {
      return nil
    }
    return PosixPath(bytes: parts[...end].flatMap { [UInt8(ascii: "/")] + $0 })
  }
}
