import StoreWords

/// Markup that another type makes, in which no text can act: all that is no literal of the source went through
/// ``HTML/inert(_:)``.
protocol InertMarkup {
  /// The markup.
  var text: String { get }
}

/// A piece of a page in which no text can act.
///
/// Markup comes from literals in the source and from nowhere else, because a literal is all that this type takes for
/// markup; what stands in a literal as `\(...)` is escaped, unless it is such a piece itself:
///
///     let row: HTML = "<tr><th scope=\"row\">\(name)</th><td>\(count)</td></tr>"
///
/// Values of attributes stand in double quotes.
struct HTML: ExpressibleByStringInterpolation, Equatable, Sendable {
  /// The markup.
  private(set) var text = ""

  init(stringLiteral literal: StaticString) { text = literal.description }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// One piece for each value, one after the other.
  static func each<Value>(_ values: some Sequence<Value>, as piece: (Value) -> HTML) -> HTML {
    var all: HTML = ""
    for value in values { all.text += piece(value).text }
    return all
  }

  /// One piece behind another.
  static func + (left: HTML, right: HTML) -> HTML { "\(left)\(right)" }

  static func += (left: inout HTML, right: HTML) { left.text += right.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

    mutating func appendInterpolation(_ text: some StringProtocol) { self.text += inert(String(text)) }

    mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }

    mutating func appendInterpolation(_ piece: HTML) { text += piece.text }

    mutating func appendInterpolation(_ markup: some InertMarkup) { text += markup.text }

    mutating func appendInterpolation(_ pieces: [HTML], separator: StaticString) {
      for (position, piece) in pieces.enumerated() {
        if position > 0 { text += separator.description }
        text += piece.text
      }
    }
  }

  /// Text without characters that act as markup or change the order of others.
  ///
  /// It goes by scalars: a quote with a combining accent is another character for Swift, and a quote for a browser.
  static func inert(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in escapedForTerminal(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
