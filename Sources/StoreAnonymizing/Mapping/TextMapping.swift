import StoreDigests
import StoreText

/// Replaces texts letter by letter: the same length in characters, UTF-8 and UTF-16, script, case, digits, marks and spaces.
///
/// What a text becomes depends on what it is without case and marks, so that texts which are equal in that sense still are, and
/// others are not. No run of six bytes that a replaced value has is made, where the letters leave another choice.
final class TextMapping {
  private let key: MappingKey
  private let filter: RunFilter
  private let identifiers: IdentifierMapping
  private let alphabets = Alphabets()
  private let sizes: AnonymizingSizes
  /// Of texts that consist of few letters: which attempt counted, and what was made, so that no two become one.
  private var attempts: [UInt64: Int] = [:]
  private var made: Set<UInt64> = []
  /// For texts that occur with marks: at which letters, and with which.
  private var variants = MarkedTexts()

  /// So many letters that are replaced have so many forms that two texts do not become one by chance.
  private static let many = 14
  /// Longer texts are replaced in pieces, which need memory for themselves alone.
  private static let pieceLength = 1 << 16

  init(
    _ key: MappingKey, _ filter: RunFilter, _ identifiers: IdentifierMapping, _ sizes: AnonymizingSizes = .exact
  ) {
    (self.key, self.filter, self.identifiers, self.sizes) = (key, filter, identifiers, sizes)
  }

  // MARK: Reading

  /// A text without case and marks.
  private struct Folded {
    var letters: [UInt32] = []
    /// For each scalar of the text: its form, and how many of the letters are its own.
    var forms: [FoldedLetter.Form] = []
    var counts: [UInt8] = []
    var isASCII = true

    init(_ scalars: some Collection<Unicode.Scalar>) {
      letters.reserveCapacity(scalars.count)
      forms.reserveCapacity(scalars.count)
      counts.reserveCapacity(scalars.count)
      for scalar in scalars {
        if scalar.value < 0x80 {
          let isCapital = scalar.value &- 0x41 < 26
          letters.append(isCapital ? scalar.value | 0x20 : scalar.value)
          forms.append(isCapital ? .capital : .same)
          counts.append(1)
          continue
        }
        let folded = FoldedLetter(scalar)
        if scalar.value >= 0x80 { isASCII = false }
        letters += folded.letters
        forms.append(folded.form)
        counts.append(UInt8(clamping: folded.letters.count))
      }
    }

    /// The letters without spaces at both ends, which do not count where texts are compared.
    var trimmed: ArraySlice<UInt32> {
      let isSpace: (UInt32) -> Bool = { Unicode.Scalar($0)?.properties.isWhitespace == true }
      guard let first = letters.firstIndex(where: { !isSpace($0) }),
        let last = letters.lastIndex(where: { !isSpace($0) })
      else { return [] }
      return letters[first...last]
    }

    /// Texts are equal where spaces at both ends do not count, too.
    func hash(_ key: MappingKey) -> UInt64 {
      var hash = KeyedHash(key, 0x7465_7874)
      var pending: UInt64 = 0
      for (index, letter) in trimmed.enumerated() {
        pending = pending << 32 | UInt64(letter)
        if index % 2 == 1 {
          hash.combine(pending)
          pending = 0
        }
      }
      hash.combine(pending)
      return hash.finish()
    }
  }

