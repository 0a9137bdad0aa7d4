import CStoreExpat

/// A position in an XML document.
package struct XMLPosition: Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1.
  package var line: Int
  /// The column, counted from 1, in bytes.
  package var column: Int

  /// Creates a position.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// "line 3, column 5".
  package var description: String { "line \(line), column \(column)" }
}

/// Why bytes could not be read as XML, and where.
package struct XMLError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The problem; lower case, no full stop.
  package var message: String
  /// Where it was found.
  package var position: XMLPosition

  /// Creates an error.
  package init(_ message: String, at position: XMLPosition) {
    self.message = message
    self.position = position
  }

  /// The place and the message.
  package var description: String { "\(position): \(message)" }
}

/// An attribute of a start tag.
struct XMLAttribute: Equatable {
  var name: String
  var value: String
}

/// Receives the events of reading a document. An error it throws stops the reading.
protocol XMLHandler: AnyObject {
  func start(_ name: String, attributes: [XMLAttribute], at position: XMLPosition) throws(XMLError)
  func text(_ text: String) throws(XMLError)
  func end() throws(XMLError)
}

/// Reads XML with expat, event by event; accepts any bytes.
///
/// A model needs no document type, so a doctype is rejected as soon as it begins, and with it everything that could be
/// declared in it: entities that multiply, entities that read files. A caller can allow one doctype without internal
/// declarations; what it refers to is never loaded. There are no events after an error.
enum XMLReader {
  /// Limits beyond which a document is rejected.
  struct Limits {
    /// Bytes of the whole document.
    var bytes = 64 << 20
    /// Nested elements; Xcode's models have five levels.
    var depth = 64
    /// Start tags; a model of 10,000 entities with 20 properties each has 200,000.
    var elements = 500_000
    /// Attributes of one element; Xcode writes up to 20.
    var attributes = 128
    /// Bytes of all text between tags.
    var textBytes = 16 << 20
  }

  /// A document type that is allowed and ignored.
  struct Doctype: Equatable {
    /// The name of the root element.
    var name: String
    /// The address of its declarations.
    var systemID: String
  }

  /// Reads a whole document, in any encoding expat knows (UTF-8, UTF-16, ISO-8859-1, US-ASCII).
  ///
  /// - Parameter doctype: the only document type that is allowed.
  static func read(
    _ bytes: [UInt8], limits: Limits = Limits(), doctype: Doctype? = nil, handler: any XMLHandler
  ) throws(XMLError) {
    // expat takes a 32-bit length.
    guard bytes.count <= limits.bytes, let count = Int32(exactly: bytes.count) else {
      throw XMLError(
        "\(bytes.count) bytes are more than the limit of \(limits.bytes)", at: XMLPosition(line: 1, column: 1))
    }
    guard let parser = XML_ParserCreate(nil) else {
      throw XMLError("no memory for an XML parser", at: XMLPosition(line: 1, column: 1))
    }
    defer { XML_ParserFree(parser) }
    let session = XMLSession(parser, limits: limits, doctype: doctype, handler: handler)
    // The whole document in one call, because expat before 2.6 takes quadratic time for long tokens that come in
    // pieces.
    let status = withExtendedLifetime(session) {
      bytes.withUnsafeBytes { buffer in
        XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), count, 1)
      }
    }
    if let error = session.error { throw error }
    guard status == XML_STATUS_OK else { throw XMLError(session.reason, at: session.position) }
  }
}

/// One reading: expat's parser, the limits used so far, and the first error.
private final class XMLSession {
  private let parser: OpaquePointer
  private let limits: XMLReader.Limits
  private let doctype: XMLReader.Doctype?
  private let handler: any XMLHandler
  private var depth = 0
  private var elements = 0
  private var textBytes = 0
  private(set) var error: XMLError?

