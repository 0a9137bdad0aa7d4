/// An element of a small document with its descendants. It is never deeper than ``XMLReader/Limits/depth``, so it can
/// be traversed recursively.
struct XMLElement: Equatable {
  var name: String
  var attributes: [XMLAttribute]
  var children: [XMLElement] = []
  var position: XMLPosition

  /// The value of the attribute with a name.
  subscript(_ name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }

  /// The child elements with a name.
  func children(named name: String) -> [XMLElement] {
    children.filter { $0.name == name }
  }

  /// The root element of a document. Text between tags is ignored.
  static func root(
    of bytes: [UInt8], limits: XMLReader.Limits = XMLReader.Limits()
  ) throws(XMLError) -> XMLElement {
    let builder = XMLTreeBuilder()
    try XMLReader.read(bytes, limits: limits, handler: builder)
    guard let root = builder.root else {
      throw XMLError("no element found", at: XMLPosition(line: 1, column: 1))
    }
    return root
  }
}

private final class XMLTreeBuilder: XMLHandler {
  private var open: [XMLElement] = []
  private(set) var root: XMLElement?

  func start(_ name: String, attributes: [XMLAttribute], at position: XMLPosition) {
    open.append(XMLElement(name: name, attributes: attributes, position: position))
  }

  func text(_ text: String) {}

  func end() {
    guard let done = open.popLast() else { return }
    if let parent = open.indices.last { open[parent].children.append(done) } else { root = done }
  }
}
