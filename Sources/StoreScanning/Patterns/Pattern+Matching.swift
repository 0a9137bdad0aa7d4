extension Pattern {
  /// Whether the pattern matches the whole text, which must be valid; nil when `work` is used up before that is known.
  func matches(_ text: TextBytes, work: inout Int) -> Bool? {
    var run = PatternRun(self)
    let lastLine = text.lengthWithoutLastTerminator
    var position = 0
    run.enter(start, isStart: true, isEnd: text.bytes.isEmpty, isLastLine: lastLine == 0)
    text.forEachScalar { scalar in
      work -= run.current.count + 1
      position += UTF8.width(scalar)
      let isEnd = position == text.bytes.count
      run.advance(over: scalar, isEnd: isEnd, isLastLine: isEnd || position == lastLine)
      return work > 0 && !run.current.isEmpty
    }
    if work <= 0 { return nil }
    return position == text.bytes.count && run.accepts
  }
}

extension UTF8 {
  /// The length of a scalar in UTF-8.
  fileprivate static func width(_ scalar: UInt32) -> Int {
    scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
  }
}

extension TextBytes {
  /// The length of the text without its last line terminator, if it ends with one: U+000A to U+000D, U+0085, U+2028,
  /// U+2029, or U+000D U+000A together.
  fileprivate var lengthWithoutLastTerminator: Int {
    if bytes.count >= 2, bytes[bytes.count - 2] == 0x0d, bytes[bytes.count - 1] == 0x0a { return bytes.count - 2 }
    let ends: [[UInt8]] = [[0x0a], [0x0b], [0x0c], [0x0d], [0xc2, 0x85], [0xe2, 0x80, 0xa8], [0xe2, 0x80, 0xa9]]
    let end = ends.first { $0.count <= bytes.count && bytes.suffix($0.count).elementsEqual($0) }
    return bytes.count - (end?.count ?? 0)
  }
}

/// The set of states that the text so far leads to.
private struct PatternRun {
  /// States that wait for a character, and the accepting one if it was reached.
  private(set) var current: [Int] = []
  /// Whether all of the text so far matches.
  private(set) var accepts = false
  private let nodes: [Pattern.Node]
  /// For each state the step in which it was last reached.
  private var reached: [Int]
  private var step = 0
  private var pending: [Int] = []

  init(_ pattern: Pattern) {
    nodes = pattern.nodes
    reached = Array(repeating: -1, count: nodes.count)
  }

  /// Enters a state, and all that follow from it without a character.
  mutating func enter(_ place: Int, isStart: Bool, isEnd: Bool, isLastLine: Bool) {
    pending.append(place)
    while let place = pending.popLast() {
      guard reached[place] != step else { continue }
      reached[place] = step
      switch nodes[place] {
      case .scalar: current.append(place)
      case .accept: accepts = true
      case .split(let first, let second):
        pending.append(second)
        pending.append(first)
      case .at(let edge, let next):
        let isThere =
          switch edge {
          case .start: isStart
          case .end: isEnd
          case .lastLine: isLastLine
          }
        if isThere { pending.append(next) }
      }
    }
  }

  /// Consumes a character.
  mutating func advance(over scalar: UInt32, isEnd: Bool, isLastLine: Bool) {
    step += 1
    let before = current
    current.removeAll(keepingCapacity: true)
    accepts = false
    for place in before {
      guard case .scalar(let set, let next) = nodes[place], set.contains(scalar) else { continue }
      enter(next, isStart: false, isEnd: isEnd, isLastLine: isLastLine)
    }
  }
}
