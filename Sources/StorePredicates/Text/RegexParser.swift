/// Reads a pattern of MATCHES.
struct RegexParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private var includesLineEnds = false
  /// Whether the pattern begins with the flag `i`.
  private(set) var ignoresCase = false

  static let maximumDepth = 50

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  mutating func pattern() throws(PatternError) -> RegexSyntax {
    try leadingFlags()
    let syntax = try alternatives()
    guard current == nil else { throw error("no parenthesis was opened before this one") }
    return syntax
  }

  /// `(?i)`, `(?s)` or both, at the beginning only.
  private mutating func leadingFlags() throws(PatternError) {
    guard current == "(", peek(1) == "?", let letter = peek(2), letter == "i" || letter == "s" else { return }
    var place = 2
    while let letter = peek(place), letter == "i" || letter == "s" {
      if letter == "i" { ignoresCase = true } else { includesLineEnds = true }
      place += 1
    }
    guard peek(place) == ")" else { throw error("of flags only (?i) and (?s) at the beginning are evaluated here") }
    position += place + 1
  }

  private mutating func alternatives() throws(PatternError) -> RegexSyntax {
    var parts = [try sequence()]
    while take("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .alternatives(parts)
  }

  private mutating func sequence() throws(PatternError) -> RegexSyntax {
    var parts: [RegexSyntax] = []
    while let scalar = current, scalar != "|", scalar != ")" {
      if scalar == "\\", peek(1) == "Q" {
        quotedText(&parts)
      } else {
        parts.append(try repeated(try atom()))
      }
    }
    return parts.isEmpty ? .empty : .sequence(parts)
  }

  /// `\Q…\E`.
  private mutating func quotedText(_ parts: inout [RegexSyntax]) {
    position += 2
    while let scalar = current {
      if scalar == "\\", peek(1) == "E" {
        position += 2
        return
      }
      parts.append(.scalar(scalar.value))
      position += 1
    }
  }

  // MARK: Repetition

  private mutating func repeated(_ atom: RegexSyntax) throws(PatternError) -> RegexSyntax {
    let bounds: (least: Int, most: Int?)
    switch current {
    case "*": bounds = (0, nil)
    case "+": bounds = (1, nil)
    case "?": bounds = (0, 1)
    case "{": bounds = try counts()
    default: return atom
    }
    position += 1
    if current == "+" { throw error("possessive repetition is not evaluated here; use it without the second +") }
    _ = take("?")
    if let next = current, "*+?{".unicodeScalars.contains(next) {
      throw error("a repetition of a repetition; group it with (?:…)")
    }
    return .repeated(atom, least: bounds.least, most: bounds.most)
  }

  /// `{2}`, `{2,}` or `{2,5}`, up to the closing brace.
  private mutating func counts() throws(PatternError) -> (least: Int, most: Int?) {
    position += 1
    let least = number()
    var most = least
    if take(",") { most = number() }
    guard let least, current == "}" else { throw error("{2}, {2,} or {2,5} is expected; a brace itself is \\{") }
    guard least <= RegexProgram.maximumCount, most ?? 0 <= RegexProgram.maximumCount, most.map({ $0 >= least }) ?? true
    else { throw error("a repetition counts up to \(RegexProgram.maximumCount), the smaller number first") }
    return (least, most)
  }

  private mutating func number() -> Int? {
    let start = position
    while current?.isDigit == true, position - start < 9 { position += 1 }
    return Int(text(start..<position))
  }

  // MARK: Atoms

  private mutating func atom() throws(PatternError) -> RegexSyntax {
    guard let scalar = current else { return .empty }
    switch scalar {
    case "(": return try group()
    case "[": return .set(try set())
    case ".":
      position += 1
      return .any(includingLineEnds: includesLineEnds)
    case "^":
      position += 1
      return .start
    case "$":
      position += 1
      return .end
    case "*", "+", "?": throw error("nothing stands before this \(scalar)")
    case "{", "}": throw error("a brace itself is \\\(scalar)")
    case "\\": return try escape()
    default:
      position += 1
      return .scalar(scalar.value)
    }
  }

  private mutating func group() throws(PatternError) -> RegexSyntax {
    let start = position
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw error("more than \(Self.maximumDepth) levels of groups") }
    position += 1
    if take("?") { try groupKind() }
    let inner = try alternatives()
    guard take(")") else {
      position = start
      throw error("this group is not closed")
    }
    return inner
  }

  /// What stands after `(?`.
  private mutating func groupKind() throws(PatternError) {
    switch (current, peek(1)) {
    case (":", _): position += 1
    case ("=", _), ("!", _), ("<", "="), ("<", "!"):
      throw error("look-ahead and look-behind are not evaluated here: their time has no bound; use AND and NOT")
    case (">", _): throw error("atomic groups are not evaluated here; use (?:…)")
    case ("<", _):
      guard let end = scalars[position...].firstIndex(of: ">") else { throw error("the group's name has no '>'") }
      position = end + 1
    case ("#", _): throw error("comments are not evaluated here")
    default: throw error("of flags only (?i) and (?s) at the beginning are evaluated here")
    }
  }

  private mutating func escape() throws(PatternError) -> RegexSyntax {
    guard let scalar = peek(1) else { throw error("the pattern ends with a backslash") }
    switch scalar {
    case "b", "B":
      position += 2
      return .wordBoundary(scalar == "b")
    case "A":
      position += 2
      return .start
    case "z", "Z":
      position += 2
      return .end
    case "1"..."9", "k":
      throw error("back-references are not evaluated here: their time has no bound")
    default:
      if let set = try escapedClass() { return .set(set) }
      return .scalar(try escapedScalar())
    }
  }

  /// `\d`, `\W`, `\p{L}`.
  private mutating func escapedClass() throws(PatternError) -> ScalarSet? {
    guard let letter = peek(1) else { return nil }
    let kind: ScalarSet.Class
    switch letter {
    case "d", "D": kind = .digit
    case "w", "W": kind = .word
    case "s", "S": kind = .space
    case "p", "P":
      position += 2
      return ScalarSet(classes: [(.category(try category()), letter == "P")])
    default: return nil
    }
    position += 2
    return ScalarSet(classes: [(kind, ("A"..."Z").contains(letter))])
  }

  private mutating func category() throws(PatternError) -> String {
    let start = position
    guard take("{"), let end = scalars[position...].firstIndex(of: "}"), end - position <= 40 else {
      throw error("\\p is followed by a category such as {L} or {Nd}")
    }
    let letters = text(position..<end)
    guard Unicode.GeneralCategory.knownLetters.contains(letters) else {
      position = start
      throw error("\\p{…} knows the general categories, such as L, Lu, N, Nd, P")
    }
    position = end + 1
    return letters
  }

  private mutating func escapedScalar() throws(PatternError) -> UInt32 {
    guard let scalar = peek(1) else { throw error("the pattern ends with a backslash") }
    let controls: [Unicode.Scalar: UInt32] = ["n": 10, "t": 9, "r": 13, "f": 12, "a": 7, "e": 27]
    if let control = controls[scalar] {
      position += 2
      return control
    }
    let digits = ["x": 2, "u": 4, "U": 8][scalar]
    if let digits {
      let isBraced = scalar == "x" && peek(2) == "{"
      let start = position + (isBraced ? 3 : 2)
      let end = isBraced ? scalars[min(start, scalars.count)...].firstIndex(of: "}") ?? scalars.count : start + digits
      guard end <= scalars.count, end > start, end - start <= 8, let value = UInt32(text(start..<end), radix: 16),
        Unicode.Scalar(value) != nil
      else { throw error("\\\(scalar) is followed by hexadecimal digits of a character") }
      position = min(end + (isBraced ? 1 : 0), scalars.count)
      return value
    }
    guard !scalar.properties.isAlphabetic, !scalar.isDigit else {
      throw error("\\\(PredicateSource(String(scalar)).shown) is not evaluated here")
    }
    position += 2
    return scalar.value
  }

  // MARK: Sets

  private mutating func set() throws(PatternError) -> ScalarSet {
    let start = position
    position += 1
    var set = ScalarSet(isNegated: take("^"))
    var isFirst = true
    while let scalar = current {
      if scalar == "]", !isFirst {
        position += 1
        return set
      }
      isFirst = false
      try setItem(scalar, into: &set)
    }
    position = start
    throw error("this set is not closed with ']'")
  }

  private mutating func setItem(_ scalar: Unicode.Scalar, into set: inout ScalarSet) throws(PatternError) {
    if scalar == "[" { throw error("sets in sets are not evaluated here; a bracket itself is \\[") }
    if (scalar == "&" || scalar == "-"), peek(1) == scalar { throw error("operations on sets are not evaluated here") }
    if scalar == "\\", let escaped = try escapedClass() {
      set.classes += escaped.classes
      return
    }
    let low = try setScalar()
    guard current == "-", let next = peek(1), next != "]" else {
      set.ranges.append(low...low)
      return
    }
    position += 1
    let high = try setScalar()
    guard low <= high else { throw error("the range is the wrong way round") }
    set.ranges.append(low...high)
  }

  private mutating func setScalar() throws(PatternError) -> UInt32 {
    guard let scalar = current else { throw error("the set is not closed with ']'") }
    if scalar == "\\" { return try escapedScalar() }
    position += 1
    return scalar.value
  }

  // MARK: Scalars

  private var current: Unicode.Scalar? { peek(0) }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  private func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  private func error(_ message: String) -> PatternError { PatternError(position: position + 1, message: message) }
}
