/// What a type of Swift source is taken to be stored as, since neither source nor rules tell: `AttributedString=transformable`.
///
/// It travels with the names of `#if`, as one more of the facts that source does not hold.
package struct AssumedType: Sendable, Equatable {
  /// The type, as source writes it, without `?`.
  package var type: String
  /// What it is stored as.
  package var attribute: AttributeType

  private static let mark = "type "

  /// Reads "URL=uri"; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(where: \.isWhitespace),
      let attribute = Self.words.first(where: { $0.word == parts[1].lowercased() })?.type
    else { return nil }
    type = parts[0]
    self.attribute = attribute
  }

  /// What a type may be stored as, with the word for each.
  package static let words: [(word: String, type: AttributeType)] = [
    ("string", .string), ("integer16", .integer16), ("integer32", .integer32), ("integer64", .integer64),
    ("boolean", .boolean), ("double", .double), ("float", .float), ("decimal", .decimal), ("date", .date),
    ("binary", .binary), ("uuid", .uuid), ("uri", .uri), ("transformable", .transformable),
  ]

  /// "URL=uri"
  package var text: String { "\(type)=\(Self.words.first { $0.type == attribute }?.word ?? "")" }

  /// As it stands among the names of `#if`, none of which has a space.
  package var term: String { Self.mark + text }

  /// The assumptions among the names of `#if`, by type; of two about one type the first.
  package static func all(in terms: [String]) -> [String: AttributeType] {
    let known = terms.filter { $0.hasPrefix(mark) }.compactMap { AssumedType(String($0.dropFirst(mark.count))) }
    return Dictionary(known.map { ($0.type, $0.attribute) }) { first, _ in first }
  }
}
