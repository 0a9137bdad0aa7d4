/// Digests of bytes that are all at hand.
package enum Digests {
  /// The 16 bytes of MD5 over `bytes`.
  package static func md5(_ bytes: [UInt8]) -> [UInt8] {
    var hash = MD5()
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return Array(hash.finalize())
  }

  /// The 20 bytes of SHA-1 over `bytes`.
  package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA1()
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return Array(hash.finalize())
  }

  /// The 32 bytes of SHA-256 over `bytes`.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return Array(hash.finalize())
  }

  /// The 64 bytes of SHA-512 over `bytes`.
  package static func sha512(_ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA512()
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return Array(hash.finalize())
  }
}

/// SHA-256 over content that arrives in pieces, such as a file of any size.
package struct SHA256Stream: ~Copyable {
  private var hash = SHA256()

  /// A stream that has seen nothing yet.
  package init() {}

  /// Takes the next piece.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    hash.update(bufferPointer: bytes)
  }

  /// The 32 bytes of the digest over the pieces so far; more may follow.
  package var digest: [UInt8] { Array(hash.finalize()) }

  /// The 32 bytes of the digest over all pieces.
  package consuming func finalize() -> [UInt8] { digest }
}
