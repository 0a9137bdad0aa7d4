import StoreText
import StoreWords

/// Turns a predicate as written into one whose operands are known.
struct PredicateResolver {
  var finder: PathFinder
  private let literals: LiteralReader

  init(_ finder: PathFinder) {
    self.finder = finder
    literals = LiteralReader(source: finder.source)
  }

  mutating func resolve(_ syntax: PredicateSyntax) throws(FetchPredicateError) -> ResolvedPredicate.Node {
    switch syntax {
    case .constant(let value): return .constant(value)
    case .not(let part): return .not(try resolve(part))
    case .and(let parts): return .and(try resolve(parts))
    case .or(let parts): return .or(try resolve(parts))
    case .comparison(let comparison): return .comparison(try resolve(comparison))
    }
  }

  private mutating func resolve(_ parts: [PredicateSyntax]) throws(FetchPredicateError) -> [ResolvedPredicate.Node] {
    var nodes: [ResolvedPredicate.Node] = []
    for part in parts { nodes.append(try resolve(part)) }
    return nodes
  }

  // MARK: Comparisons

  private mutating func resolve(_ comparison: ComparisonSyntax) throws(FetchPredicateError) -> ResolvedComparison {
    let left = try path(comparison.left)
    try checkQuantifier(comparison, left: left)
    switch comparison.operator {
    case .in: return try membership(comparison, left: left)
    case .contains where comparison.quantifier == nil && left?.isCollection == true:
      return try containment(comparison, left: left)
    case .between: return try range(comparison, left: left)
    case .beginsWith, .endsWith, .contains, .like, .matches: return try textTest(comparison, left: left)
    case .equal: return try order(comparison, left: left, test: .equal)
    case .notEqual: return try order(comparison, left: left, test: .notEqual)
    case .less: return try order(comparison, left: left, test: .less)
    case .lessOrEqual: return try order(comparison, left: left, test: .lessOrEqual)
    case .greater: return try order(comparison, left: left, test: .greater)
    case .greaterOrEqual: return try order(comparison, left: left, test: .greaterOrEqual)
    }
  }

  private mutating func path(_ operand: OperandSyntax) throws(FetchPredicateError) -> FoundPath? {
    guard case .path(let components) = operand.kind else { return nil }
    return try finder.find(components, at: operand.offset)
  }

  private func checkQuantifier(_ comparison: ComparisonSyntax, left: FoundPath?) throws(FetchPredicateError) {
    if let quantifier = comparison.quantifier {
      guard left?.isCollection != true else { return }
      throw error(
        "\(quantifier.rawValue) stands before a path through a to-many relationship; "
          + "\(left.map { "\($0.statement), one value" } ?? "a value is none")", at: comparison.left.offset)
    }
    guard let left, left.isCollection, comparison.operator != .contains else { return }
    throw manyValues(left)
  }

  private func manyValues(_ path: FoundPath) -> FetchPredicateError {
    error(
      "\(quoted(path.name)) has a value for each object of a to-many relationship; write ANY, ALL or NONE before it, "
        + "or use @count", at: path.offset)
  }

  /// `==`, `<` and the like.
  private mutating func order(
    _ comparison: ComparisonSyntax, left: FoundPath?, test: ResolvedComparison.OrderTest
  ) throws(FetchPredicateError) -> ResolvedComparison {
    let right = try single(comparison.right)
    let kind = try commonKind(comparison, left: left, right: right)
    if test.isOfOrder {
      for side in [comparison.left, comparison.right] where side.kind == .null {
        throw error(
          "\(comparison.operator.word) with NULL is never true; NULL is compared with == or !=", at: side.offset)
      }
      if let kind, !kind.hasOrder {
        throw error(
          "\((left ?? right)?.statement ?? "this"), which has no order; use == or !=", at: comparison.offset)
      }
    }
    let leftOperand = try operand(comparison.left, path: left, kind: kind, against: right)
    let rightOperand = try operand(comparison.right, path: right, kind: kind, against: left)
    guard !comparison.options.isEmpty else {
      return ResolvedComparison(quantifier: comparison.quantifier, left: leftOperand, test: .order(test, rightOperand))
    }
    try requireTexts(comparison, kind: kind, left: left, right: right)
    if case .value(.null) = rightOperand {
      return ResolvedComparison(quantifier: comparison.quantifier, left: leftOperand, test: .order(test, rightOperand))
    }
    return ResolvedComparison(
      quantifier: comparison.quantifier, left: leftOperand,
      test: .textOrder(test, textOperand(rightOperand, options: comparison.options)))
  }

