/// Which letters may stand in the place of a letter: of its script and kind, with as many bytes, and with a capital where it has
/// one.
///
/// Letters are looked at without case and marks ("é" as "e"), so that texts which differ in these alone still do.
final class Alphabets {
  private var known: [UInt32: [UInt32]] = [:]
  private var restricted: [Restriction: [UInt32]] = [:]

  private struct Restriction: Hashable {
    let letter: UInt32
    let marks: Set<[UInt32]>
  }

  static let lowercase = Array(UInt32(0x61)...0x7a)
  private static let digits = Array(UInt32(0x30)...0x39)
  private static let digitsButZero = Array(UInt32(0x31)...0x39)

  /// The letters that may replace a folded one; only itself where it stays.
  ///
  /// - Parameter isFirstDigit: whether no digit stands before it, so that "0" stays and no other becomes it.
  func letters(for letter: UInt32, isFirstDigit: Bool) -> [UInt32] {
    switch letter {
    case 0x61...0x7a: return Self.lowercase
    case 0x30: return isFirstDigit ? [0x30] : Self.digits
    case 0x31...0x39: return isFirstDigit ? Self.digitsButZero : Self.digits
    case 0..<0x80: return [letter]
    default:
      if let found = known[letter] { return found }
      let found = Self.block(of: letter)
      known[letter] = found
      return found
    }
  }

  /// The same for a letter that stands with marks in one of the texts that differ in marks and case alone: only letters that
  /// have each of these marks as one character of as many bytes. Only itself where there are none.
  func letters(for letter: UInt32, isFirstDigit: Bool, variants: Set<[UInt32]>) -> [UInt32] {
    let key = Restriction(letter: letter, marks: variants)
    if let found = restricted[key] { return found }
    let all = letters(for: letter, isFirstDigit: isFirstDigit)
    let found = all.filter { other in
      variants.allSatisfy { marks in
        guard let own = Composition.shared.composed(letter, marks),
          let others = Composition.shared.composed(other, marks)
        else { return false }
        return own.utf8Length == others.utf8Length && (own.upper == nil) == (others.upper == nil)
      }
    }
    let result = found.isEmpty ? [letter] : found
    restricted[key] = result
    return result
  }

  /// Scalars of the same block, general category and size.
  private static func block(of letter: UInt32) -> [UInt32] {
    guard let scalar = Unicode.Scalar(letter) else { return [letter] }
    let category = scalar.properties.generalCategory
    switch category {
    case .nonspacingMark, .enclosingMark, .spacingMark, .format, .control, .spaceSeparator, .lineSeparator,
      .paragraphSeparator, .surrogate, .unassigned, .privateUse, .dashPunctuation, .openPunctuation,
      .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .connectorPunctuation:
      return [letter]
    default: break
    }
    let range: Range<UInt32> =
      switch letter {
      case 0x4e00..<0x9fa6: 0x4e00..<0x9fa6
      case 0xac00..<0xd7a4: 0xac00..<0xd7a4
      case 0x20000..<0x2a6d7: 0x20000..<0x2a6d7
      default: letter & ~0x7f..<(letter & ~0x7f) + 0x80
      }
    // A syllable of Hangul keeps whether it ends with a consonant.
    let isOpen = (letter &- 0xac00) % 28 == 0
    let isHangul = (0xac00..<0xd7a4).contains(letter)
    let hasCapital = simpleCapital(scalar) != nil
    let found = range.filter { value in
      guard let other = Unicode.Scalar(value) else { return false }
      let properties = other.properties
      if (0x4e00..<0x9fa6).contains(value) || (0x20000..<0x2a6d7).contains(value) { return true }
      if isHangul { return ((value &- 0xac00) % 28 == 0) == isOpen }
      return properties.generalCategory == category && other.utf8Length == scalar.utf8Length
        && FoldedLetter(other).isPlain && (simpleCapital(other) != nil) == hasCapital
        && properties.isEmoji == scalar.properties.isEmoji
        && properties.isEmojiModifier == scalar.properties.isEmojiModifier
        && (0x1f1e6...0x1f1ff).contains(value) == (0x1f1e6...0x1f1ff).contains(letter)
    }
    return found.count > 1 ? found : [letter]
  }

  /// The one capital of a small letter whose own small letter it is, of as many bytes; nil where there is none.
  static func simpleCapital(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let upper = scalar.properties.uppercaseMapping.unicodeScalars
    guard upper.count == 1, let capital = upper.first, capital != scalar, capital.utf8Length == scalar.utf8Length else {
      return nil
    }
    let lower = capital.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 && lower.first == scalar ? capital : nil
  }
}

extension Unicode.Scalar {
  /// Its bytes in UTF-8.
  var utf8Length: Int { value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4 }
}

/// Letters with marks that are one character.
final class Composition: @unchecked Sendable {
  static let shared = Composition()

  /// A small letter with marks as one character, and its capital.
  struct Composed {
    let small: UInt32
    let upper: UInt32?

    var utf8Length: Int { Unicode.Scalar(small)?.utf8Length ?? 0 }
  }

  private let parts: [UInt32: (letter: UInt32, marks: [UInt32])]
  private let whole: [[UInt32]: Composed]

