import StoreDigests

/// Replaces texts letter by letter: the same length in characters, UTF-8 and UTF-16, script, case, digits, marks and spaces.
///
/// What a text becomes depends on what it is without case and marks, so that texts which are equal in that sense still are, and
/// others are not. No run of six bytes that a replaced value has is made, where the letters leave another choice.
final class TextMapping {
  /// What was known when it began, with the marks that `survey` adds.
  private(set) var facts: MappingFacts
  private let identifiers: IdentifierMapping
  private let alphabets = Alphabets()
  /// The parts of the piece that is being made where each began, with how many bytes were written before it.
  private var done: [(start: Place, size: Int)] = []
  /// Of the part that is being made the letters where a run could not be gone around, each with how many there were before it.
  private var raised: [(place: Int, before: Int32)] = []
  private let folds = FoldTable()
  /// Of texts that consist of few letters: of which text each is that was made, so that no two become one.
  private var owners: [UInt64: UInt64] = [:]

  /// So many of them are held, in 12 MiB.
  static let mostOwners = 3 << 17
  /// Whether there were more of them.
  var hasForgotten: Bool { owners.count >= Self.mostOwners }

  /// So many letters that are replaced have so many forms that two texts do not become one by chance.
  private static let many = 14
  /// Longer texts are replaced in pieces of so many letters, which need memory for themselves alone.
  private static let pieceLength = 1 << 16
  /// So many letters are made at a time: where a run of a replaced value cannot be gone around, only these are made again.
  private static let partLength = 48
  /// So many parts are made together with the one behind them, at most, and so often one is tried before.
  private static let mostJoined = 3
  private static let fewTurns = 16
  /// Where fewer letters are chosen at once, so many are chosen one by one.
  private static let fewAtOnce = 3
  private static let pauseBehindFew = 6
  /// So often another choice before one is made, in a part.
  private static let mostSteps = 64

  init(_ facts: MappingFacts, _ identifiers: IdentifierMapping) {
    (self.facts, self.identifiers) = (facts, identifiers)
  }

  private var key: MappingKey { facts.key }
  private var sizes: AnonymizingSizes { facts.sizes }

  // MARK: Reading

  /// Tells what a text has besides plain letters, so that the same letters without are replaced alike. To be called for every
  /// text before the first is replaced, and what it tells to be added to what is known.
  ///
  /// - Parameters:
  ///   - bytes: valid, and not of ASCII alone, which has nothing besides (`UTF8Bytes.areWide`).
  ///   - counted: called with parts of the letters without case and marks, whose runs count, too: generated ones are compared with
  ///     them.
  ///   - marked: called with the marks of a piece, and what it is equal to without them.
  func survey(
    wide bytes: UnsafeBufferPointer<UInt8>, counted: (ValuePiece) -> Void,
    marked: (_ hash: UInt64, _ marks: [MarkedTexts.Mark]) -> Void
  ) {
    var json = JSONPlace(isJSON: false)
    forEachPiece(of: bytes, isExact: false) { piece, extra in
      piece.forEachChangedPart { counted(.text($0)) }
      let hash = piece.hash(key)
      let marks = (stretched(piece, hash, extra: extra, json: &json) ?? piece).marks
      if !marks.isEmpty { marked(hash, marks) }
    }
  }

  /// Notes which letters of a text occur with marks.
  func note(_ marks: ArraySlice<MarkedTexts.Mark>, of hash: UInt64) { facts.marks.add(marks, to: hash) }

