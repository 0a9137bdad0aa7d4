import Yams

// What is taken of YAML
// ---------------------
//
// Maps with texts as keys, lists and scalars, in one document. Not taken: anchors and aliases (a few lines of them stand
// for billions of values), tags, a key that occurs twice (most readers keep the last in silence), a second document.
//
// Yams composes the values, and composing is where hostile input would act, so three things come first:
//
//   size      at most `Limits.bytes`; its scanner and its recursion (at most 1,000 levels, then an error of its own) were
//             tried with nothing larger
//   aliases   it compares keys of a map by their whole content, so that a key which is an alias of aliases would keep it
//             busy for ever: a document with so many that it could be is refused unread
//   shortness a text of up to 15 bytes lies in the string itself and not in memory of its own; Yams keeps a pointer to
//             it beyond the call that lends it, so a short text is made longer

extension YAMLNode {
  /// How much a document may ask for.
  package struct Limits: Sendable {
    /// Bytes of the document.
    package var bytes = 1 << 18
    /// Lists and maps inside one another.
    package var depth = 16

    package init() {}
  }

  /// Reads a document in UTF-8; nil for one that is empty or holds comments alone.
  package static func reading(_ bytes: [UInt8], limits: Limits = Limits()) throws(YAMLError) -> YAMLNode? {
    guard bytes.count <= limits.bytes else {
      throw YAMLError(line: nil, "\(bytes.count) bytes, more than \(limits.bytes)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw YAMLError(line: nil, "it is not UTF-8") }
    if mayMultiply(bytes) { throw YAMLError(line: nil, noAnchors) }
    do {
      // The encoding is named since Yams takes another from the environment otherwise, and prints that it did.
      let padding = String(repeating: " ", count: max(0, 16 - bytes.count))
      let parser = try Parser(yaml: text + padding, encoding: .utf8)
      let root = try parser.singleRoot()
      // Nodes hold their anchors weakly, the parser holds them.
      return try withExtendedLifetime(parser) { try root.map { try node($0, limits.depth) } }
    } catch let error as YamlError {
      throw YAMLError(error)
    } catch let error as YAMLError {
      throw error
    } catch {
      throw YAMLError(line: nil, "\(error)")
    }
  }

  private static let noAnchors = "anchors (&name) and aliases (*name) are not taken; write the value out"

  /// Whether there are anchors, and more aliases than could do harm. Text counts too, as telling it apart is a parser's
  /// work: eight aliases stand for at most 2⁴ times the document.
  private static func mayMultiply(_ bytes: [UInt8]) -> Bool {
    bytes.contains(UInt8(ascii: "&"))
      && zip(bytes, bytes.dropFirst()).count { $0 == UInt8(ascii: "*") && isNameByte($1) } > 8
  }

  /// A byte an anchor's name may begin with.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    case _: false
    }
  }

  private static func node(_ node: Node, _ depth: Int) throws(YAMLError) -> YAMLNode {
    let line = node.mark?.line ?? 1
    guard node.anchor == nil else { throw YAMLError(line: line, noAnchors) }
    guard depth > 0 else { throw YAMLError(line: line, "nested too deep") }
    switch node {
    case .scalar(let scalar):
      let isPlain = scalar.style == .plain
      try refuseTag(scalar.tag, unlessQuoted: !isPlain, line)
      return YAMLNode(line: line, .text(scalar.string, isPlain: isPlain))
    case .sequence(let sequence):
      try refuseTag(sequence.tag, line)
      var elements: [YAMLNode] = []
      for element in sequence { elements.append(try self.node(element, depth - 1)) }
      return YAMLNode(line: line, .list(elements))
    case .mapping(let mapping):
      try refuseTag(mapping.tag, line)
      return YAMLNode(line: line, .map(try members(mapping, depth)))
    case .alias: throw YAMLError(line: line, noAnchors)
    }
  }

  private static func members(_ mapping: Node.Mapping, _ depth: Int) throws(YAMLError) -> [Member] {
    var members: [Member] = []
    var names: Set<String> = []
    for (key, value) in mapping {
      let line = key.mark?.line ?? 1
      guard key.anchor == nil else { throw YAMLError(line: line, noAnchors) }
      guard case .scalar(let name) = key, !name.string.isEmpty else { throw YAMLError(line: line, "a key is a text") }
      // Yams takes `1` and `"1"` for two keys.
      guard names.insert(name.string).inserted else {
        throw YAMLError(line: line, "key '\(name.string)' occurs twice")
      }
      members.append(Member(name: name.string, line: line, value: try node(value, depth - 1)))
    }
    return members
  }

  /// A text in quotes has the tag of a text by itself.
  private static func refuseTag(_ tag: Tag, unlessQuoted isQuoted: Bool = false, _ line: Int) throws(YAMLError) {
    let own = isQuoted ? Tag.Name.str.rawValue : Tag.Name.implicit.rawValue
    guard tag.description == own else { throw YAMLError(line: line, "tags (!name) are not taken") }
  }
}

extension YAMLError {
  fileprivate init(_ error: YamlError) {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      self.init(line: mark.line, problem)
    case .duplicatedKeysInMapping(let names, let context):
      self.init(line: context.mark.line, "key '\(names.first ?? "")' occurs twice")
    case .reader(let problem, _, _, _): self.init(line: nil, "\(problem): it is no text file")
    case .memory: self.init(line: nil, "not enough memory")
    case .no, .writer, .emitter, .representer, .dataCouldNotBeDecoded: self.init(line: nil, "it is no YAML")
    }
  }
}
