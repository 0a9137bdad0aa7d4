import CoreDataModel
import Synchronization

/// Models of stores that were read before, with their hashes: the stores of a fleet have a few versions between them, and
/// decoding a model and hashing it takes longer than reading a small store.
package final class KnownModels: Sendable {
  /// The newest is the last.
  private let known = Mutex<[(content: [UInt8], decoded: Decoded)]>([])

  /// As many as are kept.
  private static let capacity = 32
  /// The longest content that is kept, compressed as it lies in a store.
  private static let longestContent = 1 << 20

  /// A model cache, decoded.
  package struct Decoded: Sendable {
    /// The model, or why there is none.
    let cache: ModelCache
    /// The version hashes computed from it.
    let hashes: VersionHashes?

    init(_ cache: ModelCache) {
      self.cache = cache
      hashes = cache.model?.versionHashes
    }
  }

  /// None yet.
  package init() {}

  /// What the content of a model cache holds, decoded now or before.
  func decoded(_ content: [UInt8]) -> Decoded {
    if let found = known.withLock({ $0.last { $0.content == content }?.decoded }) { return found }
    let decoded = Decoded(ModelCache(content: content))
    guard content.count <= Self.longestContent else { return decoded }
    known.withLock { known in
      if known.count == Self.capacity { known.removeFirst() }
      known.append((content, decoded))
    }
    return decoded
  }
}