  private mutating func range(
    _ comparison: ComparisonSyntax, left: FoundPath?
  ) throws(FetchPredicateError) -> ResolvedComparison {
    guard case .list(let bounds) = comparison.right.kind, bounds.count == 2 else {
      throw error("BETWEEN is followed by two values in braces: BETWEEN {1, 5}", at: comparison.right.offset)
    }
    var operands: [ResolvedComparison.Operand] = []
    var leftOperand: ResolvedComparison.Operand?
    for bound in bounds {
      guard bound.kind != .null else { throw error("nothing is between NULL and a value", at: bound.offset) }
      let right = try single(bound)
      var single = comparison
      single.right = bound
      let kind = try commonKind(single, left: left, right: right)
      if let kind, !kind.hasOrder {
        throw error("\((left ?? right)?.statement ?? "this"), which has no order", at: comparison.offset)
      }
      operands.append(try operand(bound, path: right, kind: kind, against: left))
      leftOperand = try operand(comparison.left, path: left, kind: kind, against: right)
    }
    guard let leftOperand, comparison.left.kind != .null else {
      throw error("NULL is between no values", at: comparison.left.offset)
    }
    return ResolvedComparison(
      quantifier: comparison.quantifier, left: leftOperand, test: .between(operands[0], operands[1]))
  }

  // MARK: Lists and to-many relationships

  private mutating func membership(
    _ comparison: ComparisonSyntax, left: FoundPath?
  ) throws(FetchPredicateError) -> ResolvedComparison {
    switch comparison.right.kind {
    case .list(let elements): return try listMembership(comparison, left: left, elements: elements)
    case .path:
      guard let right = try path(comparison.right), right.isCollection else {
        throw error(
          "IN is followed by a list in braces, or a path through a to-many relationship; for a part of a text use "
            + "CONTAINS, with the text on the right", at: comparison.right.offset)
      }
      return try valueMembership(comparison, element: comparison.left, path: left, values: right)
    default: throw error("IN is followed by a list in braces: IN {1, 2}", at: comparison.right.offset)
    }
  }

  private mutating func listMembership(
    _ comparison: ComparisonSyntax, left: FoundPath?, elements: [OperandSyntax]
  ) throws(FetchPredicateError) -> ResolvedComparison {
    var candidates: [ResolvedComparison.Operand] = []
    var leftKind = left?.kind ?? literals.kind(of: comparison.left)
    for element in elements {
      let right = try single(element)
      var single = comparison
      single.right = element
      let kind = try commonKind(single, left: left, right: right)
      leftKind = leftKind ?? kind
      candidates.append(try operand(element, path: right, kind: kind, against: left))
    }
    let leftOperand = try operand(comparison.left, path: left, kind: leftKind, against: nil)
    guard !comparison.options.isEmpty else {
      return ResolvedComparison(
        quantifier: comparison.quantifier, left: leftOperand, test: ResolvedComparison.membership(in: candidates))
    }
    try requireTexts(comparison, kind: leftKind, left: left, right: nil)
    return ResolvedComparison(
      quantifier: comparison.quantifier, left: leftOperand,
      test: .amongTexts(candidates.map { textOperand($0, options: comparison.options) }))
  }

  /// `tags.name CONTAINS 'x'`: the same as `'x' IN tags.name`.
  private mutating func containment(
    _ comparison: ComparisonSyntax, left: FoundPath?
  ) throws(FetchPredicateError) -> ResolvedComparison {
    guard let left else { throw error("CONTAINS has no left side", at: comparison.offset) }
    return try valueMembership(comparison, element: comparison.right, path: try single(comparison.right), values: left)
  }

  private func valueMembership(
    _ comparison: ComparisonSyntax, element: OperandSyntax, path: FoundPath?, values: FoundPath
  ) throws(FetchPredicateError) -> ResolvedComparison {
    if comparison.quantifier != nil {
      throw error("two to-many relationships are not compared with each other here", at: values.offset)
    }
    var single = comparison
    (single.left, single.right) = (element, OperandSyntax(offset: values.offset, kind: .path([])))
    let kind = try commonKind(single, left: path, right: values)
    if !comparison.options.isEmpty { try requireTexts(comparison, kind: kind, left: path, right: values) }
    return ResolvedComparison(
      quantifier: nil, left: try operand(element, path: path, kind: kind, against: values),
      test: .amongValues(values.operand, comparison.options))
  }

  // MARK: Texts

