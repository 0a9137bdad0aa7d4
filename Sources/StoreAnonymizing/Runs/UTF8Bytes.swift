import StoreText

/// UTF-8 without texts: values are looked at byte by byte, millions of them.
enum UTF8Bytes {
  /// Whether all bytes are of ASCII.
  static func areASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { firstBeyondASCII(bytes, from: 0) == nil }

  /// Where the next byte beyond ASCII is; nil where none follows.
  static func firstBeyondASCII(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let raw = UnsafeRawBufferPointer(bytes)
    var place = start
    while place + 8 <= raw.count {
      let high = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) & 0x8080_8080_8080_8080
      if high != 0 { return place + high.trailingZeroBitCount / 8 }
      place += 8
    }
    while place < raw.count {
      if raw[place] >= 0x80 { return place }
      place += 1
    }
    return nil
  }

  /// Whether bytes are UTF-8 (The Unicode Standard, table 3-7).
  static func areValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // It takes NUL for the end.
    TextBytes(bytes: UnsafeRawBufferPointer(bytes)).isValid || String(validating: bytes, as: UTF8.self) != nil
  }

  /// Whether bytes are UTF-8 that is not of ASCII alone.
  static func areWide(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { !areASCII(bytes) && areValid(bytes) }

  /// Calls `body` with each scalar of bytes that are valid; of others with anything.
  @inline(__always) static func forEachScalar(in bytes: UnsafeBufferPointer<UInt8>, _ body: (UInt32) -> Void) {
    var place = 0
    while place < bytes.count {
      let (scalar, length) = scalar(bytes, at: place)
      body(scalar)
      place += length
    }
  }

  /// The scalar at a place of bytes that are valid, and how many of them it has; of others anything.
  @inline(__always) static func scalar(
    _ bytes: UnsafeBufferPointer<UInt8>, at place: Int
  ) -> (scalar: UInt32, length: Int) {
    let first = UInt32(bytes[place])
    if first < 0x80 { return (first, 1) }
    func tail(_ offset: Int) -> UInt32 {
      place + offset < bytes.count ? UInt32(bytes[place + offset] & 0x3f) : 0
    }
    if first < 0xe0 { return ((first & 0x1f) << 6 | tail(1), 2) }
    if first < 0xf0 { return ((first & 0x0f) << 12 | tail(1) << 6 | tail(2), 3) }
    return ((first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4)
  }

  /// How many bytes a scalar has.
  @inline(__always) static func length(_ scalar: UInt32) -> Int {
    scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
  }

  /// Calls `body` with each byte of a scalar.
  @inline(__always) static func forEachByte(of scalar: UInt32, _ body: (UInt8) -> Void) {
    let length = length(scalar)
    guard length > 1 else { return body(UInt8(truncatingIfNeeded: scalar)) }
    let mark: UInt32 = length == 2 ? 0xc0 : length == 3 ? 0xe0 : 0xf0
    for index in 0..<length {
      let bits = scalar >> UInt32((length - 1 - index) * 6)
      body(UInt8(truncatingIfNeeded: index == 0 ? bits | mark : bits & 0x3f | 0x80))
    }
  }

  /// Adds a scalar to bytes.
  @inline(__always) static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
    if scalar < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: scalar)) }
    forEachByte(of: scalar) { bytes.append($0) }
  }
}
