/// The elements of Apple's `PropertyList-1.0.dtd`.
enum XMLElement: String {
  case plist, array, dict, key, string, data, date, integer, real
  case isTrue = "true"
  case isFalse = "false"
}

/// A piece of an XML property list.
enum XMLToken {
  case start(XMLElement, isEmpty: Bool)
  case end(XMLElement)
  /// Text as written, with its character references.
  case text(Range<Int>)
  /// The inside of `<![CDATA[...]]>`, to be taken literally.
  case literal(Range<Int>)
  case endOfInput
}

/// Cuts XML into tokens, skipping comments, processing instructions, attributes and one DOCTYPE.
///
/// Of a document type only the outside is looked at: nothing is fetched, and an internal subset, the place for entity
/// declarations, is refused.
struct XMLTokenizer {
  private let bytes: [UInt8]
  private(set) var position: Int
  /// Where the last token starts.
  private(set) var start: Int
  private var mayDeclareType = true

  init(_ bytes: [UInt8], from position: Int) {
    self.bytes = bytes
    self.position = position
    start = position
  }

  mutating func next() throws(PropertyListError) -> XMLToken {
    while true {
      start = position
      guard let first = byte(at: position) else { return .endOfInput }
      guard first == UInt8(ascii: "<") else { return text() }
      if skip("<!--") {
        try skipComment()
      } else if skip("<?") {
        try skip(through: "?>", in: "a processing instruction")
      } else if skip("<![CDATA[") {
        let inside = position
        try skip(through: "]]>", in: "a CDATA section")
        return .literal(inside..<(position - 3))
      } else if skip("<!DOCTYPE") {
        try skipDocumentType()
      } else if skip("</") {
        return try endTag()
      } else {
        position += 1
        return try startTag()
      }
    }
  }

  private mutating func text() -> XMLToken {
    while let byte = byte(at: position), byte != UInt8(ascii: "<") { position += 1 }
    return .text(start..<position)
  }

  private mutating func startTag() throws(PropertyListError) -> XMLToken {
    let element = try name()
    mayDeclareType = false
    while let byte = byte(at: position) {
      if skip("/>") { return .start(element, isEmpty: true) }
      position += 1
      switch byte {
      case UInt8(ascii: ">"): return .start(element, isEmpty: false)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): try skipQuotation(byte)
      case UInt8(ascii: "<"), UInt8(ascii: "&"): throw PropertyListError("a tag that is not closed", at: start)
      default: continue
      }
    }
    throw PropertyListError("a tag that is not closed", at: start)
  }

  private mutating func endTag() throws(PropertyListError) -> XMLToken {
    let element = try name()
    while let byte = byte(at: position), byte.isXMLSpace { position += 1 }
    guard skip(">") else { throw PropertyListError("a tag that is not closed", at: start) }
    return .end(element)
  }

  private mutating func name() throws(PropertyListError) -> XMLElement {
    let first = position
    while let byte = byte(at: position), !byte.endsXMLName { position += 1 }
    // No element has a longer name, so a long one is not worth the copy.
    let name = String(decoding: bytes[first..<min(position, first + 20)], as: UTF8.self)
    guard let element = XMLElement(rawValue: name) else {
      throw PropertyListError("an element '\(name)', which property lists do not have", at: start)
    }
    return element
  }

  private mutating func skipDocumentType() throws(PropertyListError) {
    guard mayDeclareType else { throw PropertyListError("a document type in the wrong place", at: start) }
    mayDeclareType = false
    while let byte = byte(at: position) {
      position += 1
      switch byte {
      case UInt8(ascii: ">"): return
      case UInt8(ascii: "\""), UInt8(ascii: "'"): try skipQuotation(byte)
      case UInt8(ascii: "["), UInt8(ascii: "<"):
        throw PropertyListError("declarations inside the document type are refused", at: position - 1)
      default: continue
      }
    }
    throw PropertyListError("a document type that is not closed", at: start)
  }

  /// "For compatibility, the string '--' MUST NOT occur within comments" (https://www.w3.org/TR/xml/#sec-comments).
  private mutating func skipComment() throws(PropertyListError) {
    try skip(through: "--", in: "a comment")
    guard skip(">") else { throw PropertyListError("'--' inside a comment", at: position - 2) }
  }

  private mutating func skipQuotation(_ mark: UInt8) throws(PropertyListError) {
    while let byte = byte(at: position) {
      position += 1
      if byte == mark { return }
    }
    throw PropertyListError("a quotation that is not closed", at: start)
  }

  private mutating func skip(through mark: StaticString, in what: String) throws(PropertyListError) {
    while position < bytes.count {
      if skip(mark) { return }
      position += 1
    }
    throw PropertyListError("\(what) that is not closed", at: start)
  }

  /// Steps over `mark` if it comes next.
  private mutating func skip(_ mark: StaticString) -> Bool {
    let length = mark.utf8CodeUnitCount
    guard bytes.count - position >= length else { return false }
    let isNext = mark.withUTF8Buffer { bytes[position..<(position + length)].elementsEqual($0) }
    if isNext { position += length }
    return isNext
  }

  private func byte(at position: Int) -> UInt8? { position < bytes.count ? bytes[position] : nil }
}

extension UInt8 {
  /// White space of XML: space, tab, line feed, carriage return.
  var isXMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }

  fileprivate var endsXMLName: Bool {
    isXMLSpace || self == UInt8(ascii: ">") || self == UInt8(ascii: "/") || self == UInt8(ascii: "<")
  }
}
