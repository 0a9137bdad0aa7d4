/// MD5, SHA-1 and SHA-256 of the same bytes, as examiners record them.
package struct FileDigests: Equatable, Sendable {
  /// 16 bytes.
  package var md5: [UInt8]
  /// 20 bytes.
  package var sha1: [UInt8]
  /// 32 bytes.
  package var sha256: [UInt8]

  /// Digests that were read somewhere.
  package init(md5: [UInt8], sha1: [UInt8], sha256: [UInt8]) {
    self.md5 = md5
    self.sha1 = sha1
    self.sha256 = sha256
  }
}

/// The three digests over content that arrives in pieces.
///
/// MD5 and SHA-1 no longer prevent a forgery; they are there to compare with records that have nothing else.
package struct FileDigestStream: ~Copyable {
  private var md5 = MD5()
  private var sha1 = SHA1()
  private var sha256 = SHA256()
  /// Bytes so far.
  package private(set) var bytes: Int64 = 0

  /// A stream that has seen nothing yet.
  package init() {}

  /// Takes the next piece.
  package mutating func update(_ piece: UnsafeRawBufferPointer) {
    md5.update(bufferPointer: piece)
    sha1.update(bufferPointer: piece)
    sha256.update(bufferPointer: piece)
    bytes += Int64(piece.count)
  }

  /// The digests over the pieces so far; more may follow.
  package var digests: FileDigests {
    FileDigests(md5: Array(md5.finalize()), sha1: Array(sha1.finalize()), sha256: Array(sha256.finalize()))
  }
}
