/// Patterns of ICU's syntax, most of them valid, and texts that they may match.
struct RandomPattern<Random: RandomNumberGenerator> {
  var random: Random
  private var names = 0

  init(_ random: Random) { self.random = random }

  /// A pattern that may need all of the syntax.
  mutating func pattern() -> String {
    names = 0
    let flags = chance(of: 3) ? "(?\(pick(["i", "i", "i", "s", "m", "im", "is", "ims", "-i"])))" : ""
    let text = flags + alternatives(depth: Int.random(in: 0...3, using: &random)).text
    // Foundation takes no pattern without anything in it.
    return text.isEmpty ? "a" : text
  }

  /// A part of a pattern, and whether it may match an empty text.
  private typealias Part = (text: String, mayBeEmpty: Bool)

  private mutating func alternatives(depth: Int) -> Part {
    let parts = (0..<(chance(of: 4) ? 2 : 1)).map { _ in sequence(depth: depth) }
    return (parts.map(\.text).joined(separator: "|"), parts.contains(where: \.mayBeEmpty))
  }

  private mutating func sequence(depth: Int) -> Part {
    let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in quantified(depth: depth) }
    return (parts.map(\.text).joined(), parts.allSatisfy(\.mayBeEmpty))
  }

  private mutating func quantified(depth: Int) -> Part {
    let atom = atom(depth: depth)
    guard chance(of: 3) else { return atom }
    let quantifier = pick(["*", "+", "?", "{2}", "{0,2}", "{1,}", "{1,3}", "{0}"])
    // ICU's engine runs round a lazy loop of nothing until its stack is full, and then says that nothing matches.
    let isSafe = !atom.mayBeEmpty || quantifier == "?" || quantifier.hasSuffix("2}") || quantifier.hasSuffix("0}")
    let ending = pick(["", "", "", "", isSafe ? "?" : "", chance(of: 6) ? "+" : ""])
    return (atom.text + quantifier + ending, atom.mayBeEmpty || ["*", "?", "{0,2}", "{0}"].contains(quantifier))
  }

  private mutating func atom(depth: Int) -> Part {
    switch Int.random(in: 0..<(depth > 0 ? 14 : 10), using: &random) {
    case 0...3: return ((0..<Int.random(in: 1...3, using: &random)).map { _ in literal() }.joined(), false)
    case 4: return (pick([".", ".", ".", "\\R"]), false)
    case 5: return (pick(["^", "$", "\\A", "\\z", "\\Z", "\\b", "\\B", "$", "\\b"]), true)
    case 6, 7: return (set(depth: 2), false)
    case 8: return (escapedClass(), false)
    case 9: return (rare(), true)
    default:
      names += 1
      let opening = pick(["(", "(", "(?:", "(?:", "(?<n\(names)>", "(?i:", "(?s:", "(?m:", "(?-i:"])
      let inner = alternatives(depth: depth - 1)
      return (opening + inner.text + ")", inner.mayBeEmpty)
    }
  }

  /// Escapes, quotations, flags in the middle, and what is refused.
  private mutating func rare() -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return "\\x{\(String(scalar().value, radix: 16))}"
    case 1: return "\\u00" + pick(["41", "e9", "df", "0a", "0d", "85"])
    case 2: return "\\Q" + pick(["a.b", "*", "", "ß"]) + "\\E"
    case 3: return pick(["(?i)", "(?-i)", "(?s)", "(?m)"])
    case 4: return pick(["\\n", "\\r", "\\t", "\\f", "\\a", "\\e", "\\0101", "\\x41"])
    case 5: return "\\" + pick([".", "*", "[", "]", "(", "{", "}", "^", "$", "|", "-", "\\", "é", " ", "_", "&"])
    default:
      return pick([
        "(?=a)", "(?!a)", "(?<=a)", "(?<!b)", "(?>a|ab)", "(a)\\1", "a++", "b*+", "\\X", "\\G", "\\p{Greek}", "\\cA",
        "\\j",
        "(?x) a", "(?#c)", "a**", "]", "}", "{", "(?d).", "\\p{LC}", "\\N{SPACE}", "[a-\\d]", "[[:ascii:]]",
      ])
    }
  }

  private mutating func escapedClass() -> String {
    if chance(of: 2) { return pick(["\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\h", "\\H", "\\v", "\\V"]) }
    return "\\" + pick(["p", "P"]) + "{"
      + pick([
        "L", "Lu", "Ll", "Lt", "M", "Mn", "N", "Nd", "P", "Pc", "S", "Sc", "Z", "Zs", "C", "Cc", "Cf", "alpha", "upper",
      ])
      + "}"
  }

  private mutating func set(depth: Int) -> String {
    var text = "[" + (chance(of: 3) ? "^" : "")
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2: text += member()
      case 3, 4:
        let (low, high) = (scalar(), scalar())
        text += shown(min(low, high), inSet: true) + "-" + shown(max(low, high), inSet: true)
      case 5: text += pick(["a-c", "A-Z", "a-z", "0-9", "α-ω"])
      case 6: text += escapedClass()
      case 7 where depth > 0: text += set(depth: depth - 1)
      case 8:
        text += pick(["[:alpha:]", "[:^digit:]", "[:punct:]", "[:space:]", "[:upper:]", "[:alnum:]", "[:lower:]"])
      case 9: text += pick(["&&", "--", "&", "-", "&&[a-z]", "--[b]", "&&\\w", "&[a-c]", "-[b]", "-[^a]"])
      default: text += member()
      }
    }
    return text + "]"
  }

  private mutating func member() -> String { shown(scalar(), inSet: true) }

  private mutating func literal() -> String { shown(scalar(), inSet: false) }

  private func shown(_ scalar: Unicode.Scalar, inSet: Bool) -> String {
    let special = inSet ? "[]^-&\\" : "*?+[(){}^$|\\."
    return special.unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
  }

  /// A text: an example of the pattern, changed here and there, or any.
  mutating func text(like example: String?) -> String {
    var scalars = Array((example ?? "").unicodeScalars.prefix(14))
    if example == nil || chance(of: 4) {
      scalars = (0..<Int.random(in: 0...6, using: &random)).map { _ in scalar() }
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let place = scalars.isEmpty ? 0 : Int.random(in: 0...scalars.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: scalars.insert(scalar(), at: place)
      case 1: if place < scalars.count { scalars.remove(at: place) }
      case 2: if place < scalars.count { scalars[place] = scalar() }
      case 3:
        scalars.append(
          contentsOf: pick(["\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\u{2029}", "\u{b}"]).unicodeScalars)
      default:
        guard place < scalars.count else { continue }
        let properties = scalars[place].properties
        let other = chance(of: 2) ? properties.uppercaseMapping : properties.lowercaseMapping
        scalars.replaceSubrange(place...place, with: other.unicodeScalars)
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private mutating func scalar() -> Unicode.Scalar {
    let plain = "aabbcABC1_ .-é"
    let rare =
      "kKsSſßẞσςΣéÉe\u{301}\u{345}ıIiİǅǆŉΐ\u{1FD3}ﬁﬅﬆfitθϑϴΘ\u{212A}Å\u{212B}åμµ\u{1E9E}ᾳᾼᾈᾀԱքևΩΩЖжᲀ𐐀𐐨Ꭰꭰ"
      + "\n\r\t\u{b}\u{c}\u{85}\u{2028}\u{2029}\u{200d}\u{200b}\u{ad}\u{feff}\u{a0}\u{3000}٣日がか😀\u{20ac}$&^[]{}()|*+?\\,\u{0}\u{7f}~"
    let all = Array((chance(of: 3) ? rare : plain).unicodeScalars)
    return all[Int.random(in: 0..<all.count, using: &random)]
  }

  private mutating func chance(of number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }

  private mutating func pick(_ choices: [String]) -> String {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }
}
