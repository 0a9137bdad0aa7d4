import StorePlatform
import StoreSQLite
import Synchronization

/// The names in a folder in byte order, so that those with a given prefix can be found by binary search.
package struct FolderListing: Sendable {
  private let names: [[UInt8]]

  /// The names in a folder; nil if it may not be listed.
  ///
  /// The last folder listed is remembered and only listed again if it changed. Otherwise each of ten thousand stores
  /// in one folder would list them all.
  package init?(_ folder: PosixPath) {
    let state = FileSystem.identity(of: folder)
    if let state, let known = Self.last.withLock({ $0 }), known.folder == folder, known.state == state {
      self = known.listing
      return
    }
    guard let names = FileSystem.names(in: folder) else { return nil }
    self.names = names.sorted { $0.lexicographicallyPrecedes($1) }
    guard let state, Self.isSettled(state) else { return }
    let listing = self
    Self.last.withLock { $0 = Known(folder: folder, state: state, listing: listing) }
  }

  /// Whether a folder has not changed for a moment. Its times move in steps: a change within the same step as the listing
  /// would go unnoticed.
  static func isSettled(_ state: FileIdentity) -> Bool { state.statusChanged < now - 1_000_000_000 }

  /// The names with that prefix, in byte order.
  package func names(beginningWith prefix: [UInt8]) -> ArraySlice<[UInt8]> {
    var (low, high) = (names.startIndex, names.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if names[middle].lexicographicallyPrecedes(prefix) { low = middle + 1 } else { high = middle }
    }
    return names[low...].prefix { $0.starts(with: prefix) }
  }

  /// The state of a folder when it was listed.
  private struct Known {
    var folder: PosixPath
    var state: FileIdentity
    var listing: FolderListing
  }

  private static let last = Mutex<Known?>(nil)

  /// Nanoseconds since 1970.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
