import StoreDataModel
import StoreDigests
import StoreSQLite

/// A fingerprint of a changed store, computed on all cores as a hash of hashes: a single SHA-256 stream over the whole
/// store takes as long as the change itself on processors without SHA instructions. SHA-512 is half as fast again
/// there.
///
///     SHA-256( SHA-512 of each piece of the main file, in order
///            | SHA-512 of each piece of the WAL up to its last commit
///            | size of the main file | committed bytes of the WAL )
///
/// A piece is 1 MiB, the last one of a file shorter; sizes are 8 bytes, big-endian. Only journals hold this
/// fingerprint; a store before a change is identified by a `Fingerprint`.
package struct HashListFingerprint: Hashable, Sendable {
  /// The 32 bytes.
  package let bytes: [UInt8]

  /// 64 hexadecimal digits.
  package var text: String { hexadecimal(bytes) }

  /// Reads 64 hexadecimal digits.
  package init?(_ text: String) {
    guard let bytes = sha256OfHex(text) else { return nil }
    self.bytes = bytes
  }

  /// The fingerprint of a main file and its WAL.
  ///
  /// - Throws: `FileError`.
  package init(main: any ByteSource, wal: (any ByteSource)?) throws(FileError) {
    let committed: Int64 = if let wal { try WAL(scanning: wal).committedBytes ?? 0 } else { 0 }
    var list = SHA256Stream()
    try list.updateWithSums(of: main, upTo: main.size)
    if let wal { try list.updateWithSums(of: wal, upTo: committed) }
    for size in [main.size, committed] {
      withUnsafeBytes(of: UInt64(bitPattern: size).bigEndian) { list.update($0) }
    }
    bytes = list.finalize()
  }
}

extension SHA256Stream {
  /// Adds the sums of all pieces of a file, 256 at a time, so that memory does not grow with the file.
  fileprivate mutating func updateWithSums(of source: any ByteSource, upTo end: Int64) throws(FileError) {
    for start in stride(from: 0, to: end, by: 256 << 20) {
      let pieces = stride(from: start, to: start + min(256 << 20, end - start), by: 1 << 20)
        .map { (start: $0, count: Int(min(1 << 20, end - $0))) }
      let sums = try concurrently(pieces) { start, count throws(FileError) in
        let bytes = try source.read(at: start, count: count)
        guard bytes.count == count else { throw FileError(path: source.name, kind: .changed) }
        return Digests.sha512(bytes)
      }
      for sum in sums { sum.withUnsafeBytes { update($0) } }
    }
  }
}
