import StoreSQLite

/// The UTF-16 code units of a text as it is stored; a single byte at the end is left out.
package struct TextUnits: RandomAccessCollection {
  private let bytes: UnsafeRawBufferPointer
  private let isBigEndian: Bool

  /// The units of `bytes`.
  package init(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
  }

  /// 0.
  package var startIndex: Int { 0 }
  /// The number of units.
  package var endIndex: Int { bytes.count / 2 }
  /// One unit.
  package subscript(position: Int) -> UInt16 {
    let unit = bytes.loadUnaligned(fromByteOffset: 2 * position, as: UInt16.self)
    return isBigEndian ? UInt16(bigEndian: unit) : UInt16(littleEndian: unit)
  }
}

extension DatabaseHeader.TextEncoding {
  /// Text as stored, repaired where it is not valid.
  package func text(_ bytes: UnsafeRawBufferPointer) -> String {
    switch self {
    case .utf16LittleEndian: String(decoding: TextUnits(bytes, isBigEndian: false), as: UTF16.self)
    case .utf16BigEndian: String(decoding: TextUnits(bytes, isBigEndian: true), as: UTF16.self)
    case .unset, .utf8, .unknown: String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Text as stored, in UTF-8; what is UTF-8 already is not repaired.
  package func utf8(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    switch self {
    case .utf16LittleEndian, .utf16BigEndian: Array(text(bytes).utf8)
    case .unset, .utf8, .unknown: Array(bytes)
    }
  }

  /// The type of `text` in a record.
  package func serialType(of text: String) -> SerialType {
    switch self {
    case .utf16LittleEndian, .utf16BigEndian: SerialType(.text, size: 2 * text.utf16.count)
    case .unset, .utf8, .unknown: SerialType(.text, size: text.utf8.count)
    }
  }
}
