/// Which letters may stand in the place of a letter: of its script and kind, with as many bytes, and with a capital where it has
/// one.
///
/// Letters are looked at without case and marks ("é" as "e"), so that texts which differ in these alone still do.
final class Alphabets {
  /// Sets of letters, each of more than one; they lie where they are as long as this does.
  private var sets: [UnsafeBufferPointer<UInt32>] = []
  /// For letters beyond ASCII their set; nil where they stay.
  private var known: [UInt32: Int?] = [:]
  private var byKind: [Kind: Int?] = [:]
  private var restricted: [Restriction: Int?] = [:]
  /// The last letters of each of some places, by their low bits, with the numbers of their sets; below zero where they stay.
  private var recent: [(letter: UInt32, set: Int)] = Array(repeating: (0, -1), count: 512)
  /// The last letters that stood with one mark, in the same way.
  private var recentMarked: [(letter: UInt32, mark: UInt16, set: Int)] = Array(repeating: (0, 0, -1), count: 512)
  private var capitals: [UInt32: UInt32] = [:]

  private struct Restriction: Hashable {
    let letter: UInt32
    let marks: [UInt16]
  }

  /// Letters of one kind may stand for each other.
  private struct Kind: Hashable {
    var block: UInt32
    var category: Unicode.GeneralCategory?
    var length = 0
    var hasCapital = false
    var isEmoji = false
    var isModifier = false
    var isRegional = false
    var isOpen = false
  }

  deinit {
    for set in sets { set.deallocate() }
  }

  /// The letters of a set.
  @inline(__always) func letters(of set: Int) -> UnsafeBufferPointer<UInt32> { sets[set] }

  /// The number of the set of a letter beyond ASCII; nil where it stays.
  @inline(__always) func set(for letter: UInt32) -> Int? {
    let last = recent[Int(letter & 511)]
    if last.letter == letter { return last.set < 0 ? nil : last.set }
    let found = foundSet(for: letter)
    recent[Int(letter & 511)] = (letter, found ?? -1)
    return found
  }

  private func foundSet(for letter: UInt32) -> Int? {
    if let found = known[letter] { return found }
    let found = kind(of: letter).flatMap { kind in
      if let found = byKind[kind] { return found }
      let found = add(Self.letters(of: kind, like: letter))
      byKind[kind] = found
      return found
    }
    // A letter that its own kind leaves out stays.
    let result = found.flatMap { sets[$0].contains(letter) ? $0 : nil }
    known[letter] = result
    return result
  }

  /// The same for a letter that stands with marks (by their numbers in `Composition`, in order) in one of the texts that differ in
  /// marks and case alone: only letters that have each of these marks as one character of as many bytes.
  func set(for letter: UInt32, marks: some Collection<UInt16>) -> Int? {
    guard marks.count == 1, let mark = marks.first else { return foundSet(for: letter, marks: Array(marks)) }
    let place = Int((letter ^ UInt32(mark) &* 37) & 511)
    let last = recentMarked[place]
    if last.letter == letter, last.mark == mark { return last.set < 0 ? nil : last.set }
    let found = foundSet(for: letter, marks: [mark])
    recentMarked[place] = (letter, mark, found ?? -1)
    return found
  }

  private func foundSet(for letter: UInt32, marks: [UInt16]) -> Int? {
    let key = Restriction(letter: letter, marks: marks)
    if let found = restricted[key] { return found }
    let all: [UInt32] =
      letter &- 0x61 < 26 ? Array(0x61...0x7a) : letter < 0x80 ? [] : set(for: letter).map { Array(sets[$0]) } ?? []
    let found = all.filter { other in
      marks.allSatisfy { marks in
        guard let own = Composition.shared.composed(letter, marks),
          let others = Composition.shared.composed(other, marks)
        else { return false }
        return UTF8Bytes.length(own.small) == UTF8Bytes.length(others.small)
          && (own.upper == nil) == (others.upper == nil)
      }
    }
    let result = add(found)
    restricted[key] = result
    return result
  }

  private func add(_ letters: [UInt32]) -> Int? {
    guard letters.count > 1 else { return nil }
    let set = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: letters.count)
    _ = set.initialize(from: letters)
    sets.append(UnsafeBufferPointer(set))
    return sets.count - 1
  }

  /// Its block, general category and size; nil for what stays.
  private func kind(of letter: UInt32) -> Kind? {
    guard let scalar = Unicode.Scalar(letter) else { return nil }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark, .format, .control, .spaceSeparator, .lineSeparator,
      .paragraphSeparator, .surrogate, .unassigned, .privateUse, .dashPunctuation, .openPunctuation,
      .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .connectorPunctuation:
      return nil
    default: break
    }
    if let range = Self.largeBlocks.first(where: { $0.contains(letter) }) {
      // A syllable of Hangul keeps whether it ends with a consonant.
      return Kind(
        block: range.lowerBound, isOpen: range.lowerBound == Self.hangul && (letter - Self.hangul) % 28 == 0)
    }
    return Kind(
      block: letter & ~0x7f, category: properties.generalCategory, length: UTF8Bytes.length(letter),
      hasCapital: Self.simpleCapital(scalar) != nil, isEmoji: properties.isEmoji,
      isModifier: properties.isEmojiModifier, isRegional: (0x1f1e6...0x1f1ff).contains(letter))
  }

  private static let hangul: UInt32 = 0xac00
  private static let largeBlocks: [Range<UInt32>] = [0x4e00..<0x9fa6, hangul..<0xd7a4, 0x20000..<0x2a6d7]

  private static func letters(of kind: Kind, like letter: UInt32) -> [UInt32] {
    if let range = largeBlocks.first(where: { $0.lowerBound == kind.block }) {
      guard range.lowerBound == hangul else { return Array(range) }
      return range.filter { (($0 - hangul) % 28 == 0) == kind.isOpen }
    }
    return (kind.block..<kind.block + 0x80).filter { value in
      guard let other = Unicode.Scalar(value) else { return false }
      let properties = other.properties
      return properties.generalCategory == kind.category && UTF8Bytes.length(value) == kind.length
        && FoldedLetter(other).form == .same && (simpleCapital(other) != nil) == kind.hasCapital
        && properties.isEmoji == kind.isEmoji && properties.isEmojiModifier == kind.isModifier
        && (0x1f1e6...0x1f1ff).contains(value) == kind.isRegional
    }
  }

  /// The capital of a small letter, or itself.
  func capital(of letter: UInt32) -> UInt32 {
    if letter < 0x80 { return letter &- 0x61 < 26 ? letter & ~0x20 : letter }
    if let found = capitals[letter] { return found }
    let found = Unicode.Scalar(letter).flatMap(Self.simpleCapital)?.value ?? letter
    capitals[letter] = found
    return found
  }

  /// The one capital of a small letter whose own small letter it is, of as many bytes; nil where there is none.
  static func simpleCapital(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    let upper = scalar.properties.uppercaseMapping.unicodeScalars
    guard upper.count == 1, let capital = upper.first, capital != scalar,
      UTF8Bytes.length(capital.value) == UTF8Bytes.length(scalar.value)
    else { return nil }
    let lower = capital.properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 && lower.first == scalar ? capital : nil
  }
}
