import StoreText

/// Reads an XML list into a table. Decoded text and data are collected in a buffer of their own, which is what the
/// table's ranges refer to.
struct XMLListReader {
  private let bytes: [UInt8]
  private let limits: PropertyList.Limits
  private var tokens: XMLTokenizer
  private var decoded: [UInt8] = []
  private var objects: [ObjectTable.Object] = []
  private var references: [UInt32] = []
  private var open: [OpenElement] = []
  /// Children of the open elements, the innermost one's last.
  private var children: [UInt32] = []

  private struct OpenElement {
    let element: XMLElement
    let index: Int
    let offset: Int
    let firstChild: Int
  }

  static func recognizes(_ bytes: [UInt8]) -> Bool {
    let start = bytes.dropFirst(lengthOfByteOrderMark(bytes)).drop { $0.isXMLSpace }
    return ["<?xml", "<!DOCTYPE", "<plist", "<!--"].contains { start.starts(with: $0.utf8) }
  }

  static func read(_ bytes: [UInt8], limits: PropertyList.Limits) throws(PropertyListError) -> (ObjectTable, top: Int) {
    var reader = XMLListReader(bytes, limits: limits)
    try checkEncoding(bytes)
    if let offset = XMLText.firstInvalidByte(in: bytes, from: 0) {
      throw PropertyListError("a byte that is not UTF-8 text of XML", at: offset)
    }
    let top = try reader.readDocument()
    return (
      ObjectTable(bytes: reader.decoded, objects: reader.objects, references: reader.references, limits: limits), top
    )
  }

  private init(_ bytes: [UInt8], limits: PropertyList.Limits) {
    self.bytes = bytes
    self.limits = limits
    tokens = XMLTokenizer(bytes, from: Self.lengthOfByteOrderMark(bytes))
  }

  private static func lengthOfByteOrderMark(_ bytes: [UInt8]) -> Int { bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0 }

  /// Only UTF-8 and its subset ASCII are read, so a declaration of anything else is a reason to stop.
  private static func checkEncoding(_ bytes: [UInt8]) throws(PropertyListError) {
    let start = bytes.dropFirst(lengthOfByteOrderMark(bytes)).drop { $0.isXMLSpace }
    guard start.starts(with: "<?xml".utf8) else { return }
    let declaration = String(decoding: start.prefix(200).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    let words = declaration.split { $0 == "=" || $0 == "\"" || $0 == "'" || $0.isWhitespace }
    guard let label = words.firstIndex(of: "encoding"), let name = words[(label + 1)...].first else { return }
    guard ["utf-8", "us-ascii", "ascii"].contains(name.lowercased()) else {
      throw PropertyListError("XML in the encoding '\(name)'; only UTF-8 is read", at: start.startIndex)
    }
  }
}

// MARK: - Structure

extension XMLListReader {
  private mutating func readDocument() throws(PropertyListError) -> Int {
    guard case .start(.plist, let isEmpty) = try tokenAfterSpace() else { throw unexpected("<plist>") }
    open.append(OpenElement(element: .plist, index: 0, offset: tokens.start, firstChild: 0))
    if isEmpty { try closeElement(.plist) }
    while !open.isEmpty {
      switch try tokenAfterSpace() {
      case .start(let element, let isEmpty): try readElement(element, isEmpty: isEmpty)
      case .end(let element): try closeElement(element)
      case .text, .literal, .endOfInput: throw unexpected("an element")
      }
    }
    guard case .endOfInput = try tokenAfterSpace() else { throw unexpected("nothing after </plist>") }
    return 0
  }

  private mutating func readElement(_ element: XMLElement, isEmpty: Bool) throws(PropertyListError) {
    let offset = tokens.start
    try checkPlace(of: element, at: offset)
    switch element {
    case .plist: throw unexpected("a value")
    case .array, .dict: try openContainer(element, isEmpty: isEmpty)
    default:
      let start = decoded.count
      if !isEmpty { try readText(of: element) }
      try add(try scalar(element, in: start..<decoded.count, at: offset), at: offset)
    }
  }

