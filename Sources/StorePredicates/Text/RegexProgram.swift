/// A regular expression as a machine whose states are all followed at once (Thompson): the time for a text is at most
/// its length times the number of instructions, whatever the pattern.
struct RegexProgram: Sendable {
  private enum Instruction: Sendable {
    case scalar(UInt32)
    case any(includingLineEnds: Bool)
    case set(Int)
    case start, end
    case wordBoundary(Bool)
    case split(Int, Int)
    case jump(Int)
    case accept
  }

  private var instructions: [Instruction] = []
  private var sets: [ScalarSet] = []
  private var options: TextOptions
  /// How often a part was compiled: an empty one repeated in repetitions adds no instruction, but takes time.
  private var emissions = 0

  /// The most instructions.
  static let maximumInstructions = 2_000
  /// The largest number in `{2,5}`.
  static let maximumCount = 500

  init(_ pattern: String, _ options: TextOptions) throws(PatternError) {
    self.options = options
    let mark = options.intersection(.diacriticInsensitive)
    let scalars = TextFolding.foldedScalars(pattern, mark).compactMap(Unicode.Scalar.init)
    var parser = RegexParser(scalars)
    let syntax = try parser.pattern()
    if parser.ignoresCase { self.options.insert(.caseInsensitive) }
    try emit(syntax)
    try append(.accept)
  }

  // MARK: Compiling

  private mutating func emit(_ syntax: RegexSyntax) throws(PatternError) {
    emissions += 1
    guard emissions <= 4 * Self.maximumInstructions else { throw Self.tooLarge }
    switch syntax {
    case .empty: break
    case .scalar(let value):
      let text = Unicode.Scalar(value).map(String.init) ?? ""
      for part in TextFolding.foldedScalars(text, options) { try append(.scalar(part)) }
    case .any(let includesLineEnds): try append(.any(includingLineEnds: includesLineEnds))
    case .set(let set):
      sets.append(set)
      try append(.set(sets.count - 1))
    case .start: try append(.start)
    case .end: try append(.end)
    case .wordBoundary(let isBoundary): try append(.wordBoundary(isBoundary))
    case .sequence(let parts): for part in parts { try emit(part) }
    case .alternatives(let parts): try emit(alternatives: parts[...])
    case .repeated(let part, let least, let most): try emit(part, least, most)
    }
  }

  private mutating func emit(alternatives parts: ArraySlice<RegexSyntax>) throws(PatternError) {
    var jumps: [Int] = []
    for (position, part) in parts.enumerated() {
      guard position < parts.count - 1 else {
        try emit(part)
        break
      }
      let split = instructions.count
      try append(.split(split + 1, 0))
      try emit(part)
      jumps.append(instructions.count)
      try append(.jump(0))
      instructions[split] = .split(split + 1, instructions.count)
    }
    for jump in jumps { instructions[jump] = .jump(instructions.count) }
  }

  private mutating func emit(_ part: RegexSyntax, _ least: Int, _ most: Int?) throws(PatternError) {
    for _ in 0..<least { try emit(part) }
    guard let most else {
      let split = instructions.count
      try append(.split(split + 1, 0))
      try emit(part)
      try append(.jump(split))
      instructions[split] = .split(split + 1, instructions.count)
      return
    }
    var splits: [Int] = []
    for _ in least..<max(least, most) {
      splits.append(instructions.count)
      try append(.split(instructions.count + 1, 0))
      try emit(part)
    }
    for split in splits { instructions[split] = .split(split + 1, instructions.count) }
  }

  private mutating func append(_ instruction: Instruction) throws(PatternError) {
    guard instructions.count < Self.maximumInstructions else { throw Self.tooLarge }
    instructions.append(instruction)
  }

  private static let tooLarge = PatternError(
    position: 1, message: "the pattern is too large: more than \(maximumInstructions) steps with repetitions")

  // MARK: Matching

  /// Whether the whole text is as the pattern says.
  func matches(_ text: String) -> Bool {
    let scalars = TextFolding.foldedScalars(text, options)
    var states = StateSet(capacity: instructions.count)
    var next = StateSet(capacity: instructions.count)
    var pending: [Int] = []
    follow(from: 0, at: 0, scalars, into: &states, &pending)
    for position in scalars.indices {
      guard !states.isEmpty else { return false }
      next.removeAll()
      for state in states.members where consumes(instructions[state], scalars[position]) {
        follow(from: state + 1, at: position + 1, scalars, into: &next, &pending)
      }
      swap(&states, &next)
    }
    return states.contains(instructions.count - 1)
  }

  private func consumes(_ instruction: Instruction, _ value: UInt32) -> Bool {
    switch instruction {
    case .scalar(let wanted): wanted == value
    case .any(let includesLineEnds): includesLineEnds || !Self.endsLine(value)
    case .set(let index): contains(sets[index], value)
    default: false
    }
  }

  /// Without regard to case a set has a letter if it has it in either case; the text is in lower case then.
  private func contains(_ set: ScalarSet, _ value: UInt32) -> Bool {
    guard options.contains(.caseInsensitive) else { return set.contains(value) }
    var open = set
    open.isNegated = false
    return (open.contains(value) || Self.uppercase(value).map(open.contains) == true) != set.isNegated
  }

  private static func uppercase(_ value: UInt32) -> UInt32? {
    if value < 0x80 { return value &- 0x61 < 26 ? value - 0x20 : nil }
    let mapping = Unicode.Scalar(value)?.properties.uppercaseMapping.unicodeScalars
    return mapping?.count == 1 ? mapping?.first?.value : nil
  }

  private static func endsLine(_ value: UInt32) -> Bool {
    (0x0A...0x0D).contains(value) || value == 0x85 || value == 0x2028 || value == 0x2029
  }

  /// Adds what is reached from an instruction without a scalar.
  private func follow(
    from start: Int, at position: Int, _ text: [UInt32], into states: inout StateSet, _ pending: inout [Int]
  ) {
    pending.append(start)
    while let state = pending.popLast() {
      guard states.insert(state) else { continue }
      switch instructions[state] {
      case .split(let first, let second):
        pending.append(first)
        pending.append(second)
      case .jump(let target): pending.append(target)
      case .start: if position == 0 { pending.append(state + 1) }
      case .end: if isEnd(position, of: text) { pending.append(state + 1) }
      case .wordBoundary(let wanted):
        let isBoundary = isWord(text, position - 1) != isWord(text, position)
        if isBoundary == wanted { pending.append(state + 1) }
      case .scalar, .any, .set, .accept: break
      }
    }
  }

  /// The end, or before the line end that is the last scalar.
  private func isEnd(_ position: Int, of text: [UInt32]) -> Bool {
    position == text.count || (position == text.count - 1 && Self.endsLine(text[position]))
  }

  private func isWord(_ text: [UInt32], _ position: Int) -> Bool {
    guard text.indices.contains(position), let scalar = Unicode.Scalar(text[position]) else { return false }
    return ScalarSet.contains(scalar, .word)
  }
}

/// Numbers below a bound, in the order of insertion.
private struct StateSet {
  private(set) var members: [Int] = []
  private var marks: [Bool]

  init(capacity: Int) { marks = [Bool](repeating: false, count: capacity) }

  var isEmpty: Bool { members.isEmpty }

  func contains(_ member: Int) -> Bool { marks[member] }

  mutating func insert(_ member: Int) -> Bool {
    guard !marks[member] else { return false }
    marks[member] = true
    members.append(member)
    return true
  }

  mutating func removeAll() {
    for member in members { marks[member] = false }
    members.removeAll(keepingCapacity: true)
  }
}
