import StoreWords

/// A token of an expression; `column` is its first character, from 1 on.
struct ExpressionToken: Equatable {
  var kind: Kind
  var column: Int

  enum Kind: Equatable {
    /// Digits alone, without a sign.
    case integer(UInt64)
    case real(Double)
    /// Without its quotes.
    case text(String)
    /// A name or a keyword.
    case word(String)
    /// A name in double quotes, never a keyword.
    case name(String)
    case symbol(Symbol)
    case end
  }

  /// Symbols, longer ones first.
  enum Symbol: String, CaseIterable {
    case concatenate = "||"
    case notEqual = "!="
    case atMost = "<="
    case atLeast = ">="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
    case remainder = "%"
    case equal = "="
    case less = "<"
    case greater = ">"
    case open = "("
    case close = ")"
    case comma = ","
    case dot = "."
  }

  /// The token for an error message.
  var shown: String {
    switch kind {
    case .integer(let number): quoted(String(number))
    case .real(let number): quoted(String(number))
    case .text: "a text"
    case .word(let word), .name(let word): quoted(word)
    case .symbol(let symbol): quoted(symbol.rawValue)
    case .end: "the end"
    }
  }
}

/// Splits an expression into tokens.
struct ExpressionLexer {
  private let scalars: [Unicode.Scalar]
  private var place = 0

  /// All tokens, with `end` as the last.
  static func tokens(of source: String) throws(ExpressionError) -> [ExpressionToken] {
    var lexer = ExpressionLexer(scalars: Array(source.unicodeScalars))
    var tokens: [ExpressionToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private mutating func next() throws(ExpressionError) -> ExpressionToken {
    while let scalar = peek(), scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" { place += 1 }
    let column = place + 1
    guard let scalar = peek() else { return ExpressionToken(kind: .end, column: column) }
    try refuseComment(column)
    let kind: ExpressionToken.Kind
    if Self.isDigit(scalar) {
      kind = try number(column)
    } else if scalar == "'" {
      kind = .text(try quotedText(column))
    } else if scalar == "\"" {
      kind = .name(try quotedText(column))
    } else if Self.beginsWord(scalar) {
      kind = .word(word())
    } else {
      kind = .symbol(try symbol(column))
    }
    return ExpressionToken(kind: kind, column: column)
  }

  private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
    place + ahead < scalars.count ? scalars[place + ahead] : nil
  }

  private func starts(with text: String) -> Bool { scalars[place...].starts(with: text.unicodeScalars) }

  // MARK: Words

  private mutating func word() -> String {
    let start = place
    while let scalar = peek(), Self.beginsWord(scalar) || Self.isDigit(scalar) { place += 1 }
    return String(String.UnicodeScalarView(scalars[start..<place]))
  }

  /// A text or name up to its closing quote; two quotes stand for one.
  private mutating func quotedText(_ column: Int) throws(ExpressionError) -> String {
    let quote = scalars[place]
    var text = String.UnicodeScalarView()
    place += 1
    while let scalar = peek() {
      place += 1
      if scalar != quote {
        text.append(scalar)
      } else if peek() == quote {
        text.append(quote)
        place += 1
      } else {
        return String(text)
      }
    }
    throw ExpressionError(column: column, "the quote \(quote) that ends the text is missing")
  }

  // MARK: Numbers

  private mutating func number(_ column: Int) throws(ExpressionError) -> ExpressionToken.Kind {
    let start = place
    var isWhole = true
    digits()
    if peek() == ".", let next = peek(1), Self.isDigit(next) {
      isWhole = false
      place += 1
      digits()
    }
    if peek() == "e" || peek() == "E" {
      isWhole = false
      place += 1
      if peek() == "+" || peek() == "-" { place += 1 }
      digits()
    }
    let text = String(String.UnicodeScalarView(scalars[start..<place]))
    if let scalar = peek(), Self.beginsWord(scalar) {
      throw ExpressionError(column: place + 1, "a number ends before '\(scalar)'")
    }
    if isWhole {
      guard let number = UInt64(text) else { throw ExpressionError(column: column, "\(text) is beyond 64 bits") }
      return .integer(number)
    }
    guard let number = Double(text), number.isFinite else {
      throw ExpressionError(column: column, "'\(text)' is no number that can be stored")
    }
    return .real(number)
  }

  private mutating func digits() {
    while let scalar = peek(), Self.isDigit(scalar) { place += 1 }
  }

  // MARK: Signs

  private func refuseComment(_ column: Int) throws(ExpressionError) {
    if starts(with: "--") {
      throw ExpressionError(column: column, "there are no comments; write a - (-b) for a number that is taken away")
    }
    if starts(with: "/*") { throw ExpressionError(column: column, "there are no comments") }
  }

  private mutating func symbol(_ column: Int) throws(ExpressionError) -> ExpressionToken.Symbol {
    let others = ["==": "=", "<>": "!=", "&&": "and", "!": "not"]
    for (sign, word) in others where starts(with: sign) && !starts(with: "!=") {
      throw ExpressionError(column: column, "write '\(word)' for '\(sign)'")
    }
    guard let symbol = ExpressionToken.Symbol.allCases.first(where: { starts(with: $0.rawValue) }) else {
      let sign = escapedForTerminal(String(Character(scalars[place])))
      throw ExpressionError(column: column, "'\(sign)' has no meaning here; \(ExpressionParser.grammar)")
    }
    place += symbol.rawValue.unicodeScalars.count
    return symbol
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func beginsWord(_ scalar: Unicode.Scalar) -> Bool { scalar == "_" || scalar.properties.isAlphabetic }
}
