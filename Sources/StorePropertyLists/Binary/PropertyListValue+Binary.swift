extension PropertyListValue {
  /// This value as a binary list (`bplist00`).
  ///
  /// The same value always gives the same bytes: keys in the order of their UTF-8, equal scalars stored once (as
  /// Apple's writer does; containers are not shared), everything in its smallest size.
  package func binaryPropertyList() -> [UInt8] {
    var writer = BinaryWriter()
    writer.add(self)
    return writer.file()
  }
}

/// Collects objects first, because the size of a reference depends on how many there are.
private struct BinaryWriter {
  enum Object {
    case scalar([UInt8])
    case container(marker: UInt8, count: Int, references: [Int])
  }

  var objects: [Object] = []
  var scalars: [[UInt8]: Int] = [:]

  @discardableResult
  mutating func add(_ value: PropertyListValue) -> Int {
    switch value {
    case .array(let elements): addContainer(0xa0, count: elements.count, children: elements)
    case .set(let elements): addContainer(0xc0, count: elements.count, children: elements)
    case .dictionary(let entries): addDictionary(entries)
    default: addScalar(encoding(ofScalar: value))
    }
  }

  private mutating func addDictionary(_ entries: [String: PropertyListValue]) -> Int {
    let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return addContainer(0xd0, count: sorted.count, children: sorted.map { .string($0.key) } + sorted.map(\.value))
  }

  /// A container comes before its children, so that the root is object 0.
  private mutating func addContainer(_ marker: UInt8, count: Int, children: [PropertyListValue]) -> Int {
    let index = objects.count
    objects.append(.container(marker: marker, count: count, references: []))
    var references: [Int] = []
    for child in children { references.append(add(child)) }
    objects[index] = .container(marker: marker, count: count, references: references)
    return index
  }

  private mutating func addScalar(_ encoding: [UInt8]) -> Int {
    if let known = scalars[encoding] { return known }
    scalars[encoding] = objects.count
    objects.append(.scalar(encoding))
    return objects.count - 1
  }

  func file() -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    let referenceSize = UInt64(objects.count - 1).storedSize
    for object in objects {
      offsets.append(bytes.count)
      switch object {
      case .scalar(let encoding):
        bytes += encoding
      case .container(let marker, let count, let references):
        bytes += header(marker, count: count)
        for reference in references { bytes.appendBigEndian(UInt64(reference), size: referenceSize) }
      }
    }
    let table = bytes.count
    let offsetSize = UInt64(table).storedSize
    for offset in offsets { bytes.appendBigEndian(UInt64(offset), size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [objects.count, 0, table] { bytes.appendBigEndian(UInt64(number), size: 8) }
    return bytes
  }
}

/// A marker with a size: in its low four bits if less than 15, otherwise as an integer object behind it.
private func header(_ marker: UInt8, count: Int) -> [UInt8] {
  count < 15 ? [marker | UInt8(count)] : [marker | 0xf] + encoding(of: UInt64(count))
}

private func encoding(ofScalar value: PropertyListValue) -> [UInt8] {
  switch value {
  case .null, .array, .set, .dictionary: [0x00]
  case .boolean(let value): [value ? 0x09 : 0x08]
  case .integer(let value): encoding(of: value)
  case .unsigned(let value): encoding(of: value)
  case .real(let value): number(0x23, value: value.bitPattern, size: 8)
  case .date(let value): number(0x33, value: value.bitPattern, size: 8)
  case .data(let bytes): header(0x40, count: bytes.count) + bytes
  case .string(let text): encoding(of: text)
  case .uid(let value): number(0x80 | UInt8(value.storedSize - 1), value: value, size: value.storedSize)
  }
}

/// Integers of 1, 2 and 4 bytes have no sign, those of 8 and 16 have one.
private func encoding(of value: Int64) -> [UInt8] {
  value < 0 ? number(0x13, value: UInt64(bitPattern: value), size: 8) : encoding(of: UInt64(value))
}

private func encoding(of value: UInt64) -> [UInt8] {
  switch value.storedSize {
  case 1: number(0x10, value: value, size: 1)
  case 2: number(0x11, value: value, size: 2)
  case 4: number(0x12, value: value, size: 4)
  default:
    value <= UInt64(Int64.max)
      ? number(0x13, value: value, size: 8) : number(0x14, value: 0, size: 8) + bigEndian(value)
  }
}

private func encoding(of text: String) -> [UInt8] {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return header(0x50, count: text.utf8.count) + Array(text.utf8) }
  let units = Array(text.utf16)
  return header(0x60, count: units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
}

private func number(_ marker: UInt8, value: UInt64, size: Int) -> [UInt8] {
  var bytes = [marker]
  bytes.appendBigEndian(value, size: size)
  return bytes
}

private func bigEndian(_ value: UInt64) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.appendBigEndian(value, size: 8)
  return bytes
}
