// The accepted part of YAML
// -------------------------
//
// Maps with strings as keys, lists and scalars, in one document. Refused: anchors and aliases (a few lines can stand
// for billions of values), tags, repeated keys (most readers silently keep the last), a second document.
//
// A document is read event by event, and what is refused ends the reading at once, so neither memory nor the depth of
// the recursion depends on more than the limits.

extension YAMLNode {
  /// The limits of a document.
  package struct Limits: Sendable {
    /// Bytes of the document.
    package var bytes = 1 << 18
    /// Lists and maps inside one another.
    package var depth = 16
    /// Values, with the lists and maps around them.
    package var values = 100_000

    package init() {}
  }

  /// Reads a document in UTF-8; nil for one that is empty or consists of comments.
  package static func reading(_ bytes: [UInt8], limits: Limits = Limits()) throws(YAMLError) -> YAMLNode? {
    guard bytes.count <= limits.bytes else {
      throw YAMLError(line: nil, "\(bytes.count) bytes, more than \(limits.bytes)")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw YAMLError(line: nil, "it is not UTF-8") }
    return try bytes.withUnsafeBufferPointer { bytes throws(YAMLError) in
      var composer = YAMLComposer(events: try YAMLEvents(bytes), limits: limits)
      return try composer.document()
    }
  }
}

/// Makes a value of events.
private struct YAMLComposer: ~Copyable {
  var events: YAMLEvents
  let limits: YAMLNode.Limits
  private var values = 0

  init(events: consuming YAMLEvents, limits: YAMLNode.Limits) {
    self.events = events
    self.limits = limits
  }

  /// The only document of the stream; nil where there is none.
  mutating func document() throws(YAMLError) -> YAMLNode? {
    _ = try events.next()  // the start of the stream
    guard try events.next().kind == .documentStart else { return nil }
    let root = try node(events.next(), depth: limits.depth)
    _ = try events.next()  // the end of the document
    let end = try events.next()
    guard end.kind == .streamEnd else { throw YAMLError(line: end.line, "but found another document") }
    return root
  }

  /// - Parameter depth: how many values may be inside one another from here on.
  private mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLError) -> YAMLNode {
    try refuseNames(event)
    guard depth > 0 else { throw YAMLError(line: event.line, "nested too deep") }
    try refuseTag(event)
    values += 1
    guard values <= limits.values else { throw YAMLError(line: event.line, "more than \(limits.values) values") }
    switch event.kind {
    case .scalar(let text, let isPlain): return YAMLNode(line: event.line, .text(text, isPlain: isPlain))
    case .listStart: return YAMLNode(line: event.line, .list(try elements(depth: depth - 1)))
    case .mapStart: return YAMLNode(line: event.line, .map(try members(depth: depth - 1)))
    // libyaml gives none of these where a value is due.
    case .alias, .listEnd, .mapEnd, .streamStart, .streamEnd, .documentStart, .documentEnd:
      throw YAMLError(line: event.line, "a value is expected")
    }
  }

  private mutating func elements(depth: Int) throws(YAMLError) -> [YAMLNode] {
    var elements: [YAMLNode] = []
    while true {
      let event = try events.next()
      if event.kind == .listEnd { return elements }
      elements.append(try node(event, depth: depth))
    }
  }

  private mutating func members(depth: Int) throws(YAMLError) -> [YAMLNode.Member] {
    var members: [YAMLNode.Member] = []
    var lines: [String: Int] = [:]
    while true {
      let key = try events.next()
      if key.kind == .mapEnd { return members }
      try refuseNames(key)
      guard case .scalar(let name, _) = key.kind, !name.isEmpty else {
        throw YAMLError(line: key.line, "a key is a text")
      }
      try refuseTag(key)
      if let first = lines.updateValue(key.line, forKey: name) {
        throw YAMLError(line: first, "key '\(name)' occurs twice")
      }
      members.append(YAMLNode.Member(name: name, line: key.line, value: try node(events.next(), depth: depth)))
    }
  }

  private func refuseNames(_ event: YAMLEvent) throws(YAMLError) {
    guard !event.isAnchored, event.kind != .alias else {
      throw YAMLError(
        line: event.line, "anchors (&name) and aliases (*name) are not taken; write the value out")
    }
  }

  /// A quoted text is a text in any case, so its tag may say so.
  private func refuseTag(_ event: YAMLEvent) throws(YAMLError) {
    switch (event.tag, event.kind) {
    case (nil, _), ("tag:yaml.org,2002:str", .scalar(_, isPlain: false)): return
    case _: throw YAMLError(line: event.line, "tags (!name) are not taken")
    }
  }
}
