/// A value of JSON that is being written.
final class Node {
  enum Content {
    case null
    /// A number, `true` or `false`.
    case word(String)
    case string(String)
    case array([Node])
    case object([String: Node])
  }

  var content = Content.null

  /// A new last element, or a new value of `key`.
  func child(_ key: String? = nil) -> Node {
    let node = Node()
    if let key {
      var values: [String: Node] = [:]
      if case .object(let before) = content { values = before }
      values[key] = node
      content = .object(values)
    } else {
      var elements: [Node] = []
      if case .array(let before) = content { elements = before }
      elements.append(node)
      content = .array(elements)
    }
    return node
  }

  /// The JSON, whose later lines begin with `indent`.
  func text(indent: String) -> String {
    let inner = indent + "  "
    switch content {
    case .null: return "null"
    case .word(let word): return word
    case .string(let string): return quoted(string)
    case .array(let elements):
      if elements.isEmpty { return "[\n\n\(indent)]" }
      return "[\n" + elements.map { inner + $0.text(indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let values):
      if values.isEmpty { return "{\n\n\(indent)}" }
      let lines = values.sorted { $0.key < $1.key }.map { "\(inner)\(quoted($0)) : \($1.text(indent: inner))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  private func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "/": text += "\\/"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{8}": text += "\\b"
      case "\u{c}": text += "\\f"
      case ..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

/// Fills a node with what a value says of itself.
struct NodeEncoder: Encoder {
  let node: Node
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.content = .object([:])
    return KeyedEncodingContainer(KeyedNode<Key>(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.content = .array([])
    return NodeElements(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleNode(node: node) }
}

/// Writes one value into `node`.
private func write(_ value: some Encodable, into node: Node) throws {
  switch value {
  case let string as String: node.content = .string(string)
  case let truth as Bool: node.content = .word(truth ? "true" : "false")
  case let number as any BinaryInteger: node.content = .word(String(describing: number))
  case let number as any BinaryFloatingPoint: node.content = .word(String(describing: number))
  default: try value.encode(to: NodeEncoder(node: node))
  }
}

private struct KeyedNode<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: Node
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { _ = node.child(key.stringValue) }

  func encode(_ value: some Encodable, forKey key: Key) throws { try write(value, into: node.child(key.stringValue)) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    NodeEncoder(node: node.child(key.stringValue)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    NodeEncoder(node: node.child(key.stringValue)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { NodeEncoder(node: node.child("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { NodeEncoder(node: node.child(key.stringValue)) }
}

private struct NodeElements: UnkeyedEncodingContainer {
  let node: Node
  var codingPath: [any CodingKey] { [] }
  var count: Int {
    if case .array(let elements) = node.content { elements.count } else { 0 }
  }

  func encodeNil() { _ = node.child() }

  func encode(_ value: some Encodable) throws { try write(value, into: node.child()) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    NodeEncoder(node: node.child()).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { NodeEncoder(node: node.child()).unkeyedContainer() }

  func superEncoder() -> any Encoder { NodeEncoder(node: node.child()) }
}

private struct SingleNode: SingleValueEncodingContainer {
  let node: Node
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { node.content = .null }

  // Not through `write`, which would ask the same value again.
  func encode(_ value: String) { node.content = .string(value) }
  func encode(_ value: Bool) { node.content = .word(value ? "true" : "false") }
  func encode(_ value: Int) { node.content = .word(String(value)) }
  func encode(_ value: some Encodable) throws { try write(value, into: node) }
}
