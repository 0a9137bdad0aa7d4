import StorePlatform
import StoreSQLite
import StoreWords

/// The paths that an assistant may name: those below a folder, after all links are resolved.
///
/// What is looked at here could be exchanged before it is read; who may write below the root could as well put a copy there.
struct RootedPaths {
  /// The folder, without links.
  let root: PosixPath

  /// How many entries of a folder are looked at, and how deep.
  private static let mostEntries = 200_000
  private static let deepest = 64

  /// A path that is refused.
  struct Refusal: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "refusing to read \(quoted(path)): \(reason)" }
  }

  /// - Throws: `Refusal` where it is no folder.
  init(_ folder: String) throws {
    guard let resolved = try? PosixPath(argument: folder).resolved(), FileSystem.kind(of: resolved) == .folder else {
      throw Refusal(path: folder, reason: "--root has to be a folder")
    }
    root = resolved
  }

  /// The absolute path of what is named, relative to the root or absolute.
  ///
  /// - Throws: `Refusal` where it, or anything that would be read with it, does not lie below the root, or is neither a file
  ///   nor a folder.
  func path(_ named: String) throws(Refusal) -> String {
    guard !named.isEmpty, !named.utf8.contains(0) else { throw Refusal(path: named, reason: "it is no path") }
    let whole = named.hasPrefix("/") ? PosixPath(named) : PosixPath("\(root.description)/\(named)")
    // "Customer.zip!Notes.sqlite": the file is what is in front.
    var file = whole
    var member = ""
    if FileSystem.kind(of: whole, followingLinks: false) == nil, let mark = named.firstIndex(of: "!") {
      member = String(named[mark...])
      file = PosixPath(bytes: Array(whole.bytes.dropLast(member.utf8.count)))
    }
    let resolved = try resolved(file, as: named)
    let kind = FileSystem.kind(of: resolved)
    guard kind == .file || kind == .folder else { throw Refusal(path: named, reason: "it is no file and no folder") }
    var left = Self.mostEntries
    if kind == .folder {
      try check(resolved, as: named, level: 0, &left)
    } else {
      try checkCompanions(of: resolved, as: named, &left)
    }
    return resolved.description + member
  }

  private func resolved(_ path: PosixPath, as named: String) throws(Refusal) -> PosixPath {
    let resolved: PosixPath
    do throws(FileError) {
      resolved = try path.resolved()
    } catch {
      throw Refusal(path: named, reason: "there is nothing of that name")
    }
    guard resolved == root || isBelow(resolved) else { throw Refusal(path: named, reason: "it lies outside of --root") }
    return resolved
  }

  private func isBelow(_ path: PosixPath) -> Bool {
    let prefix = root.bytes == [UInt8(ascii: "/")] ? root.bytes : root.bytes + [UInt8(ascii: "/")]
    return path.bytes.starts(with: prefix)
  }

  /// The log, index and journal of a store, and its folder of external data, which are read with it.
  private func checkCompanions(of file: PosixPath, as named: String, _ left: inout Int) throws(Refusal) {
    for suffix in ["-wal", "-shm", "-journal"] {
      let companion = file.appending(suffix)
      if FileSystem.kind(of: companion, followingLinks: false) != nil { try checkEntry(companion, as: named) }
    }
    var name = file.name
    if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 { name = Array(name[..<dot]) }
    let support = file.sibling(named: [UInt8(ascii: ".")] + name + Array("_SUPPORT".utf8))
    guard FileSystem.kind(of: support, followingLinks: false) != nil else { return }
    let resolved = try resolved(support, as: named)
    if FileSystem.kind(of: resolved) == .folder { try check(resolved, as: named, level: 0, &left) }
  }

  /// A file or folder, or a link to one below the root.
  private func checkEntry(_ path: PosixPath, as named: String) throws(Refusal) {
    let resolved = try resolved(path, as: named)
    let kind = FileSystem.kind(of: resolved)
    guard kind == .file || kind == .folder else {
      throw Refusal(path: named, reason: "\(quoted(path.description)) is no file and no folder")
    }
  }

  private func check(_ folder: PosixPath, as named: String, level: Int, _ left: inout Int) throws(Refusal) {
    guard level < Self.deepest else { throw Refusal(path: named, reason: "it is too deep; name a folder in it") }
    guard let entries = FileSystem.entries(in: folder) else {
      throw Refusal(path: named, reason: "\(quoted(folder.description)) cannot be read")
    }
    for entry in entries {
      left -= 1
      guard left > 0 else {
        throw Refusal(path: named, reason: "it holds more than \(Self.mostEntries) files; name a folder in it")
      }
      let path = folder.appending(component: entry.name)
      switch entry.kind ?? FileSystem.kind(of: path, followingLinks: false) {
      case .file: continue
      case .folder: try check(path, as: named, level: level + 1, &left)
      case .link: try checkLink(path, as: named)
      case .other, nil:
        throw Refusal(path: named, reason: "\(quoted(path.description)) in it is no file and no folder")
      }
    }
  }

  /// A link that leads nowhere is harmless: nothing is read through it.
  private func checkLink(_ path: PosixPath, as named: String) throws(Refusal) {
    guard FileSystem.kind(of: path) != nil else { return }
    do throws(Refusal) {
      try checkEntry(path, as: named)
    } catch {
      throw Refusal(path: named, reason: "\(quoted(path.description)) in it leads out of --root, or to no file")
    }
  }
}
