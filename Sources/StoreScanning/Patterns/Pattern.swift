/// A regular expression as `SELF MATCHES` has it, for the whole of a text, in time that grows with the text only.
///
/// Core Data matches with ICU's engine, which goes back and tries again: `(a+)+b` against thirty times "a" takes minutes.
/// Here all ways through the pattern are followed side by side (Ken Thompson, "Regular Expression Search Algorithm",
/// 1968), so that a character costs at most a step for each place of the pattern. What that cannot do, it refuses.
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

  /// One place of the pattern.
  enum Node {
    /// A character of a set, then another place.
    case scalar(ScalarSet, next: Int)
    /// Both places.
    case split(Int, Int)
    /// Only at the beginning or end of the text.
    case at(Edge, next: Int)
    case accept
  }

  /// A position of the text.
  enum Edge {
    case start
    case end
    /// The end, or before the line terminator that ends the text.
    case lastLine
  }

  /// Something in a pattern that is not understood, or that is no pattern.
  struct Unsupported: Error, Equatable {
    /// What it is; as in "the pattern has …".
    var what: String
  }

  /// The most places; `{1000}` stands for a thousand.
  static let maximumNodes = 5_000

  /// Reads a pattern.
  init(_ text: String, ignoresCase: Bool = false) throws(Unsupported) {
    var parser = PatternParser(text, ignoresCase: ignoresCase)
    let tree = try parser.pattern()
    var compiler = PatternCompiler()
    let accept = try compiler.add(.accept)
    start = try compiler.compile(tree, before: accept)
    nodes = compiler.nodes
  }
}

/// A pattern as it is written.
indirect enum PatternTree {
  case empty
  case scalar(ScalarSet)
  case at(Pattern.Edge)
  case sequence([PatternTree])
  case alternatives([PatternTree])
  /// At most nil: any number.
  case repeated(PatternTree, least: Int, most: Int?)
}

/// Turns what is written into places, from the end to the beginning.
struct PatternCompiler {
  private(set) var nodes: [Pattern.Node] = []
  /// Counts of counts of nothing take no place, but time.
  private var stepsLeft = 100_000

  mutating func add(_ node: Pattern.Node) throws(Pattern.Unsupported) -> Int {
    guard nodes.count < Pattern.maximumNodes else {
      throw Pattern.Unsupported(what: "more than \(Pattern.maximumNodes) places")
    }
    nodes.append(node)
    return nodes.count - 1
  }

  /// The place at which what `tree` stands for begins, if `next` is to follow it.
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
    case .repeated(let part, let least, let most): return try compile(part, least, most, before: next)
    }
  }

  private mutating func compile(
    _ part: PatternTree, _ least: Int, _ most: Int?, before next: Int
  ) throws(Pattern.Unsupported) -> Int {
    var start = next
    if let most {
      // Each of the optional ones may be the last.
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
