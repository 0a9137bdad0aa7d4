extension TextPattern {
  /// Whether the pattern matches all scalars; nil when `work` is used up before that is known.
  ///
  /// The states lie on the stack, or in one block where the pattern is large: that is all the memory a text takes.
  @inline(__always)
  func matches(work: inout Int, _ nextScalar: () -> UInt32?) -> Bool? {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 4 * nodes.count + 2) { memory in
      nodes.withUnsafeBufferPointer { nodes in
        sets.withUnsafeBufferPointer { sets in
          guard var run = PatternRun(nodes: nodes, sets: sets, memory: memory) else { return false }
          var place = TextPlace(nextScalar)
          run.enter(start, at: place)
          while let scalar = place.following {
            work -= run.count + 1
            guard work > 0 else { return nil }
            guard run.count > 0 else { return false }
            place.advance(notingWords: hasEdges, nextScalar)
            run.advance(over: scalar, folding: foldsCase, to: place)
          }
          return run.accepts
        }
      }
    }
  }
}

/// A place in a text, with the scalars around it.
private struct TextPlace {
  /// The scalar before; nil at the start.
  private var preceding: UInt32?
  /// The scalar after; nil at the end.
  private(set) var following: UInt32?
  /// The two after that, so that U+000D U+000A at the end is seen.
  private var second: UInt32?
  private var third: UInt32?
  /// Whether the last scalar before it that is more than a mark on another belongs to a word.
  private var isAfterWord = false

  @inline(__always)
  init(_ nextScalar: () -> UInt32?) {
    following = nextScalar()
    second = following == nil ? nil : nextScalar()
    third = second == nil ? nil : nextScalar()
  }

  @inline(__always)
  mutating func advance(notingWords: Bool, _ nextScalar: () -> UInt32?) {
    if notingWords, let scalar = following, !Self.isMark(scalar) { isAfterWord = ScalarProperty.word.holds(scalar) }
    preceding = following
    following = second
    second = third
    third = third == nil ? nil : nextScalar()
  }

  var isBeforeLineFeed: Bool { following == 0x0a }

  func isAt(_ edge: TextPattern.Edge) -> Bool {
    switch edge {
    case .start: preceding == nil
    case .end: following == nil
    case .lastLine: isLastLine
    case .lineStart: preceding == nil || following != nil && preceding.map(isLineTerminator) == true
    case .lineEnd: following.map { isLineTerminator($0) && !isInLineEnd } ?? true
    case .wordBoundary: isWordBoundary
    case .noWordBoundary: !isWordBoundary
    }
  }

  /// Whether it is between U+000D and U+000A.
  private var isInLineEnd: Bool { following == 0x0a && preceding == 0x0d }

  private var isLastLine: Bool {
    guard let following else { return true }
    if second == nil { return isLineTerminator(following) && !isInLineEnd }
    return third == nil && following == 0x0d && second == 0x0a
  }

  private var isWordBoundary: Bool {
    guard let following else { return isAfterWord }
    return !Self.isMark(following) && ScalarProperty.word.holds(following) != isAfterWord
  }

  /// Whether a scalar belongs to the one before it, as ICU sees the boundaries of words.
  private static func isMark(_ value: UInt32) -> Bool {
    guard value >= 0xad, let scalar = Unicode.Scalar(value) else { return false }
    return scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .format
  }
}

/// Whether a scalar ends a line: U+000A to U+000D, U+0085, U+2028 and U+2029.
private func isLineTerminator(_ value: UInt32) -> Bool {
  (0x0a...0x0d).contains(value) || value == 0x85 || value == 0x2028 || value == 0x2029
}

/// The set of states that the text so far leads to.
private struct PatternRun {
  /// The number of states that wait for a character.
  private(set) var count = 0
  /// Whether all of the text so far matches.
  private(set) var accepts = false
  private let nodes: UnsafeBufferPointer<TextPattern.Node>
  private let sets: UnsafeBufferPointer<ScalarSet>
  /// States that wait for a character, and those that waited for the one before.
  private var current: UnsafeMutablePointer<Int>
  private var before: UnsafeMutablePointer<Int>
  /// For each state the step in which it was last reached.
  private let reached: UnsafeMutablePointer<Int>
  private let pending: UnsafeMutablePointer<Int>
  private var step = 0

  init?(
    nodes: UnsafeBufferPointer<TextPattern.Node>, sets: UnsafeBufferPointer<ScalarSet>,
    memory: UnsafeMutableBufferPointer<Int>
  ) {
    guard let memory = memory.baseAddress else { return nil }
    self.nodes = nodes
    self.sets = sets
    current = memory
    before = memory + nodes.count
    reached = memory + 2 * nodes.count
    pending = memory + 3 * nodes.count
    reached.initialize(repeating: -1, count: nodes.count)
  }

  /// Enters a state, and all that follow from it without a character.
  mutating func enter(_ place: Int, at text: TextPlace) {
    // Each state is taken up once and leads to at most two, so that one more waits for each at most.
    var waiting = 1
    pending[0] = place
    while waiting > 0 {
      waiting -= 1
      let place = pending[waiting]
      guard reached[place] != step else { continue }
      reached[place] = step
      switch nodes[place] {
      case .scalar, .folded, .set, .unit:
        current[count] = place
        count += 1
      case .accept: accepts = true
      case .split(let first, let second):
        pending[waiting] = second
        pending[waiting + 1] = first
        waiting += 2
      case .at(let edge, let next):
        guard text.isAt(edge) else { continue }
        pending[waiting] = next
        waiting += 1
      }
    }
  }

  /// Consumes a character; `text` is the place behind it.
  @inline(__always)
  mutating func advance(over scalar: UInt32, folding: Bool, to text: TextPlace) {
    step += 1
    let waited = count
    swap(&current, &before)
    count = 0
    accepts = false
    let folded = folding ? CaseFolding.folded(scalar) : FoldedScalar(scalar)
    for position in 0..<waited {
      switch nodes[before[position]] {
      case .scalar(let wanted, let next): if wanted == scalar { enter(next, at: text) }
      case .set(let set, let next): if sets[set].contains(scalar) { enter(next, at: text) }
      case .unit(let set, let next, let lineFeed):
        guard sets[set].contains(scalar) else { continue }
        enter(scalar == 0x0d && text.isBeforeLineFeed ? lineFeed : next, at: text)
      case .folded: if let next = place(behind: before[position], folded) { enter(next, at: text) }
      case .split, .at, .accept: continue
      }
    }
  }

  /// The state behind a run's literals that a folded character is.
  private func place(behind place: Int, _ folded: FoldedScalar) -> Int? {
    guard case .folded(let first, var next, var isLast) = nodes[place], first == folded.first else { return nil }
    for position in 1..<folded.count {
      guard !isLast, case .folded(let wanted, let following, let endsRun) = nodes[next], wanted == folded[position]
      else { return nil }
      (next, isLast) = (following, endsRun)
    }
    return next
  }
}
