import StorePlatform
import StorePublishing
import StoreSQLite

/// A folder of pages, which has its name when all of them are in it.
struct PageFolder {
  private let target: PosixPath
  private let isPrivate: Bool

  init(_ target: PosixPath, isPrivate: Bool) {
    self.target = target.withoutSlashes
    self.isPrivate = isPrivate
  }

  /// Throws where pages cannot be written to a folder of that name, before the work begins.
  static func require(_ target: PosixPath) throws {
    let target = target.withoutSlashes
    switch FileSystem.kind(of: target, followingLinks: false) {
    case nil:
      guard FileSystem.kind(of: target.sibling(named: Array(".".utf8))) == .folder else {
        throw OutputFileError(path: target, message: "its folder does not exist; make it first")
      }
    case .folder where FileSystem.names(in: target)?.isEmpty == true: return
    case .folder:
      throw OutputFileError(path: target, message: "it exists and is not empty; name a new folder")
    default: throw OutputFileError(path: target, message: "it exists; name a new folder")
    }
  }

  /// Calls `body` to write pages, and gives the folder its name.
  func write(_ body: (Draft) throws -> Void) throws {
    let draft = UnfinishedOutput(beside: target, isFolder: true)
    let folder = try newFolder(draft.path, shownAs: target, mode: isPrivate ? 0o700 : 0o755)
    var isPublished = false
    defer { if !isPublished { draft.discard() } }
    try body(Draft(folder: folder, isPrivate: isPrivate))
    if FileSystem.kind(of: target, followingLinks: false) == .folder {
      // Taken only while it is empty; a folder that is not cannot be removed so.
      guard target.withCString({ rmdir($0) }) == 0 else {
        throw OutputFileError(path: target, message: "it is not empty any more; name a new folder")
      }
    }
    do throws(FileActionError) { try draft.publish(as: target) } catch {
      throw OutputFileError(path: target, code: error.code)
    }
    isPublished = true
  }

  /// A folder that is being filled.
  struct Draft {
    fileprivate let folder: PosixPath
    fileprivate let isPrivate: Bool

    /// Where a page is written, before the folder has its name.
    func place(of name: String) -> PosixPath { folder.appending(component: Array(name.utf8)) }

    /// Writes a page.
    func write(_ page: String, to name: String) throws {
      let file = try StreamedFile(
        creating: place(of: name), keepsParts: false, isPart: true,
        mode: isPrivate ? 0o600 : 0o644)
      try file.write(Array(page.utf8))
      try file.finish()
    }
  }
}

extension PosixPath {
  /// "Notes" for "Notes/".
  fileprivate var withoutSlashes: PosixPath {
    var bytes = bytes
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return PosixPath(bytes: bytes)
  }
}
