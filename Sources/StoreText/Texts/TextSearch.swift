// Searching by bytes. What comes with the compiler compares characters, for which a quote with a combining accent is no
// quote: a text that was escaped that way ends where its author did not want it to. It is 1.3 MB of a static program, too.

extension Collection where Element == UInt8 {
  /// Where `words` stand first; nil where they do not, or are empty. The time grows with both lengths alone, whatever the
  /// bytes (Knuth, Morris and Pratt).
  package func firstRange(ofBytes words: [UInt8]) -> Range<Index>? {
    guard let last = words.indices.last else { return nil }
    // For each number of bytes that agree: how many agree still when the next does not.
    var shorter = [0]
    for index in words.indices.dropFirst() {
      shorter.append(Self.agreeing(words[index], after: shorter[index - 1], with: words, shorter))
    }
    var count = 0
    for (offset, byte) in enumerated() {
      count = Self.agreeing(byte, after: count, with: words, shorter)
      guard count > last else { continue }
      let start = index(startIndex, offsetBy: offset - last)
      return start..<index(start, offsetBy: words.count)
    }
    return nil
  }

  /// How many bytes of `words` agree when `byte` follows `count` that did.
  private static func agreeing(_ byte: UInt8, after count: Int, with words: [UInt8], _ shorter: [Int]) -> Int {
    var count = count
    while count > 0, words[count] != byte { count = shorter[count - 1] }
    return words[count] == byte ? count + 1 : 0
  }
}

extension StringProtocol {
  /// Where `words` stand first, by bytes; nil where they do not, or are empty.
  package func firstRange(of words: String) -> Range<Index>? { utf8.firstRange(ofBytes: Array(words.utf8)) }

  /// Whether `words` stand in the text, by bytes; every text has the empty one.
  package func contains(_ words: String) -> Bool { words.isEmpty || firstRange(of: words) != nil }

  /// The parts between `words`, by bytes, without empty ones; the last has the rest when there are `most`.
  package func split(by words: String, most: Int = .max) -> [SubSequence] {
    let words = Array(words.utf8)
    var parts: [SubSequence] = []
    var rest = self[...]
    while parts.count < most - 1, let place = rest.utf8.firstRange(ofBytes: words) {
      if place.lowerBound > rest.startIndex { parts.append(rest[..<place.lowerBound]) }
      rest = rest[place.upperBound...]
    }
    return rest.isEmpty ? parts : parts + [rest]
  }

  /// The text with `replacement` wherever `words` stand, from the front, by bytes.
  package func replacing(_ words: String, with replacement: String) -> String {
    let words = Array(words.utf8)
    var rest = Substring(self)
    var result = ""
    while let place = rest.utf8.firstRange(ofBytes: words) {
      result += rest[..<place.lowerBound]
      result += replacement
      rest = rest[place.upperBound...]
    }
    return result.isEmpty ? String(rest) : result + rest
  }
}
