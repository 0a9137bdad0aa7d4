import StoreText

/// A text, or a piece of one, without case and marks.
struct FoldedText {
  /// What it is written with.
  private(set) var scalars: [UInt32] = []
  /// Its letters.
  private(set) var letters: [UInt32] = []
  /// For each scalar beyond ASCII: its place, its form, and how many of the letters are its own; all others are one letter, as
  /// they are or in small.
  private(set) var others: [Other] = []

  struct Other {
    var place: Int
    var count: Int
    var form: FoldedLetter.Form
  }

  var isASCII: Bool { others.isEmpty }

  /// Of ASCII alone.
  init(ascii bytes: UnsafeBufferPointer<UInt8>) {
    scalars = [UInt32](unsafeUninitializedCapacity: bytes.count) { scalars, count in
      for (place, byte) in bytes.enumerated() { scalars.initializeElement(at: place, to: UInt32(byte)) }
      count = bytes.count
    }
    letters = [UInt32](unsafeUninitializedCapacity: bytes.count) { letters, count in
      for (place, byte) in bytes.enumerated() {
        letters.initializeElement(at: place, to: UInt32(Runs.lowercased(byte)))
      }
      count = bytes.count
    }
  }

  init(_ scalars: some Collection<UInt32>, _ table: FoldTable) {
    self.scalars.reserveCapacity(scalars.count)
    letters.reserveCapacity(scalars.count)
    for scalar in scalars { append(scalar, table) }
  }

  private init() {}

  /// Of bytes that are valid.
  private init(utf8 bytes: UnsafeBufferPointer<UInt8>, _ table: FoldTable) {
    // Of two bytes and more three letters are made at most.
    let mostLetters = bytes.count + bytes.count / 2
    var (place, others): (Int, [Other]) = (0, [])
    others.reserveCapacity(min(bytes.count, 8))
    var letters: [UInt32] = []
    scalars = [UInt32](unsafeUninitializedCapacity: bytes.count) { scalars, count in
      letters = [UInt32](unsafeUninitializedCapacity: mostLetters) { letters, letterCount in
        while place < bytes.count {
          let (scalar, length) = UTF8Bytes.scalar(bytes, at: place)
          if scalar < 0x80 {
            letters.initializeElement(at: letterCount, to: scalar &- 0x41 < 26 ? scalar | 0x20 : scalar)
            letterCount &+= 1
          } else {
            let entry = table.entry(of: scalar)
            // Else the rest is added one by one.
            guard letterCount + entry.count <= mostLetters - (bytes.count - place - length) else { return }
            if entry.count == 1 {
              letters.initializeElement(at: letterCount, to: entry.first)
            } else {
              for (index, letter) in table.fold(scalar).letters.enumerated() {
                letters.initializeElement(at: letterCount + index, to: letter)
              }
            }
            letterCount += entry.count
            others.append(Other(place: count, count: entry.count, form: entry.form))
          }
          scalars.initializeElement(at: count, to: scalar)
          count &+= 1
          place += length
        }
      }
    }
    (self.letters, self.others) = (letters, others)
    guard place < bytes.count else { return }
    UTF8Bytes.forEachScalar(in: UnsafeBufferPointer(rebasing: bytes[place...])) { append($0, table) }
  }

  private mutating func append(_ scalar: UInt32, _ table: FoldTable) {
    if scalar < 0x80 {
      letters.append(scalar &- 0x41 < 26 ? scalar | 0x20 : scalar)
    } else {
      let folded = table.fold(scalar)
      letters += folded.letters
      others.append(Other(place: scalars.count, count: folded.letters.count, form: folded.form))
    }
    scalars.append(scalar)
  }

  /// Calls `body` with the pieces of a text that is valid: each of so many letters, with the marks that belong to them, up to
  /// a place within a word.
  static func forEachPiece(
    of bytes: UnsafeBufferPointer<UInt8>, length: Int, _ table: FoldTable, _ body: (FoldedText) -> Void
  ) {
    if bytes.count <= length, UTF8Bytes.areASCII(bytes) { return body(FoldedText(ascii: bytes)) }
    // Of two bytes and more three letters are made at most.
    if bytes.count <= length / 2 { return body(FoldedText(utf8: bytes, table)) }
    var piece = FoldedText()
    piece.scalars.reserveCapacity(min(bytes.count, length))
    piece.letters.reserveCapacity(min(bytes.count, length))
    UTF8Bytes.forEachScalar(in: bytes) { scalar in
      if piece.letters.count >= length, piece.canEnd(before: scalar, table) || piece.letters.count >= 2 * length {
        body(piece)
        piece = FoldedText()
      }
      piece.append(scalar, table)
    }
    if !piece.scalars.isEmpty { body(piece) }
  }

