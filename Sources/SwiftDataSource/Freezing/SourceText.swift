/// The text of a file as people laid it out: comments and indentation, which syntax does not hold.
struct SourceText {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func text(_ span: SourceSpan) -> String {
    guard 0 <= span.start, span.start <= span.end, span.end <= bytes.count else { return "" }
    return String(decoding: bytes[span.start..<span.end], as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  private func lineStart(_ offset: Int) -> Int {
    bytes[..<min(max(0, offset), bytes.count)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
  }

  /// The white space that the line of an offset begins with.
  func indentation(at offset: Int) -> [UInt8] { Array(bytes[lineStart(offset)...].prefix { $0 == 0x20 || $0 == 0x09 }) }

  /// The comment that stands directly above a declaration.
  ///
  /// - Returns: its lines without their indentation, and whether a blank line stands above it.
  func comment(before offset: Int) -> (lines: [String], isAfterBlankLine: Bool) {
    var start = lineStart(offset)
    guard start <= offset, offset <= bytes.count, bytes[start..<offset].allSatisfy(Self.isSpace) else {
      return ([], false)
    }
    var above: [ArraySlice<UInt8>] = []
    var isInBlock = false
    var isAfterBlankLine = false
    while start > 0 {
      let previous = lineStart(start - 1)
      let line = bytes[previous..<(start - 1)]
      let text = line.drop(while: Self.isSpace)
      let isBlockEnd = text.ends(with: "*/")
      if isInBlock || text.starts(with: "//".utf8) && !text.starts(with: "// MARK".utf8)
        || isBlockEnd && (text.starts(with: "/*".utf8) || text.starts(with: "*".utf8))
      {
        above.append(line)
        if text.starts(with: "/*".utf8) { isInBlock = false } else if isBlockEnd { isInBlock = true }
      } else {
        isAfterBlankLine = text.isEmpty
        break
      }
      start = previous
    }
    // Without its beginning it would be no comment.
    guard !isInBlock, let first = above.last else { return ([], isAfterBlankLine) }
    let indentation = Array(first.prefix { $0 == 0x20 || $0 == 0x09 })
    return (above.reversed().map { Self.text($0, without: indentation) }, isAfterBlankLine)
  }

  /// The `//` comment behind a declaration on its last line.
  func trailingComment(_ offset: Int) -> String? {
    guard 0 <= offset, offset <= bytes.count else { return nil }
    let rest = bytes[offset...].prefix { $0 != 0x0A }.drop(while: Self.isSpace)
    guard rest.starts(with: "//".utf8) else { return nil }
    return Self.text(rest, without: [])
  }

  /// The lines of a text that begins at an offset, without the indentation of its first line.
  func outdented(_ text: [UInt8], startingAt offset: Int) -> [String] {
    let indentation = indentation(at: offset)
    return text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().map { number, line in
      Self.text(line, without: number == 0 ? [] : indentation)
    }
  }

  /// A line without as much of the indentation as it has, and without the "\r" at its end.
  private static func text(_ line: ArraySlice<UInt8>, without indentation: [UInt8]) -> String {
    let common = zip(line, indentation).prefix { $0 == $1 }.count
    var kept = line.dropFirst(common)
    // Other white space at the end of a line may be part of a string.
    if kept.last == 0x0D { kept.removeLast() }
    if kept.allSatisfy(isSpace) { return "" }
    return String(decoding: kept, as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with text: String) -> Bool {
    var line = self
    while let last = line.last, last == 0x20 || last == 0x09 || last == 0x0D { line.removeLast() }
    return line.suffix(text.utf8.count).elementsEqual(text.utf8)
  }
}
