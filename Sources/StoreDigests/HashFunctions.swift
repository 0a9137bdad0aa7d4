// The hash functions of the system under the names and with the functions of CryptoKit, which is the system's on Apple's
// platforms; elsewhere it is OpenSSL's libcrypto. Both use the processor's own instructions.

#if canImport(CryptoKit)
  import CryptoKit

  typealias MD5 = Insecure.MD5
  typealias SHA1 = Insecure.SHA1
  typealias SHA256 = CryptoKit.SHA256
  typealias SHA512 = CryptoKit.SHA512
#else
  import CStoreCrypto

  struct MD5 {
    private var context = MD5_CTX()

    init() { MD5_Init(&context) }

    mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
      MD5_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// The digest of what has come so far; more may follow.
    func finalize() -> [UInt8] {
      var context = context
      return digest(of: MD5_DIGEST_LENGTH) { MD5_Final($0, &context) }
    }
  }

  struct SHA1 {
    private var context = SHA_CTX()

    init() { SHA1_Init(&context) }

    mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
      SHA1_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// The digest of what has come so far; more may follow.
    func finalize() -> [UInt8] {
      var context = context
      return digest(of: SHA_DIGEST_LENGTH) { SHA1_Final($0, &context) }
    }
  }

  struct SHA256 {
    private var context = SHA256_CTX()

    init() { SHA256_Init(&context) }

    mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
      SHA256_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// The digest of what has come so far; more may follow.
    func finalize() -> [UInt8] {
      var context = context
      return digest(of: SHA256_DIGEST_LENGTH) { SHA256_Final($0, &context) }
    }
  }

  struct SHA512 {
    private var context = SHA512_CTX()

    init() { SHA512_Init(&context) }

    mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
      SHA512_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// The digest of what has come so far; more may follow.
    func finalize() -> [UInt8] {
      var context = context
      return digest(of: SHA512_DIGEST_LENGTH) { SHA512_Final($0, &context) }
    }
  }

  private func digest(of count: Int32, _ fill: (UnsafeMutablePointer<UInt8>?) -> Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(count)) { bytes, filled in
      _ = fill(bytes.baseAddress)
      filled = bytes.count
    }
  }
#endif