  /// Whether a piece may end there: in a word, where one letter or another leads around each run of a replaced value.
  private func canEnd(before scalar: UInt32, _ table: FoldTable) -> Bool {
    let isLetter = scalar < 0x80 ? (scalar | 0x20) &- 0x61 < 26 : !table.fold(scalar).letters.isEmpty
    return isLetter && letters.suffix(Runs.length - 1).allSatisfy { $0 >= 0x80 || $0 &- 0x61 < 26 }
  }

  /// Calls `body` with each scalar, its form, and where its letters are.
  func forEachScalar(_ body: (_ scalar: UInt32, _ form: FoldedLetter.Form, _ letters: Range<Int>) -> Void) {
    var (other, letter) = (0, 0)
    for (place, scalar) in scalars.enumerated() {
      if other < others.count, others[other].place == place {
        let own = others[other]
        body(scalar, own.form, letter..<letter + own.count)
        letter += own.count
        other += 1
      } else {
        body(scalar, scalar &- 0x41 < 26 ? .capital : .same, letter..<letter + 1)
        letter += 1
      }
    }
  }

  /// The places of letters without spaces at both ends, which do not count where texts are compared.
  var trimmed: Range<Int> {
    var (start, end) = (0, letters.count)
    while start < end, Self.isSpace(letters[start]) { start += 1 }
    while start < end, Self.isSpace(letters[end - 1]) { end -= 1 }
    return start..<end
  }

  private static func isSpace(_ letter: UInt32) -> Bool {
    if letter < 0x80 { return letter == 0x20 || letter &- 0x09 < 5 }
    return Unicode.Scalar(letter)?.properties.isWhitespace == true
  }

  /// Calls `body` with the parts of the letters, as UTF-8, that have all runs which the text as it is written has not.
  func forEachChangedPart(_ body: ([UInt8]) -> Void) {
    var part: Range<Int>?
    var shift = 0
    for other in others {
      let letter = other.place + shift
      shift += other.count - 1
      if other.count == 1, letters[letter] == scalars[other.place] { continue }
      // A run with a byte or a unit of what changed has five others at most, before it or behind it.
      let own = max(letter - Runs.length + 1, 0)..<min(letter + other.count + Runs.length - 1, letters.count)
      if let last = part, own.lowerBound > last.upperBound {
        body(utf8(last))
        part = own
      } else {
        part = (part?.lowerBound ?? own.lowerBound)..<own.upperBound
      }
    }
    if let part { body(utf8(part)) }
  }

  /// The letters as UTF-8.
  func utf8(_ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for place in range { UTF8Bytes.append(letters[place], to: &bytes) }
    return bytes
  }

  /// Texts are equal where case, marks, and spaces at both ends do not count.
  func hash(_ key: MappingKey) -> UInt64 {
    var hash = KeyedHash(key, 0x7465_7874)
    // As UTF-8, eight bytes a word.
    var (word, count): (UInt64, Int) = (0, 0)
    func add(_ byte: UInt8) {
      word = word << 8 | UInt64(byte)
      count &+= 1
      guard count & 7 == 0 else { return }
      hash.combine(word)
      word = 0
    }
    let trimmed = trimmed
    letters.withUnsafeBufferPointer { letters in
      for place in trimmed {
        let letter = letters[place]
        if letter < 0x80 { add(UInt8(truncatingIfNeeded: letter)) } else { UTF8Bytes.forEachByte(of: letter, add) }
      }
    }
    hash.combine(word)
    hash.combine(UInt64(count))
    return hash.finish()
  }

  /// Its letters that occur with marks.
  var marks: [MarkedTexts.Mark] {
    var marks: [MarkedTexts.Mark] = []
    marks.reserveCapacity(others.count)
    // Of every scalar before it one letter, besides those beyond ASCII.
    var shift = 0
    for other in others {
      let letter = other.place + shift
      switch other.form {
      case .marked(let number, _): marks.append(.init(place: letter, marks: number))
      // No letter has this mark: what is equal to it without case stays.
      case .fixed:
        for place in letter..<letter + other.count { marks.append(.init(place: place, marks: Composition.fixed)) }
      case .same, .capital, .mark: break
      }
      shift += other.count - 1
    }
    return marks
  }
}
