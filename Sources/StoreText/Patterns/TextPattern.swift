/// A regular expression in ICU's syntax, matched against a whole text in time proportional to the text's length.
///
/// Core Data and `NSPredicate` use ICU's engine, which backtracks: `(a+)+b` against thirty times "a" takes minutes. Here all
/// alternatives are followed at once (Ken Thompson, "Regular Expression Search Algorithm", 1968), so that a character
/// costs at most one step for each state of the pattern. What that method cannot do is refused, as a ``PatternError``.
///
/// | understood | refused |
/// | --- | --- |
/// | characters, `.`, `\d \w \s \h \v \R` and their opposites, `\p{L}` and other general categories | `\p{Greek}` and other properties, `\X \G \N{…}` |
/// | `[a-z]`, `[^…]`, `[[:alpha:]]`, sets in sets, `&&`, `--` | |
/// | `(…)`, `(?:…)`, `(?<name>…)`, `\|`, the flags `i`, `m`, `s`: `(?i)`, `(?-s)`, `(?i:…)` | `\1`, `(?=…)`, `(?!…)`, `(?<=…)`, `(?>…)`, the flags `d`, `w`, `x` |
/// | `* + ? {n} {n,} {n,m}`, also lazy | possessive ones: `*+` |
/// | `^ $ \A \z \Z \b \B` | |
/// | `\t \n \r \f \a \e \xhh \x{h} \uhhhh \Uhhhhhhhh \0ooo`, `\Q…\E` | `\c`, and what is no pattern |
package struct TextPattern: Sendable {
  let nodes: [Node]
  let sets: [ScalarSet]
  let start: Int
  /// Whether scalars have to be folded: with `(?i)` and letters.
  let foldsCase: Bool
  /// Whether it asks for places, such as `$` and `\b`.
  let hasEdges: Bool
  /// Whether the text is folded before it is matched: with `[d]`.
  private let options: TextOptions

  /// A state of the automaton.
  enum Node: Sendable {
    /// Consumes a character.
    case scalar(UInt32, next: Int)
    /// Consumes a character that folds to this one, or to this one and those of the nodes that follow up to the last
    /// one of a run of literals: `ß` is two.
    case folded(UInt32, next: Int, isLast: Bool)
    /// Consumes a character of the set.
    case set(Int, next: Int)
    /// Consumes a character of the set, or U+000D U+000A together: then `lineFeed` continues with the second.
    case unit(Int, next: Int, lineFeed: Int)
    /// Continues with both states.
    case split(Int, Int)
    /// Continues only at this place of the text.
    case at(Edge, next: Int)
    case accept
  }

  /// A place between characters.
  enum Edge: Sendable {
    case start
    case end
    /// The end, or before the line terminator at the end.
    case lastLine
    /// With the flag `m`, the start or after a line terminator.
    case lineStart
    /// With the flag `m`, the end or before a line terminator.
    case lineEnd
    case wordBoundary
    case noWordBoundary
  }

  /// The most states; `{1000}` takes a thousand.
  package static let maximumNodes = 5_000

  /// Parses and compiles a pattern.
  ///
  /// - Parameter options: `[c]` is as `(?i)` in front. With `[d]` pattern and text are without diacritics.
  package init(_ text: String, options: TextOptions = []) throws(PatternError) {
    self.options = options.intersection(.diacriticInsensitive)
    let scalars = TextFolding.foldedScalars(text, options: self.options).compactMap(Unicode.Scalar.init)
    var parser = PatternParser(scalars, ignoresCase: options.contains(.caseInsensitive))
    let tree = try parser.pattern()
    var compiler = PatternCompiler()
    start = try compiler.program(tree)
    nodes = compiler.nodes
    sets = compiler.sets
    foldsCase = nodes.contains { if case .folded = $0 { true } else { false } }
    hasEdges = nodes.contains { if case .at = $0 { true } else { false } }
  }

  /// Whether the pattern matches the whole text.
  package func matches(_ text: String) -> Bool {
    var work = Int.max
    if options.contains(.diacriticInsensitive), !TextFolding.isASCII(text) {
      return TextFolding.foldedScalars(text, options: options).withUnsafeBufferPointer { scalars in
        var position = 0
        return matches(work: &work) {
          guard position < scalars.count else { return nil }
          defer { position += 1 }
          return scalars[position]
        } ?? false
      }
    }
    return withBytes(of: text) { matches(TextBytes(bytes: UnsafeRawBufferPointer($0)), work: &work) ?? false }
  }

  /// Whether the pattern matches the whole text, which must be valid; nil when `work` is used up before that is known.
  ///
  /// Options with `[d]` need ``matches(_:)``, which folds the text first.
  package func matches(_ text: TextBytes, work: inout Int) -> Bool? {
    var offset = 0
    return matches(work: &work) { text.nextScalar(at: &offset) }
  }
}
