/// A scalar without its case and marks, and what it takes to give it these again.
struct FoldedLetter {
  /// What it is without case and marks: several scalars for "ß", none for a mark.
  var letters: [UInt32]
  var form: Form

  enum Form: Equatable {
    /// As it is.
    case same
    /// The capital of its small letter.
    case capital
    /// A letter with marks (by their number in `Composition`), as one character.
    case marked(UInt16, isCapital: Bool)
    /// It stays as it is, and so do the letters that it is equal to where case and marks do not count.
    case fixed
    /// A mark, or a sign that joins others: it belongs to what stands before it.
    case mark
  }

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
      (letters, form) = (plain.map { Composition.shared.decomposed($0.value)?.letter ?? $0.value }, .fixed)
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

/// What became of scalars that were folded: most texts have few different ones.
final class FoldTable {
  private var known: [UInt32: FoldedLetter] = [:]
  /// The last ones of each of some places, by their low bits.
  private var recent: [Entry] = Array(repeating: Entry(scalar: .max, first: 0, count: 0, form: .same), count: 512)

  /// A fold without its letters but the first.
  struct Entry {
    let scalar: UInt32
    /// The first of its letters; 0 where it has none.
    let first: UInt32
    /// How many letters it has.
    let count: Int
    let form: FoldedLetter.Form
  }

  /// The fold of a scalar in short.
  @inline(__always) func entry(of value: UInt32) -> Entry {
    let entry = recent[Int(value & 511)]
    return entry.scalar == value ? entry : newEntry(of: value)
  }

  @inline(never) private func newEntry(of value: UInt32) -> Entry {
    let fold = fold(value)
    let entry = Entry(scalar: value, first: fold.letters.first ?? 0, count: fold.letters.count, form: fold.form)
    recent[Int(value & 511)] = entry
    return entry
  }

  /// The fold of a scalar; what is none is a letter that stays.
  func fold(_ value: UInt32) -> FoldedLetter {
    if let found = known[value] { return found }
    guard let scalar = Unicode.Scalar(value) else { return FoldedLetter("?") }
    let found = FoldedLetter(scalar)
    known[value] = found
    return found
  }
}
