import CStoreYAML

/// The events that libyaml meets in a document, one after the other.
struct YAMLEvent {
  enum Kind: Equatable {
    case streamStart, streamEnd, documentStart, documentEnd
    case scalar(String, isPlain: Bool)
    case listStart, listEnd, mapStart, mapEnd
    case alias
  }

  let kind: Kind
  /// From 1 on.
  let line: Int
  /// Whether it has a name, for aliases to repeat it.
  let isAnchored: Bool
  /// The tag that is written before it; nil for none.
  let tag: String?
}

/// Reads events from bytes, which have to stay where they are until the last one was read.
struct YAMLEvents: ~Copyable {
  /// libyaml keeps the parser's own address, so it has to have one.
  private let parser: UnsafeMutablePointer<yaml_parser_t>

  /// - Parameter bytes: a text in UTF-8.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
    parser = .allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      throw YAMLError(line: nil, "not enough memory")
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// The next event; the last one is the end of the stream.
  mutating func next() throws(YAMLError) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw YAMLError(parser.pointee) }
    defer { yaml_event_delete(&event) }
    return YAMLEvent(event)
  }
}

extension YAMLEvent {
  fileprivate init(_ event: yaml_event_t) {
    let line = Int(event.start_mark.line) + 1
    let data = event.data
    switch event.type {
    case YAML_SCALAR_EVENT:
      let bytes = UnsafeBufferPointer(start: data.scalar.value, count: data.scalar.length)
      self.init(
        .scalar(String(decoding: bytes, as: UTF8.self), isPlain: data.scalar.style == YAML_PLAIN_SCALAR_STYLE), line,
        anchor: data.scalar.anchor, tag: data.scalar.tag)
    case YAML_SEQUENCE_START_EVENT:
      self.init(.listStart, line, anchor: data.sequence_start.anchor, tag: data.sequence_start.tag)
    case YAML_MAPPING_START_EVENT:
      self.init(.mapStart, line, anchor: data.mapping_start.anchor, tag: data.mapping_start.tag)
    case YAML_ALIAS_EVENT: self.init(.alias, line)
    case YAML_SEQUENCE_END_EVENT: self.init(.listEnd, line)
    case YAML_MAPPING_END_EVENT: self.init(.mapEnd, line)
    case YAML_STREAM_START_EVENT: self.init(.streamStart, line)
    case YAML_DOCUMENT_START_EVENT: self.init(.documentStart, line)
    case YAML_DOCUMENT_END_EVENT: self.init(.documentEnd, line)
    // After the end of the stream libyaml gives events of no type.
    case _: self.init(.streamEnd, line)
    }
  }

  private init(
    _ kind: Kind, _ line: Int, anchor: UnsafeMutablePointer<UInt8>? = nil, tag: UnsafeMutablePointer<UInt8>? = nil
  ) {
    self.kind = kind
    self.line = line
    isAnchored = anchor != nil
    self.tag = tag.map { String(cString: $0) }
  }
}

extension YAMLError {
  /// The error that stopped the parser.
  fileprivate init(_ parser: yaml_parser_t) {
    let problem = parser.problem.map { String(cString: $0) } ?? "it is no YAML"
    switch parser.error {
    case YAML_SCANNER_ERROR, YAML_PARSER_ERROR: self.init(line: Int(parser.problem_mark.line) + 1, problem)
    case YAML_READER_ERROR: self.init(line: nil, "\(problem): it is no text file")
    case YAML_MEMORY_ERROR: self.init(line: nil, "not enough memory")
    case _: self.init(line: nil, "it is no YAML")
    }
  }
}
