/// Whether one version's name comes before another's: text by code units, runs of digits as numbers ("V2" before "V10").
///
/// A total order: names that differ only in leading zeros are ordered as plain text.
package func versionNamesPrecede(_ left: String, _ right: String) -> Bool {
  var (left, right) = (Array(left.utf8)[...], Array(right.utf8)[...])
  let whole = (left, right)
  while let a = left.first, let b = right.first {
    if a.isDigit && b.isDigit {
      let (number, other) = (left.takeNumber(), right.takeNumber())
      if number.count != other.count { return number.count < other.count }
      if number != other { return number.lexicographicallyPrecedes(other) }
    } else {
      if a != b { return a < b }
      left.removeFirst()
      right.removeFirst()
    }
  }
  if left.isEmpty != right.isEmpty { return left.isEmpty }
  return whole.0.lexicographicallyPrecedes(whole.1)
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension ArraySlice<UInt8> {
  /// Takes the digits it begins with, without leading zeros.
  fileprivate mutating func takeNumber() -> ArraySlice<UInt8> {
    let digits = prefix(while: \.isDigit)
    removeFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }
}
