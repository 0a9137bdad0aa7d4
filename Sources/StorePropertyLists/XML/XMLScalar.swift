/// Numbers, dates and truth values as XML writes them.
enum XMLScalar {
  static func content(of element: XMLElement, _ text: String) -> ObjectTable.Content? {
    let word = text.trimmingXMLSpace()
    return switch element {
    case .isTrue: word.isEmpty ? .boolean(true) : nil
    case .isFalse: word.isEmpty ? .boolean(false) : nil
    case .integer: integer(word)
    case .real: real(word).map { .real($0) }
    case .date: CalendarDate(word).map { .date(Double($0.secondsSince2001)) }
    case .plist, .array, .dict, .key, .string, .data: nil
    }
  }

  /// Decimal, or hexadecimal behind `0x`, with an optional sign; at most 64 bits.
  private static func integer(_ word: Substring) -> ObjectTable.Content? {
    let isNegative = word.hasPrefix("-")
    let digits = isNegative || word.hasPrefix("+") ? word.dropFirst() : word
    let isHex = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let number = isHex ? digits.dropFirst(2) : digits
    guard number.first?.isHexDigit == true, let magnitude = UInt64(number, radix: isHex ? 16 : 10) else { return nil }
    if isNegative {
      return magnitude <= Int64.min.magnitude ? .integer(Int64(truncatingIfNeeded: 0 &- magnitude)) : nil
    }
    return Int64(exactly: magnitude).map { .integer($0) } ?? .unsigned(magnitude)
  }

  /// A decimal number, or `nan`, `inf`, `infinity` with an optional sign, in any case.
  private static func real(_ word: Substring) -> Double? {
    let text = word.lowercased()
    if text.utf8.allSatisfy({ "0123456789+-.e".utf8.contains($0) }) { return Double(text) }
    switch text {
    case "nan", "+nan", "-nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: return nil
    }
  }
}

extension String {
  fileprivate func trimmingXMLSpace() -> Substring {
    let start = self[...].utf8.drop(while: \.isXMLSpace)
    let length = start.reversed().drop(while: \.isXMLSpace).count
    return Substring(start.prefix(length))
  }
}
