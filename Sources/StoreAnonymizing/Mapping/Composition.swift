/// Letters with marks that are one character.
final class Composition: @unchecked Sendable {
  static let shared = Composition()

  /// Makes it, where nobody did.
  static func prepare() { _ = shared }

  /// A small letter with marks as one character, and its capital.
  struct Composed {
    let small: UInt32
    let upper: UInt32?
  }

  private let parts: [UInt32: (letter: UInt32, marks: UInt16)]
  private let whole: [UInt64: Composed]

  /// The number of marks that no other letter has: one that has them stays as it is.
  static let fixed = UInt16.max

  // Built once and never changed.
  private init() {
    var scalars: [String: Unicode.Scalar] = [:]
    for range in Self.blocks {
      for scalar in range.compactMap(Unicode.Scalar.init) {
        // Texts that are canonically equal are equal, and have one hash.
        if scalars[String(scalar)] == nil { scalars[String(scalar)] = scalar }
      }
    }
    let bases = [0x61..<0x7b, 0x3b1..<0x3ca, 0x430..<0x450, 0xe6..<0xe7, 0xf8..<0xf9] as [Range<UInt32>]
    var numbers: [[UInt32]: UInt16] = [:]
    var parts: [UInt32: (letter: UInt32, marks: UInt16)] = [:]
    var whole: [UInt64: Composed] = [:]
    var pending: [(text: String, letter: UInt32, marks: [UInt32])] = bases.joined().compactMap { value in
      Unicode.Scalar(value).map { (String($0), value, []) }
    }
    for round in 0..<3 {
      let marks = (round == 0 ? Array(Self.marks) : Self.laterMarks).compactMap(Unicode.Scalar.init)
      var next: [(text: String, letter: UInt32, marks: [UInt32])] = []
      for (text, letter, before) in pending {
        for mark in marks {
          var longer = text
          longer.unicodeScalars.append(mark)
          guard let found = scalars[longer], parts[found.value] == nil else { continue }
          let all = before + [mark.value]
          let number = numbers[all] ?? UInt16(clamping: numbers.count)
          numbers[all] = number
          let capital = Alphabets.simpleCapital(found)
          parts[found.value] = (letter, number)
          if let capital { parts[capital.value] = (letter, number) }
          whole[Self.key(letter, number)] = Composed(small: found.value, upper: capital?.value)
          next.append((String(found), letter, all))
        }
      }
      pending = next
    }
    (self.parts, self.whole) = (parts, whole)
  }

  /// The marks that are tried at a letter, and those at one that has some already: to join all would take long.
  static let marks: Range<UInt32> = 0x300..<0x346
  private static let laterMarks: [UInt32] = [
    0x300, 0x301, 0x303, 0x304, 0x307, 0x308, 0x309, 0x30c, 0x31b, 0x323, 0x327, 0x328, 0x342, 0x345,
  ]
  /// Where letters with marks are.
  static let blocks: [Range<UInt32>] = [0xc0..<0x250, 0x370..<0x530, 0x1e00..<0x2000]

  private static func key(_ letter: UInt32, _ marks: UInt16) -> UInt64 { UInt64(letter) << 16 | UInt64(marks) }

  /// The small letter and the number of the marks that a character consists of; nil for others.
  func decomposed(_ value: UInt32) -> (letter: UInt32, marks: UInt16)? { parts[value] }

  /// The character for a small letter with these marks; nil where there is none.
  func composed(_ letter: UInt32, _ marks: UInt16) -> Composed? { whole[Self.key(letter, marks)] }
}
