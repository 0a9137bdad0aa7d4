/// A parsed pattern.
indirect enum PatternTree {
  case empty
  /// Characters that stand side by side without a sign between them.
  case literal([UInt32], ignoringCase: Bool)
  case set(ScalarSet)
  /// A set of which U+000D U+000A is one element: `\R`, and `.` with the flag `s`.
  case unit(ScalarSet)
  case at(TextPattern.Edge)
  case sequence([PatternTree])
  case alternatives([PatternTree])
  /// Any number of times if `most` is nil.
  case repeated(PatternTree, least: Int, most: Int?)
}

/// Compiles a parsed pattern into states, from its end to its beginning.
struct PatternCompiler {
  private(set) var nodes: [TextPattern.Node] = []
  private(set) var sets: [ScalarSet] = []
  /// Limits nested counts of an empty pattern, which take no states but time.
  private var stepsLeft = 100_000

  /// The first state of a whole pattern.
  mutating func program(_ tree: PatternTree) throws(PatternError) -> Int {
    try compile(tree, before: try add(.accept))
  }

  private mutating func add(_ node: TextPattern.Node) throws(PatternError) -> Int {
    guard nodes.count < TextPattern.maximumNodes else { throw PatternError(.tooLarge) }
    nodes.append(node)
    return nodes.count - 1
  }

  private mutating func index(of set: ScalarSet) -> Int {
    sets.append(set)
    return sets.count - 1
  }

  /// The first state of `tree`, which is followed by `next`.
  private mutating func compile(_ tree: PatternTree, before next: Int) throws(PatternError) -> Int {
    stepsLeft -= 1
    guard stepsLeft > 0 else { throw PatternError(.countsOfCounts) }
    switch tree {
    case .empty: return next
    case .literal(let scalars, let ignoresCase): return try compile(scalars, ignoringCase: ignoresCase, before: next)
    case .set(let set): return try add(.set(index(of: set), next: next))
    case .unit(let set):
      let lineFeed = try add(.scalar(0x0a, next: next))
      return try add(.unit(index(of: set), next: next, lineFeed: lineFeed))
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
    _ literal: [UInt32], ignoringCase ignoresCase: Bool, before next: Int
  ) throws(PatternError) -> Int {
    var next = next
    guard ignoresCase else {
      for scalar in literal.reversed() { next = try add(.scalar(scalar, next: next)) }
      return next
    }
    let folded = literal.flatMap { CaseFolding.folded($0).scalars }
    for (position, scalar) in folded.enumerated().reversed() {
      next = try add(.folded(scalar, next: next, isLast: position == folded.count - 1))
    }
    return next
  }

  private mutating func compile(
    _ part: PatternTree, least: Int, most: Int?, before next: Int
  ) throws(PatternError) -> Int {
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
