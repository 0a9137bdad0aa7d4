/// The keys of all dictionaries of a list, each with one number: the place of the first object that spells it.
///
/// Archives ask for the same few keys hundreds of thousands of times. Once all dictionaries refer to a key by one number,
/// a search compares numbers; a key that no dictionary has needs no search at all.
struct KeyNumbers: Sendable {
  private var numbers: [Spelling: UInt32] = [:]

  /// Makes all dictionaries refer to one object for each key. The text of every object is looked at once.
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

/// The UTF-8 of a key: keys that Unicode calls equivalent remain different, which they would not as strings.
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
