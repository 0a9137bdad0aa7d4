import StoreSQLite

/// A backup in a folder; its files are read where they lie.
struct FolderBackup: BackupFiles {
  let root: PosixPath
  let limits: PlaceLimits

  private func path(_ name: String) -> PosixPath { root.appending(component: Array(name.utf8)) }

  func openManifest() throws -> Connection? {
    let manifest = path("Manifest.db")
    guard FileSystem.kind(of: manifest) == .file else { return nil }
    let files = try DatabaseFiles(manifest)
    return try Connection(
      reading: files, policy: ManifestDatabase.policy(size: files.main.size + (files.wal?.size ?? 0)))
  }

  func manifestHead() throws -> [UInt8]? {
    guard FileSystem.kind(of: path("Manifest.db")) == .file else { return nil }
    return try EvidenceFile(path("Manifest.db")).read(at: 0, count: 16)
  }

  func contents(of name: String) throws -> [UInt8]? {
    guard FileSystem.kind(of: path(name)) == .file, let file = try? EvidenceFile(path(name)),
      file.size <= limits.bytes(ofList: name)
    else { return nil }
    return try file.read(at: 0, count: Int(file.size))
  }

  func files(_ fileIDs: Set<String>) -> [String: PlaceFile] {
    var files: [String: PlaceFile] = [:]
    for fileID in fileIDs {
      for name in [String(fileID.prefix(2)) + "/" + fileID, fileID] where files[fileID] == nil {
        let path = path(name)
        guard FileSystem.kind(of: path, followingLinks: false) == .file,
          let size = FileSystem.identity(of: path)?.size
        else { continue }
        files[fileID] = PlaceFile(name: Array(name.utf8), size: size, bytes: .file(path))
      }
    }
    return files
  }

  /// The files that begin as a database or a log.
  ///
  /// - Returns: also how many there are, and names that may not be read.
  func hashedFiles() -> (found: [HashedFile], count: Int, unread: [[UInt8]]) {
    var (found, count, unread) = ([HashedFile](), 0, [[UInt8]]())
    func look(_ name: [UInt8], in folder: [UInt8]) {
      let relative = folder + name
      guard let hashed = BackupFileName(relative) else { return }
      let path = root.appending(component: relative)
      guard FileSystem.kind(of: path, followingLinks: false) == .file else { return }
      count += 1
      guard let file = try? EvidenceFile(path), let head = try? file.read(at: 0, count: EntryRole.usefulBytes) else {
        return unread.append(relative)
      }
      let sniff = FileSniff(head)
      guard sniff == .sqlite || sniff == .writeAheadLog else { return }
      found.append(
        HashedFile(
          fileID: hashed.fileID, file: PlaceFile(name: relative, size: file.size, bytes: .file(path)),
          isDatabase: sniff == .sqlite, isLog: sniff == .writeAheadLog))
    }
    for name in (FileSystem.names(in: root) ?? []).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      guard BackupFileName.isFolder(name) else {
        look(name, in: [])
        continue
      }
      let folder = root.appending(component: name)
      guard FileSystem.kind(of: folder, followingLinks: false) == .folder else { continue }
      guard let names = FileSystem.names(in: folder) else {
        unread.append(name)
        continue
      }
      for inner in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        look(inner, in: name + [UInt8(ascii: "/")])
      }
    }
    return (found, count, unread)
  }
}

/// Where a file of a backup lies, by its domain and path; nil where it does not.
package func fileOfBackup(_ root: PosixPath, named name: [UInt8]) -> PosixPath? {
  let parts = name.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: true)
  guard parts.count == 2 else { return nil }
  let named = BackupName(
    domain: String(decoding: parts[0], as: UTF8.self), path: String(decoding: parts[1], as: UTF8.self))
  let found = FolderBackup(root: root, limits: .standard).files([named.fileID])[named.fileID]
  guard case .file(let path)? = found?.bytes else { return nil }
  return path
}

/// Whether a file, by its name relative to a backup's folder, is read as a part of the backup. All else in the folder is what
/// people or programs put there: files under their own names.
package func isPartOfBackup(_ name: [UInt8]) -> Bool {
  BackupFileName(name) != nil || BackupFileName.list(name)?.root == [] || name.elementsEqual("Snapshot".utf8)
}

/// Whether a folder of a backup holds files under hashes, by its name.
package func isFolderOfHashes(_ name: [UInt8]) -> Bool { BackupFileName.isFolder(name) }

/// Whether the names in a folder are those of a backup: its list, with a list of properties or files under hashes.
package func isBackup(names: some Collection<[UInt8]>) -> Bool {
  let names = Set(names)
  func has(_ name: String) -> Bool { names.contains(Array(name.utf8)) }
  let hasFiles = names.contains { BackupFileName.isFolder($0) || BackupFileName($0) != nil }
  let hasLists = has("Manifest.plist") || has("Status.plist")
  return (has("Manifest.db") || has("Manifest.mbdb")) && (hasFiles || hasLists) || hasLists && hasFiles
}
