@testable import StoreText
import TestSupport
import Testing

@Suite struct TextBytesTests {
  /// Compares with Swift's own decoder, for all combinations of relevant bytes, after ASCII texts whose lengths reach
  /// across the boundaries of words.
  @Test func knowsUTF8FromOtherBytes() {
    let bytes: [UInt8] = [0x01, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef]
    let more: [UInt8] = [0xf0, 0xf4, 0xf5, 0xff]
    var wrong = 0
    for padding in Array(0...9) + [28, 31, 32, 35] {
      for first in bytes + more {
        for second in bytes + more {
          for third in bytes + more {
            let text = Array(repeating: 0x61, count: padding) + [first, second, third, 0x80]
            for count in 1...4
            where isValid(Array(text.prefix(padding + count)))
              != (String(
                validating: text.prefix(padding + count), as: UTF8.self) != nil)
            { wrong += 1 }
          }
        }
      }
    }
    #expect(wrong == 0)
  }

  /// Texts of all kinds of scalars and of all lengths, whole and with some bytes changed or the last one missing.
  @Test func knowsWhatSwiftKnowsOfLongTexts() {
    let pieces = [
      "a", " ", "letters", "ä", "ß", "東", "\u{800}", "\u{d7ff}", "\u{e000}", "\u{10000}", "😀", "\u{10ffff}",
    ].map { Array($0.utf8) }
    let edges: [UInt8] = [0, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xf0, 0xf4, 0xf5]
    var random = SeededGenerator(seed: 56)
    var (valid, invalid) = (0, 0)
    for _ in 0..<60_000 {
      var text: [UInt8] = []
      let length = Int.random(in: 0...90, using: &random)
      // Often only some kinds, since most texts are of one language.
      let kinds = pieces.shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random))
      while text.count < length { text += kinds.randomElement(using: &random) ?? [] }
      for _ in 0..<max(0, Int.random(in: -2...2, using: &random)) where !text.isEmpty {
        text[Int.random(in: text.indices, using: &random)] = edges.randomElement(using: &random) ?? 0
      }
      if Int.random(in: 0..<4, using: &random) == 0 { _ = text.popLast() }
      let expected = String(validating: text, as: UTF8.self) != nil && !text.contains(0)
      guard isValid(text) == expected else {
        Issue.record("\(text)")
        return
      }
      if expected { valid += 1 } else { invalid += 1 }
    }
    #expect(valid > 20_000 && invalid > 10_000)
  }

  @Test(arguments: [0x00, 0x80] as [UInt8])
  func findsAByteWhereverItIs(_ byte: UInt8) {
    for count in 1...70 {
      for position in 0..<count {
        var bytes = Array(repeating: UInt8(ascii: "a"), count: count)
        #expect(isPlain(bytes), "\(count)")
        bytes[position] = byte
        #expect(!isValid(bytes) && !isPlain(bytes), "at \(position) of \(count)")
      }
    }
  }

  @Test(arguments: ["", "abc", "Käse", "€", "😀", "a😀b\u{301}", "12345678ä"])
  func countsAndDecodesAsSwiftDoes(_ text: String) {
    Array(text.utf8).withUnsafeBytes { bytes in
      let borrowed = TextBytes(bytes: bytes)
      #expect(borrowed.utf16Length == Int64(text.utf16.count))
      #expect(borrowed.isPlainASCII == text.utf8.allSatisfy { $0 < 0x80 })
      var scalars: [UInt32] = []
      var offset = 0
      while let scalar = borrowed.nextScalar(at: &offset) { scalars.append(scalar) }
      #expect(scalars == text.unicodeScalars.map(\.value))
    }
  }

  private func isValid(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { TextBytes(bytes: $0).isValid } }

  private func isPlain(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { TextBytes(bytes: $0).isPlainASCII } }
}
