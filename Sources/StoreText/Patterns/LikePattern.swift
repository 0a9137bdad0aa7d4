/// A pattern of LIKE: `?` is one scalar, `*` any number of them, a backslash takes the next one literally.
package struct LikePattern: Sendable {
  private enum Part: Sendable, Equatable {
    case scalar(UInt32)
    case one
    case many
  }

  private let options: TextOptions
  private let parts: [Part]

  /// The most scalars of a pattern: the time a text takes is at most its length times this.
  static let maximumLength = 1_000

  package init(_ pattern: String, options: TextOptions) throws(PatternError) {
    self.options = options
    var parts: [Part] = []
    var isLiteral = false
    for scalar in pattern.unicodeScalars {
      if isLiteral {
        parts += TextFolding.foldedScalars(String(scalar), options: options).map { .scalar($0) }
        isLiteral = false
      } else if scalar == "\\" {
        isLiteral = true
      } else if scalar == "*" {
        if parts.last != .many { parts.append(.many) }
      } else if scalar == "?" {
        parts.append(.one)
      } else {
        parts += TextFolding.foldedScalars(String(scalar), options: options).map { .scalar($0) }
      }
    }
    let count = pattern.unicodeScalars.count
    guard !isLiteral else { throw PatternError(.lastBackslash, at: count) }
    guard parts.count <= Self.maximumLength else {
      throw PatternError(.longLike)
    }
    self.parts = parts
  }

  /// Whether the whole text is as the pattern says.
  package func matches(_ text: String) -> Bool {
    if TextFolding.isASCII(text) {
      return withBytes(of: text) { bytes in
        options.contains(.caseInsensitive)
          ? matches(bytes, fold: TextFolding.lowercased) : matches(bytes, fold: { $0 })
      }
    }
    return TextFolding.foldedScalars(text, options: options).withUnsafeBufferPointer { matches($0, fold: { $0 }) }
  }

  /// After a mismatch only the last `*` has to be tried again, one unit further on.
  @inline(__always)
  private func matches<Unit: FixedWidthInteger>(_ text: UnsafeBufferPointer<Unit>, fold: (Unit) -> Unit) -> Bool {
    var (position, part) = (0, 0)
    var retry: (position: Int, part: Int)?
    while position < text.count {
      if part < parts.count, parts[part] == .many {
        part += 1
        retry = (position, part)
      } else if part < parts.count, parts[part] == .one || parts[part] == .scalar(UInt32(fold(text[position]))) {
        position += 1
        part += 1
      } else if let last = retry {
        position = last.position + 1
        part = last.part
        retry = (position, part)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .many }
  }
}
