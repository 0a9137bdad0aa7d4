import StorePlatform
import StoreSystem

/// A file to which an entry's content, or its beginning, is written. Zeros are skipped, which leaves holes.
package struct EntryFile {
  private let file: OpenFile
  private let wanted: Int64
  /// The number of bytes received.
  package private(set) var received: Int64 = 0
  private var sinceChecked: Int64 = 0

  /// - Parameter wanted: how many bytes are written; those after them are only counted.
  package init(_ file: OpenFile, wanted: Int64) {
    (self.file, self.wanted) = (file, wanted)
  }

  /// The number of bytes written.
  package var written: Int64 { min(received, wanted) }
  /// The number of bytes still to be written.
  package var missing: Int64 { wanted - written }

  /// Takes the next bytes.
  ///
  /// - Throws: `EntryPath.Refusal.system`.
  package mutating func append(_ part: ArraySlice<UInt8>) throws(EntryPath.Refusal) {
    let kept = part.prefix(Int(clamping: missing))
    if !Self.isHole(kept) { try file.write(kept, at: written) }
    received += Int64(part.count)
    sinceChecked += Int64(kept.count)
  }

  /// Whether enough was written to check the free space again, since other processes write too.
  package var needsRoom: Bool {
    mutating get {
      guard sinceChecked >= Self.checkedBytes else { return false }
      sinceChecked = 0
      return true
    }
  }

  /// Sets the file's length, for one that ends in a hole.
  package func finish() throws(EntryPath.Refusal) { try file.setSize(written) }

  private static let checkedBytes: Int64 = 64 << 20

  /// Whether these are zeros, a page at least.
  private static func isHole(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard bytes.count >= 4096, let start = bytes.baseAddress, bytes[0] == 0 else { return bytes.isEmpty }
      return memcmp(start, start + 1, bytes.count - 1) == 0
    }
  }
}
