import Testing
@testable import StoreDigests

/// Digests of known texts, and of the same bytes in pieces of any size.
@Suite struct DigestsTests {
  private static let known: [(bytes: [UInt8], md5: String, sha1: String, sha256: String, sha512: String)] = [
    (
      [], "d41d8cd98f00b204e9800998ecf8427e", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
    ),
    (
      Array("abc".utf8), "900150983cd24fb0d6963f7d28e17f72", "a9993e364706816aba3e25717850c26c9cd0d89d",
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8), "8215ef0796a20bcaaae116d3876c664a",
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
      "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
        + "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"
    ),
    (
      [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000), "7707d6ae4e027c70eea2a935c2296f21",
      "34aa973cd4c4daa4f61eeb2bdbad27316534016f", "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
      "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
        + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
    ),
  ]

  @Test(arguments: known.indices) func knownTextsHaveTheirDigests(index: Int) {
    let text = Self.known[index]
    #expect(hexadecimal(Digests.md5(text.bytes)) == text.md5)
    #expect(hexadecimal(Digests.sha1(text.bytes)) == text.sha1)
    #expect(hexadecimal(Digests.sha256(text.bytes)) == text.sha256)
    #expect(hexadecimal(Digests.sha512(text.bytes)) == text.sha512)
  }

  /// Blocks are 64 and 128 bytes long, and the length at the end takes 8 or 16.
  @Test(arguments: [1, 7, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 4095])
  func piecesHaveTheDigestsOfTheWhole(piece: Int) {
    for count in [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 1000, 9973] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 3) }
      var (md5, sha1, sha256, sha512) = (MD5(), SHA1(), SHA256(), SHA512())
      var stream = SHA256Stream()
      var files = FileDigestStream()
      bytes.withUnsafeBytes { whole in
        for start in stride(from: 0, to: count, by: piece) {
          let part = UnsafeRawBufferPointer(rebasing: whole[start..<min(start + piece, count)])
          md5.update(bufferPointer: part)
          sha1.update(bufferPointer: part)
          sha256.update(bufferPointer: part)
          sha512.update(bufferPointer: part)
          stream.update(part)
          // A digest on the way leaves the stream as it is.
          #expect(stream.digest.count == 32)
          files.update(part)
        }
      }
      let digests = files.digests
      #expect(Array(md5.finalize()) == Digests.md5(bytes), "\(count)")
      #expect(Array(sha1.finalize()) == Digests.sha1(bytes), "\(count)")
      #expect(Array(sha256.finalize()) == Digests.sha256(bytes), "\(count)")
      #expect(Array(sha512.finalize()) == Digests.sha512(bytes), "\(count)")
      #expect(
        digests
          == FileDigests(md5: Digests.md5(bytes), sha1: Digests.sha1(bytes), sha256: Digests.sha256(bytes)))
      #expect(files.bytes == Int64(count))
      #expect(stream.finalize() == Digests.sha256(bytes), "\(count)")
    }
  }

  @Test func aPieceOfNothingChangesNothing() {
    var stream = FileDigestStream()
    stream.update(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(stream.digests == FileDigests(md5: Digests.md5([]), sha1: Digests.sha1([]), sha256: Digests.sha256([])))
  }
}
