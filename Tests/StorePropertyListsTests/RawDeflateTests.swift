import StorePropertyLists
import Testing

@Suite struct RawDeflateTests {
  /// "hi" as a stored block (RFC 1951, 3.2.4).
  private let stored = hex(
    """
    01          | last block, stored
    02 00 fd ff | length 2, and its complement
    68 69       | "hi"
    """)

  @Test func inflatesAStoredBlock() throws {
    #expect(try RawDeflate.inflate(stored, limit: 2) == Array("hi".utf8))
  }

  @Test func turnsBackWhatItDeflates() throws {
    let texts: [[UInt8]] = [
      [], [0], Array(repeating: 7, count: 300_000), (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) },
    ]
    for bytes in texts {
      #expect(try RawDeflate.inflate(RawDeflate.deflate(bytes), limit: bytes.count) == bytes)
    }
  }

  @Test func stopsABombAtTheLimit() throws {
    let bomb = try RawDeflate.deflate([UInt8](repeating: 0, count: 50_000_000))
    #expect(bomb.count < 100_000)
    let error = #expect(throws: PropertyListError.self) { try RawDeflate.inflate(bomb, limit: 1_000_000) }
    #expect(error?.message == "the deflate stream unpacks to more than the limit of 1000000 bytes")
  }

  @Test(arguments: [1, 0, -1, .min]) func refusesOneByteTooMany(limit: Int) {
    #expect(throws: PropertyListError.self) { try RawDeflate.inflate(stored, limit: limit) }
  }

  @Test func refusesEveryTruncation() throws {
    for bytes in [stored, try RawDeflate.deflate(Array("hello hello hello hello".utf8))] {
      for length in bytes.indices {
        let error = #expect(throws: PropertyListError.self) {
          try RawDeflate.inflate(Array(bytes.prefix(length)), limit: 1_000)
        }
        #expect(error == PropertyListError("the deflate stream ends early", at: length))
      }
    }
  }

  @Test func refusesWhatFollowsTheStream() {
    #expect(throws: PropertyListError("1 bytes follow the end of the deflate stream", at: 7)) {
      try RawDeflate.inflate(stored + [0], limit: 10)
    }
  }

  @Test func refusesGarbage() {
    let error = #expect(throws: PropertyListError.self) { try RawDeflate.inflate([0xff], limit: 1_000) }
    #expect(error?.message.hasPrefix("damaged deflate stream: ") == true)
    #expect(throws: PropertyListError.self) { try RawDeflate.inflate(Array("bplist00".utf8), limit: 1_000) }
  }
}