  init(
    _ parser: OpaquePointer, limits: XMLReader.Limits, doctype: XMLReader.Doctype?, handler: any XMLHandler
  ) {
    self.parser = parser
    self.limits = limits
    self.doctype = doctype
    self.handler = handler
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { session, name, attributes in XMLSession.of(session)?.start(name, list: attributes) },
      { session, _ in XMLSession.of(session)?.end() })
    XML_SetCharacterDataHandler(parser) { session, text, count in XMLSession.of(session)?.text(text, count: Int(count))
    }
    XML_SetStartDoctypeDeclHandler(parser) { session, name, systemID, publicID, hasSubset in
      XMLSession.of(session)?.begin(doctype: name, systemID, hasMore: publicID != nil || hasSubset != 0)
    }
    // If a doctype is not loaded, expat does not treat undeclared entities as errors.
    XML_SetSkippedEntityHandler(parser) { session, _, _ in
      XMLSession.of(session)?.refuse("an entity without declaration")
    }
    // Neither can occur without internal declarations; rejected nevertheless.
    XML_SetEntityDeclHandler(parser) { session, _, _, _, _, _, _, _, _ in
      XMLSession.of(session)?.refuse("an entity declaration")
    }
    XML_SetExternalEntityRefHandler(parser) { _, _, _, _, _ in 0 }
    XML_SetParamEntityParsing(parser, XML_PARAM_ENTITY_PARSING_NEVER)
  }

  private static func of(_ userData: UnsafeMutableRawPointer?) -> XMLSession? {
    userData.map { Unmanaged<XMLSession>.fromOpaque($0).takeUnretainedValue() }
  }

  var position: XMLPosition {
    // expat counts columns from 0; neither number exceeds the bytes of the document.
    let (line, column) = (XML_GetCurrentLineNumber(parser), XML_GetCurrentColumnNumber(parser))
    return XMLPosition(line: Int(clamping: line), column: Int(clamping: column &+ 1))
  }

  /// expat's error message: "not well-formed (invalid token)", "no element found".
  var reason: String {
    XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "not XML"
  }

  func begin(doctype name: UnsafePointer<XML_Char>?, _ systemID: UnsafePointer<XML_Char>?, hasMore: Bool) {
    let found = XMLReader.Doctype(
      name: name.map { String(cString: $0) } ?? "", systemID: systemID.map { String(cString: $0) } ?? "")
    guard let doctype, found == doctype, !hasMore else {
      return refuse(
        "a document type (<!DOCTYPE>), which \(doctype == nil ? "no model needs" : "is not the one of such a file")")
    }
  }

  func refuse(_ message: String) { fail(XMLError(message, at: position)) }

  private func fail(_ first: XMLError) {
    guard error == nil else { return }
    error = first
    XML_StopParser(parser, 0)
  }

  /// Runs `body` unless an error occurred before: expat may call once more after it was stopped.
  private func unlessFailed(_ body: () throws(XMLError) -> Void) {
    guard error == nil else { return }
    do { try body() } catch { fail(error) }
  }

  func start(_ name: UnsafePointer<XML_Char>?, list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
    unlessFailed { () throws(XMLError) in
      depth += 1
      elements += 1
      guard depth <= limits.depth else { throw XMLError("elements nested deeper than \(limits.depth)", at: position) }
      guard elements <= limits.elements else { throw XMLError("more than \(limits.elements) elements", at: position) }
      try handler.start(name.map { String(cString: $0) } ?? "", attributes: try attributes(list), at: position)
    }
  }

  /// expat's list: name, value, name, value, null.
  private func attributes(
    _ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) throws(XMLError) -> [XMLAttribute] {
    var result: [XMLAttribute] = []
    guard var next = list else { return result }
    while let name = next[0], let value = next[1] {
      guard result.count < limits.attributes else {
        throw XMLError("an element with more than \(limits.attributes) attributes", at: position)
      }
      result.append(XMLAttribute(name: String(cString: name), value: String(cString: value)))
      next += 2
    }
    return result
  }

  func text(_ start: UnsafePointer<XML_Char>?, count: Int) {
    unlessFailed { () throws(XMLError) in
      guard let start, count > 0 else { return }
      textBytes += min(count, limits.textBytes + 1)
      guard textBytes <= limits.textBytes else {
        throw XMLError("more than \(limits.textBytes) bytes of text", at: position)
      }
      try handler.text(
        String(decoding: UnsafeRawBufferPointer(start: UnsafeRawPointer(start), count: count), as: UTF8.self))
    }
  }

  func end() {
    unlessFailed { () throws(XMLError) in
      depth -= 1
      try handler.end()
    }
  }
}
