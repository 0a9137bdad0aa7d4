/// Parses a pattern in ICU's syntax; anything unknown is refused rather than guessed.
struct PatternParser {
  var scalars: [Unicode.Scalar]
  var position = 0
  /// The flags at this place; a group ends with those it began with.
  var flags: Flags
  private var depth = 0
  /// The names of groups so far.
  private var names: Set<String> = []

  struct Flags {
    /// `i`
    var ignoresCase: Bool
    /// `m`: `^` and `$` are at every line.
    var isMultiline = false
    /// `s`: `.` includes line terminators.
    var dotIsAll = false
  }

  /// The deepest nesting of groups, and of sets.
  static let maximumDepth = 100

  init(_ scalars: [Unicode.Scalar], ignoresCase: Bool) {
    self.scalars = scalars
    flags = Flags(ignoresCase: ignoresCase)
  }

  /// Parses the whole pattern.
  mutating func pattern() throws(PatternError) -> PatternTree {
    let tree = try alternatives()
    guard current == nil else { throw error(.unopenedGroup) }
    return tree
  }

  // MARK: Scalars

  var current: Unicode.Scalar? { peek(0) }

  func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

  func error(_ reason: PatternError.Reason, at place: Int? = nil) -> PatternError {
    PatternError(reason, at: (place ?? position) + 1)
  }

  // MARK: Structure

  private mutating func alternatives() throws(PatternError) -> PatternTree {
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func sequence() throws(PatternError) -> PatternTree {
    var parts: [PatternTree] = []
    var literals: [UInt32] = []
    while let scalar = current, scalar != "|", scalar != ")" {
      let literal = try literalHere()
      if let literal {
        guard literal.isEmpty || isQuantifier(current) else {
          literals += literal
          continue
        }
        literals += literal.dropLast()
      }
      if !literals.isEmpty { parts.append(.literal(literals, ignoringCase: flags.ignoresCase)) }
      literals = []
      if let last = literal?.last {
        parts.append(try quantified(.literal([last], ignoringCase: flags.ignoresCase)))
      } else if literal == nil, let atom = try atom() {
        parts.append(try quantified(atom))
      }
    }
    if !literals.isEmpty { parts.append(.literal(literals, ignoringCase: flags.ignoresCase)) }
    return .sequence(parts)
  }

  /// The characters that stand here for themselves, or are escaped; nil where there is something else.
  private mutating func literalHere() throws(PatternError) -> [UInt32]? {
    guard let scalar = current else { return nil }
    if scalar == "\\" {
      if peek(1) == "Q" { return quotedText() }
      return try escapedScalar().map { [$0] }
    }
    guard !"*?+[(){}^$|.".unicodeScalars.contains(scalar) else { return nil }
    position += 1
    return [scalar.value]
  }

  /// `\Q…\E`, or up to the end.
  private mutating func quotedText() -> [UInt32] {
    position += 2
    var literals: [UInt32] = []
    while let scalar = current {
      position += 1
      if scalar == "\\", take("E") { break }
      literals.append(scalar.value)
    }
    return literals
  }

  private func isQuantifier(_ scalar: Unicode.Scalar?) -> Bool {
    scalar == "*" || scalar == "+" || scalar == "?" || scalar == "{"
  }

  private mutating func quantified(_ atom: PatternTree) throws(PatternError) -> PatternTree {
    let start = position
    guard let (least, most) = try quantifier() else { return atom }
    if current == "+" { throw error(.possessive) }
    // A lazy quantifier changes which match is found first, but not whether the whole text matches.
    _ = take("?")
    guard !isQuantifier(current) else { throw error(.repeatedRepetition) }
    if let most, most < least { throw error(.descendingCount, at: start) }
    return .repeated(atom, least: least, most: most)
  }

  private mutating func quantifier() throws(PatternError) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard take("{") else { return nil }
    let least = number()
    var most = least
    if take(",") { most = number() }
    guard let least, take("}") else { throw error(.brace("{")) }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let digit = current, let amount = digit.isASCII ? Int(String(digit)) : nil {
      // A million exceeds the number of states a pattern may have.
      value = min((value ?? 0) * 10 + amount, 1_000_000)
      position += 1
    }
    return value
  }

  /// Nil for flags, which are nothing by themselves.
  private mutating func atom() throws(PatternError) -> PatternTree? {
    guard let scalar = current else { return nil }
    switch scalar {
    case "(": return try group()
    case "[": return .set(try set())
    case "*", "+", "?": throw error(.nothingToRepeat(scalar))
    case "{", "}": throw error(.brace(scalar))
    case "\\": return try escape()
    default: break
    }
    position += 1
    switch scalar {
    case ".": return flags.dotIsAll ? .unit(.all) : .set(.dot)
    case "^": return .at(flags.isMultiline ? .lineStart : .start)
    default: return .at(flags.isMultiline ? .lineEnd : .lastLine)
    }
  }

  // MARK: Groups

