/// How deep lists, key paths and `#if`s stand inside one another, counted on bytes before the parser sees them.
///
/// swift-syntax looks ahead at each `[` to tell a list from a type, so the time doubles with every one of `[[[[[[`, long
/// before its own limit on nesting; `\A(\A(\A(` that is never closed takes the cube of the depth, and `#if` the square.
/// Real source has four of the first and three of the others.
struct SourceNesting {
  private(set) var lists = 0
  private(set) var conditions = 0
  /// Parentheses with a key path in them.
  private(set) var keyPaths = 0

  static let maximumLists = 16
  static let maximumConditions = 64
  static let maximumKeyPaths = 32

  var isTooDeep: Bool {
    lists > Self.maximumLists || conditions > Self.maximumConditions || keyPaths > Self.maximumKeyPaths
  }

  init(_ bytes: [UInt8]) {
    var openLists = 0
    var openConditions = 0
    var openKeyPaths = 0
    // Whether each open parenthesis has a key path in it.
    var parentheses: [Bool] = []
    bytes.withUnsafeBufferPointer { bytes in
      var cursor = Cursor(bytes: bytes)
      while let byte = cursor.next {
        switch byte {
        case UInt8(ascii: "["):
          openLists += 1
          lists = max(lists, openLists)
        case UInt8(ascii: "]"): openLists = max(0, openLists - 1)
        case UInt8(ascii: "("): parentheses.append(false)
        case UInt8(ascii: ")"): if parentheses.popLast() ?? false { openKeyPaths -= 1 }
        case UInt8(ascii: "\\"):
          guard parentheses.last == false else { break }
          parentheses[parentheses.count - 1] = true
          openKeyPaths += 1
          keyPaths = max(keyPaths, openKeyPaths)
        case UInt8(ascii: "/"): if cursor.skipComment() { continue }
        case UInt8(ascii: "#"):
          if cursor.skipText() { continue }
          if cursor.starts(with: "#if") { openConditions += 1 }
          if cursor.starts(with: "#endif") { openConditions = max(0, openConditions - 1) }
          conditions = max(conditions, openConditions)
        case UInt8(ascii: "\""): if cursor.skipText() { continue }
        default: break
        }
        cursor.position += 1
      }
    }
  }

  private struct Cursor {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func starts(with text: StaticString) -> Bool {
      let end = position + text.utf8CodeUnitCount
      return end <= bytes.count && text.withUTF8Buffer { bytes[position..<end].elementsEqual($0) }
    }

    /// `// …` and `/* … /* … */ … */`
    mutating func skipComment() -> Bool {
      if starts(with: "//") {
        while let byte = next, byte != 0x0A, byte != 0x0D { position += 1 }
        return true
      }
      guard starts(with: "/*") else { return false }
      var depth = 0
      repeat {
        if starts(with: "/*") {
          depth += 1
          position += 2
        } else if starts(with: "*/") {
          depth -= 1
          position += 2
        } else {
          position += 1
        }
      } while depth > 0 && position < bytes.count
      return true
    }

    /// `"…"`, `"""…"""` and both with `#` around them; interpolations count as text.
    mutating func skipText() -> Bool {
      var start = position
      while start < bytes.count, bytes[start] == UInt8(ascii: "#") { start += 1 }
      let hashes = start - position
      guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return false }
      position = start
      let quotes = starts(with: "\"\"\"") ? 3 : 1
      position += quotes
      while let byte = next {
        if quotes == 1, byte == 0x0A || byte == 0x0D { return true }
        if byte == UInt8(ascii: "\\"), has(hashes, of: UInt8(ascii: "#"), at: position + 1) {
          position += hashes + 2
        } else if has(quotes, of: UInt8(ascii: "\""), at: position),
          has(hashes, of: UInt8(ascii: "#"), at: position + quotes)
        {
          position += quotes + hashes
          return true
        } else {
          position += 1
        }
      }
      return true
    }

    private func has(_ count: Int, of byte: UInt8, at start: Int) -> Bool {
      start + count <= bytes.count && bytes[start..<(start + count)].allSatisfy { $0 == byte }
    }
  }
}
