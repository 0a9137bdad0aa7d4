/// Lower-case hex digits, two a byte.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  func digit(_ value: UInt8) -> UInt8 { value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) }
  let bytes = Array(bytes)
  return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
    for (position, byte) in bytes.enumerated() {
      text[2 * position] = digit(byte >> 4)
      text[2 * position + 1] = digit(byte & 15)
    }
    return 2 * bytes.count
  }
}
