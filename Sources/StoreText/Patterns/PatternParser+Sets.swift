// What stands between brackets, as ICU reads it: sets side by side are joined before operators, and these go from left
// to right.
extension PatternParser {
  /// A set with its brackets.
  mutating func set() throws(PatternError) -> ScalarSet {
    ScalarSet(try set(depth: 1))
  }

  private mutating func set(depth: Int) throws(PatternError) -> SetExpression {
    let start = position
    guard depth <= Self.maximumDepth else { throw error(.deepGroups) }
    position += 1
    if current == ":", let named = try namedClass() { return named }
    var operands = SetOperands(isNegated: take("^"), closesCase: flags.ignoresCase)
    var isFirst = true
    while let scalar = current {
      if scalar == "]", !isFirst {
        position += 1
        return operands.result()
      }
      try element(scalar, isFirst: isFirst, depth: depth, into: &operands)
      isFirst = false
    }
    throw error(.unclosedSet, at: start)
  }

  /// `:alpha:]`, after the bracket.
  private mutating func namedClass() throws(PatternError) -> SetExpression? {
    let rest = scalars[position...].dropFirst()
    guard let end = rest.firstIndex(of: ":"), end + 1 < scalars.count, scalars[end + 1] == "]" else { return nil }
    let isNegated = scalars[position + 1] == "^"
    let name = text(position + (isNegated ? 2 : 1)..<end)
    guard let property = ScalarProperty(named: name) else { throw error(.property) }
    position = end + 2
    let set = flags.ignoresCase ? SetExpression.caseClosure(.property(property)) : .property(property)
    return isNegated ? .complement(set) : set
  }

  private mutating func element(
    _ scalar: Unicode.Scalar, isFirst: Bool, depth: Int, into operands: inout SetOperands
  ) throws(PatternError) {
    if scalar == "[" { return operands.add(set: try set(depth: depth + 1)) }
    if scalar == "&" || scalar == "-", peek(1) == "[", operands.endWithSet {
      position += 1
      return operands.apply(scalar == "&" ? .intersection : .difference, to: try set(depth: depth + 1))
    }
    if scalar == "&" || scalar == "-", peek(1) == scalar {
      guard !isFirst, let next = peek(2), next != "]" else { throw error(.setOperation) }
      position += 2
      operands.apply(scalar == "&" ? .intersection : .difference)
      return
    }
    if scalar == "\\", let escaped = try escapedClass() {
      return operands.add(class: escaped, isProperty: scalars[position - 1] == "}")
    }
    let low = try member()
    guard current == "-", let next = peek(1), next != "]", next != "-", next != "[" else {
      return operands.add(low...low)
    }
    // ICU forgets a bare '&' and begins the range with what stood before it.
    guard scalar != "&" else { throw error(.setOperation) }
    position += 1
    if current == "\\", try escapedClass() != nil { throw error(.rangeToClass) }
    let high = try member()
    guard low <= high else { throw error(.descendingRange) }
    operands.add(low...high)
  }

  /// One character of a set.
  private mutating func member() throws(PatternError) -> UInt32 {
    guard let scalar = current else { throw error(.unclosedSet) }
    guard scalar == "\\" else {
      position += 1
      return scalar.value
    }
    if let escaped = try escapedScalar() { return escaped }
    guard let letter = peek(1) else { throw error(.lastBackslash) }
    throw error(.escape(letter))
  }
}

/// The operands of a set while it is read.
private struct SetOperands {
  enum Operation {
    case intersection, difference

    func result(of left: SetExpression, and right: SetExpression) -> SetExpression {
      self == .intersection ? .intersection(left, right) : .difference(left, right)
    }
  }

  private let isNegated: Bool
  private let closesCase: Bool
  /// What is on the left of the last `&&` or `--`, and the operator.
  private var left: (set: SetExpression, operation: Operation)?
  /// The same of an `&` or `-` between two sets, which binds as tightly as standing side by side does. Classes such as
  /// `\w` that follow still belong to its right side.
  private var tight: (set: SetExpression, operation: Operation)?
  private var ranges: [ClosedRange<UInt32>] = []
  private var sets: [SetExpression] = []
  /// Whether the last one is a set or a property, so that `&[` and `-[` are operators.
  private(set) var endWithSet = false

  init(isNegated: Bool, closesCase: Bool) {
    self.isNegated = isNegated
    self.closesCase = closesCase
  }

  mutating func add(_ range: ClosedRange<UInt32>) {
    settle()
    ranges.append(range)
    endWithSet = false
  }

  mutating func add(set: SetExpression) {
    settle()
    sets.append(set)
    endWithSet = true
  }

  mutating func add(class set: SetExpression, isProperty: Bool) {
    sets.append(set)
    endWithSet = isProperty
  }

  mutating func apply(_ operation: Operation, to right: SetExpression) {
    settle()
    tight = (union, operation)
    (ranges, sets, endWithSet) = ([], [right], true)
  }

  mutating func apply(_ operation: Operation) {
    settle()
    left = (joined, operation)
    (ranges, sets, endWithSet) = ([], [], false)
  }

  /// All of the set: the caret negates what all operators leave.
  mutating func result() -> SetExpression {
    settle()
    let set = closesCase ? .caseClosure(joined) : joined
    return isNegated ? .complement(set) : set
  }

  /// Carries out the tight operator.
  private mutating func settle() {
    guard let tight else { return }
    sets = [tight.operation.result(of: tight.set, and: union)]
    ranges = []
    self.tight = nil
  }

  /// What was read so far.
  private var joined: SetExpression { left.map { $0.operation.result(of: $0.set, and: union) } ?? union }

  /// All since the last operator.
  private var union: SetExpression { sets.reduce(.ranges(ranges)) { .union($0, $1) } }
}