  /// Calls `body` with each piece of a text, and how many letters are put into it; nil where its letters have to be counted, since
  /// it is the only one.
  private func forEachPiece(
    of bytes: UnsafeBufferPointer<UInt8>, isExact: Bool, _ body: (FoldedText, _ extra: Int?) -> Void
  ) {
    guard sizes == .rough, !isExact else {
      FoldedText.forEachPiece(of: bytes, length: Self.pieceLength, folds) { body($0, 0) }
      return
    }
    var lengths: [Int] = []
    if bytes.count > Self.pieceLength {
      FoldedText.forEachPiece(of: bytes, length: Self.pieceLength, folds) { lengths.append($0.scalars.count) }
    }
    let whole = lengths.reduce(0, +)
    let extra = sizes.length(for: whole) - whole
    var (done, given) = (0, 0)
    FoldedText.forEachPiece(of: bytes, length: Self.pieceLength, folds) { piece in
      guard lengths.count > 1 else { return body(piece, nil) }
      done += piece.scalars.count
      let due = Int(Double(extra) * Double(done) / Double(whole))
      body(piece, due - given)
      given = due
    }
  }

  /// Lets go of the marks of texts, when none is replaced any more.
  func forgetMarks() { facts.marks.forget() }

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
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    let isMade = bytes.withUnsafeBufferPointer {
      make($0, variation, isJSON: isJSON, parts, isExact: isExact, isAlone: false, to: &result)
    }
    return isMade ? result : bytes
  }

  /// Adds to `result` what stands in the place of a text.
  ///
  /// - Returns: false where that depends on what other texts became, since it has few letters; then nothing was added.
  func replaceAlone(_ bytes: UnsafeBufferPointer<UInt8>, isJSON: Bool = false, to result: inout [UInt8]) -> Bool {
    // So few bytes are no more letters.
    bytes.count >= Self.many && make(bytes, 0, isJSON: isJSON, [], isExact: false, isAlone: true, to: &result)
  }

  private func make(
    _ bytes: UnsafeBufferPointer<UInt8>, _ variation: Int, isJSON: Bool, _ parts: [String], isExact: Bool,
    isAlone: Bool, to result: inout [UInt8]
  ) -> Bool {
    guard !bytes.isEmpty else { return true }
    guard UTF8Bytes.areValid(bytes) else {
      result += replacedInvalid(Array(bytes), variation)
      return true
    }
    let begin = result.count
    var json = JSONPlace(isJSON: isJSON)
    var place = Place(begin: begin, plain: RunWindow(facts.table), shown: RunWindow(facts.table))
    var isMade = true
    forEachPiece(of: bytes, isExact: isExact) { piece, extra in
      guard isMade else { return }
      isMade = replace(
        piece, variation: variation, json: &json, parts: parts, extra: extra, isAlone: isAlone, &place, &result)
    }
    if !isMade { result.removeLast(result.count - begin) }
    return isMade
  }

  /// A piece with the length of its class; nil where its length is that already.
  private func stretched(_ piece: FoldedText, _ hash: UInt64, extra: Int?, json: inout JSONPlace) -> FoldedText? {
    guard sizes == .rough, extra != 0 else { return nil }
    let trimmed = piece.trimmed
    let wanted = extra ?? sizes.length(for: trimmed.count) - trimmed.count
    guard wanted > 0 else { return nil }
    // Only texts within JSON grow.
    let first = trimmed.first.map { piece.letters[$0] }
    if first == 0x7b || first == 0x5b || first == 0x22 { json.isJSON = true }
    var place = json
    var fixed = place.fixed(in: piece.letters, besidesTexts: true)
    fixed.merge(identifiers.replacements(in: piece.letters)) { $1 }
    for place in piece.letters.indices where !trimmed.contains(place) { fixed[place] = piece.letters[place] }
    let stretching = Stretching(of: piece.letters, extra: wanted, seed: hash, fixed: fixed, alphabets)
    guard let longer = stretching.applied(to: piece, alphabets) else { return nil }
    return FoldedText(longer, folds)
  }

  /// Bytes that are no text: ASCII as in texts, the others by bytes that alone are no text either.
  private func replacedInvalid(_ bytes: [UInt8], _ variation: Int) -> [UInt8] {
    var hash = KeyedHash(key, 0x696e_7661)
    bytes.withUnsafeBytes { hash.combine($0) }
    hash.combine(UInt64(variation))
    var stream = SplitMix64(seed: hash.finish())
    var window = RunWindow(facts.table)
    var wasDigit = false
    return bytes.map { byte in
      let small = Runs.lowercased(byte)
      defer { wasDigit = small &- 0x30 < 10 }
      if byte >= 0x80 { return window.chooseByte(from: 0x80, count: 0x40, &stream) }
      guard let (first, count) = Self.range(of: UInt32(small), afterDigit: wasDigit) else {
        _ = window.take(byte: byte)
        return byte
      }
      let new = UInt8(truncatingIfNeeded: window.choose(from: first, count: count, &stream))
      return byte != small ? new & ~0x20 : new
    }
  }

  /// The letters of ASCII that may stand in the place of one; nil where it stays. The first digit of a number is no zero where it
  /// was none.
  @inline(__always) private static func range(of letter: UInt32, afterDigit: Bool) -> (first: UInt32, count: UInt32)? {
    if letter &- 0x61 < 26 { return (0x61, 26) }
    guard letter &- 0x30 < 10 else { return nil }
    return afterDigit ? (0x30, 10) : letter == 0x30 ? nil : (0x31, 9)
  }

  /// Whether it could be made: not where it depends on others, and `isAlone` says that nothing is known of them.
  private func replace(
    _ plain: FoldedText, variation: Int, json: inout JSONPlace, parts: [String], extra: Int?, isAlone: Bool,
    _ place: inout Place, _ result: inout [UInt8]
  ) -> Bool {
    let hash = plain.hash(key)
    var shape = json
    let text = stretched(plain, hash, extra: extra, json: &shape) ?? plain
    var limits = Limits()
    let found = identifiers.replacements(in: text.letters)
    if json.isJSON || !found.isEmpty || !parts.isEmpty {
      limits.fix(json.fixed(in: text.letters).merging(found) { $1 }, in: text.letters)
      for part in parts {
        limits.fix(FoldedText(part.unicodeScalars.map(\.value), folds).letters, in: text.letters)
      }
    }
    // Its own are held unless there are too many.
    limits.restrict(
      facts.marks.areWhole ? facts.marks[hash] : facts.marks.with(text.marks, of: hash), in: text.letters, alphabets)
    let capitals = capitals(of: found, text)
    var work = TextParts(text: text, limits: limits, capitals: capitals, hash: hash)
    return make(&work, variation: variation, isAlone: isAlone, &place, &result)
  }

  /// Of places of UUIDs those whose digits are capitals: one digit may have been "3" and become "A".
  private func capitals(of identifiers: [Int: UInt32], _ text: FoldedText) -> [Int: Bool] {
    guard !identifiers.isEmpty else { return [:] }
    var isCapital: [Int: Bool] = [:]
    text.forEachScalar { _, form, places in
      guard let place = places.first, identifiers[place] != nil else { return }
      if form == .capital { isCapital[place] = true }
      if form == .same, text.letters[place] &- 0x61 < 26 { isCapital[place] = false }
    }
    // Without a letter a UUID is written in capitals, as Apple does.
    let isLower = isCapital.values.contains(false)
    return identifiers.mapValues { _ in !isLower }
  }

  // MARK: Making

  /// A text that is being replaced.
  private struct TextParts {
    let text: FoldedText
    let limits: Limits
    let capitals: [Int: Bool]
    let hash: UInt64
    /// Where it begins: spaces at both ends do not count where texts are compared.
    let origin: Int
    /// The letters that were made.
    var made: [UInt32]

    init(text: FoldedText, limits: Limits, capitals: [Int: Bool], hash: UInt64) {
      (self.text, self.limits, self.capitals, self.hash) = (text, limits, capitals, hash)
      (origin, made) = (text.trimmed.lowerBound, text.letters)
    }
  }

  /// A place in a text: in its scalars, those beyond ASCII, its letters, and what was written and made last.
  private struct Place {
    var scalar = 0
    var other = 0
    var letter = 0
    /// Where in what was written the text begins.
    let begin: Int
    var plain: RunWindow
    var shown: RunWindow
    /// How many of the bytes that were written last are those of `plain`: with six both would say the same.
    var same = Runs.length
    /// Whether some of these were not taken by `shown`.
    var isBehind = false

    /// Takes a scalar that is about to be written.
    ///
    /// - Parameters:
    ///   - isSame: whether `plain` took it, too.
    ///   - isClean: whether `plain` found no run in this part.
    @inline(__always) mutating func show(_ scalar: UInt32, isSame: Bool, isClean: Bool, after written: [UInt8]) {
      let length = UTF8Bytes.length(scalar)
      if isSame, isClean, same >= Runs.length - 1 {
        (same, isBehind) = (same &+ length, true)
        return
      }
      catchUp(with: written)
      _ = shown.take(scalar)
      same = isSame ? same &+ length : 0
    }

    /// Has `shown` take what was written last.
    @inline(__always) mutating func catchUp(with written: [UInt8]) {
      guard isBehind else { return }
      shown.follow(written[max(begin, written.count - Runs.length)...])
      isBehind = false
    }
  }

  private func make(
    _ work: inout TextParts, variation: Int, isAlone: Bool, _ place: inout Place, _ result: inout [UInt8]
  ) -> Bool {
    let letters = work.text.letters
    var choices = 0
    for letter in letters where letter >= 0x30 {
      choices += letter < 0x80 && letter &- 0x30 >= 10 && letter &- 0x61 >= 26 ? 0 : 1
      if choices >= Self.many { break }
    }
    let isFew = choices < Self.many
    if isFew, isAlone { return false }
    // A number among as many others as there are takes many; a long text would take too long.
    let most = isFew ? 4_000 : max(12, min(200, 20_000 / max(letters.count, 1)))
    (place.scalar, place.other, place.letter) = (0, 0, 0)
    let origin = work.origin
    done.removeAll(keepingCapacity: true)
    var joined: (end: Int, count: Int) = (0, 0)
    while place.letter < letters.count || place.scalar < work.text.scalars.count {
      var end = isFew ? letters.count : min(max(place.letter, origin) + Self.partLength, letters.count)
      // What has no choice belongs to the letters before it, which have one.
      while end < letters.count, !hasChoice(end, letters, work.limits) { end += 1 }
      end = max(end, joined.end)
      let seed = work.hash ^ UInt64(max(place.letter - origin, 0)) &* 0xa076_1d64_78bd_642f ^ UInt64(variation) << 32
      let (start, size) = (place, result.count)
      let canJoin = !done.isEmpty && joined.count < Self.mostJoined
      var best: (turn: Int, hits: Int)?
      for turn in 0..<(canJoin ? min(most, Self.fewTurns) : most) {
        let hits = attempt(turn, seed, &work, from: start, to: end, &place, &result, size)
        if isFew, !isOwn(work.made, work.hash) { continue }
        if best.map({ hits < $0.hits }) ?? true { best = (turn, hits) }
        if hits == 0 || isFew && turn >= 40 { break }
      }
      // Where the end of the part before it leaves no choice, both are made together.
      if best?.hits != 0, canJoin, let last = done.popLast() {
        (place, joined) = (last.start, (end, joined.count + 1))
        result.removeLast(result.count - last.size)
        continue
      }
      if let best, best.hits > 0 {
        _ = attempt(best.turn, seed, &work, from: start, to: end, &place, &result, size)
      }
      // Letters with case or marks beyond ASCII are other bytes than those that were looked at.
      for turn in 1...6 where !work.text.isASCII && place.shown.hits > start.shown.hits {
        makeFreely(work, from: start, to: end, turn: turn &+ variation &* 16, &place, &result, size)
      }
      if isFew, owners.count < Self.mostOwners { owners[Self.sign(work.made)] = work.hash }
      done.append((start, size))
      joined = (0, 0)
    }
    return true
  }

  /// Whether another letter may stand in the place of one.
  private func hasChoice<Letters: RandomAccessCollection<UInt32>>(
    _ place: Int, _ letters: Letters, _ limits: Limits
  ) -> Bool where Letters.Index == Int {
    let letter = letters[place]
    if !limits.isEmpty, !limits.isFree(place) { return limits.set(place) != nil }
    if letter >= 0x80 { return alphabets.set(for: letter) != nil }
    return Self.range(of: letter, afterDigit: place > 0 && letters[place - 1] &- 0x30 < 10) != nil
  }

  /// Whether no other text became this one.
  private func isOwn(_ made: [UInt32], _ hash: UInt64) -> Bool { owners[Self.sign(made)].map { $0 == hash } ?? true }

  private static func sign(_ letters: [UInt32]) -> UInt64 {
    var hash = KeyedHash(MappingKey(low: 0, high: 0), 1)
    for letter in letters { hash.combine(UInt64(letter)) }
    return hash.finish()
  }

  /// Makes a part of a text, and writes it; how many runs of replaced values it could not go around.
  private func attempt(
    _ turn: Int, _ seed: UInt64, _ work: inout TextParts, from start: Place, to end: Int, _ place: inout Place,
    _ result: inout [UInt8], _ size: Int
  ) -> Int {
    place = start
    var stream = SplitMix64(seed: seed ^ UInt64(turn) &* 0xd6e8_feb8_6659_fd93)
    makeLetters(&work, start.letter..<end, &place.plain, &stream)
    place.letter = end
    result.removeLast(result.count - size)
    write(work, from: start, &place, &result)
    let hits = place.plain.hits - start.plain.hits
    return work.text.isASCII ? hits : hits + place.shown.hits - start.shown.hits
  }

  /// Letters in the place of others.
  private func makeLetters(
    _ work: inout TextParts, _ range: Range<Int>, _ window: inout RunWindow, _ stream: inout SplitMix64
  ) {
    let limits = work.limits
    work.text.letters.withUnsafeBufferPointer { letters in
      limits.values.withUnsafeBufferPointer { values in
        work.made.withUnsafeMutableBufferPointer { made in
          makeLetters(letters, from: work.origin, made, limits, values, range, &window, &stream)
        }
      }
    }
  }

  private func makeLetters(
    _ letters: UnsafeBufferPointer<UInt32>, from origin: Int, _ made: UnsafeMutableBufferPointer<UInt32>,
    _ limits: Limits, _ values: UnsafeBufferPointer<UInt32>, _ range: Range<Int>, _ begun: inout RunWindow,
    _ random: inout SplitMix64
  ) {
    // Own copies, which nothing else changes.
    var (window, stream) = (begun, random)
    var (steps, pause) = (Self.mostSteps, 0)
    raised.removeAll(keepingCapacity: true)
    let hasLimits = !limits.isEmpty
    var place = range.lowerBound
    while place < range.upperBound {
      // Only behind as many letters as a run has, so that texts which differ in the spaces before them become alike.
      if pause == 0, place >= origin + Runs.length {
        // Of what cannot be chosen at once each is tried alone.
        if !hasLimits || limits.isFree(place), RunWindow.choosesAtOnce(letters[place]) {
          let start = place
          (place, window.state, stream) = window.choosing(
            like: letters, place..<range.upperBound, limits: values, to: made, stream)
          guard place < range.upperBound else { break }
          if place - start < Self.fewAtOnce { pause = Self.pauseBehindFew }
        }
      } else {
        pause = max(pause - 1, 0)
      }
      let letter = letters[place]
      let hits = window.state.hits
      if hasLimits, !limits.isFree(place) {
        if let set = limits.set(place) {
          made[place] = choose(from: set, &window, &stream)
        } else {
          let stays = limits.fixed(place) ?? letter
          made[place] = stays
          _ = window.take(stays)
        }
      } else if letter &- 0x61 < 26 {
        made[place] = window.choose(from: 0x61, count: 26, &stream)
      } else if letter >= 0x80, let set = alphabets.set(for: letter) {
        made[place] = choose(from: set, &window, &stream)
      } else if let (first, count) = Self.range(
        of: letter, afterDigit: place > 0 && letters[place - 1] &- 0x30 < 10)
      {
        // Where a text is among as many numbers as there are, those with zeros are left: they tell little.
        let isZero = count == 10 && steps < Self.mostSteps && stream.next() & 7 != 0
        made[place] = window.choose(from: first, count: isZero ? 1 : count, &stream)
      } else {
        made[place] = letter
        _ = window.take(letter)
      }
      place += 1
      guard window.state.hits > hits else { continue }
      raised.append((place - 1, hits))
      guard steps > 0 else { continue }
      // The choice before, or one further back: another letter there gives another run here.
      steps -= 1
      var back = place - 1
      var wanted = 1 + stream.next(below: 3)
      var target: Int?
      while back > range.lowerBound, wanted > 0 {
        back -= 1
        if hasChoice(back, letters, limits) { (target, wanted) = (back, wanted - 1) }
      }
      guard let target else { continue }
      place = target
      while let last = raised.last, last.place >= place {
        window.state.hits = last.before
        raised.removeLast()
      }
      // What stands further back than a run is long makes no difference.
      window.state = window.behind(made[max(range.lowerBound, place - Runs.length)..<place], from: begun.state)
    }
    (begun, random) = (window, stream)
  }

  @inline(__always) private func choose(
    from set: Int, _ window: inout RunWindow, _ stream: inout SplitMix64
  ) -> UInt32 {
    // Copies of its own, as `RunWindow.takingLong` says.
    var (own, random) = (window, stream)
    let letter = own.choose(alphabets.letters(of: set), &random)
    (window.state, stream) = (own.state, random)
    return letter
  }

  /// Writes the letters of a part with the case and the marks that they had.
  private func write(_ work: TextParts, from start: Place, _ place: inout Place, _ result: inout [UInt8]) {
    let text = work.text
    let hasCapitals = !work.capitals.isEmpty
    // Without case it is what was looked at.
    if text.isASCII { (place.shown, place.same, place.isBehind) = (place.plain, Runs.length, false) }
    let isClean = text.isASCII || place.plain.hits == start.plain.hits
    var letter = start.letter
    (place.scalar, place.other) = (start.scalar, start.other)
    while place.scalar < text.scalars.count {
      let other: FoldedText.Other? = place.other < text.others.count ? text.others[place.other] : nil
      if let other, other.place == place.scalar {
        if letter >= place.letter, other.count > 0 { break }
        let shown = shown(text.scalars[place.scalar], other.form, letter..<letter + other.count, work)
        let isSame = other.count == 1 && shown == work.made[letter]
        place.show(shown, isSame: isSame, isClean: isClean, after: result)
        UTF8Bytes.append(shown, to: &result)
        letter += other.count
        place.scalar += 1
        place.other += 1
        continue
      }
      // Up to the next one beyond ASCII each is one letter.
      let count = min((other?.place ?? text.scalars.count) - place.scalar, place.letter - letter)
      guard count > 0 else { break }
      let slow = hasCapitals || !isClean ? count : min(max(Runs.length - 1 - place.same, 0), count)
      for _ in 0..<slow {
        let scalar = text.scalars[place.scalar]
        let shown = shown(scalar, scalar &- 0x41 < 26 ? .capital : .same, letter..<letter + 1, work)
        if !text.isASCII { place.show(shown, isSame: true, isClean: isClean, after: result) }
        UTF8Bytes.append(shown, to: &result)
        letter += 1
        place.scalar += 1
      }
      guard slow < count else { continue }
      Self.append(work, from: place.scalar, letter, count - slow, to: &result)
      letter += count - slow
      place.scalar += count - slow
      (place.same, place.isBehind) = (place.same &+ (count - slow), !text.isASCII)
    }
    // The last one may be two letters, of which the second would be in the next part.
    place.letter = max(letter, place.letter)
  }

  /// Writes letters of ASCII that follow each other, with the case that they had.
  private static func append(
    _ work: TextParts, from scalar: Int, _ letter: Int, _ count: Int, to result: inout [UInt8]
  ) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { line in
      work.text.scalars.withUnsafeBufferPointer { scalars in
        work.made.withUnsafeBufferPointer { letters in
          for index in 0..<count {
            let new = UInt8(truncatingIfNeeded: letters[letter + index])
            line.initializeElement(at: index, to: scalars[scalar + index] &- 0x41 < 26 ? new & ~0x20 : new)
          }
        }
      }
      result.append(contentsOf: line)
    }
  }

  /// Calls `body` with the scalars from one place to the letter of another, and what belongs to the last of them.
  @inline(__always) private func forEachScalar(
    of text: FoldedText, from start: Place, _ place: inout Place,
    _ body: (_ scalar: UInt32, _ form: FoldedLetter.Form, _ letters: Range<Int>, inout Place) -> Void
  ) {
    var letter = start.letter
    (place.scalar, place.other) = (start.scalar, start.other)
    while place.scalar < text.scalars.count {
      let scalar = text.scalars[place.scalar]
      let isOther = place.other < text.others.count && text.others[place.other].place == place.scalar
      let count = isOther ? text.others[place.other].count : 1
      if letter >= place.letter, count > 0 { break }
      let form = isOther ? text.others[place.other].form : scalar &- 0x41 < 26 ? .capital : .same
      body(scalar, form, letter..<letter + count, &place)
      letter += count
      place.scalar += 1
      if isOther { place.other += 1 }
    }
    // The last one may be two letters, of which the second would be in the next part.
    place.letter = max(letter, place.letter)
  }

  private func shown(
    _ scalar: UInt32, _ form: FoldedLetter.Form, _ places: Range<Int>, _ work: TextParts
  ) -> UInt32 {
    guard let place = places.first else { return scalar }
    let letter = work.made[place]
    if !work.capitals.isEmpty, letter < 0x80, let isCapital = work.capitals[place] {
      return isCapital ? alphabets.capital(of: letter) : letter
    }
    switch form {
    case .same: return letter
    case .capital: return alphabets.capital(of: letter)
    case .marked(let marks, let isCapital):
      guard let composed = Composition.shared.composed(letter, marks),
        UTF8Bytes.length(composed.small) == UTF8Bytes.length(scalar)
      else { return scalar }
      return isCapital ? composed.upper ?? composed.small : composed.small
    case .fixed, .mark: return scalar
    }
  }

  /// Any letters of the same size, where a run of a replaced value cannot be gone around otherwise: then texts that differ in case
  /// and marks alone no longer do.
  private func makeFreely(
    _ work: TextParts, from start: Place, to end: Int, turn: Int, _ place: inout Place, _ result: inout [UInt8],
    _ size: Int
  ) {
    place = start
    place.letter = end
    var hash = KeyedHash(key, 0x6672_6565)
    for scalar in work.text.scalars { hash.combine(UInt64(scalar)) }
    hash.combine(UInt64(bitPattern: Int64(turn)))
    hash.combine(UInt64(start.letter))
    var stream = SplitMix64(seed: hash.finish())
    result.removeLast(result.count - size)
    place.catchUp(with: result)
    place.same = 0
    let letters = work.text.letters
    forEachScalar(of: work.text, from: start, &place) { scalar, form, places, window in
      let isCapital = places.first.flatMap { work.capitals[$0] } ?? (form == .capital)
      let chosen: UInt32
      switch (UTF8Bytes.length(scalar), form == .mark) {
      case (1, _):
        let index = places.lowerBound
        let before = index > 0 && index <= letters.count ? letters[index - 1] : 0
        if !work.limits.isEmpty, let stays = work.limits.fixed(index) {
          chosen = stays
          _ = window.shown.take(stays)
        } else if let (first, count) = Self.range(of: letters[index], afterDigit: before &- 0x30 < 10) {
          chosen = window.shown.choose(from: first, count: count, &stream)
        } else {
          chosen = letters[index]
          _ = window.shown.take(chosen)
        }
      case (2, true): chosen = window.shown.choose(Self.marksOfTwoBytes, &stream)
      case (2, false): chosen = window.shown.choose(Self.lettersOfTwoBytes, &stream)
      case (3, true): chosen = window.shown.choose(Self.marksOfThreeBytes, &stream)
      case (3, false): chosen = window.shown.choose(Self.lettersOfThreeBytes, &stream)
      default: chosen = window.shown.choose(Self.lettersOfFourBytes, &stream)
      }
      UTF8Bytes.append(isCapital && chosen < 0x80 ? alphabets.capital(of: chosen) : chosen, to: &result)
    }
  }

  private static let marksOfTwoBytes = Array(UInt32(0x300)..<0x340)
  private static let lettersOfTwoBytes = Array(UInt32(0x100)..<0x180)
  private static let marksOfThreeBytes = Array(UInt32(0x1dc0)..<0x1df0)
  private static let lettersOfThreeBytes = Array(UInt32(0x4e00)..<0x9f00)
  private static let lettersOfFourBytes = Array(UInt32(0x20000)..<0x2a000)
}

