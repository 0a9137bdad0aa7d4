/// A template for the new name of a duplicate: "{name} ({n})" makes "Rome (2)", "Rome (3)".
package struct NameTemplate: Sendable, Equatable, CustomStringConvertible {
  /// The template as it was written.
  package let description: String
  /// Its pieces, in order.
  package let parts: [Part]

  /// A piece of a template.
  package enum Part: Sendable, Equatable {
    /// Literal text.
    case text(String)
    /// `{attribute}`: the row's own value.
    case attribute(String)
    /// `{n}`: a number from 2 on, the first that makes the name free.
    case counter
  }

  /// Why a text is not a template.
  package struct Mistake: Error, Equatable, CustomStringConvertible {
    /// Lower case, no full stop.
    package var description: String
  }

  /// Parses a template. `{n}` is required, since no name would be free without it.
  package init(_ text: String) throws(Mistake) {
    description = text
    var parts: [Part] = []
    var rest = text[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
      guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
        throw Mistake(description: "a brace without its other half in '\(text)'")
      }
      let name = rest[rest.index(after: brace)..<end]
      guard !name.isEmpty, !name.contains("{") else {
        throw Mistake(description: "the name of an attribute is expected between the braces of '\(text)'")
      }
      parts.append(name == "n" ? .counter : .attribute(String(name)))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    guard parts.contains(.counter) else {
      throw Mistake(description: "'\(text)' makes one name for all rows; put {n}, which counts, into it")
    }
    self.parts = parts
  }

  /// The attributes it uses.
  package var attributes: [String] {
    parts.compactMap { if case .attribute(let name) = $0 { name } else { nil } }
  }
}
