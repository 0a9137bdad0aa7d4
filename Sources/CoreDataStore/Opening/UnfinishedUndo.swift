import SQLite
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The mark of an undo that puts back a store's files and has not finished.
///
/// An undo keeps a journal of its own in a folder beside the store, `NAME.storedoctor-...`, wherever the journal that is
/// undone lies. As long as it works there is a file `undoing` in it that holds the path of the journal that is undone.
/// Until a second undo has finished the work the store may be half the old one and half the new.
package enum UnfinishedUndo {
  /// The name of the file that is the mark.
  package static let markName = Array("undoing".utf8)

  /// Where a mark was found.
  package struct Mark: Equatable, Sendable {
    /// The folder it lies in.
    package var folder: PosixPath
    /// The journal that was being undone.
    package var journal: PosixPath
  }

  /// The marks beside a store's main file, its links resolved.
  package static func marks(beside main: PosixPath) -> [Mark] {
    let prefix = main.name + infix
    let parent = main.sibling(named: [])
    let names = journalNames(in: parent.bytes.isEmpty ? PosixPath(".") : parent)
    return names.filter { $0.starts(with: prefix) }.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { name in
      let folder = main.sibling(named: name)
      let path = folder.appending(component: markName)
      guard FileSystem.kind(of: path, followingLinks: false) == .file, let file = try? EvidenceFile(path),
        let bytes = try? file.read(at: 0, count: 4096)
      else { return nil }
      return Mark(folder: folder, journal: PosixPath(bytes: bytes))
    }
  }

  private static let infix = Array(".storedoctor-".utf8)

  /// The names in a folder that journals have. The folder listed last is not listed again unless it changed: of ten
  /// thousand stores in one folder each would list them all.
  private static func journalNames(in folder: PosixPath) -> [[UInt8]] {
    let state = FileSystem.identity(of: folder)
    if let state, let known = lastListing.withLock({ $0 }), known.folder == folder, known.state == state {
      return known.names
    }
    let names = (FileSystem.names(in: folder) ?? []).filter { name in
      name.indices.contains { name[$0...].starts(with: infix) }
    }
    // Times of a folder move in steps: what changed it in the same step as the listing would not be seen.
    let isSettled = state.map { $0.statusChanged < now() - 1_000_000_000 } ?? false
    if isSettled, let state { lastListing.withLock { $0 = Listing(folder: folder, state: state, names: names) } }
    return names
  }

  /// A folder as it was when it was listed.
  private struct Listing {
    var folder: PosixPath
    var state: FileIdentity
    var names: [[UInt8]]
  }

  private static let lastListing = Mutex<Listing?>(nil)

  /// Nanoseconds since 1970.
  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
