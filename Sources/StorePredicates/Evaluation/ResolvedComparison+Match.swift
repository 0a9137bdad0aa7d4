import StoreText

extension ResolvedComparison {
  /// The result of the comparison for an object whose values `value` reads, by the positions of their paths.
  func match(_ value: (Int) -> PredicateValue) -> Match {
    let left = left.read(value)
    guard let quantifier else { return match(left, value: value) }
    guard case .collection(let elements) = left else {
      // NULL on the way to a to-many relationship leads to no objects.
      if case .null = left { return Match(quantifier != .any) }
      return .unknown
    }
    let wanted: Match = quantifier == .all ? .differs : .matches
    var isUnknown = false
    for element in elements {
      let match = match(element, value: value)
      if match == wanted { return Match(quantifier == .any) }
      if match == .unknown { isUnknown = true }
    }
    return isUnknown ? .unknown : Match(quantifier != .any)
  }

  private func match(_ left: PredicateValue, value: (Int) -> PredicateValue) -> Match {
    switch test {
    case .order(let test, let right): return test.holds(ValueOrder.of(left, right.read(value)))
    case .textOrder(let test, let right): return Self.order(test, left: left, right: right, value: value)
    case .between(let low, let high):
      return Self.and(
        OrderTest.greaterOrEqual.holds(ValueOrder.of(left, low.read(value))),
        OrderTest.lessOrEqual.holds(ValueOrder.of(left, high.read(value))))
    case .among(let candidates): return Self.isAmong(candidates, left: left, value: value)
    case .amongIntegers(let integers, let candidates):
      switch left {
      case .integer(let number), .object(let number): return Match(integers.contains(number))
      default: return Self.isAmong(candidates, left: left, value: value)
      }
    case .amongStrings(let strings, let candidates):
      if case .text(let text) = left, !strings.contains(text) { return .differs }
      return Self.isAmong(candidates, left: left, value: value)
    case .amongTexts(let candidates):
      return Self.any(candidates) { Self.order(.equal, left: left, right: $0, value: value) }
    case .amongValues(let operand, let options):
      switch operand.read(value) {
      case .collection(let elements): return Self.any(elements) { Self.equal(left, $0, options) }
      case .null: return .differs
      default: return .unknown
      }
    case .text(let place, let right): return Self.search(left, for: right, place: place, value: value)
    case .like(let pattern): return Self.ofText(left) { pattern.matches($0) }
    case .matches(let pattern): return Self.ofText(left) { pattern.matches($0) }
    }
  }

  private static func isAmong(
    _ candidates: [Operand], left: PredicateValue, value: (Int) -> PredicateValue
  ) -> Match {
    any(candidates) { OrderTest.equal.holds(ValueOrder.of(left, $0.read(value))) }
  }

  private static func equal(_ left: PredicateValue, _ right: PredicateValue, _ options: TextOptions) -> Match {
    guard !options.isEmpty, case .text(let text) = right else {
      return OrderTest.equal.holds(ValueOrder.of(left, right))
    }
    return ofText(left) { PreparedText(text, options: options).isFound(in: $0, at: .whole) }
  }

  /// The result of a test of a text; NULL has no text in it.
  private static func ofText(_ value: PredicateValue, ask: (String) -> Bool) -> Match {
    switch value {
    case .text(let text), .uri(let text): Match(ask(text))
    case .null: .differs
    default: .unknown
    }
  }

  private static func search(
    _ left: PredicateValue, for right: TextOperand, place: PreparedText.Place, value: (Int) -> PredicateValue
  ) -> Match {
    switch right {
    case .prepared(let prepared): return ofText(left) { prepared.isFound(in: $0, at: place) }
    case .read(let operand, let options):
      switch operand.read(value) {
      case .text(let text), .uri(let text):
        return ofText(left) { PreparedText(text, options: options).isFound(in: $0, at: place) }
      case .null: return left == .unknown ? .unknown : .differs
      default: return .unknown
      }
    }
  }

  private static func order(
    _ test: OrderTest, left: PredicateValue, right: TextOperand, value: (Int) -> PredicateValue
  ) -> Match {
    let other: PreparedText
    switch right {
    case .prepared(let prepared): other = prepared
    case .read(let operand, let options):
      switch operand.read(value) {
      case .text(let text), .uri(let text): other = PreparedText(text, options: options)
      case .null: return test.holds(ValueOrder.of(left, .null))
      default: return .unknown
      }
    }
    switch left {
    case .text(let text), .uri(let text): return test.holds(ValueOrder(sign: other.order(of: text)))
    case .null: return test.holds(.none)
    default: return .unknown
    }
  }

  private static func and(_ left: Match, _ right: Match) -> Match {
    if left == .differs || right == .differs { return .differs }
    return left == .unknown || right == .unknown ? .unknown : .matches
  }

  /// Whether one of them matches; known as soon as one does.
  @inline(__always)
  private static func any<Element>(_ elements: [Element], match: (Element) -> Match) -> Match {
    var isUnknown = false
    for element in elements {
      switch match(element) {
      case .matches: return .matches
      case .unknown: isUnknown = true
      case .differs: break
      }
    }
    return isUnknown ? .unknown : .differs
  }
}