  private mutating func group() throws(PatternError) -> PatternTree? {
    let start = position
    let before = flags
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw error(.deepGroups) }
    position += 1
    if take("?"), try !groupKind() { return nil }
    let tree = try alternatives()
    guard take(")") else { throw error(.unclosedGroup, at: start) }
    flags = before
    return tree
  }

  /// Reads what stands after `(?`; false for flags alone.
  private mutating func groupKind() throws(PatternError) -> Bool {
    switch (current, peek(1)) {
    case (":", _):
      position += 1
      return true
    case ("=", _), ("!", _), ("<", "="), ("<", "!"): throw error(.look)
    case (">", _): throw error(.atomicGroup)
    case ("#", _): throw error(.comment)
    case ("<", _):
      let name = takeName()
      guard let name else { throw error(.unnamedGroup) }
      guard names.insert(name).inserted else { throw error(.repeatedName) }
      return true
    default: return try takeFlags()
    }
  }

  /// `<name>`
  private mutating func takeName() -> String? {
    guard current == "<", let end = scalars[position...].firstIndex(of: ">") else { return nil }
    let name = scalars[position + 1..<end]
    guard let first = name.first, first.isASCIILetter, name.allSatisfy({ $0.isASCIILetter || $0.isDigit }) else {
      return nil
    }
    position = end + 1
    return String(String.UnicodeScalarView(name))
  }

  /// `i)`, `i-s:` and the like; false if no group follows.
  private mutating func takeFlags() throws(PatternError) -> Bool {
    guard current != ")" else { throw error(.flags) }
    var new = flags
    var isOn = true
    while let scalar = current {
      switch scalar {
      case "i": new.ignoresCase = isOn
      case "m": new.isMultiline = isOn
      case "s": new.dotIsAll = isOn
      case "-" where isOn: isOn = false
      case ")", ":":
        flags = new
        position += 1
        return scalar == ":"
      default: throw error(.flags)
      }
      position += 1
    }
    throw error(.flags)
  }

  // MARK: Escapes

  /// What a backslash and a letter stand for that is no character.
  private mutating func escape() throws(PatternError) -> PatternTree {
    guard let letter = peek(1) else { throw error(.lastBackslash) }
    if let set = try escapedClass() { return .set(ScalarSet(set)) }
    let tree: PatternTree
    switch letter {
    case "A": tree = .at(.start)
    case "z": tree = .at(.end)
    case "Z": tree = .at(.lastLine)
    case "b": tree = .at(.wordBoundary)
    case "B": tree = .at(.noWordBoundary)
    case "R": tree = .unit(.lineEnd)
    case "1"..."9", "k": throw error(.backReference)
    default: throw error(.escape(letter))
    }
    position += 2
    if case .at = tree, let sign = current, isQuantifier(sign) { throw error(.nothingToRepeat(sign)) }
    return tree
  }

  /// `\d`, `\W`, `\p{L}`; nil where there is no class.
  mutating func escapedClass() throws(PatternError) -> SetExpression? {
    guard let letter = peek(1) else { return nil }
    var set: SetExpression
    switch letter {
    case "d", "D": set = .property(.digit)
    case "w", "W": set = .property(.word)
    case "s", "S": set = .property(.space)
    case "h", "H": set = .property(.horizontalSpace)
    case "v", "V": set = ScalarSet.lineTerminators
    case "p", "P": set = .property(try property())
    default: return nil
    }
    if letter.value == UInt32(UInt8(ascii: "p")) || letter.value == UInt32(UInt8(ascii: "P")) {
      if flags.ignoresCase { set = .caseClosure(set) }
    } else {
      position += 2
    }
    return ("A"..."Z").contains(letter) ? .complement(set) : set
  }

  private mutating func property() throws(PatternError) -> ScalarProperty {
    let start = position
    position += 2
    guard take("{"), let end = scalars[position...].firstIndex(of: "}"), end - position <= 40,
      let property = ScalarProperty(named: text(position..<end))
    else { throw error(.property, at: start) }
    position = end + 1
    return property
  }

  /// The character that an escape stands for; nil where it stands for something else.
  mutating func escapedScalar() throws(PatternError) -> UInt32? {
    guard current == "\\", let scalar = peek(1) else { return nil }
    let controls: [Unicode.Scalar: UInt32] = ["n": 10, "t": 9, "r": 13, "f": 12, "a": 7, "e": 27]
    if let control = controls[scalar] {
      position += 2
      return control
    }
    switch scalar {
    case "x": return try hexadecimal(digits: peek(2) == "{" ? nil : 2)
    case "u": return try hexadecimal(digits: 4)
    case "U": return try hexadecimal(digits: 8)
    case "0": return try octal()
    default: break
    }
    // In ICU, escaped letters and digits have a meaning or are reserved.
    guard !scalar.isASCIILetter, !scalar.isDigit else { return nil }
    position += 2
    return scalar.value
  }

  /// `\x41`, `\u0041`, `\x{1F600}` (with nil).
  private mutating func hexadecimal(digits: Int?) throws(PatternError) -> UInt32 {
    let letter = scalars[position + 1]
    let start = position + (digits == nil ? 3 : 2)
    let rest = scalars[min(start, scalars.count)...]
    let end = digits.map { start + $0 } ?? rest.firstIndex(of: "}") ?? scalars.count + 1
    guard start < end, end <= scalars.count, end - start <= 8, rest.prefix(end - start).allSatisfy(\.isHexDigit),
      let value = UInt32(text(start..<end), radix: 16), Unicode.Scalar(value) != nil
    else { throw error(.character(letter)) }
    position = end + (digits == nil ? 1 : 0)
    return value
  }

  /// `\0` and one to three digits.
  private mutating func octal() throws(PatternError) -> UInt32 {
    let start = position + 2
    var (end, value) = (start, UInt32(0))
    while end < start + 3, end < scalars.count, ("0"..."7").contains(scalars[end]), value < 32 {
      value = value * 8 + (scalars[end].value - 0x30)
      end += 1
    }
    guard end > start else { throw error(.character("0")) }
    position = end
    return value
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { ("0"..."9").contains(self) }
  var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
  fileprivate var isHexDigit: Bool { isDigit || ("a"..."f").contains(self) || ("A"..."F").contains(self) }
}
