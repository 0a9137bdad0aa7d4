/// Measures how deeply brackets, key paths, generic arguments and `#if`s are nested, on bytes, before parsing.
///
/// swift-syntax looks ahead to tell constructs apart, and again at each level: the time doubles with each of `[[[[[[`,
/// long before its own limit on nesting; it is cubic in the depth of `\A(\A(\A(` and `A<A<A<`, and quadratic for `if a
/// { if a {` and `#if`. The limits are some three times what real source has (measured on 2,047 files: 24 brackets).
struct SourceNesting {
  static let maximumBrackets = 64
  static let maximumTypes = 10
  static let maximumKeyPaths = 32
  static let maximumConditions = 64

  private enum Bracket {
    case parenthesis(hasKeyPath: Bool)
    /// `\(` in a string, which continues after its end.
    case interpolation(Quotes, hasKeyPath: Bool)
    case list
    case brace
  }

  /// A string's delimiter: `"`, `"""`, `#"`.
  private struct Quotes {
    var quotes: Int
    var hashes: Int
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var open: [Bracket] = []
  private var parentheses = 0
  private var squares = 0
  private var braces = 0
  private var keyPaths = 0
  /// The nesting of lists and generic arguments that no type has: `[[a: A<`, but not `["a": [`; comparisons do not
  /// accumulate.
  private var types = 0
  private var conditions = 0

  /// Whether source is nested too deeply to be parsed.
  static func isTooDeep(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var nesting = SourceNesting(bytes: bytes)
      while nesting.position < bytes.count, !nesting.isTooDeep { nesting.step() }
      return nesting.isTooDeep
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private var isTooDeep: Bool {
    open.count > Self.maximumBrackets || types > Self.maximumTypes || keyPaths > Self.maximumKeyPaths
      || conditions > Self.maximumConditions
  }

  private mutating func step() {
    let byte = bytes[position]
    switch byte {
    case UInt8(ascii: "/"): if skipComment() { return }
    case UInt8(ascii: "\""), UInt8(ascii: "#"): if openText() { return }
    default: break
    }
    countTypes(byte)
    switch byte {
    case UInt8(ascii: "["):
      open.append(.list)
      squares += 1
    case UInt8(ascii: "{"):
      open.append(.brace)
      braces += 1
    case UInt8(ascii: "("):
      open.append(.parenthesis(hasKeyPath: false))
      parentheses += 1
    case UInt8(ascii: "]"): close(where: squares > 0) { if case .list = $0 { true } else { false } }
    case UInt8(ascii: "}"): close(where: braces > 0) { if case .brace = $0 { true } else { false } }
    case UInt8(ascii: ")"): closeParenthesis()
    case UInt8(ascii: "\\"): beginKeyPath()
    case UInt8(ascii: "#"):
      if starts(with: "#if") { conditions += 1 }
      if starts(with: "#endif") { conditions = max(0, conditions - 1) }
    default: break
    }
    position += 1
  }

  // MARK: Brackets

  /// Closes the innermost bracket of a kind and, as the parser does, all inner ones that are still open.
  @discardableResult
  private mutating func close(where isOpen: Bool, _ isMeant: (Bracket) -> Bool) -> Bracket? {
    guard isOpen else { return nil }
    while let bracket = open.popLast() {
      switch bracket {
      case .list: squares -= 1
      case .brace: braces -= 1
      case .parenthesis(let hasKeyPath), .interpolation(_, let hasKeyPath):
        parentheses -= 1
        if hasKeyPath { keyPaths -= 1 }
      }
      if isMeant(bracket) { return bracket }
    }
    return nil
  }

  private mutating func closeParenthesis() {
    let closed = close(where: parentheses > 0) {
      switch $0 {
      case .parenthesis, .interpolation: true
      case .list, .brace: false
      }
    }
    guard case .interpolation(let quotes, _) = closed else { return }
    position += 1
    skipText(quotes)
    position -= 1
  }

  private mutating func beginKeyPath() {
    switch open.last {
    case .parenthesis(hasKeyPath: false): open[open.count - 1] = .parenthesis(hasKeyPath: true)
    case .interpolation(let quotes, hasKeyPath: false):
      open[open.count - 1] = .interpolation(quotes, hasKeyPath: true)
    default: return
    }
    keyPaths += 1
  }

  private mutating func countTypes(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "["), UInt8(ascii: "<"): types += 1
    case UInt8(ascii: ">") where position > 0 && bytes[position - 1] == UInt8(ascii: "-"): break
    case UInt8(ascii: "]"), UInt8(ascii: ">"): types = max(0, types - 1)
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      break
    default: if !Self.typeMarks.utf8.contains(byte) { types = 0 }
    }
  }

  private static let typeMarks = " \t\r\n\0_.,:()?!&-@~`"

  // MARK: Strings and comments

  /// Skips `// …` and `/* … /* … */ … */`.
  private mutating func skipComment() -> Bool {
    if starts(with: "//") {
      while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
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

  /// Skips `"…"`, `"""…"""` and both with `#`, up to the end or an interpolation.
  private mutating func openText() -> Bool {
    var start = position
    while start < bytes.count, bytes[start] == UInt8(ascii: "#") { start += 1 }
    let hashes = start - position
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else {
      // Skips them all, so that they are not examined once for each.
      position += max(0, hashes - 1)
      return false
    }
    position = start
    let quotes = Quotes(quotes: starts(with: "\"\"\"") ? 3 : 1, hashes: hashes)
    position += quotes.quotes
    skipText(quotes)
    types = 0
    return true
  }

  private mutating func skipText(_ ends: Quotes) {
    while position < bytes.count {
      let byte = bytes[position]
      if ends.quotes == 1, byte == 0x0A || byte == 0x0D { return }
      if byte == UInt8(ascii: "\\"), has(ends.hashes, of: UInt8(ascii: "#"), at: position + 1) {
        position += ends.hashes + 1
        guard position < bytes.count else { return }
        let isCode = bytes[position] == UInt8(ascii: "(")
        position += 1
        guard isCode else { continue }
        open.append(.interpolation(ends, hasKeyPath: false))
        parentheses += 1
        return
      }
      if has(ends.quotes, of: UInt8(ascii: "\""), at: position),
        has(ends.hashes, of: UInt8(ascii: "#"), at: position + ends.quotes)
      {
        position += ends.quotes + ends.hashes
        return
      }
      position += 1
    }
  }

  private func has(_ count: Int, of byte: UInt8, at start: Int) -> Bool {
    start + count <= bytes.count && bytes[start..<(start + count)].allSatisfy { $0 == byte }
  }

  private func starts(with text: StaticString) -> Bool {
    let end = position + text.utf8CodeUnitCount
    return end <= bytes.count && text.withUTF8Buffer { bytes[position..<end].elementsEqual($0) }
  }
}
