import StoreYAML

/// Makes values up and writes them as YAML, in block and flow style, plain and in both kinds of quotes.
struct YAMLMaker {
  /// A value without its lines.
  indirect enum Value: Equatable {
    case text(String, isPlain: Bool)
    case list([Value])
    case map([Member])
  }

  struct Member: Equatable {
    var name: String
    var value: Value
  }

  var state: UInt64

  private mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  /// A text in YAML with what it stands for.
  mutating func document() -> (text: String, value: Value) {
    let (text, value) = block(indent: "", depth: 0)
    return ((next(2) == 0 ? "---" : "# made up\n---") + text, value)
  }

  /// What follows a key's colon or a dash, to the end of the line or of the lines below.
  private mutating func block(indent: String, depth: Int) -> (text: String, value: Value) {
    switch depth > 5 ? 0 : next(4) {
    case 0:
      let (text, value) = scalar()
      return (" \(text)\n", value)
    case 1:
      let (text, value) = flow(depth: depth)
      return (" \(text)\n", value)
    case 2:
      let parts = (0...next(4)).map { _ in block(indent: indent + "  ", depth: depth + 1) }
      return ("\n" + parts.map { "\(indent)-\($0.text)" }.joined(), .list(parts.map(\.value)))
    case _:
      var (text, members) = ("\n", [Member]())
      for number in 0...next(4) {
        let (part, value) = block(indent: indent + "  ", depth: depth + 1)
        text += next(2) == 0 ? "\(indent)key\(number):\(part)" : "\(indent)'key\(number)':\(part)"
        members.append(Member(name: "key\(number)", value: value))
      }
      return (text, .map(members))
    }
  }

  private mutating func flow(depth: Int) -> (text: String, value: Value) {
    switch depth > 5 ? 0 : next(3) {
    case 0: return scalar()
    case 1:
      let parts = (0..<next(4)).map { _ in flow(depth: depth + 1) }
      return ("[" + parts.map(\.text).joined(separator: ", ") + "]", .list(parts.map(\.value)))
    case _:
      let parts = (0..<next(4)).map { _ in flow(depth: depth + 1) }
      return (
        "{" + parts.enumerated().map { "k\($0): \($1.text)" }.joined(separator: ", ") + "}",
        .map(parts.enumerated().map { Member(name: "k\($0)", value: $1.value) })
      )
    }
  }

  private static let plain = [
    "a", "no", "0x1F", "~", "1.5", "x y", "\u{E9}t\u{E9}", "\u{65E5}\u{672C}", "a-b", "2020-01-01",
  ]
  private static let quoted = [
    "", "it's", "a: b", "# no comment", "&x", "*x", "!x", "[", "say \"x\"", " x ", "\\", "\u{1F468}",
  ]

  private mutating func scalar() -> (text: String, value: Value) {
    if next(2) == 0 {
      let text = Self.plain[next(Self.plain.count)]
      return (text, .text(text, isPlain: true))
    }
    let text = Self.quoted[next(Self.quoted.count)]
    let written =
      next(2) == 0
      ? "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
      : "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
    return (written, .text(text, isPlain: false))
  }

  /// A value that was read, without its lines.
  static func content(of node: YAMLNode) -> Value {
    switch node.content {
    case .text(let text, let isPlain): .text(text, isPlain: isPlain)
    case .list(let elements): .list(elements.map(content))
    case .map(let members): .map(members.map { Member(name: $0.name, value: content(of: $0.value)) })
    }
  }
}
