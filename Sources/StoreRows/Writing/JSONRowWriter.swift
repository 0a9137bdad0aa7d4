import StoreJSON
import StoreText

/// Objects as JSON: one a line (JSON Lines), or the rows of a document.
package struct JSONRowWriter: RowWriter {
  /// The text around the rows.
  package enum Frame {
    /// Nothing: JSON Lines.
    case lines
    /// A document; `head` are its members before the rows, and `tail` those after them.
    case document(head: [(String, JSONValue)], tail: (Rows) -> [(String, JSONValue)])
  }

  package private(set) var remarks: [String] = []
  private let frame: Frame
  private let style: ValueStyle
  private var names: [[UInt8]] = []
  private var isFirst = true
  private var repaired = 0

  package init(_ frame: Frame, _ style: ValueStyle) {
    self.frame = frame
    self.style = style
  }

  package mutating func begin(_ columns: [RowColumn], to output: OutputBytes) throws {
    names = try columns.map { column in
      var name: [UInt8] = []
      let spelling = OutputBytes { name += $0 }
      try spelling.append(jsonText: column.name)
      try spelling.append(": ")
      try spelling.flush()
      return name
    }
    guard case .document(let head, _) = frame else { return }
    try output.append("{\n")
    for (name, value) in head {
      try output.append("  ")
      try output.append(jsonText: name)
      try output.append(": ")
      try output.append(String(value.lineText.dropLast()))
      try output.append(",\n")
    }
    try output.append("  \"rows\": [")
  }

  package mutating func write(_ row: Rows.Row, to output: OutputBytes) throws {
    if case .document = frame { try output.append(isFirst ? "\n    " : ",\n    ") }
    isFirst = false
    try output.append(UInt8(ascii: "{"))
    var needsComma = false
    for column in names.indices {
      let value = row.value(column)
      if case .absent = value { continue }
      if needsComma { try output.append(",") }
      needsComma = true
      try output.append(names[column])
      try write(value, to: output)
    }
    try output.append(UInt8(ascii: "}"))
    if case .lines = frame { try output.append(UInt8(ascii: "\n")) }
  }

  package mutating func end(_ rows: Rows, to output: OutputBytes) throws {
    if repaired > 0 {
      remarks.append(
        repaired == 1
          ? "1 text is not valid UTF-8; its bytes are beside it in base-64"
          : "\(repaired) texts are not valid UTF-8; their bytes are beside them in base-64")
    }
    guard case .document(_, let tail) = frame else { return }
    try output.append(isFirst ? "]" : "\n  ]")
    for (name, value) in tail(rows) {
      try output.append(",\n  ")
      try output.append(jsonText: name)
      try output.append(": ")
      try output.append(String(value.lineText.dropLast()))
    }
    try output.append("\n}\n")
  }

  private mutating func write(_ value: RowValue, to output: OutputBytes) throws {
    switch value {
    case .absent, .null: try output.append("null")
    case .boolean(let flag): try flag ? output.append("true") : output.append("false")
    case .integer(let number), .key(let number): try output.append(integer: number)
    case .real(let number), .decimal(let number): try write(number, to: output)
    case .date(let seconds):
      guard style.dates == .iso, seconds.isFinite, abs(seconds) < 1e15 else {
        return try write(style.dates == .unix ? seconds + Double(secondsFrom1970To2001) : seconds, to: output)
      }
      try output.append(UInt8(ascii: "\""))
      _ = try output.append(date: seconds)
      try output.append(UInt8(ascii: "\""))
    case .text(let text), .uri(let text): try write(text: text, to: output)
    case .uuid(let bytes):
      try output.append(UInt8(ascii: "\""))
      try output.append(uuid: bytes)
      try output.append(UInt8(ascii: "\""))
    case .data(let bytes): try write(data: bytes, isTransformed: false, to: output)
    case .transformed(let bytes): try write(data: bytes, isTransformed: true, to: output)
    case .dataLength(let length):
      try output.append("{\"length\": ")
      try output.append(integer: length)
      try output.append("}")
    case .missingFile(let name):
      try output.append("{\"missing file\": ")
      _ = try output.append(jsonText: name)
      try output.append("}")
    case .keys(let keys):
      try output.append("[")
      for (position, key) in keys.enumerated() {
        if position > 0 { try output.append(",") }
        try output.append(integer: key)
      }
      try output.append("]")
    case .entity(let name): try output.append(jsonText: name)
    case .written(let file, let length):
      try output.append("{\"length\": ")
      try output.append(integer: length)
      try output.append(", \"file\": ")
      try output.append(jsonText: file)
      try output.append("}")
    }
  }

  private func write(_ number: Double, to output: OutputBytes) throws {
    // JSON has no infinity; a text says what is stored.
    guard number.isFinite else { return try output.append(jsonText: number.description) }
    try output.append(real: number)
  }

  private mutating func write(text: UnsafeRawBufferPointer, to output: OutputBytes) throws {
    guard UTF8Check.isValid(text) else {
      repaired += 1
      try output.append("{\"text\": ")
      _ = try output.append(jsonText: text)
      try output.append(", \"base64\": \"")
      try output.append(base64: text)
      return try output.append("\"}")
    }
    _ = try output.append(jsonText: text)
  }

  private func write(data bytes: UnsafeRawBufferPointer, isTransformed: Bool, to output: OutputBytes) throws {
    let archived = ArchivedValue(bytes)
    try output.append("{\"length\": ")
    try output.append(integer: Int64(bytes.count))
    switch archived {
    case .archive(let name, let content)?:
      if let name {
        try output.append(", \"class\": ")
        try output.append(jsonText: name)
      }
      try write(", \"archive\": ", content: content, to: output)
    case .propertyList(let content)?: try write(", \"propertyList\": ", content: content, to: output)
    case .json(let content)?: try write(", \"json\": ", content: content, to: output)
    case nil: break
    }
    // The bytes of a transformable that cannot be read otherwise are never left out.
    if style.writesBinary || isTransformed && archived == nil {
      try output.append(", \"base64\": \"")
      try output.append(base64: bytes)
      try output.append("\"")
    }
    try output.append("}")
  }

  private func write(_ name: StaticString, content: JSONValue, to output: OutputBytes) throws {
    try output.append(name)
    try output.append(String(content.lineText.dropLast()))
  }
}
