import StoreWords

/// Why a text is not a predicate, or does not fit the model, and where.
package struct FetchPredicateError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The character's position in the predicate, from 1 on; nil where the error is about the whole.
  package var column: Int?
  /// The text found and the text expected; lower case, no full stop.
  package var message: String
  /// Two lines for a terminal: what stands around the place, and a caret below it; nil where there is no place.
  package var excerpt: String?

  /// Position and message in one sentence.
  package var description: String { (column.map { "column \($0) of the predicate: " } ?? "") + message }

  /// Creates an error about the whole predicate.
  init(_ message: String) { self.message = message }

  /// Creates an error at a place.
  init(_ message: String, at offset: Int, in source: PredicateSource) {
    self.message = message
    column = offset + 1
    excerpt = source.excerpt(at: offset)
  }
}

/// The text of a predicate as its scalars; places are counted in them.
struct PredicateSource: Sendable, Equatable {
  var text: String
  var scalars: [Unicode.Scalar]

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  /// Up to 60 scalars of the line around a place, and the caret.
  func excerpt(at offset: Int) -> String {
    let place = min(max(offset, 0), scalars.count)
    let isBreak: (Unicode.Scalar) -> Bool = { $0 == "\n" || $0 == "\r" }
    let lineStart = (scalars[..<place].lastIndex(where: isBreak) ?? -1) + 1
    let lineEnd = scalars[place...].firstIndex(where: isBreak) ?? scalars.count
    let start = max(lineStart, place - 40)
    let end = min(lineEnd, max(place, start) + 30)
    let before = (start > lineStart ? "…" : "") + escapedForTerminal(string(start..<place))
    let after = escapedForTerminal(string(place..<end)) + (end < lineEnd ? "…" : "")
    return before + after + "\n" + String(repeating: " ", count: before.count) + "^"
  }

  func string(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }
}

extension PredicateSource {
  /// Fit for a terminal.
  var shown: String { escapedForTerminal(text) }
}
