/// A regular expression as in `SELF MATCHES`, matched against a whole text in time proportional to the text's length.
///
/// Core Data uses ICU's engine, which backtracks: `(a+)+b` against thirty times "a" takes minutes. Here all
/// alternatives are followed at once (Ken Thompson, "Regular Expression Search Algorithm", 1968), so that a character
/// costs at most one step for each state of the pattern. What that method cannot do is refused.
///
/// | understood | refused |
/// | --- | --- |
/// | characters, `.`, `[a-z]`, `[^…]`, `\d \w \s \D \W \S`, `\p{L}` and other general categories | classes in classes, `&&` |
/// | `(…)`, `(?:…)`, `(?<name>…)`, `\|`, `(?i)` in front | `\1`, `(?=…)`, `(?!…)`, `(?<=…)`, `(?>…)` |
/// | `* + ? {n} {n,} {n,m}`, also lazy | possessive ones: `*+` |
/// | `^ $ \A \z \Z` | `\b \B \G \X \R` |
/// | `\t \n \r \f \a \e \xhh \x{h} \uhhhh` | `\N{…}`, `\Q…\E`, and what is no pattern |
struct Pattern {
  let nodes: [Node]
  let start: Int

  /// A state of the automaton.
  enum Node {
    /// Consumes a character of the set.
    case scalar(ScalarSet, next: Int)
    /// Continues with both states.
    case split(Int, Int)
    /// Continues only at this position of the text.
    case at(Edge, next: Int)
    case accept
  }

  /// A position in the text.
  enum Edge {
    case start
    case end
    /// The end, or before the line terminator at the end.
    case lastLine
  }

  /// Something that is not supported, or not a valid pattern.
  struct Unsupported: Error, Equatable {
    /// What it is, to complete "the pattern has …".
    var what: String
  }

  /// The most states; `{1000}` takes a thousand.
  static let maximumNodes = 5_000

  /// Parses and compiles a pattern.
  init(_ text: String, ignoresCase: Bool = false) throws(Unsupported) {
    var parser = PatternParser(text, ignoresCase: ignoresCase)
    let tree = try parser.pattern()
    var compiler = PatternCompiler()
    let accept = try compiler.add(.accept)
    start = try compiler.compile(tree, before: accept)
    nodes = compiler.nodes
  }
}

/// A parsed pattern.
indirect enum PatternTree {
  case empty
  case scalar(ScalarSet)
  case at(Pattern.Edge)
  case sequence([PatternTree])
  case alternatives([PatternTree])
  /// Any number of times if `most` is nil.
  case repeated(PatternTree, least: Int, most: Int?)
}

/// Compiles a parsed pattern into states, from its end to its beginning.
struct PatternCompiler {
  private(set) var nodes: [Pattern.Node] = []
  /// Limits nested counts of an empty pattern, which take no states but time.
  private var stepsLeft = 100_000

  mutating func add(_ node: Pattern.Node) throws(Pattern.Unsupported) -> Int {
    guard nodes.count < Pattern.maximumNodes else {
      throw Pattern.Unsupported(what: "more than \(Pattern.maximumNodes) places")
    }
    nodes.append(node)
    return nodes.count - 1
  }

  /// The first state of `tree`, which is followed by `next`.
  mutating func compile(_ tree: PatternTree, before next: Int) throws(Pattern.Unsupported) -> Int {
    stepsLeft -= 1
    guard stepsLeft > 0 else { throw Pattern.Unsupported(what: "counts of counts beyond measure") }
    switch tree {
    case .empty: return next
    case .scalar(let set): return try add(.scalar(set, next: next))
    case .at(let edge): return try add(.at(edge, next: next))
    case .sequence(let parts):
      var next = next
      for part in parts.reversed() { next = try compile(part, before: next) }
      return next
    case .alternatives(let parts):
      var start: Int?
      for part in parts.reversed() {
        let branch = try compile(part, before: next)
        start = if let start { try add(.split(branch, start)) } else { branch }
      }
      return start ?? next
    case .repeated(let part, let least, let most): return try compile(part, least: least, most: most, before: next)
    }
  }

  private mutating func compile(
    _ part: PatternTree, least: Int, most: Int?, before next: Int
  ) throws(Pattern.Unsupported) -> Int {
    var start = next
    if let most {
      // Matching may stop after each optional repetition.
      for _ in 0..<max(most - least, 0) {
        let once = try compile(part, before: start)
        start = try add(.split(once, next))
      }
    } else {
      let loop = try add(.split(next, next))
      nodes[loop] = .split(try compile(part, before: loop), next)
      start = loop
    }
    for _ in 0..<least { start = try compile(part, before: start) }
    return start
  }
}
