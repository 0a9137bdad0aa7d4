import StoreDigests

/// Where letters are put into a text, so that its length is the end of its class.
///
/// They stand among the others, each of the kind of the letter behind it, so that words become longer and nothing tells which
/// were there. Everything is decided by the text without case and marks: texts that are equal in that sense still are.
struct Stretching {
  /// For places of letters, how many stand before it that were put in.
  private(set) var counts: [Int: Int] = [:]

  /// - Parameters:
  ///   - letters: a text without case and marks.
  ///   - extra: how many are to be put in; where there is no place for them, none are.
  ///   - seed: decides where.
  ///   - fixed: places of letters that stay, or that are replaced as a whole.
  init(of letters: [UInt32], extra: Int, seed: UInt64, fixed: [Int: UInt32], _ alphabets: Alphabets) {
    guard extra > 0 else { return }
    let places = letters.indices.filter { fixed[$0] == nil && Self.canPutIn(before: $0, letters, alphabets) }
    guard !places.isEmpty else { return }
    var stream = SplitMix64(seed: seed ^ 0x7374_7265_7463_6821)
    for _ in 0..<extra { counts[places[stream.next(below: places.count)], default: 0] += 1 }
  }

  private static func canPutIn(before place: Int, _ letters: [UInt32], _ alphabets: Alphabets) -> Bool {
    let letter = letters[place]
    let before: UInt32? = place > 0 ? letters[place - 1] : nil
    switch letter {
    case 0x30...0x39:
      // The first digit tells whether a number begins with zero.
      guard let before, (0x30...0x39).contains(before) else { return false }
    case 0x61...0x7a: break
    case 0..<0x80: return false
    // Emoji are made of several.
    case 0x1f000...: guard (0x20000..<0x2a6d7).contains(letter) else { return false }
    default: guard alphabets.set(for: letter) != nil else { return false }
    }
    guard let before else { return true }
    // The letters of one character, such as "ß" or "ﬁ", which others write with two.
    return !joined.contains(UInt64(before) << 32 | UInt64(letter))
  }

  private static let joined: Set<UInt64> = Set(
    ["ss", "ff", "fi", "fl", "st", "ʼn", "αι", "ηι", "ωι", "եւ", "մն", "մե", "մի", "վն", "մխ"].map { pair in
      pair.unicodeScalars.reduce(0) { $0 << 32 | UInt64($1.value) }
    })

  /// The scalars of the text with the letters that were put in; nil where there are none.
  func applied(to text: FoldedText, _ alphabets: Alphabets) -> [UInt32]? {
    guard !counts.isEmpty else { return nil }
    var result: [UInt32] = []
    text.forEachScalar { scalar, form, places in
      for place in places {
        guard let number = counts[place] else { continue }
        // Without marks, so that both ways to write "é" are one text still.
        var other = text.letters[place]
        if form == .capital { other = scalar }
        if case .marked(_, isCapital: true) = form { other = alphabets.capital(of: other) }
        result += repeatElement(other, count: number)
      }
      result.append(scalar)
    }
    return result
  }
}
