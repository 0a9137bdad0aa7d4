/// A word, sign or literal of a predicate, with its place.
struct PredicateToken: Equatable {
  enum Kind: Equatable {
    /// A name or a word of the language; a name after `#` is never the latter.
    case name(String, isEscaped: Bool)
    /// `@count`, without its sign.
    case at(String)
    case number(String)
    case text(String)
    case sign(String)
    /// `$name`, which only SUBQUERY and templates have.
    case variable
    case end
  }

  var kind: Kind
  /// The first scalar, and the first one after it.
  var offset: Int
  var end: Int
}

/// Cuts the text of a predicate into tokens.
struct PredicateLexer {
  private let source: PredicateSource
  private var position = 0

  init(_ source: PredicateSource) { self.source = source }

  /// All tokens, `end` last.
  static func tokens(of source: PredicateSource) throws(FetchPredicateError) -> [PredicateToken] {
    var lexer = PredicateLexer(source)
    var tokens: [PredicateToken] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private mutating func next() throws(FetchPredicateError) -> PredicateToken {
    while let scalar = current, scalar.properties.isWhitespace { position += 1 }
    let start = position
    let kind = try kind()
    return PredicateToken(kind: kind, offset: start, end: position)
  }

  private mutating func kind() throws(FetchPredicateError) -> PredicateToken.Kind {
    guard let scalar = current else { return .end }
    if scalar == "'" || scalar == "\"" { return .text(try text(quote: scalar)) }
    if scalar.isDigit || (scalar == "." && peek(ahead: 1)?.isDigit == true && !followsName) { return try number() }
    if scalar.startsName { return .name(name(), isEscaped: false) }
    switch scalar {
    case "#":
      position += 1
      guard let first = current, first.startsName else { throw error("a name is expected after '#'", at: position) }
      return .name(name(), isEscaped: true)
    case "@":
      position += 1
      guard let first = current, first.startsName else {
        throw error("a word such as count is expected after '@'", at: position)
      }
      return .at(name())
    case "$":
      position += 1
      _ = name()
      return .variable
    case "%":
      throw error("arguments such as %@ are not known here; write the value itself, texts in quotes", at: position)
    case "“", "”", "‘", "’":
      throw error("texts stand in straight quotes, '…' or \"…\"", at: position)
    default: return try sign(scalar)
    }
  }

  private static let longSigns = ["==", "!=", "<>", "<=", ">=", "=<", "=>", "&&", "||", "**", ":="]
  private static let shortSigns: Set<Unicode.Scalar> = [
    "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",", ".", "+", "-", "*", "/",
  ]

  private mutating func sign(_ scalar: Unicode.Scalar) throws(FetchPredicateError) -> PredicateToken.Kind {
    if let second = peek(ahead: 1) {
      let two = String(String.UnicodeScalarView([scalar, second]))
      if Self.longSigns.contains(two) {
        position += 2
        return .sign(two)
      }
    }
    guard Self.shortSigns.contains(scalar) else {
      let hint: String
      switch scalar {
      case "&": hint = "; AND is written AND or &&"
      case "|": hint = "; OR is written OR or ||"
      default: hint = ""
      }
      throw error("no predicate has a '\(PredicateSource(String(scalar)).shown)' here\(hint)", at: position)
    }
    position += 1
    return .sign(String(scalar))
  }

  private mutating func name() -> String {
    let start = position
    while let scalar = current, scalar.continuesName { position += 1 }
    return source.string(start..<position)
  }

  /// Decimal with fraction and exponent, or hexadecimal, octal and binary after 0x, 0o, 0b.
  private mutating func number() throws(FetchPredicateError) -> PredicateToken.Kind {
    let start = position
    if current == "0", let letter = peek(ahead: 1), let radix = Self.radixes[letter] {
      position += 2
      let digits = name()
      guard let value = UInt64(digits, radix: radix) else {
        throw error("'\(PredicateSource(source.string(start..<position)).shown)' is no number of 64 bits", at: start)
      }
      return .number(String(value))
    }
    while current?.isDigit == true { position += 1 }
    if current == ".", peek(ahead: 1)?.isDigit == true {
      position += 1
      while current?.isDigit == true { position += 1 }
    }
    if current == "e" || current == "E" {
      let signed = peek(ahead: 1) == "-" || peek(ahead: 1) == "+"
      if peek(ahead: signed ? 2 : 1)?.isDigit == true {
        position += signed ? 2 : 1
        while current?.isDigit == true { position += 1 }
      }
    }
    let text = source.string(start..<position)
    guard current?.continuesName != true else {
      throw error("a number ends with a letter; names begin with one, and texts and dates stand in quotes", at: start)
    }
    guard text.utf8.count <= 400, Double(text)?.isFinite == true else {
      throw error("the number is too large", at: start)
    }
    return .number(text)
  }

  private static let radixes: [Unicode.Scalar: Int] = ["x": 16, "X": 16, "o": 8, "b": 2]

  private mutating func text(quote: Unicode.Scalar) throws(FetchPredicateError) -> String {
    let start = position
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = current {
      position += 1
      if scalar == quote { return String(text) }
      text.append(scalar == "\\" ? try escaped() : scalar)
    }
    throw error("this text has no closing \(quote)", at: start)
  }

  private mutating func escaped() throws(FetchPredicateError) -> Unicode.Scalar {
    let start = position - 1
    guard let scalar = current else { throw error("the text ends with a backslash", at: start) }
    position += 1
    switch scalar {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "u", "x":
      let digits = scalar == "u" ? 4 : 2
      guard position + digits <= source.scalars.count,
        let value = UInt32(source.string(position..<position + digits), radix: 16), let scalar = Unicode.Scalar(value)
      else { throw error("\\\(scalar) is followed by \(digits) hexadecimal digits of a character", at: start) }
      position += digits
      return scalar
    case "'", "\"", "\\": return scalar
    default:
      // Kept for LIKE and MATCHES would be ambiguous: '\d' reads as 'd' in Apple's format, silently.
      throw error(
        "\\\(PredicateSource(String(scalar)).shown) is no escape; a backslash itself is written \\\\, also in patterns",
        at: start)
    }
  }

  private var current: Unicode.Scalar? { peek(ahead: 0) }

  private func peek(ahead distance: Int) -> Unicode.Scalar? {
    position + distance < source.scalars.count ? source.scalars[position + distance] : nil
  }

  /// Whether the scalar before belongs to a name, so that a dot joins names.
  private var followsName: Bool { position > 0 && source.scalars[position - 1].continuesName }

  private func error(_ message: String, at offset: Int) -> FetchPredicateError {
    FetchPredicateError(message, at: offset, in: source)
  }
}

extension Unicode.Scalar {
  /// Whether it is one of 0 to 9.
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  var startsName: Bool {
    isASCII ? ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" : properties.isXIDStart
  }

  var continuesName: Bool { startsName || isDigit || (!isASCII && properties.isXIDContinue) }
}
