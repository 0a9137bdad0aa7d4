import Crypto

/// SHA-256 and SHA-512: the one place that links the crypto package, so that its build cost stays in one module.
package enum Digests {
  /// The 32 bytes of SHA-256 over `bytes`.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: bytes))
  }

  /// The 64 bytes of SHA-512 over `bytes`.
  package static func sha512(_ bytes: [UInt8]) -> [UInt8] {
    Array(SHA512.hash(data: bytes))
  }
}

/// SHA-256 over content that arrives in pieces, such as a file of any size.
package struct SHA256Stream: ~Copyable {
  private var hasher = SHA256()

  /// A stream that has seen nothing yet.
  package init() {}

  /// Takes the next piece.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    hasher.update(bufferPointer: bytes)
  }

  /// The 32 bytes of the digest over the pieces so far; more may follow.
  package var digest: [UInt8] { Array(hasher.finalize()) }

  /// The 32 bytes of the digest over all pieces.
  package consuming func finalize() -> [UInt8] {
    Array(hasher.finalize())
  }
}
