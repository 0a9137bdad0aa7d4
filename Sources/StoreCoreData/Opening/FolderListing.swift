import StoreSQLite
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The names in a folder in byte order, so that those with some beginning are found without a look at all of them.
package struct FolderListing: Sendable {
  private let names: [[UInt8]]

  /// The names in a folder; nil where it may not be listed.
  ///
  /// The folder listed last is not listed again unless it changed: of ten thousand stores in one folder each would list
  /// them all.
  package init?(_ folder: PosixPath) {
    let state = FileSystem.identity(of: folder)
    if let state, let known = Self.last.withLock({ $0 }), known.folder == folder, known.state == state {
      self = known.listing
      return
    }
    guard let names = FileSystem.names(in: folder) else { return nil }
    self.names = names.sorted { $0.lexicographicallyPrecedes($1) }
    // Times of a folder move in steps: what changed it in the same step as the listing would not be seen.
    guard let state, state.statusChanged < Self.now - 1_000_000_000 else { return }
    let listing = self
    Self.last.withLock { $0 = Known(folder: folder, state: state, listing: listing) }
  }

  /// The names that begin so, in byte order.
  package func names(beginningWith prefix: [UInt8]) -> ArraySlice<[UInt8]> {
    var (low, high) = (names.startIndex, names.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if names[middle].lexicographicallyPrecedes(prefix) { low = middle + 1 } else { high = middle }
    }
    return names[low...].prefix { $0.starts(with: prefix) }
  }

  /// A folder as it was when it was listed.
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