  /// Notes what a text has besides plain letters, so that the same letters without are replaced alike. To be called for every
  /// text before the first is replaced.
  func survey(_ bytes: [UInt8]) {
    guard bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self) else { return }
    let pieces = Self.pieces(text)
    var json = JSONPlace(isJSON: false)
    for (piece, extra) in zip(pieces, extras(pieces)) {
      let plain = Folded(piece)
      // Generated letters are compared without case and marks, too.
      filter.insert(.text(Self.utf8(plain.letters)))
      let hash = plain.hash(key)
      let (_, folded) = stretched(piece, plain, hash, extra: extra, json: &json)
      var position = 0
      var special: [Int: Set<[UInt32]>] = [:]
      for (form, count) in zip(folded.forms, folded.counts) {
        switch form {
        case .marked(let marks, _): special[position, default: []].insert(marks)
        // No letter has this mark: what is equal to it without case stays.
        case .fixed: for place in position..<position + Int(count) { special[place, default: []].insert([0]) }
        case .same, .capital, .mark: break
        }
        position += Int(count)
      }
      if !special.isEmpty { variants.add(special, to: hash) }
    }
  }

  private static func pieces(_ text: String) -> [[Unicode.Scalar]] {
    if text.utf8.count <= pieceLength { return [Array(text.unicodeScalars)] }
    var pieces: [[Unicode.Scalar]] = []
    var piece: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      piece.append(scalar)
      if piece.count == pieceLength {
        pieces.append(piece)
        piece = []
      }
    }
    if !piece.isEmpty { pieces.append(piece) }
    return pieces
  }

  private static func utf8(_ letters: [UInt32]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(letters.count)
    for letter in letters { append(letter, to: &bytes) }
    return bytes
  }

  private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    if value < 0x80 { return bytes.append(UInt8(value)) }
    if let scalar = Unicode.Scalar(value) { bytes += UTF8.encode(scalar) ?? .init() }
  }

  // MARK: Replacing

  /// What stands in the place of a text.
  ///
  /// - Parameters:
  ///   - variation: another number gives another text, where the first one does not do.
  ///   - isJSON: whether words, escapes and numbers have to stay what JSON allows.
  ///   - parts: texts that stay where they stand in it, because the model's rules look for them.
  ///   - isExact: whether its length stays, whatever becomes of others.
  func replaced(
    _ bytes: [UInt8], variation: Int = 0, isJSON: Bool = false, parts: [String] = [], isExact: Bool = false
  ) -> [UInt8] {
    guard !bytes.isEmpty else { return bytes }
    guard let text = String(validating: bytes, as: UTF8.self) else { return replacedInvalid(bytes, variation) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    let pieces = Self.pieces(text)
    var json = JSONPlace(isJSON: isJSON)
    for (piece, extra) in zip(pieces, extras(pieces)) {
      result += replaced(piece, variation: variation, json: &json, parts: parts, extra: isExact ? 0 : extra)
    }
    return result
  }

  /// How many letters are put into each piece; nil where its letters have to be counted, since it is the only one.
  private func extras(_ pieces: [[Unicode.Scalar]]) -> [Int?] {
    guard sizes == .rough else { return pieces.map { _ in 0 } }
    guard pieces.count > 1 else { return [nil] }
    let whole = pieces.reduce(0) { $0 + $1.count }
    let extra = sizes.length(for: whole) - whole
    var (done, given) = (0, 0)
    return pieces.map { piece in
      done += piece.count
      let due = Int(Double(extra) * Double(done) / Double(whole))
      defer { given = due }
      return due - given
    }
  }

  /// A piece with the length of its class.
  private func stretched(
    _ scalars: [Unicode.Scalar], _ folded: Folded, _ hash: UInt64, extra: Int?, json: inout JSONPlace
  ) -> ([Unicode.Scalar], Folded) {
    guard sizes == .rough, extra != 0 else { return (scalars, folded) }
    let trimmed = folded.trimmed
    let wanted = extra ?? sizes.length(for: trimmed.count) - trimmed.count
    guard wanted > 0 else { return (scalars, folded) }
    // Only texts within JSON grow.
    let first = trimmed.first
    if first == 0x7b || first == 0x5b || first == 0x22 { json.isJSON = true }
    var place = json
    var fixed = place.fixed(in: folded.letters, besidesTexts: true)
    for (start, digit) in identifiers.replacements(in: folded.letters) { fixed[start] = digit }
    for place in folded.letters.indices where !(trimmed.startIndex..<trimmed.endIndex).contains(place) {
      fixed[place] = folded.letters[place]
    }
    let stretching = Stretching(of: folded.letters, extra: wanted, seed: hash, fixed: fixed, alphabets)
    let longer = stretching.applied(
      to: scalars, forms: folded.forms, counts: folded.counts, letters: folded.letters)
    return longer.count == scalars.count ? (scalars, folded) : (longer, Folded(longer))
  }

  /// Bytes that are no text: ASCII as in texts, the others by bytes that alone are no text either.
  private func replacedInvalid(_ bytes: [UInt8], _ variation: Int) -> [UInt8] {
    var hash = KeyedHash(key, 0x696e_7661)
    bytes.withUnsafeBytes { hash.combine($0) }
    hash.combine(UInt64(variation))
    var stream = SplitMix64(seed: hash.finish())
    var window = RunWindow(filter)
    var wasDigit = false
    return bytes.map { byte in
      let small = Runs.lowercased(byte)
      let isDigit = (0x30...0x39).contains(byte)
      defer { wasDigit = isDigit }
      let choices =
        byte >= 0x80
        ? Array(UInt32(0x80)...0xbf) : alphabets.letters(for: UInt32(small), isFirstDigit: isDigit && !wasDigit)
      let chosen = window.choose(choices, &stream, isByte: true)
      let new = UInt8(truncatingIfNeeded: chosen)
      return byte != small ? new & ~0x20 : new
    }
  }

  private func replaced(
    _ piece: [Unicode.Scalar], variation: Int, json: inout JSONPlace, parts: [String], extra: Int?
  ) -> [UInt8] {
    let plain = Folded(piece)
    let hash = plain.hash(key)
    var shape = json
    let (scalars, folded) = stretched(piece, plain, hash, extra: extra, json: &shape)
    let special = variants[hash]
    var fixed = json.fixed(in: folded.letters)
    let found = identifiers.replacements(in: folded.letters)
    fixed.merge(found) { $1 }
    for part in parts { Self.fix(Folded(part.unicodeScalars).letters, in: folded.letters, &fixed) }
    let capitals = capitals(of: found, folded)
    let letters = letters(for: folded.letters, hash, special, fixed, variation: variation)
    var result = rendered(letters, folded, scalars, capitals)
    // Letters with case or marks beyond ASCII are other bytes than those that were looked at.
    guard !folded.isASCII else { return result }
    for attempt in 1...8 where RunWindow.hits(filter, result) {
      let seed = hash &+ UInt64(attempt)
      if attempt < 3 {
        let others = self.letters(for: folded.letters, seed, special, fixed, variation: variation &+ attempt &* 1000)
        result = rendered(others, folded, scalars, capitals)
      } else {
        result = renderedFreely(folded, scalars, fixed, capitals, attempt: attempt &+ variation &* 16)
      }
    }
    return result
  }

  /// Any letters of the same size, where a run of a replaced value cannot be gone around otherwise: then texts that differ in case
  /// and marks alone no longer do.
  private func renderedFreely(
    _ folded: Folded, _ scalars: [Unicode.Scalar], _ fixed: [Int: UInt32], _ capitals: [Int: Bool], attempt: Int
  ) -> [UInt8] {
    var hash = KeyedHash(key, 0x6672_6565)
    for scalar in scalars { hash.combine(UInt64(scalar.value)) }
    hash.combine(UInt64(bitPattern: Int64(attempt)))
    var stream = SplitMix64(seed: hash.finish())
    var window = RunWindow(filter)
    var result: [UInt8] = []
    var place = 0
    for ((form, count), scalar) in zip(zip(folded.forms, folded.counts), scalars) {
      let choices: [UInt32]
      let isMark = if case .mark = form { true } else { false }
      let isCapital = if case .capital = form { capitals[place] ?? true } else { capitals[place] ?? false }
      switch (scalar.utf8Length, isMark) {
      case (1, _): choices = self.choices(folded.letters, place, [:], fixed)
      case (2, true): choices = Self.marksOfTwoBytes
      case (2, false): choices = Self.lettersOfTwoBytes
      case (3, true): choices = Self.marksOfThreeBytes
      case (3, false): choices = Self.lettersOfThreeBytes
      default: choices = Self.lettersOfFourBytes
      }
      let chosen = window.choose(choices, &stream)
      Self.append(isCapital && (0x61...0x7a).contains(chosen) ? chosen & ~0x20 : chosen, to: &result)
      place += Int(count)
    }
    return result
  }

  private static let marksOfTwoBytes = Array(UInt32(0x300)..<0x340)
  private static let lettersOfTwoBytes = Array(UInt32(0x100)..<0x180)
  private static let marksOfThreeBytes = Array(UInt32(0x1dc0)..<0x1df0)
  private static let lettersOfThreeBytes = Array(UInt32(0x4e00)..<0x9f00)
  private static let lettersOfFourBytes = Array(UInt32(0x20000)..<0x2a000)

  /// Of places of UUIDs those whose digits are capitals: one digit may have been "3" and become "A".
  private func capitals(of identifiers: [Int: UInt32], _ folded: Folded) -> [Int: Bool] {
    guard !identifiers.isEmpty else { return [:] }
    var isCapital: [Int: Bool] = [:]
    var place = 0
    for (form, count) in zip(folded.forms, folded.counts) {
      if identifiers[place] != nil, case .capital = form { isCapital[place] = true }
      if identifiers[place] != nil, case .same = form, (0x61...0x7a).contains(folded.letters[place]) {
        isCapital[place] = false
      }
      place += Int(count)
    }
    // Without a letter a UUID is written in capitals, as Apple does.
    let isLower = isCapital.values.contains(false)
    return identifiers.mapValues { _ in !isLower }
  }

  /// The letters in the place of others.
  private func letters(
    for letters: [UInt32], _ hash: UInt64, _ special: [Int: Set<[UInt32]>], _ fixed: [Int: UInt32], variation: Int
  ) -> [UInt32] {
    var choices = 0
    for letter in letters where letter >= 0x30 { choices += letter < 0x80 && !isAlphanumeric(letter) ? 0 : 1 }
    let isFew = choices < Self.many
    if variation == 0, isFew, let attempt = attempts[hash] {
      return makeLetters(letters, hash, attempt, special, fixed).letters
    }
    var best: (letters: [UInt32], hits: Int)?
    var attempt = variation &* 100_000
    for turn in 0..<4_000 {
      let new = makeLetters(letters, hash, attempt, special, fixed)
      let sign = isFew ? Self.sign(new.letters) : 0
      let isFree = !isFew || !made.contains(sign)
      if isFree, new.hits == 0 || isFew && turn >= 40 {
        if isFew {
          made.insert(sign)
          if variation == 0 { attempts[hash] = attempt }
        }
        return new.letters
      }
      if isFree, best.map({ new.hits < $0.hits }) ?? true { best = new }
      // A number among as many others as there are takes many; a long text would take too long.
      if !isFew, turn >= max(12, min(200, 20_000 / max(letters.count, 1))) { break }
      attempt &+= 1
    }
    if let best {
      if isFew { made.insert(Self.sign(best.letters)) }
      return best.letters
    }
    return makeLetters(letters, hash, attempt, special, fixed).letters
  }

  private func isAlphanumeric(_ letter: UInt32) -> Bool {
    (0x30...0x39).contains(letter) || (0x61...0x7a).contains(letter)
  }

  private static func sign(_ letters: [UInt32]) -> UInt64 {
    var hash = KeyedHash(MappingKey(low: 0, high: 0), 1)
    for letter in letters { hash.combine(UInt64(letter)) }
    return hash.finish()
  }

  /// One attempt, and how many runs of replaced values it could not go around.
  private func makeLetters(
    _ letters: [UInt32], _ hash: UInt64, _ attempt: Int, _ special: [Int: Set<[UInt32]>], _ fixed: [Int: UInt32]
  ) -> (letters: [UInt32], hits: Int) {
    var stream = SplitMix64(seed: hash ^ UInt64(bitPattern: Int64(attempt)) &* 0xd6e8_feb8_6659_fd93)
    var window = RunWindow(filter)
    var result: [UInt32] = []
    result.reserveCapacity(letters.count)
    // The last places with a choice, to go back to where every letter makes a run of a replaced value.
    var places: [(place: Int, state: RunWindow.State)] = []
    places.reserveCapacity(16)
    var mostSteps = 64 + letters.count / 8
    var place = 0
    let isPlain = special.isEmpty && fixed.isEmpty
    while place < letters.count {
      let before = window.state
      let letter: UInt32
      let hasChoice: Bool
      if isPlain || fixed[place] == nil && special[place] == nil, let few = Self.range(letters, place) {
        hasChoice = few.count > 1
        letter = window.choose(from: few, &stream)
      } else {
        let choices = choices(letters, place, special, fixed)
        hasChoice = choices.count > 1
        letter = window.choose(choices, &stream)
      }
      if window.hits > before.hits, mostSteps > 0 {
        // The choice before, or one further back: another letter there gives another run here.
        mostSteps -= 1
        let steps = stream.next(below: 3)
        for _ in 0..<steps where places.count > 1 { places.removeLast() }
        if let back = places.popLast() {
          place = back.place
          window.state = back.state
          result.removeLast(result.count - place)
          continue
        }
      }
      if hasChoice {
        if places.count == 16 { places.removeFirst(8) }
        places.append((place, before))
      }
      result.append(letter)
      place += 1
    }
    return (result, window.hits)
  }

  /// The letters in the place of one of ASCII, as `Alphabets` has them; nil for others.
  @inline(__always) private static func range(_ letters: [UInt32], _ place: Int) -> ClosedRange<UInt32>? {
    let letter = letters[place]
    switch letter {
    case 0x61...0x7a: return 0x61...0x7a
    case 0x30...0x39:
      if place > 0, letters[place - 1] &- 0x30 < 10 { return 0x30...0x39 }
      return letter == 0x30 ? 0x30...0x30 : 0x31...0x39
    case 0..<0x80: return letter...letter
    default: return nil
    }
  }

  private func choices(
    _ letters: [UInt32], _ place: Int, _ special: [Int: Set<[UInt32]>], _ fixed: [Int: UInt32]
  ) -> [UInt32] {
    let letter = letters[place]
    if let stays = fixed[place] { return [stays] }
    let isDigit = (0x30...0x39).contains(letter)
    let isFirst = isDigit && !(place > 0 && (0x30...0x39).contains(letters[place - 1]))
    if let marks = special[place] { return alphabets.letters(for: letter, isFirstDigit: isFirst, variants: marks) }
    return alphabets.letters(for: letter, isFirstDigit: isFirst)
  }

  private func rendered(
    _ letters: [UInt32], _ folded: Folded, _ scalars: [Unicode.Scalar], _ capitals: [Int: Bool]
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(letters.count)
    var place = 0
    for ((form, count), scalar) in zip(zip(folded.forms, folded.counts), scalars) {
      let letter = count > 0 && place < letters.count ? letters[place] : 0
      let isCapital = capitals[place]
      place += Int(count)
      if let isCapital, letter < 0x80 {
        Self.append(isCapital && letter >= 0x61 ? letter & ~0x20 : letter, to: &result)
        continue
      }
      switch form {
      case .same: Self.append(letter, to: &result)
      case .capital:
        let capital = letter < 0x80 ? letter & ~0x20 : Unicode.Scalar(letter).flatMap(Alphabets.simpleCapital)?.value
        Self.append(capital ?? letter, to: &result)
      case .marked(let marks, let isCapital):
        if let composed = Composition.shared.composed(letter, marks),
          Unicode.Scalar(composed.small)?.utf8Length == scalar.utf8Length
        {
          Self.append(isCapital ? composed.upper ?? composed.small : composed.small, to: &result)
        } else {
          Self.append(scalar.value, to: &result)
        }
      case .fixed, .mark: Self.append(scalar.value, to: &result)
      }
    }
    return result
  }

  /// Keeps a part where it stands.
  private static func fix(_ part: [UInt32], in letters: [UInt32], _ fixed: inout [Int: UInt32]) {
    guard !part.isEmpty, part.count <= letters.count else { return }
    for start in 0...letters.count - part.count where letters[start..<start + part.count].elementsEqual(part) {
      for place in start..<start + part.count { fixed[place] = letters[place] }
    }
  }
}