  // Built once and never changed.
  private init() {
    var scalars: [String: Unicode.Scalar] = [:]
    for range in [0xc0..<0x250, 0x370..<0x530, 0x1e00..<0x2000] as [Range<UInt32>] {
      for scalar in range.compactMap(Unicode.Scalar.init) {
        // Texts that are canonically equal are equal, and have one hash.
        if scalars[String(scalar)] == nil { scalars[String(scalar)] = scalar }
      }
    }
    let bases = [0x61..<0x7b, 0x3b1..<0x3ca, 0x430..<0x450, 0xe6..<0xe7, 0xf8..<0xf9] as [Range<UInt32>]
    let marks = (UInt32(0x300)..<0x346).compactMap(Unicode.Scalar.init)
    var parts: [UInt32: (letter: UInt32, marks: [UInt32])] = [:]
    var whole: [[UInt32]: Composed] = [:]
    var pending: [(text: String, letter: UInt32, marks: [UInt32])] = bases.joined().compactMap { value in
      Unicode.Scalar(value).map { (String($0), value, []) }
    }
    for _ in 0..<3 {
      var next: [(text: String, letter: UInt32, marks: [UInt32])] = []
      for (text, letter, before) in pending {
        for mark in marks {
          var longer = text
          longer.unicodeScalars.append(mark)
          guard let found = scalars[longer], parts[found.value] == nil else { continue }
          let all = before + [mark.value]
          let capital = Alphabets.simpleCapital(found)
          parts[found.value] = (letter, all)
          if let capital { parts[capital.value] = (letter, all) }
          whole[[letter] + all] = Composed(small: found.value, upper: capital?.value)
          next.append((String(found), letter, all))
        }
      }
      pending = next
    }
    (self.parts, self.whole) = (parts, whole)
  }

  /// The small letter and the marks that a character consists of; nil for others.
  func decomposed(_ value: UInt32) -> (letter: UInt32, marks: [UInt32])? { parts[value] }

  /// The character for a small letter with these marks; nil where there is none.
  func composed(_ letter: UInt32, _ marks: [UInt32]) -> Composed? { whole[[letter] + marks] }
}

/// A scalar without its case and marks, and what it takes to give it these again.
struct FoldedLetter {
  /// What it is without case and marks: several scalars for "ß", none for a mark.
  var letters: [UInt32]
  var form: Form

  enum Form {
    /// As it is.
    case same
    /// The capital of its small letter.
    case capital
    /// A letter with marks, as one character.
    case marked([UInt32], isCapital: Bool)
    /// It stays as it is, and so do the letters that it is equal to where case and marks do not count.
    case fixed
    /// A mark, or a sign that joins others: it belongs to what stands before it.
    case mark
  }

  /// Whether it is a letter without case and marks of its own.
  var isPlain: Bool { if case .same = form { true } else { false } }

  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    if value < 0x80 {
      let isCapital = value &- 0x41 < 26
      (letters, form) = ([isCapital ? value | 0x20 : value], isCapital ? .capital : .same)
      return
    }
    let properties = scalar.properties
    if properties.canonicalCombiningClass != .notReordered || properties.generalCategory == .format
      || properties.generalCategory == .nonspacingMark
    {
      (letters, form) = ([], .mark)
      return
    }
    if let (letter, marks) = Composition.shared.decomposed(value) {
      let small = properties.lowercaseMapping.unicodeScalars
      (letters, form) = ([letter], .marked(marks, isCapital: small.first != scalar))
      return
    }
    let folded = Array(String(scalar).lowercased().uppercased().lowercased().unicodeScalars)
    let isHangul = (0xac00..<0xd7a4).contains(value)
    if folded == [scalar], isHangul || !Self.hasParts(scalar) {
      (letters, form) = ([value], .same)
    } else if folded.count == 1, let small = folded.first, Alphabets.simpleCapital(small) == scalar,
      !Self.hasParts(small)
    {
      (letters, form) = ([small.value], .capital)
    } else {
      // As case folding sees it: its small letters, without marks.
      let plain = folded.filter { $0.properties.canonicalCombiningClass == .notReordered }
      (letters, form) = (
        plain.flatMap { Composition.shared.decomposed($0.value).map { [$0.letter] } ?? [$0.value] }, .fixed
      )
    }
  }

  /// Whether a character has a canonical decomposition.
  private static func hasParts(_ scalar: Unicode.Scalar) -> Bool {
    // In normalization form C of a single scalar only singletons and excluded compositions change; others are told by being
    // equal to a shorter beginning with a mark, which only these blocks have.
    switch scalar.value {
    case 0xc0..<0x250, 0x370..<0x400, 0x400..<0x530, 0x622..<0x627, 0x6c0..<0x6d4, 0x929..<0x960, 0x9cb..<0x9e0,
      0x1e00..<0x2000, 0x2126..<0x212c, 0x304c..<0x3095, 0x30ac..<0x30ff, 0xf900..<0xfb50:
      marksBegin(scalar)
    default: false
    }
  }

  private static func marksBegin(_ scalar: Unicode.Scalar) -> Bool {
    let text = String(scalar)
    if (0xf900..<0xfb50).contains(scalar.value) || (0x2126..<0x212c).contains(scalar.value) { return true }
    if (0x304c..<0x3095).contains(scalar.value) || (0x30ac..<0x30ff).contains(scalar.value) {
      let plain = [scalar.value &- 1, scalar.value &- 2].compactMap(Unicode.Scalar.init)
      return plain.contains { base in
        ["\u{3099}", "\u{309a}"].contains { mark in
          var made = String(base)
          made.unicodeScalars.append(contentsOf: mark.unicodeScalars)
          return made == text
        }
      }
    }
    // Of letters that are in no table of compositions, those that stay one scalar with a mark behind them are plain.
    return false
  }
}
