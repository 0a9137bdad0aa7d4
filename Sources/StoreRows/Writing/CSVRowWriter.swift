import StoreJSON
import StoreText

/// Objects as comma-separated values (RFC 4180), with a header.
///
/// NULL is an empty cell, and an empty text is `""`. A text that a spreadsheet would take for a formula gets an apostrophe
/// in front, unless `keepsFormulas`.
package struct CSVRowWriter: RowWriter {
  package private(set) var remarks: [String] = []
  private let style: ValueStyle
  private let keepsFormulas: Bool
  private let isForTerminal: Bool
  private var columnCount = 0
  /// Cells with an apostrophe in front.
  package private(set) var guarded = 0
  private var repaired = 0

  /// - Parameter isForTerminal: whether control characters are escaped.
  package init(_ style: ValueStyle, keepsFormulas: Bool = false, isForTerminal: Bool = false) {
    self.style = style
    self.keepsFormulas = keepsFormulas
    self.isForTerminal = isForTerminal
  }

  package mutating func begin(_ columns: [RowColumn], to output: OutputBytes) throws {
    columnCount = columns.count
    for (position, column) in columns.enumerated() {
      if position > 0 { try output.append(UInt8(ascii: ",")) }
      try write(text: column.name, to: output)
    }
    try output.append("\r\n")
  }

  package mutating func write(_ row: Rows.Row, to output: OutputBytes) throws {
    for column in 0..<columnCount {
      if column > 0 { try output.append(UInt8(ascii: ",")) }
      try write(row.value(column), to: output)
    }
    try output.append("\r\n")
  }

  package mutating func end(_ rows: Rows, to output: OutputBytes) throws {
    if guarded > 0 {
      remarks.append(
        "\(guarded) cell\(guarded == 1 ? " that a spreadsheet would take for a formula has" : "s that a spreadsheet would take for formulas have")"
          + " an apostrophe in front")
    }
    if repaired > 0 {
      remarks.append(
        "\(repaired) text\(repaired == 1 ? " is" : "s are") not valid UTF-8; bytes that are no text are U+FFFD here")
    }
  }

  private mutating func write(_ value: RowValue, to output: OutputBytes) throws {
    switch value {
    case .absent, .null: break
    case .boolean(let flag): try flag ? output.append("true") : output.append("false")
    case .integer(let number), .key(let number): try output.append(integer: number)
    case .real(let number), .decimal(let number):
      try number.isFinite ? output.append(real: number) : output.append(number.description)
    case .date(let seconds):
      guard style.dates == .iso, seconds.isFinite else {
        let number = style.dates == .unix ? seconds + Double(secondsFrom1970To2001) : seconds
        return try number.isFinite ? output.append(real: number) : output.append(number.description)
      }
      _ = try output.append(date: seconds, style.dates)
    case .text(let text), .uri(let text): try write(text: text, to: output)
    case .uuid(let bytes): try output.append(uuid: bytes)
    case .data(let bytes): try write(data: bytes, isTransformed: false, to: output)
    case .transformed(let bytes): try write(data: bytes, isTransformed: true, to: output)
    case .dataLength(let length): try write(length: length, to: output)
    case .missingFile(let name):
      try output.append("missing file ")
      try write(text: name, to: output)
    case .keys(let keys):
      for (position, key) in keys.enumerated() {
        if position > 0 { try output.append(UInt8(ascii: " ")) }
        try output.append(integer: key)
      }
    case .entity(let name), .written(let name, _): try write(text: name, to: output)
    }
  }

  private func write(length: Int64, to output: OutputBytes) throws {
    try output.append(integer: length)
    try length == 1 ? output.append(" byte") : output.append(" bytes")
  }

  private mutating func write(data bytes: UnsafeRawBufferPointer, isTransformed: Bool, to output: OutputBytes) throws {
    if let archived = ArchivedValue(bytes) { return try write(text: archived.text, to: output) }
    guard style.writesBinary || isTransformed else { return try write(length: Int64(bytes.count), to: output) }
    try output.append(base64: bytes)
  }

  private mutating func write(text: String, to output: OutputBytes) throws {
    var text = text
    try text.withUTF8 { try write(text: UnsafeRawBufferPointer($0), to: output) }
  }

  private mutating func write(text: UnsafeRawBufferPointer, to output: OutputBytes) throws {
    var traits: UInt8 = 0
    Self.traits.withUnsafeBufferPointer { table in
      for byte in text { traits |= table[Int(byte)] }
    }
    if traits & Self.isWide != 0, !UTF8Check.isValid(text) {
      repaired += 1
      return try write(mended: text, to: output)
    }
    if isForTerminal, traits & (Self.isWide | Self.acts) != 0 { return try write(mended: text, to: output) }
    try write(plain: text, traits, to: output)
  }

  private static let needsQuotes: UInt8 = 1
  private static let isQuote: UInt8 = 2
  private static let isWide: UInt8 = 4
  private static let acts: UInt8 = 8

  /// The meaning of each byte for the cell it is in.
  private static let traits: [UInt8] = (0..<256).map { byte in
    switch UInt8(byte) {
    case UInt8(ascii: "\""): needsQuotes | isQuote
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\n"), UInt8(ascii: "\t"): needsQuotes
    case 0..<0x20, 0x7F: needsQuotes | acts
    case 0x80...: isWide
    default: 0
    }
  }

  private mutating func write(plain text: UnsafeRawBufferPointer, _ traits: UInt8, to output: OutputBytes) throws {
    let isFormula = !keepsFormulas && Self.startsFormula(text)
    if isFormula { guarded += 1 }
    guard traits & Self.needsQuotes != 0 || text.isEmpty || text.first == 0x20 || text.last == 0x20 else {
      if isFormula { try output.append(UInt8(ascii: "'")) }
      return try output.append(text)
    }
    try output.append(UInt8(ascii: "\""))
    if isFormula { try output.append(UInt8(ascii: "'")) }
    var start = 0
    if traits & Self.isQuote != 0 {
      for position in text.indices where text[position] == UInt8(ascii: "\"") {
        try output.append(UnsafeRawBufferPointer(rebasing: text[start...position]))
        start = position
      }
    }
    try output.append(UnsafeRawBufferPointer(rebasing: text[start...]))
    try output.append(UInt8(ascii: "\""))
  }

  /// A text with errors repaired and, for a terminal, escaped.
  private mutating func write(mended text: UnsafeRawBufferPointer, to output: OutputBytes) throws {
    var mended = String(decoding: text, as: UTF8.self)
    if isForTerminal {
      mended = mended.unicodeScalars.map { scalar in
        (scalar.value < 0x20 && scalar != "\n" && scalar != "\t") || scalar.value == 0x7F || scalar.actsOnReaders
          ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
      }.joined()
    }
    try mended.withUTF8 { bytes in
      let traits = bytes.reduce(0) { $0 | Self.traits[Int($1)] }
      try write(plain: UnsafeRawBufferPointer(bytes), traits, to: output)
    }
  }

  /// "Cells that begin with =, +, -, @, tab or carriage return" (OWASP, CSV Injection), also after spaces, and in their
  /// full-width forms.
  private static func startsFormula(_ text: UnsafeRawBufferPointer) -> Bool {
    // Letters and digits, as most texts begin, are none.
    if let first = text.first, first >= 0x30, first < 0x80, first != UInt8(ascii: "="), first != UInt8(ascii: "@") {
      return false
    }
    let rest = text.drop { $0 == 0x20 }
    switch rest.first {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "\t"),
      UInt8(ascii: "\r"):
      return true
    case 0xEF:
      return ["＝", "＋", "－", "＠"].contains { rest.starts(with: $0.utf8) }
    default: return false
    }
  }
}