/// The last bytes of what is being made.
struct RunWindow {
  private let filter: RunFilter
  /// What was made, to go back to.
  var state = State()

  /// The last bytes, how many there were in all, and how many runs of replaced values could not be gone around.
  struct State {
    fileprivate var run: UInt64 = 0
    fileprivate var count = 0
    fileprivate(set) var hits = 0
  }

  private var run: UInt64 {
    get { state.run }
    set { state.run = newValue }
  }

  private var count: Int {
    get { state.count }
    set { state.count = newValue }
  }

  /// Runs of replaced values that could not be gone around.
  private(set) var hits: Int {
    get { state.hits }
    set { state.hits = newValue }
  }

  init(_ filter: RunFilter) { self.filter = filter }

  /// A choice after which no run of a replaced value stands there; any where each makes one.
  ///
  /// - Parameter isByte: whether a choice is one byte; otherwise a scalar, in UTF-8.
  mutating func choose(_ choices: [UInt32], _ stream: inout SplitMix64, isByte: Bool = false) -> UInt32 {
    guard choices.count > 1 else {
      let only = choices.first ?? 0
      hits &+= append(only, isByte: isByte)
      return only
    }
    let before = (run: run, count: count)
    var best: (value: UInt32, hits: Int)?
    for _ in 0..<24 {
      let value = choices[stream.next(below: choices.count)]
      (run, count) = before
      let found = append(value, isByte: isByte)
      if found == 0 { return value }
      if best.map({ found < $0.hits }) ?? true { best = (value, found) }
    }
    (run, count) = before
    let value = best?.value ?? choices[0]
    hits &+= append(value, isByte: isByte)
    return value
  }