  private mutating func textTest(
    _ comparison: ComparisonSyntax, left: FoundPath?
  ) throws(FetchPredicateError) -> ResolvedComparison {
    let right = try single(comparison.right)
    let word = comparison.operator.word
    for (path, operand) in [(left, comparison.left), (right, comparison.right)] {
      if let path {
        guard path.kind.isTextual else { throw error("\(path.statement); \(word) looks into texts", at: path.offset) }
      } else if case .text = operand.kind {
        continue
      } else {
        throw error("\(word) has a text on each side, in quotes", at: operand.offset)
      }
    }
    let leftOperand = try operand(comparison.left, path: left, kind: left?.kind ?? .text, against: nil)
    let rightOperand = try operand(comparison.right, path: right, kind: right?.kind ?? .text, against: nil)
    let test = try textTest(comparison, right: rightOperand)
    return ResolvedComparison(quantifier: comparison.quantifier, left: leftOperand, test: test)
  }

  private func textTest(
    _ comparison: ComparisonSyntax, right: ResolvedComparison.Operand
  ) throws(FetchPredicateError) -> ResolvedComparison.Test {
    switch comparison.operator {
    case .beginsWith: return .text(.beginning, textOperand(right, options: comparison.options))
    case .endsWith: return .text(.end, textOperand(right, options: comparison.options))
    case .contains: return .text(.anywhere, textOperand(right, options: comparison.options))
    default: break
    }
    guard case .value(.text(let pattern)) = right else {
      throw error("\(comparison.operator.word) is followed by a pattern in quotes", at: comparison.right.offset)
    }
    do {
      if comparison.operator == .like { return .like(try LikePattern(pattern, options: comparison.options)) }
      return .matches(try TextPattern(pattern, options: comparison.options))
    } catch {
      // The text may have escapes, so that the pattern's place is said beside the text's.
      throw self.error(
        "\(comparison.operator.word): \(error.reason.sentence) (character \(error.position) of the pattern)",
        at: comparison.right.offset)
    }
  }

  private func textOperand(
    _ operand: ResolvedComparison.Operand, options: TextOptions
  ) -> ResolvedComparison.TextOperand {
    switch operand {
    case .value(.text(let text)), .value(.uri(let text)): .prepared(PreparedText(text, options: options))
    default: .read(operand, options)
    }
  }

  private func requireTexts(
    _ comparison: ComparisonSyntax, kind: ValueKind?, left: FoundPath?, right: FoundPath?
  ) throws(FetchPredicateError) {
    guard let kind, !kind.isTextual else { return }
    throw error(
      "\((left ?? right)?.statement ?? "this is no text"); [c] and [d] are for texts", at: comparison.offset)
  }

  // MARK: Operands

  /// A path with one value; nil for a literal.
  private mutating func single(_ operand: OperandSyntax) throws(FetchPredicateError) -> FoundPath? {
    if case .list = operand.kind {
      throw error("a list stands after IN or BETWEEN only", at: operand.offset)
    }
    guard let path = try path(operand) else { return nil }
    if path.isCollection {
      throw error(
        "\(quoted(path.name)) has a value for each object of a to-many relationship; it can stand on the left only, "
          + "after ANY, ALL or NONE", at: path.offset)
    }
    return path
  }

  /// The kind of both sides; nil where both are NULL.
  private func commonKind(
    _ comparison: ComparisonSyntax, left: FoundPath?, right: FoundPath?
  ) throws(FetchPredicateError) -> ValueKind? {
    if let left, let right {
      guard left.kind.isComparable(to: right.kind) else {
        throw error(
          "\(left.statement) and \(right.statement); they are not compared with each other", at: comparison.offset)
      }
      return left.kind
    }
    return left?.kind ?? right?.kind ?? literals.kind(of: comparison.left) ?? literals.kind(of: comparison.right)
  }

  private func operand(
    _ syntax: OperandSyntax, path: FoundPath?, kind: ValueKind?, against other: FoundPath?
  ) throws(FetchPredicateError) -> ResolvedComparison.Operand {
    if let path { return path.operand }
    if case .list = syntax.kind { throw error("a list stands after IN or BETWEEN only", at: syntax.offset) }
    guard let kind else { return .value(.null) }
    let statement = other?.statement ?? "the two sides are of different kinds"
    return .value(try literals.value(syntax, as: kind, against: statement))
  }

  private func error(_ message: String, at offset: Int) -> FetchPredicateError {
    FetchPredicateError(message, at: offset, in: finder.source)
  }
}
