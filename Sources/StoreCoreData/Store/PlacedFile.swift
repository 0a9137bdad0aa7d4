import StorePlaces
import StorePlatform
import StoreSQLite

/// A single file that lies in an archive or a backup, such as a log, for what reads one file: `ARCHIVE!member/path`,
/// `BACKUP!Domain/path`.
package enum PlacedFile {
  /// The path under which the file is read: that of the file system, if there is something, or a mounted one.
  ///
  /// - Throws: `StoreError` where a place is named, and no such file lies in it or it cannot be read.
  package static func located(_ path: PosixPath) throws -> PosixPath {
    guard FileSystem.kind(of: path) == nil else { return path }
    for mark in path.bytes.indices where path.bytes[mark] == UInt8(ascii: "!") {
      let (place, name) = (PosixPath(bytes: Array(path.bytes[..<mark])), Array(path.bytes[(mark + 1)...]))
      switch FileSystem.kind(of: place) {
      case .file:
        if let bytes = try member(name, of: place) { return try mount(bytes, name, in: place) }
      case .folder:
        if let file = fileOfBackup(place, named: name) {
          MountedFiles.mount(name, in: place.bytes + [UInt8(ascii: "!")], from: file)
          return path
        }
      case .link, .other, nil: continue
      }
      throw StoreError(path: path.description, .unreadable("there is no file of this name in \(place)"))
    }
    return path
  }

  private static func member(_ name: [UInt8], of place: PosixPath) throws -> [UInt8]? {
    let search: MemberSearch?
    do {
      search = try MemberSearch(place, within: name, spool: PlacedStores.privateSpool) { _ in true }
    } catch {
      throw StoreError(path: place.description, .unreadable("\(error)"))
    }
    let plain = PlacedStores.plain(name)
    if let found = search?.found.first(where: { PlacedStores.plain($0.name) == plain }) { return found.bytes }
    if let unread = search?.unread.first(where: { PlacedStores.plain($0.name) == plain }) {
      let shown = "\(place)!\(String(decoding: name, as: UTF8.self))"
      throw StoreError(path: shown, .unreadable(unread.reason))
    }
    return nil
  }

  private static func mount(_ bytes: [UInt8], _ name: [UInt8], in place: PosixPath) throws -> PosixPath {
    let spool = PlacedStores.privateSpool(Int64(bytes.count))
    let (file, path) = try spool.create()
    var writing = EntryFile(file, wanted: Int64(bytes.count))
    try writing.append(bytes[...])
    try writing.finish()
    PlacedStores.keep(spool)
    MountedFiles.mount(name, in: place.bytes + [UInt8(ascii: "!")], from: path)
    return PosixPath(bytes: place.bytes + [UInt8(ascii: "!")] + name)
  }
}
