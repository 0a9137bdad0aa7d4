/// A predicate in Core Data's format, as of a fetch request: `folder.name == 'Work' AND ANY tags.name CONTAINS[cd] 'e'`.
///
/// Which forms there are, and what they mean, is in `docs/predicates.md`.
package struct FetchPredicate: Sendable, Equatable {
  /// The predicate as written.
  package var text: String { source.text }

  let source: PredicateSource
  let syntax: PredicateSyntax

  /// The most bytes that a predicate may have.
  package static let maximumLength = 65_536
  /// The most levels of parentheses and NOT.
  package static let maximumDepth = 100
  /// The most comparisons, and the most values of a list.
  package static let maximumCount = 10_000

  /// - Throws: ``FetchPredicateError`` with the place where the text is no predicate, or one that is not evaluated here.
  package init(parsing text: String) throws(FetchPredicateError) {
    guard text.utf8.count <= Self.maximumLength else {
      throw FetchPredicateError("the predicate has \(text.utf8.count) bytes, more than \(Self.maximumLength)")
    }
    source = PredicateSource(text)
    var parser = PredicateParser(source, try PredicateLexer.tokens(of: source))
    syntax = try parser.predicate()
  }
}

extension FetchPredicate {
  /// What in it reads otherwise than somebody who knows SQL may expect, in a sentence each.
  package var remarks: [String] {
    guard syntax.comparisons.contains(where: \.hasWildcardOfSQL) else { return [] }
    return ["LIKE has the wildcards * and ?, and % stands for itself; LIKE '*text*' looks for a text anywhere"]
  }
}

extension PredicateSyntax {
  /// All comparisons in it; it is no deeper than ``FetchPredicate/maximumDepth``.
  fileprivate var comparisons: [ComparisonSyntax] {
    switch self {
    case .constant: []
    case .and(let parts), .or(let parts): parts.flatMap(\.comparisons)
    case .not(let part): part.comparisons
    case .comparison(let comparison): [comparison]
    }
  }
}

extension ComparisonSyntax {
  fileprivate var hasWildcardOfSQL: Bool {
    guard `operator` == .like, case .text(let pattern) = right.kind else { return false }
    return pattern.utf8.contains(UInt8(ascii: "%")) && !pattern.utf8.contains { $0 == 0x2A || $0 == 0x3F }
  }
}
