import StoreDataModel
import StoreText

/// A value in SQLite's memory, valid until the next row.
enum BorrowedValue {
  case integer(Int64)
  case real(Double)
  case text(TextBytes)

  /// The value as a number; nil for text.
  var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .text: nil
    }
  }

  /// Whether it is less than, equal to or greater than a constant: -1, 0 or 1; nil where they cannot be compared.
  func compared(to constant: Expression.Constant) -> Int? {
    func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
      if left < right {
        -1
      } else if left == right {
        0
      } else {
        1
      }
    }
    switch (self, constant) {
    case (.integer(let value), .integer(let bound)): return order(value, bound)
    case (.integer, .real(let bound)), (.real, .real(let bound)), (.integer, .date(let bound)),
      (.real, .date(let bound)):
      return number.map { order($0, bound) }
    case (.real(let value), .integer(let bound)): return order(value, Double(bound))
    case (.integer, .boolean(let bound)), (.real, .boolean(let bound)):
      return number.map { order($0, bound ? 1 : 0) }
    case (.text(let text), .string(let other)):
      return text.equals(other) ? 0 : order(String(decoding: text.bytes, as: UTF8.self), other)
    default: return nil
    }
  }
}

extension TextBytes {
  /// Whether it equals another text, also in a different Unicode form.
  func equals(_ other: String) -> Bool {
    if bytes.count == other.utf8.count, bytes.elementsEqual(other.utf8) { return true }
    return !isPlainASCII && String(decoding: bytes, as: UTF8.self) == other
  }
}
