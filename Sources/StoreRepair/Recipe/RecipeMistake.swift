import StoreWords

/// A mistake in a recipe: invalid in itself, or not present in a store.
public struct RecipeMistake: Error, Sendable, Equatable, CustomStringConvertible {
  /// From 1 on; nil without a file, and for the file as a whole.
  public var line: Int?
  /// The problem and its remedy; lower case, no full stop.
  public var message: String

  /// A mistake at a line.
  public init(line: Int?, _ message: String) {
    self.line = line
    self.message = message
  }

  /// Line and message in one sentence.
  public var description: String {
    (line.map { "line \($0): " } ?? "") + escapedForTerminal(message)
  }
}

/// Every mistake of a recipe.
public struct RecipeMistakes: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file; nil without one.
  public var path: String?
  /// At least one, in the order of lines.
  public var mistakes: [RecipeMistake]

  /// Mistakes in the order of lines.
  public init(path: String? = nil, _ mistakes: [RecipeMistake]) {
    self.path = path
    self.mistakes = mistakes.enumerated()
      .sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }.map(\.element)
  }

  /// The message for the user, one mistake a line.
  public var description: String {
    let recipe = path.map { "the recipe \(quoted($0))" } ?? "the recipe"
    guard mistakes.count > 1 else { return "cannot follow \(recipe): \(mistakes.first?.description ?? "")" }
    return "cannot follow \(recipe), which has \(mistakes.count) mistakes:\n"
      + mistakes.map { "  \($0)" }.joined(separator: "\n")
  }
}
