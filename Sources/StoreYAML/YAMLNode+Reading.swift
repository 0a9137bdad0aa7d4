import Yams

// The accepted part of YAML
// -------------------------
//
// Maps with strings as keys, lists and scalars, in one document. Refused: anchors and aliases (a few lines can stand
// for billions of values), tags, repeated keys (most readers silently keep the last), a second document.
//
// Yams composes the document, which is where hostile input could do harm. So three things come first:
//
//   size      at most `Limits.bytes`; its scanner and its recursion (an error of its own beyond 1,000 levels) were
//             tested only up to that size
//   aliases   Yams compares a map's keys by their whole contents, so a key made of aliases of aliases keeps it busy
//             forever: a document that could have that many is refused without parsing
//   padding   Swift keeps a string of up to 15 bytes inline, and Yams keeps a pointer to its bytes beyond the call
//             that provides it, so a short document is padded

extension YAMLNode {
  /// The limits of a document.
  package struct Limits: Sendable {
    /// Bytes of the document.
    package var bytes = 1 << 18
    /// Lists and maps inside one another.
    package var depth = 16

    package init() {}
  }

  /// Reads a document in UTF-8; nil for one that is empty or consists of comments.
  package static func reading(_ bytes: [UInt8], limits: Limits = Limits()) throws(YAMLError) -> YAMLNode? {
    guard bytes.count <= limits.bytes else {
      throw YAMLError(line: nil, "\(bytes.count) bytes, more than \(limits.bytes)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw YAMLError(line: nil, "it is not UTF-8") }
    if mayMultiply(bytes) { throw YAMLError(line: nil, noAnchors) }
    do {
      // The encoding is given, because Yams would otherwise take one from the environment and print a message.
      let padding = String(repeating: " ", count: max(0, 16 - bytes.count))
      let parser = try Parser(yaml: text + padding, encoding: .utf8)
      let root = try parser.singleRoot()
      // Nodes reference their anchors weakly; the parser holds them.
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

  /// Whether there are anchors, and enough aliases to do harm. Matches in text count too, since only a parser could
  /// tell them apart. Eight aliases can expand a document to at most 2⁴ times its size.
  private static func mayMultiply(_ bytes: [UInt8]) -> Bool {
    bytes.contains(UInt8(ascii: "&"))
      && zip(bytes, bytes.dropFirst()).count { $0 == UInt8(ascii: "*") && isNameByte($1) } > 8
  }

  /// Whether an anchor's name may begin with a byte.
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
      // Yams treats `1` and `"1"` as different keys.
      guard names.insert(name.string).inserted else {
        throw YAMLError(line: line, "key '\(name.string)' occurs twice")
      }
      members.append(Member(name: name.string, line: line, value: try node(value, depth - 1)))
    }
    return members
  }

  /// A quoted text has the tag of a text by itself.
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
