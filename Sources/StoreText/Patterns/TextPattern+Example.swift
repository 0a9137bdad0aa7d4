extension TextPattern {
  /// A text that the pattern matches, except where it asks for a place such as `^` in the middle; nil where no short text
  /// leads to the end.
  ///
  /// - Parameter choose: returns a number from 0 up to its argument, which is not reached.
  package func text(choosing choose: (Int) -> Int) -> String? {
    let distances = distancesToTheEnd()
    var text = ""
    var place = start
    // Each step goes to another state; a walk that is longer takes the shortest way out.
    for step in 0..<100_000 {
      switch nodes[place] {
      case .accept: return text
      case .at(_, let next): place = next
      case .split(let first, let second):
        let isLong = step > 200 || text.unicodeScalars.count > 40
        let takesFirst = isLong ? distances[first] <= distances[second] : choose(2) == 0
        place = takesFirst && distances[first] < .max || distances[second] == .max ? first : second
      case .scalar, .folded, .set, .unit:
        guard let (scalar, next) = exampleStep(place, choosing: choose) else { return nil }
        text.unicodeScalars.append(scalar)
        place = next
      }
    }
    return nil
  }

  /// A character that a state consumes, and the state after it.
  private func exampleStep(_ place: Int, choosing choose: (Int) -> Int) -> (Unicode.Scalar, next: Int)? {
    switch nodes[place] {
    case .scalar(let value, let next):
      return Self.example(of: [value...value], where: { $0 == value }, choosing: choose).map { ($0, next) }
    case .folded(let value, let next, _):
      return Self.example(of: [value...value], where: { CaseFolding.folded($0).scalars == [value] }, choosing: choose)
        .map { ($0, next) }
    case .set(let set, let next), .unit(let set, let next, _):
      return Self.example(of: sets[set].ranges, where: sets[set].contains, choosing: choose).map { ($0, next) }
    case .split, .at, .accept: return nil
    }
  }

  /// For each state the least number of steps to the end; `Int.max` where none leads there.
  private func distancesToTheEnd() -> [Int] {
    var distances = [Int](repeating: .max, count: nodes.count)
    var before = [[Int]](repeating: [], count: nodes.count)
    var reached: [Int] = []
    for (place, node) in nodes.enumerated() {
      switch node {
      case .accept:
        distances[place] = 0
        reached.append(place)
      case .at(_, let next), .scalar(_, let next), .folded(_, let next, _), .set(_, let next), .unit(_, let next, _):
        before[next].append(place)
      case .split(let first, let second):
        before[first].append(place)
        before[second].append(place)
      }
    }
    var position = 0
    while position < reached.count {
      let place = reached[position]
      position += 1
      for earlier in before[place] where distances[earlier] == .max {
        distances[earlier] = distances[place] + 1
        reached.append(earlier)
      }
    }
    return distances
  }
}

extension TextPattern {
  /// A character of a set: a letter, digit or sign of ASCII if it has one.
  private static func example(
    of ranges: [ClosedRange<UInt32>], where contains: (UInt32) -> Bool, choosing choose: (Int) -> Int
  ) -> Unicode.Scalar? {
    let plain = Self.plain.filter(contains)
    if !plain.isEmpty { return Unicode.Scalar(plain[choose(plain.count)]) }
    let first = ranges.lazy.flatMap { $0.prefix(64) }.first { contains($0) && Unicode.Scalar($0) != nil && $0 > 0 }
    return (first ?? (0xa0...0x3000).first(where: contains)).flatMap(Unicode.Scalar.init)
  }

  /// Letters and digits first; the rest only where a set has none of them.
  private static let plain: [UInt32] = {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.".unicodeScalars)
    return letters.map(\.value) + (0x21...0x7e).filter { value in !letters.contains { $0.value == value } }
  }()
}
