import StorePropertyLists
import Testing

/// Damaged files give a value or an error, never a crash.
@Suite struct InjuryTests {
  /// A file to damage, shown by its name when a test fails.
  struct Seed: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
  }

  static let seeds: [Seed] = {
    let (builder, root) = smallArchive()
    let xml = """
      <?xml version="1.0"?><!DOCTYPE plist><plist><!-- c --><dict><key>&lt;&#65;</key><data>AQ==</data>
      <key>b</key><array><date>2001-01-01T00:00:00Z</date><integer>-1</integer><real>1e5</real></array>
      <key>c</key><dict><key>CF$UID</key><integer>1</integer></dict><key/><string><![CDATA[é]]></string></dict></plist>
      """
    let scalars: PropertyListValue = .array([.string("é"), .uid(3), .dictionary(["a": .data([1])]), .set([.null])])
    return [
      Seed(testDescription: "archive", bytes: builder.binary(root: root)),
      Seed(testDescription: "binary", bytes: scalars.binaryPropertyList()),
      Seed(testDescription: "XML", bytes: Array(xml.utf8)),
    ]
  }()

  /// Reads the file in every way; a crash would end the test run.
  private func readInEveryWay(_ bytes: [UInt8]) {
    guard let list = try? PropertyList(bytes) else { return }
    #expect(walk(list) > 0)
    if let value = try? list.value() { _ = value.xmlPropertyList().count + value.binaryPropertyList().count }
    if let archive = try? KeyedArchive(list) { _ = walk(archive) }
  }

  @Test(arguments: seeds) func survivesEveryTruncation(seed: Seed) {
    for length in seed.bytes.indices { readInEveryWay(Array(seed.bytes.prefix(length))) }
  }

  @Test(arguments: seeds) func survivesEveryBitFlip(seed: Seed) {
    for position in seed.bytes.indices {
      for bit in 0..<8 {
        var injured = seed.bytes
        injured[position] ^= 1 << UInt8(bit)
        readInEveryWay(injured)
      }
    }
  }

  /// Tries bytes that mean sizes, counts and markers of all kinds at every position.
  @Test(arguments: seeds) func survivesTellingBytesEverywhere(seed: Seed) {
    for position in seed.bytes.indices {
      for value: UInt8 in [0x00, 0x01, 0x02, 0x08, 0x09, 0x0f, 0x14, 0x5f, 0x7f, 0x80, 0xaf, 0xdf, 0xff] {
        var injured = seed.bytes
        injured[position] = value
        readInEveryWay(injured)
      }
    }
  }

  @Test(arguments: seeds, 0..<100 as Range<UInt64>) func survivesRandomInjuries(seed: Seed, number: UInt64) {
    var random = SplitMix64(state: number)
    var injured = seed.bytes
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let position = Int.random(in: injured.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: injured[position] = UInt8.random(in: 0...255, using: &random)
      case 1: injured.insert(contentsOf: injured.prefix(position).suffix(20), at: position)
      default: injured[position...].prefix(5).indices.forEach { injured[$0] = 0xff }
      }
    }
    readInEveryWay(injured)
  }
}

/// Sebastiano Vigna's generator (https://prng.di.unimi.it/splitmix64.c): the same numbers for the same seed.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
