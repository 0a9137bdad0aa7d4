import StoreRows
import StoreText
import StoreWords

/// A value as a person reads it, on one line.
struct RowText {
  var text: String
  var isNull = false

  /// - Parameter length: about how many characters are wanted; the rest of longer texts is not looked at.
  init(_ value: RowValue, upTo length: Int = .max) {
    switch value {
    case .absent: text = ""
    case .null: (text, isNull) = ("NULL", true)
    case .boolean(let flag): text = flag ? "true" : "false"
    case .integer(let number): text = String(number)
    case .key(let key): text = String(key)
    case .real(let number), .decimal(let number):
      text = number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : number.description
    case .date(let seconds): text = Self.date(seconds)
    case .text(let bytes), .uri(let bytes): text = Self.line(bytes, upTo: length)
    case .uuid(let bytes): text = UUIDText.text(bytes)
    case .data(let bytes), .transformed(let bytes): text = Self.data(bytes, upTo: length)
    case .dataLength(let length): text = counted(length, "byte")
    case .missingFile(let name): text = "missing file \(escapedForTerminal(String(decoding: name, as: UTF8.self)))"
    case .keys(let keys):
      text = keys.isEmpty ? "none" : keys.prefix(length).map { String($0) }.joined(separator: ", ")
    case .entity(let name), .written(let name, _): text = escapedForTerminal(name)
    }
  }

  /// To the second; the table's head says that it is UTC.
  private static func date(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e15 else { return "\(seconds) (no date)" }
    return String(dateText(seconds.rounded(.down)).dropLast()).replacing("T", with: " ")
  }

  /// A text with its line breaks shown as such, and what acts on terminals escaped.
  private static func line(_ bytes: UnsafeRawBufferPointer, upTo length: Int) -> String {
    guard !bytes.isEmpty else { return "\"\"" }
    // A character has four bytes at most, but may have many scalars; what is cut is marked as cut.
    let limit = length > 1 << 20 ? bytes.count : min(bytes.count, length * 8 + 16)
    let text = String(decoding: bytes.prefix(limit), as: UTF8.self)
    let shown = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\n": "↵"
      case "\t": " "
      default: String(scalar)
      }
    }.joined()
    return escapedForTerminal(shown) + (limit < bytes.count ? "…" : "")
  }

  private static func data(_ bytes: UnsafeRawBufferPointer, upTo length: Int) -> String {
    guard var text = ArchivedValue(bytes)?.text else { return counted(Int64(bytes.count), "byte") }
    return text.withUTF8 { line(UnsafeRawBufferPointer($0), upTo: length) }
  }
}
