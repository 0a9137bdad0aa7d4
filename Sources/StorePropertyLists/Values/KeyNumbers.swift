/// The keys of all dictionaries of a list, each with one number: the index of the first object with that text.
///
/// Archives look up the same few keys hundreds of thousands of times. With one number for each key, a search compares
/// numbers, and a key that no dictionary has needs no search.
struct KeyNumbers: Sendable {
  private var numbers: [Spelling: UInt32] = [:]

  /// Makes all dictionaries refer to one object for each key. Each object's text is examined once.
  init(unifying references: inout [UInt32], of objects: [ObjectTable.Object], in bytes: [UInt8]) {
    var known: [UInt32?] = Array(repeating: nil, count: objects.count)
    for object in objects {
      guard case .dictionary(let pairs) = object.content else { continue }
      for position in stride(from: pairs.lowerBound, to: pairs.upperBound, by: 2) {
        let key = Int(references[position])
        let number = known[key] ?? number(of: key, spelt: Spelling(objects[key].content, in: bytes))
        known[key] = number
        references[position] = number
      }
    }
  }

  private mutating func number(of key: Int, spelt spelling: Spelling) -> UInt32 {
    if let number = numbers[spelling] { return number }
    let number = UInt32(truncatingIfNeeded: key)
    numbers[spelling] = number
    return number
  }

  /// The number of a key; nil if no dictionary has it.
  subscript(key: String) -> UInt32? { numbers[Spelling(utf8: Array(key.utf8))] }
}

/// The UTF-8 of a key. Keys that are canonically equivalent stay different, which they would not as strings.
private struct Spelling: Hashable {
  let utf8: [UInt8]

  func hash(into hasher: inout Hasher) { utf8.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension Spelling {
  init(_ content: ObjectTable.Content, in bytes: [UInt8]) {
    if case .utf8(let range) = content {
      utf8 = Array(bytes[range])
    } else {
      utf8 = Array((ObjectTable.string(content, in: bytes) ?? "").utf8)
    }
  }
}
