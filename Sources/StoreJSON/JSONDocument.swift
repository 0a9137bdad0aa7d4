/// An object whose lists may be longer than memory: it is written while they are made.
package struct JSONDocument {
  /// The value of a member.
  package enum Part {
    case value(JSONValue)
    /// A list: the closure calls `add` with one element after the other.
    case list((_ add: (JSONValue) throws -> Void) throws -> Void)
  }

  private let members: [(name: String, part: Part)]

  /// - Parameter members: those that are nil are left out.
  package init(_ members: [(name: String, part: Part?)]) {
    self.members = members.compactMap { member in member.part.map { (member.name, $0) } }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
  }

  /// Writes the document, indented, in pieces of some 64 KiB.
  ///
  /// - Parameters:
  ///   - put: is called with each piece.
  ///   - line: is called with each piece of the same document on one line, as `JSONValue.lineText` would be.
  ///   - last: a member that is made when all others are written. It is written behind them, and is not in `line`.
  /// - Throws: what a list and `put` throw.
  package func write(
    to put: (String) throws -> Void, line: ([UInt8]) -> Void, last: () -> (name: String, value: JSONValue)
  ) throws {
    var output = Output()
    output.both("{")
    for (position, member) in members.enumerated() {
      if position > 0 { output.both(",") }
      output.name(member.name)
      switch member.part {
      case .value(let value): output.add(value, level: 1)
      case .list(let forEach):
        output.both("[")
        var isFirst = true
        try forEach { element in
          if !isFirst { output.both(",") }
          isFirst = false
          output.startLine(2)
          output.add(element, level: 2)
          if output.isLong { try output.flush(to: put, line: line) }
        }
        if !isFirst { output.startLine(1) }
        output.both("]")
      }
    }
    output.line += "}\n".utf8
    try output.flush(to: put, line: line)
    let (name, value) = last()
    if !members.isEmpty { output.text.append(UInt8(ascii: ",")) }
    output.name(name)
    value.write(to: &output.text, indent: 1)
    output.text += "\n}\n".utf8
    try output.flush(to: put) { _ in }
  }

  /// Both forms of the document.
  private struct Output {
    var text: [UInt8] = []
    var line: [UInt8] = []

    var isLong: Bool { text.count >= 1 << 16 }

    mutating func both(_ literal: StaticString) {
      literal.withUTF8Buffer {
        text += $0
        line += $0
      }
    }

    mutating func startLine(_ level: Int) { JSONValue.startLine(level, in: &text) }

    mutating func name(_ name: String) {
      startLine(1)
      JSONValue.write(name, to: &text)
      JSONValue.write(name, to: &line)
      both(": ")
    }

    mutating func add(_ value: JSONValue, level: Int) {
      value.write(to: &text, indent: level)
      value.write(to: &line, indent: nil)
    }

    mutating func flush(to put: (String) throws -> Void, line putLine: ([UInt8]) -> Void) rethrows {
      try put(String(decoding: text, as: UTF8.self))
      putLine(line)
      text.removeAll(keepingCapacity: true)
      line.removeAll(keepingCapacity: true)
    }
  }
}
