import StoreDigests
import StoreInspection
import Synchronization

/// Digests of what goes to standard output, for the record of a run.
enum StandardOutputDigest {
  private static let stream = Mutex<FileDigestStream?>(nil)

  static func begin() { stream.withLock { $0 = FileDigestStream() } }

  /// Takes bytes that were written.
  static func note(_ bytes: UnsafeRawBufferPointer) {
    stream.withLock { $0?.update(bytes) }
  }

  /// The digest of the output since `begin`.
  static func end() -> CustodyRecord.Content? {
    stream.withLock { stream in
      guard let digests = stream?.digests, let bytes = stream?.bytes else { return nil }
      stream = nil
      return CustodyRecord.Content(bytes: bytes, digests: digests)
    }
  }
}
