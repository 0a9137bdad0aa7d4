/// A value with its path in the document, for error messages.
package struct JSONPlace {
  /// The value.
  package let value: JSONValue
  fileprivate let path: Path

  fileprivate indirect enum Path {
    case document
    case member(String, of: Path)
    case element(Int, of: Path)
  }

  /// A whole document.
  package init(_ document: JSONValue) {
    value = document
    path = .document
  }

  private init(_ value: JSONValue, _ path: Path) {
    self.value = value
    self.path = path
  }

  /// An error about this value.
  package func error(_ message: String) -> JSONError {
    JSONError(place: path.description, message: message)
  }

  // MARK: Typed values

  /// The text of a string.
  package func string() throws(JSONError) -> String {
    guard case .string(let text) = value else { throw expected("a text") }
    return text
  }

  /// `true` or `false`.
  package func bool() throws(JSONError) -> Bool {
    guard case .bool(let flag) = value else { throw expected("true or false") }
    return flag
  }

  /// A whole number that fits.
  package func integer<Number: FixedWidthInteger>(as type: Number.Type = Number.self) throws(JSONError) -> Number {
    guard case .integer(let wide) = value, let number = Number(exactly: wide) else {
      throw expected("a whole number from \(Number.min) to \(Number.max)")
    }
    return number
  }

  /// Any number.
  package func number() throws(JSONError) -> Double {
    switch value {
    case .integer(let whole): return Double(whole)
    case .number(let number): return number
    case .null, .bool, .string, .array, .object: throw expected("a number")
    }
  }

  /// The elements of an array.
  package func elements() throws(JSONError) -> [JSONPlace] {
    guard case .array(let values) = value else { throw expected("a list") }
    return values.enumerated().map { JSONPlace($1, .element($0, of: path)) }
  }

  /// An array of texts.
  package func strings() throws(JSONError) -> [String] {
    var result: [String] = []
    for element in try elements() { result.append(try element.string()) }
    return result
  }

  /// The members of an object with arbitrary names, sorted by name.
  package func entries() throws(JSONError) -> [(name: String, place: JSONPlace)] {
    guard case .object(let members) = value else { throw expected("an object") }
    return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { ($0.key, JSONPlace($0.value, .member($0.key, of: path))) }
  }

  /// The members of an object; other names than these are an error.
  package func members(_ names: Set<String>) throws(JSONError) -> JSONMembers {
    guard case .object(let members) = value else { throw expected("an object") }
    let unknown = members.keys.filter { !names.contains($0) }
    if let name = unknown.min(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      throw error("unknown member '\(name)'")
    }
    return JSONMembers(place: self, members: members)
  }

  fileprivate func member(_ name: String, value: JSONValue) -> JSONPlace {
    JSONPlace(value, .member(name, of: path))
  }

  private func expected(_ what: String) -> JSONError { error("\(what) is expected") }
}

/// The members of an object of a known form.
package struct JSONMembers {
  /// The object.
  package let place: JSONPlace
  fileprivate let members: [String: JSONValue]

  /// The names of present members.
  package var names: [String] { Array(members.keys) }

  /// The member with that name, if present.
  package subscript(_ name: String) -> JSONPlace? {
    members[name].map { place.member(name, value: $0) }
  }

  /// A required member.
  package func required(_ name: String) throws(JSONError) -> JSONPlace {
    guard let member = self[name] else { throw place.error("'\(name)' is missing") }
    return member
  }

  /// A text, if present.
  package func string(_ name: String) throws(JSONError) -> String? {
    guard let member = self[name] else { return nil }
    return try member.string()
  }

  /// A flag; false where it is absent.
  package func flag(_ name: String) throws(JSONError) -> Bool {
    guard let member = self[name] else { return false }
    return try member.bool()
  }

  /// The elements of a list; none where it is absent.
  package func elements(_ name: String) throws(JSONError) -> [JSONPlace] {
    guard let member = self[name] else { return [] }
    return try member.elements()
  }

  /// A list of texts; none where it is absent.
  package func strings(_ name: String) throws(JSONError) -> [String] {
    guard let member = self[name] else { return [] }
    return try member.strings()
  }

  /// An object of texts; none where it is absent.
  package func texts(_ name: String) throws(JSONError) -> [String: String] {
    var result: [String: String] = [:]
    for (key, place) in try self[name]?.entries() ?? [] { result[key] = try place.string() }
    return result
  }
}

extension JSONPlace.Path: CustomStringConvertible {
  /// "versions[0].model"; a name that is no identifier is in brackets and quotes: "userInfo["a b"]".
  var description: String {
    var steps: [String] = []
    var path = self
    while true {
      switch path {
      case .document:
        let text = steps.reversed().joined()
        return text.hasPrefix(".") ? String(text.dropFirst()) : text
      case .element(let position, let parent):
        steps.append("[\(position)]")
        path = parent
      case .member(let name, let parent):
        steps.append(Self.isPlain(name) ? "." + name : "[\(JSONValue.string(name).inlineText)]")
        path = parent
      }
    }
  }

  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") }
  }
}
