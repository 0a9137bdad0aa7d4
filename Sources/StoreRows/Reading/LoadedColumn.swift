import StoreSQLite

/// The values of one column of a table by key, from one read of it, for paths through to-ones.
///
/// 20 bytes an object, and the bytes of texts.
final class LoadedColumn {
  private let index: KeyIndex
  private let values: [Packed]
  private let bytes: UnsafeMutableRawBufferPointer

  private struct Packed {
    var kind: Kind
    /// A number's bits, or where bytes begin.
    var bits: UInt64
    var length: UInt32
  }

  private enum Kind: UInt8 {
    case null, boolean, integer, real, decimal, date, text, uri, uuid, data, length, key, absent
  }

  /// Collects values in the order of keys.
  struct Builder {
    private var keys: [Int64] = []
    private var values: [Packed] = []
    private var bytes: [UInt8] = []

    /// - Parameter key: higher than the last one.
    mutating func add(_ key: Int64, value: RowValue) {
      keys.append(key)
      switch value {
      case .absent, .keys, .missingFile, .written: values.append(Packed(kind: .absent, bits: 0, length: 0))
      case .null: values.append(Packed(kind: .null, bits: 0, length: 0))
      case .boolean(let flag): values.append(Packed(kind: .boolean, bits: flag ? 1 : 0, length: 0))
      case .integer(let number): values.append(Packed(kind: .integer, bits: UInt64(bitPattern: number), length: 0))
      case .real(let number): values.append(Packed(kind: .real, bits: number.bitPattern, length: 0))
      case .decimal(let number): values.append(Packed(kind: .decimal, bits: number.bitPattern, length: 0))
      case .date(let number): values.append(Packed(kind: .date, bits: number.bitPattern, length: 0))
      case .dataLength(let length):
        values.append(Packed(kind: .length, bits: UInt64(bitPattern: length), length: 0))
      case .key(let key): values.append(Packed(kind: .key, bits: UInt64(bitPattern: key), length: 0))
      case .text(let text): add(.text, content: text)
      case .entity(var name): name.withUTF8 { add(.text, content: UnsafeRawBufferPointer($0)) }
      case .uri(let text): add(.uri, content: text)
      case .uuid(let uuid): add(.uuid, content: uuid)
      case .data(let data), .transformed(let data): add(.data, content: data)
      }
    }

    private mutating func add(_ kind: Kind, content: UnsafeRawBufferPointer) {
      values.append(Packed(kind: kind, bits: UInt64(bytes.count), length: UInt32(clamping: content.count)))
      bytes.append(contentsOf: content)
    }

    func column() -> LoadedColumn { LoadedColumn(KeyIndex(keys), values, bytes) }
  }

  private init(_ index: KeyIndex, _ values: [Packed], _ content: [UInt8]) {
    self.index = index
    self.values = values
    bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 1)
    bytes.copyBytes(from: content)
  }

  deinit { bytes.deallocate() }

  /// The value of the object with that key; nil where there is none.
  func value(of key: Int64) -> RowValue? {
    guard let place = index[key] else { return nil }
    let value = values[place]
    return switch value.kind {
    case .absent: .absent
    case .null: .null
    case .boolean: .boolean(value.bits != 0)
    case .integer: .integer(Int64(bitPattern: value.bits))
    case .real: .real(Double(bitPattern: value.bits))
    case .decimal: .decimal(Double(bitPattern: value.bits))
    case .date: .date(Double(bitPattern: value.bits))
    case .length: .dataLength(Int64(bitPattern: value.bits))
    case .key: .key(Int64(bitPattern: value.bits))
    case .text: .text(content(value))
    case .uri: .uri(content(value))
    case .uuid: .uuid(content(value))
    case .data: .data(content(value))
    }
  }

  private func content(_ value: Packed) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: UnsafeRawBufferPointer(bytes)[Int(value.bits)..<Int(value.bits) + Int(value.length)])
  }
}
