/// A value of a YAML document with the line it begins at.
///
/// Scalars are kept as text, whatever YAML would make of them: `no` is a name in one place and a refusal in another,
/// and only the reader of that place knows which.
package struct YAMLNode: Sendable, Equatable {
  /// From 1 on.
  package let line: Int
  package let content: Content

  package enum Content: Sendable, Equatable {
    /// - Parameter isPlain: whether it is written without quotes.
    case text(String, isPlain: Bool)
    case list([YAMLNode])
    case map([Member])
  }

  /// One key of a map; no key occurs twice.
  package struct Member: Sendable, Equatable {
    package let name: String
    package let line: Int
    package let value: YAMLNode

    package init(name: String, line: Int, value: YAMLNode) {
      self.name = name
      self.line = line
      self.value = value
    }
  }

  package init(line: Int, _ content: Content) {
    self.line = line
    self.content = content
  }

  /// An error about this value.
  package func error(_ message: String) -> YAMLError { YAMLError(line: line, message) }

  // MARK: Typed values

  /// A text that is not empty.
  package func text() throws(YAMLError) -> String {
    guard case .text(let text, _) = content, !text.isEmpty else { throw error("a text is expected") }
    return text
  }

  /// `true` or `false`, as YAML 1.2 spells them.
  package func bool() throws(YAMLError) -> Bool {
    switch content {
    case .text("true", isPlain: true): return true
    case .text("false", isPlain: true): return false
    case .text, .list, .map: throw error("true or false is expected")
    }
  }

  /// A whole number from 0 on, in digits.
  package func count() throws(YAMLError) -> Int {
    guard case .text(let text, isPlain: true) = content, let number = Int(text), number >= 0,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { throw error("a whole number from 0 on is expected") }
    return number
  }

  /// One of the words of an enumeration.
  package func word<Word: RawRepresentable & CaseIterable>(
    of type: Word.Type = Word.self
  ) throws(YAMLError) -> Word where Word.RawValue == String {
    guard case .text(let text, _) = content, let word = Word(rawValue: text) else {
      throw error("one of \(Word.allCases.map(\.rawValue).joined(separator: ", ")) is expected")
    }
    return word
  }

  /// The elements of a list.
  package func elements() throws(YAMLError) -> [YAMLNode] {
    guard case .list(let elements) = content else { throw error("a list is expected") }
    return elements
  }

  /// A list of texts.
  package func texts() throws(YAMLError) -> [String] {
    var result: [String] = []
    for element in try elements() { result.append(try element.text()) }
    return result
  }

  /// The members of a map with arbitrary names.
  package func entries() throws(YAMLError) -> [Member] {
    guard case .map(let members) = content else { throw error("keys with values are expected") }
    return members
  }

  /// The members of a map; other names than these are an error.
  package func members(_ names: [String]) throws(YAMLError) -> [String: YAMLNode] {
    var result: [String: YAMLNode] = [:]
    for member in try entries() {
      guard names.contains(member.name) else {
        let known = names.joined(separator: ", ")
        throw YAMLError(line: member.line, "unknown key '\(member.name)'; the keys here are \(known)")
      }
      result[member.name] = member.value
    }
    return result
  }
}
