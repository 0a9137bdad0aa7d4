import StoreDataModel
import StoreDigests
import StoreSQLite

/// What the bytes of a changed store are, by a hash list: all cores can work at it. SHA-256 of the whole in one stream
/// takes as long as the change, where the processor has no instructions for it; there SHA-512 is half as fast again.
///
///     SHA-256( SHA-512 of each piece of the main file, in order
///            | SHA-512 of each piece of the WAL up to its last commit
///            | size of the main file | bytes of the WAL that count )
///
/// Pieces have 1 MiB, the last of a file what is left; sizes 8 bytes, big-endian. Only journals hold it; what a plan and
/// a journal say of a store before the change is a `Fingerprint`.
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

  /// That of a main file and its WAL.
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
  /// Takes the sums of all pieces of a file; of 256 at a time, so that memory does not grow with the file.
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