/// For each letter of a text what stands in the way of any other; empty where nothing does.
struct Limits {
  /// 0 for a letter that is free; the number of a set of letters (`Alphabets`), or a letter that stays.
  private(set) var values: [UInt32] = []

  private static let isSet: UInt32 = 1 << 31
  private static let isFixed: UInt32 = 1 << 30

  var isEmpty: Bool { values.isEmpty }

  @inline(__always) func isFree(_ place: Int) -> Bool { values[place] == 0 }

  /// The set of letters from which it is chosen.
  @inline(__always) func set(_ place: Int) -> Int? {
    values[place] & Self.isSet == 0 ? nil : Int(values[place] & ~Self.isSet)
  }

  /// The letter that stands there.
  @inline(__always) func fixed(_ place: Int) -> UInt32? {
    values[place] & Self.isFixed == 0 ? nil : values[place] & ~Self.isFixed
  }

  private mutating func prepare(_ count: Int) { if values.isEmpty { values = Array(repeating: 0, count: count) } }

  /// Letters that stand at their places.
  mutating func fix(_ places: [Int: UInt32], in letters: [UInt32]) {
    guard !places.isEmpty else { return }
    prepare(letters.count)
    for (place, letter) in places where values.indices.contains(place) { values[place] = letter | Self.isFixed }
  }

  /// Keeps a part wherever it stands.
  mutating func fix(_ part: [UInt32], in letters: [UInt32]) {
    guard let first = part.first, part.count <= letters.count else { return }
    for start in 0...letters.count - part.count where letters[start] == first {
      guard letters[start..<start + part.count].elementsEqual(part) else { continue }
      prepare(letters.count)
      for place in start..<start + part.count { values[place] = letters[place] | Self.isFixed }
    }
  }

  /// Letters that occur with marks.
  mutating func restrict(_ marks: [MarkedTexts.Mark], in letters: [UInt32], _ alphabets: Alphabets) {
    guard !marks.isEmpty else { return }
    prepare(letters.count)
    var index = 0
    while index < marks.count {
      let (place, first) = (marks[index].place, index)
      while index < marks.count, marks[index].place == place { index += 1 }
      let own = marks[first..<index].lazy.map(\.marks)
      guard values.indices.contains(place), values[place] == 0 else { continue }
      let letter = letters[place]
      values[place] =
        alphabets.set(for: letter, marks: own).map { UInt32(truncatingIfNeeded: $0) | Self.isSet }
        ?? letter | Self.isFixed
    }
  }
}