  /// The same for letters of ASCII that follow each other.
  mutating func choose(from choices: ClosedRange<UInt32>, _ stream: inout SplitMix64) -> UInt32 {
    let count = choices.count
    let before = state
    var best: (value: UInt32, hits: Int)?
    for _ in 0..<(count > 1 ? 24 : 0) {
      let value = choices.lowerBound &+ UInt32(truncatingIfNeeded: stream.next(below: count))
      (state.run, state.count) = (before.run, before.count)
      let found = append(UInt8(truncatingIfNeeded: value))
      if found == 0 { return value }
      if best.map({ found < $0.hits }) ?? true { best = (value, found) }
    }
    (state.run, state.count) = (before.run, before.count)
    let value = best?.value ?? choices.lowerBound
    hits &+= append(UInt8(truncatingIfNeeded: value))
    return value
  }

  /// Takes a scalar or a byte; how many runs of replaced values end in it.
  private mutating func append(_ value: UInt32, isByte: Bool) -> Int {
    if isByte || value < 0x80 { return append(UInt8(truncatingIfNeeded: value)) }
    let tail = UInt8(truncatingIfNeeded: value & 0x3f | 0x80)
    if value < 0x800 { return append(UInt8(truncatingIfNeeded: value >> 6 | 0xc0)) &+ append(tail) }
    let second = UInt8(truncatingIfNeeded: value >> 6 & 0x3f | 0x80)
    if value < 0x10000 {
      return append(UInt8(truncatingIfNeeded: value >> 12 | 0xe0)) &+ append(second) &+ append(tail)
    }
    let third = UInt8(truncatingIfNeeded: value >> 12 & 0x3f | 0x80)
    return append(UInt8(truncatingIfNeeded: value >> 18 | 0xf0)) &+ append(third) &+ append(second) &+ append(tail)
  }

  @inline(__always) private mutating func append(_ byte: UInt8) -> Int {
    run = (run << 8 | UInt64(Runs.lowercased(byte))) & Runs.mask
    count &+= 1
    return count >= Runs.length && filter.contains(run) && Runs.tells(run) ? 1 : 0
  }

  /// Whether bytes have a run that a replaced value may have.
  static func hits(_ filter: RunFilter, _ bytes: [UInt8]) -> Bool {
    var found = false
    Runs.forEach(in: bytes) { run, _ in if !found, filter.contains(run), Runs.tells(run) { found = true } }
    return found
  }
}
