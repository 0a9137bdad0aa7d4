/// Parses a pattern in ICU's syntax; anything unknown is refused rather than guessed.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var ignoresCase: Bool
  private var depth = 0

  private typealias Unsupported = Pattern.Unsupported

  /// The deepest nesting of groups.
  private static let maximumDepth = 100

  init(_ text: String, ignoresCase: Bool) {
    scalars = Array(text.unicodeScalars)
    self.ignoresCase = ignoresCase
  }

  /// Parses the whole pattern.
  mutating func pattern() throws(Pattern.Unsupported) -> PatternTree {
    if take("(?i)") { ignoresCase = true }
    let tree = try alternatives()
    guard next == nil else { throw Unsupported(what: "a closing bracket without an opening one") }
    return tree
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ text: String) -> Bool {
    let wanted = text.unicodeScalars
    guard scalars[position...].starts(with: wanted) else { return false }
    position += wanted.count
    return true
  }

  // MARK: Structure

  private mutating func alternatives() throws(Unsupported) -> PatternTree {
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func sequence() throws(Unsupported) -> PatternTree {
    var parts: [PatternTree] = []
    while let character = next, character != "|", character != ")" {
      parts.append(try quantified(try atom()))
    }
    return .sequence(parts)
  }

  private mutating func quantified(_ atom: PatternTree) throws(Unsupported) -> PatternTree {
    var tree = atom
    while let (least, most) = try quantifier() {
      if take("+") { throw Unsupported(what: "a possessive quantifier") }
      // A lazy quantifier changes which match is found first, but not whether the whole text matches.
      _ = take("?")
      if let most, most < least { throw Unsupported(what: "a count whose end is before its beginning") }
      tree = .repeated(tree, least: least, most: most)
      if case .at = atom { throw Unsupported(what: "a quantifier after a position") }
    }
    return tree
  }

  private mutating func quantifier() throws(Unsupported) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard take("{") else { return nil }
    guard let least = number() else { throw Unsupported(what: "an opening brace that is no count") }
    var most: Int? = least
    if take(",") { most = number() }
    guard take("}") else { throw Unsupported(what: "an opening brace that is no count") }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let digit = next, let amount = digit.isASCII ? Int(String(digit)) : nil {
      // A million exceeds the number of states a pattern may have.
      value = min((value ?? 0) * 10 + amount, 1_000_000)
      position += 1
    }
    return value
  }

  private mutating func atom() throws(Unsupported) -> PatternTree {
    guard let character = next else { return .empty }
    position += 1
    switch character {
    case "(": return try group()
    case "[": return .scalar(try set())
    case ".": return .scalar(.dot)
    case "^": return .at(.start)
    case "$": return .at(.lastLine)
    case "\\": return try escape()
    case "*", "+", "?": throw Unsupported(what: "a quantifier with nothing before it")
    case "{": throw Unsupported(what: "an opening brace that is no count")
    default: return .scalar(ScalarSet(character.value, ignoresCase: ignoresCase))
    }
  }

  private mutating func group() throws(Unsupported) -> PatternTree {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw Unsupported(what: "more than 100 groups in one another") }
    if take("?") {
      guard take(":") || takeName() else { throw Unsupported(what: "a group of the form '(?'") }
    }
    let tree = try alternatives()
    guard take(")") else { throw Unsupported(what: "an opening bracket without a closing one") }
    // A zero-width position may be repeated; repeating it has no effect.
    return tree
  }

  /// Skips `<name>`.
  private mutating func takeName() -> Bool {
    guard next == "<", let end = scalars[position...].firstIndex(of: ">") else { return false }
    let name = scalars[position + 1..<end]
    guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || $0.isDigit) }) else {
      return false
    }
    position = end + 1
    return true
  }

  // MARK: Escapes

  private mutating func escape() throws(Unsupported) -> PatternTree {
    switch next {
    case "A":
      position += 1
      return .at(.start)
    case "z":
      position += 1
      return .at(.end)
    case "Z":
      position += 1
      return .at(.lastLine)
    default: break
    }
    if let property = try property() { return .scalar(ScalarSet(property)) }
    return .scalar(ScalarSet(try escapedScalar(), ignoresCase: ignoresCase))
  }

  /// `\d`, `\p{Lu}` and the like, after the backslash.
  private mutating func property() throws(Unsupported) -> ScalarSet.Property? {
    if take("d") { return .digit }
    if take("D") { return .not(.digit) }
    if take("w") { return .word }
    if take("W") { return .not(.word) }
    if take("s") { return .space }
    if take("S") { return .not(.space) }
    let isNegated = next == "P"
    guard take("p{") || take("P{") else { return nil }
    let end = scalars[position...].firstIndex(of: "}") ?? position
    let name = scalars[position..<end].map { String($0) }.joined()
    guard ScalarSet.Property.isCategory(name) else { throw Unsupported(what: "a property other than a category") }
    position = end + 1
    return isNegated ? .not(.category(name)) : .category(name)
  }

  /// The character that an escape stands for, after the backslash.
  private mutating func escapedScalar() throws(Unsupported) -> UInt32 {
    guard let character = next else { throw Unsupported(what: "a backslash at its end") }
    position += 1
    switch character {
    case "t": return 0x09
    case "n": return 0x0a
    case "f": return 0x0c
    case "r": return 0x0d
    case "a": return 0x07
    case "e": return 0x1b
    case "u": return try hexadecimal(digits: 4)
    case "x":
      guard take("{") else { return try hexadecimal(digits: 2) }
      let end = scalars[position...].firstIndex(of: "}") ?? position
      let value = try hexadecimal(digits: min(end - position, 7))
      guard take("}") else { throw Unsupported(what: "an escape '\\x' that is none") }
      return value
    default:
      // In ICU, escaped letters and digits have a meaning or are reserved.
      let isMeant = character.isASCII && (character.properties.isAlphabetic || character.isDigit)
      if isMeant { throw Unsupported(what: "the escape '\\\(character)'") }
      return character.value
    }
  }

  private mutating func hexadecimal(digits: Int) throws(Unsupported) -> UInt32 {
    let text = scalars[position...].prefix(max(digits, 0))
    guard digits > 0, text.count == digits, text.allSatisfy(\.isHexDigit),
      let value = UInt32(text.map { String($0) }.joined(), radix: 16), Unicode.Scalar(value) != nil
    else { throw Unsupported(what: "an escape for a character that is none") }
    position += digits
    return value
  }

  // MARK: Classes

  private mutating func set() throws(Unsupported) -> ScalarSet {
    var set = ScalarSet(ignoresCase: ignoresCase)
    set.isNegated = take("^")
    while let character = next, character != "]" {
      if character == "[" || take("&&") || take("--") { throw Unsupported(what: "a class in a class") }
      if character == "\\" {
        position += 1
        if let property = try property() {
          set.properties.append(property)
          continue
        }
        position -= 1
      }
      let first = try setScalar()
      guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        set.ranges.append(first...first)
        continue
      }
      position += 1
      if next == "[" || next == "-" { throw Unsupported(what: "a class in a class") }
      let last = try setScalar()
      guard first <= last else { throw Unsupported(what: "a range whose end is before its beginning") }
      set.ranges.append(first...last)
    }
    guard take("]"), !(set.ranges.isEmpty && set.properties.isEmpty) else {
      throw Unsupported(what: "a class without end, or without anything in it")
    }
    return set
  }

  private mutating func setScalar() throws(Unsupported) -> UInt32 {
    guard let character = next else { throw Unsupported(what: "a class without end") }
    position += 1
    return character == "\\" ? try escapedScalar() : character.value
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
  fileprivate var isHexDigit: Bool { isDigit || ("a"..."f").contains(self) || ("A"..."F").contains(self) }
}
