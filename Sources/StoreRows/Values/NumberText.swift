import StoreText

// Numbers, dates and bytes as text, written without making a string for each: a million rows have a million dates.
extension OutputBytes {
  /// A whole number in decimal.
  func append(integer number: Int64) throws {
    try require(20)
    if number < 0 { try append(UInt8(ascii: "-")) }
    writeDigits(number.magnitude, atLeast: 1)
  }

  /// A number with the fewest digits that read back as the same one; infinities are left to the caller.
  func append(real number: Double) throws {
    // Most stored numbers have a few decimal places; those need no search for the shortest digits.
    var scale = 1.0
    for places in 0...4 {
      let scaled = number * scale
      guard abs(scaled) < 9e15 else { break }
      let whole = scaled.rounded()
      if whole / scale == number, whole != 0 || number.sign == .plus {
        try require(40)
        if whole < 0 { try append(UInt8(ascii: "-")) }
        let digits = UInt64(abs(whole))
        let divisor = UInt64(scale)
        writeDigits(digits / divisor, atLeast: 1)
        try append(UInt8(ascii: "."))
        return writeDigits(digits % divisor, atLeast: max(places, 1))
      }
      scale *= 10
    }
    try append(number.description)
  }

  /// A date with its whole fraction; false where the number is none that a calendar of 10 digits of years has.
  func append(date seconds: Double) throws -> Bool {
    try require(DateText.maximumLength)
    let length = DateText.write(secondsSince2001: seconds, to: buffer + count)
    count += length
    return length > 0
  }

  private func writeDigits(_ number: UInt64, atLeast places: Int) {
    count += StoreText.writeDigits(number, atLeast: places, to: buffer + count)
  }

  /// A UUID as Foundation spells it.
  func append(uuid bytes: UnsafeRawBufferPointer) throws {
    try require(36)
    count += UUIDText.write(bytes, to: buffer + count)
  }

  /// Base-64 with padding, whatever the length.
  func append(base64 bytes: UnsafeRawBufferPointer) throws {
    // 72 bytes of text at a time, which fit into any buffer.
    for start in stride(from: 0, to: bytes.count, by: 54) {
      try require(72)
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + 54, bytes.count)])
      count += Base64.write(piece, to: buffer + count)
    }
  }
}
