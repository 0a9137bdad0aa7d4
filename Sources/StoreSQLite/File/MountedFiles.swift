import Synchronization

/// Files that are read under another name than the one they lie under: a member of an archive, which lies in a private
/// file, or a file of a backup, which lies under a hash.
///
/// The name is made of a place, ending with `!`, and of a path in it: `Customer.zip!Data/Notes.sqlite`. Everything that
/// only reads follows it; whatever writes finds no file there. A folder has the names of the files that are mounted in
/// it, and no others.
package enum MountedFiles {
  /// The file behind a name, or that there is a folder.
  package enum Target: Sendable, Equatable {
    case file(PosixPath)
    /// There is a file whose bytes cannot be read; part of a sentence says why.
    case unreadable(String)
    case folder
  }

  /// Whether anything is mounted; asked before each look-up, which is rare.
  private static let areAny = Atomic<Bool>(false)
  private static let table = Mutex(Table())

  /// The files and folders, by place and by the parts of the path in it.
  private struct Table {
    /// Places, each with its `!`.
    var places: Set<[UInt8]> = []
    var files: [[UInt8]: Target] = [:]
    /// Those whose bytes lie in a private copy.
    var copies: Set<[UInt8]> = []
    var folders: [[UInt8]: Set<[UInt8]>] = [:]
  }

  /// Mounts a file.
  ///
  /// - Parameters:
  ///   - name: the path in the place.
  ///   - place: what it lies in, with the `!` at its end.
  ///   - path: where its bytes are.
  ///   - isCopy: whether that is a private copy, which is complete and which nobody writes to any more.
  package static func mount(_ name: [UInt8], in place: [UInt8], from path: PosixPath, isCopy: Bool = false) {
    mount(name, in: place, as: .file(path), isCopy: isCopy)
  }

  /// Mounts a name whose file is there and cannot be read, so that nothing takes it for missing.
  package static func mount(_ name: [UInt8], in place: [UInt8], unreadable reason: String) {
    mount(name, in: place, as: .unreadable(reason))
  }

  private static func mount(_ name: [UInt8], in place: [UInt8], as target: Target, isCopy: Bool = false) {
    table.withLock { table in
      table.places.insert(place)
      let parts = parts(of: name[...])
      let file = key(place, parts[...])
      table.files[file] = target
      if isCopy { table.copies.insert(file) } else { table.copies.remove(file) }
      for count in parts.indices {
        table.folders[key(place, parts[..<count]), default: []].insert(parts[count])
      }
    }
    areAny.store(true, ordering: .releasing)
  }

  /// Forgets a file.
  package static func unmount(_ name: [UInt8], in place: [UInt8]) {
    table.withLock { table in
      let parts = parts(of: name[...])
      let file = key(place, parts[...])
      table.files[file] = nil
      table.copies.remove(file)
      // And the folders, and the place, that held nothing else.
      for count in parts.indices.reversed() {
        let folder = key(place, parts[..<count])
        table.folders[folder]?.remove(parts[count])
        guard table.folders[folder]?.isEmpty == true else { return }
        table.folders[folder] = nil
      }
      table.places.remove(place)
    }
  }

  /// Forgets everything that is mounted.
  package static func unmountAll() {
    guard areAny.exchange(false, ordering: .acquiringAndReleasing) else { return }
    table.withLock { $0 = Table() }
  }

  /// What a path leads to; nil where nothing is mounted there.
  package static func target(of path: PosixPath) -> Target? {
    guard areAny.load(ordering: .acquiring), let key = key(of: path) else { return nil }
    return table.withLock { table in
      if let file = table.files[key] { return file }
      return table.folders[key] == nil ? nil : .folder
    }
  }

  /// Whether a path leads to a private copy, which nobody writes to.
  package static func isCopy(_ path: PosixPath) -> Bool {
    guard areAny.load(ordering: .acquiring), let key = key(of: path) else { return false }
    return table.withLock { $0.copies.contains(key) }
  }

  /// The names in a mounted folder, in byte order; nil for one that is not.
  static func names(in folder: PosixPath) -> [[UInt8]]? {
    guard areAny.load(ordering: .acquiring), let key = key(of: folder) else { return nil }
    return table.withLock { $0.folders[key] }?.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// How many first bytes of a path name the place it lies in, with its `!`; 0 for a path of the file system.
  static func lengthOfPlace(in path: [UInt8]) -> Int {
    guard areAny.load(ordering: .acquiring) else { return 0 }
    return table.withLock { table in
      table.places.lazy.filter { path.starts(with: $0) }.map(\.count).max() ?? 0
    }
  }

  private static func key(of path: PosixPath) -> [UInt8]? {
    let length = lengthOfPlace(in: path.bytes)
    guard length > 0 else { return nil }
    return key(path.bytes[..<length], parts(of: path.bytes[length...])[...])
  }

  /// A path in one spelling: a slash at its front, doubled ones and "." do not count.
  private static func key(_ place: some Collection<UInt8>, _ parts: ArraySlice<[UInt8]>) -> [UInt8] {
    Array(place) + parts.joined(separator: [UInt8(ascii: "/")])
  }

  private static func parts(of name: ArraySlice<UInt8>) -> [[UInt8]] {
    name.split(separator: UInt8(ascii: "/")).map(Array.init).filter { $0 != [UInt8(ascii: ".")] }
  }
}