  private mutating func openContainer(_ element: XMLElement, isEmpty: Bool) throws(PropertyListError) {
    guard open.count <= limits.depthLimit else {
      throw PropertyListError("containers nested deeper than the limit of \(limits.depthLimit)", at: tokens.start)
    }
    try add(.null, at: tokens.start)
    open.append(
      OpenElement(
        element: element, index: objects.count - 1, offset: tokens.start, firstChild: children.count))
    if isEmpty { try closeElement(element) }
  }

  /// A list has one value, a dictionary takes keys and values in turn, and keys belong nowhere else.
  private func checkPlace(of element: XMLElement, at offset: Int) throws(PropertyListError) {
    guard let parent = open.last else { return }
    let position = children.count - parent.firstChild
    let isKeyExpected = parent.element == .dict && position.isMultiple(of: 2)
    guard (element == .key) == isKeyExpected else {
      throw PropertyListError(isKeyExpected ? "expected a <key>" : "a <key> in the wrong place", at: offset)
    }
    guard parent.element != .plist || position == 0 else {
      throw PropertyListError("a second value beside the root", at: offset)
    }
  }

  private mutating func closeElement(_ element: XMLElement) throws(PropertyListError) {
    guard let last = open.popLast(), last.element == element else { throw unexpected("another end tag") }
    let count = children.count - last.firstChild
    switch element {
    case .array: objects[last.index].content = .array(try takeChildren(count))
    case .dict where count.isMultiple(of: 2): objects[last.index].content = .dictionary(try takeChildren(count))
    case .dict: throw PropertyListError("a <key> without a value", at: tokens.start)
    default:
      guard count == 1 else { throw PropertyListError("a <plist> without a value", at: last.offset) }
    }
  }

  private mutating func takeChildren(_ count: Int) throws(PropertyListError) -> Range<Int> {
    let start = references.count
    guard start + count <= limits.references else {
      throw PropertyListError(
        "containers with more than \(limits.references) children altogether", at: tokens.start)
    }
    references += children.suffix(count)
    children.removeLast(count)
    return start..<references.count
  }

  private mutating func add(_ content: ObjectTable.Content, at offset: Int) throws(PropertyListError) {
    guard objects.count < limits.objectLimit else {
      throw PropertyListError("more objects than the limit of \(limits.objectLimit)", at: offset)
    }
    children.append(UInt32(truncatingIfNeeded: objects.count))
    objects.append(ObjectTable.Object(content: content, offset: offset))
  }

  private mutating func tokenAfterSpace() throws(PropertyListError) -> XMLToken {
    while true {
      let token = try tokens.next()
      guard case .text(let range) = token, bytes[range].allSatisfy(\.isXMLSpace) else { return token }
    }
  }

  private func unexpected(_ expected: String) -> PropertyListError {
    PropertyListError("expected \(expected)", at: tokens.start)
  }
}

// MARK: - Scalars

extension XMLListReader {
  /// Appends everything up to the end tag of `element` to the decoded bytes.
  private mutating func readText(of element: XMLElement) throws(PropertyListError) {
    while true {
      switch try tokens.next() {
      case .text(let range): try XMLText.append(range, of: bytes, to: &decoded)
      case .literal(let range): XMLText.appendLiteral(range, of: bytes, to: &decoded)
      case .end(element): return
      case .start, .end, .endOfInput: throw unexpected("</\(element.rawValue)>")
      }
    }
  }

  private mutating func scalar(
    _ element: XMLElement, in range: Range<Int>, at offset: Int
  ) throws(PropertyListError) -> ObjectTable.Content {
    if element == .key || element == .string { return .utf8(range) }
    let text = Array(decoded[range])
    decoded.removeLast(text.count)
    if element == .data {
      guard Base64.append(decodingOf: text, to: &decoded) else {
        throw PropertyListError("<data> that is not Base64", at: offset)
      }
      return .data(range.lowerBound..<decoded.count)
    }
    guard let content = XMLScalar.content(of: element, String(decoding: text, as: UTF8.self)) else {
      throw PropertyListError("<\(element.rawValue)> without a readable value", at: offset)
    }
    return content
  }
}
