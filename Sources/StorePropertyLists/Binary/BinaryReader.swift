// A binary property list: magic, objects, offset table, trailer. The list ["hi", true] byte by byte:
//
//     00  62 70 6c 69 73 74 30 30   "bplist00"
//     08  a2 01 02                  object 0: array of 2, objects 1 and 2
//     0b  52 68 69                  object 1: ASCII string of 2
//     0e  09                        object 2: true
//     0f  08 0b 0e                  offset table: where objects 0, 1 and 2 start
//     12  00 00 00 00 00 00         trailer: unused, sort version
//     18  01 01                     bytes per offset, bytes per reference
//     1a  00 00 00 00 00 00 00 03   number of objects
//     22  00 00 00 00 00 00 00 00   the root is object 0
//     2a  00 00 00 00 00 00 00 0f   where the offset table starts
//
// An object starts with a marker: its kind in the high four bits, its size in the low four (15: an integer object with
// the size follows). Everything is big-endian. The tests compare this reader with Python's plistlib
// (`PythonOracleTests`), and read the property lists of real stores.

/// Reads a binary list into a table, breadth first from the root.
struct BinaryReader {
  static let magic = Array("bplist".utf8)

  private let bytes: [UInt8]
  private let limits: PropertyList.Limits
  private let trailer: BinaryTrailer
  private var objects: [ObjectTable.Object]
  private var references: [UInt32] = []
  private var textBytes = 0

  static func read(
    _ bytes: [UInt8], limits: PropertyList.Limits
  ) throws(PropertyListError) -> (ObjectTable, top: Int) {
    var reader = BinaryReader(bytes, limits: limits, trailer: try BinaryTrailer(of: bytes, limits: limits))
    try reader.readReachableObjects()
    try reader.checkKeys()
    let table = ObjectTable(bytes: bytes, objects: reader.objects, references: reader.references, limits: limits)
    return (table, reader.trailer.top)
  }

  private init(_ bytes: [UInt8], limits: PropertyList.Limits, trailer: BinaryTrailer) {
    self.bytes = bytes
    self.limits = limits
    self.trailer = trailer
    objects = Array(repeating: ObjectTable.Object(content: .null, offset: 0), count: trailer.objectCount)
  }

  private mutating func readReachableObjects() throws(PropertyListError) {
    var isKnown = Array(repeating: false, count: trailer.objectCount)
    var queue = [trailer.top]
    queue.reserveCapacity(trailer.objectCount)
    isKnown[trailer.top] = true
    var next = 0
    while next < queue.count {
      let index = queue[next]
      next += 1
      let offset = try offset(ofObject: index)
      let content = try content(at: offset)
      objects[index] = ObjectTable.Object(content: content, offset: offset)
      try countText(content.byteCount, at: offset)
      for position in content.children ?? 0..<0 {
        let child = Int(references[position])
        guard !isKnown[child] else { continue }
        isKnown[child] = true
        queue.append(child)
      }
    }
  }

  /// Checks that keys are strings, and that all keys of all dictionaries together stay within the limit, even if
  /// shared.
  private mutating func checkKeys() throws(PropertyListError) {
    for object in objects {
      guard case .dictionary(let range) = object.content else { continue }
      for position in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
        let key = objects[Int(references[position])]
        guard key.content.isString else {
          throw PropertyListError("a dictionary key that is not a string", at: key.offset)
        }
        try countText(key.content.byteCount, at: object.offset)
      }
    }
  }

  private mutating func countText(_ count: Int, at offset: Int) throws(PropertyListError) {
    guard textBytes + count <= limits.bytes else {
      throw PropertyListError("overlapping strings and data of more than \(limits.bytes) bytes", at: offset)
    }
    textBytes += count
  }

  private func offset(ofObject index: Int) throws(PropertyListError) -> Int {
    let entry = trailer.offsetTable.lowerBound + index * trailer.offsetSize
    guard let value = bytes.bigEndian(at: entry, size: trailer.offsetSize), let offset = Int(exactly: value),
      trailer.objectArea.contains(offset)
    else { throw PropertyListError("object \(index) lies outside of the object area", at: entry) }
    return offset
  }
}

// MARK: - One object

extension BinaryReader {
  private mutating func content(at offset: Int) throws(PropertyListError) -> ObjectTable.Content {
    let marker = bytes[offset]
    switch marker >> 4 {
    case 0x0: return try singleton(marker, at: offset)
    case 0x1: return try integer(marker, at: offset)
    case 0x2: return .real(try floatingPoint(marker, at: offset))
    case 0x3 where marker == 0x33: return .date(try floatingPoint(marker, at: offset))
    case 0x4: return .data(try payload(at: offset, unit: 1))
    case 0x5: return .utf8(try payload(at: offset, unit: 1))
    case 0x6: return .utf16BigEndian(try payload(at: offset, unit: 2))
    case 0x8: return .uid(try uid(marker, at: offset))
    case 0xa: return .array(try children(at: offset))
    case 0xb, 0xc: return .set(try children(at: offset))
    case 0xd: return .dictionary(try pairs(at: offset))
    default: throw .unknownMarker(marker, at: offset)
    }
  }

  private func singleton(_ marker: UInt8, at offset: Int) throws(PropertyListError) -> ObjectTable.Content {
    switch marker {
    case 0x00: .null
    case 0x08: .boolean(false)
    case 0x09: .boolean(true)
    default: throw .unknownMarker(marker, at: offset)
    }
  }

  /// Integers of 1, 2 and 4 bytes are unsigned, those of 8 and 16 bytes signed, as in Python's plistlib.
  private func integer(_ marker: UInt8, at offset: Int) throws(PropertyListError) -> ObjectTable.Content {
    guard marker <= 0x14 else { throw .unknownMarker(marker, at: offset) }
    if marker == 0x14 {
      let high = Int64(bitPattern: try number(at: offset + 1, size: 8))
      let low = try number(at: offset + 9, size: 8)
      let signed = Int64(bitPattern: low)
      if high == 0 { return signed >= 0 ? .integer(signed) : .unsigned(low) }
      if high == -1, signed < 0 { return .integer(signed) }
      return .huge(Double(high) * 0x1p64 + Double(low))
    }
    return .integer(Int64(bitPattern: try number(at: offset + 1, size: 1 << Int(marker & 0xf))))
  }

  private func floatingPoint(_ marker: UInt8, at offset: Int) throws(PropertyListError) -> Double {
    switch marker & 0xf {
    case 2: Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(at: offset + 1, size: 4))))
    case 3: Double(bitPattern: try number(at: offset + 1, size: 8))
    default: throw .unknownMarker(marker, at: offset)
    }
  }

  private func uid(_ marker: UInt8, at offset: Int) throws(PropertyListError) -> UInt64 {
    guard marker <= 0x87 else { throw PropertyListError("a UID of more than 8 bytes", at: offset) }
    return try number(at: offset + 1, size: Int(marker & 0xf) + 1)
  }

  private func number(at offset: Int, size: Int) throws(PropertyListError) -> UInt64 {
    guard offset + size <= trailer.objectArea.upperBound, let value = bytes.bigEndian(at: offset, size: size) else {
      throw PropertyListError("a number of \(size) bytes runs past the objects", at: offset)
    }
    return value
  }

  /// The range of `count` units after the marker, where the count is part of what is read.
  private func payload(at offset: Int, unit: Int) throws(PropertyListError) -> Range<Int> {
    var start = offset + 1
    var count = UInt64(bytes[offset] & 0xf)
    if count == 0xf {
      guard let marker = bytes[start..<trailer.objectArea.upperBound].first, (0x10...0x13).contains(marker) else {
        throw PropertyListError("expected an integer with the size of the object", at: start)
      }
      let size = 1 << Int(marker & 0xf)
      count = try number(at: start + 1, size: size)
      start += 1 + size
    }
    guard let units = Int(exactly: count), units <= (trailer.objectArea.upperBound - start) / unit else {
      throw PropertyListError("an object of \(count) units runs past the objects", at: offset)
    }
    return start..<(start + units * unit)
  }

  private mutating func children(at offset: Int) throws(PropertyListError) -> Range<Int> {
    let payload = try payload(at: offset, unit: trailer.referenceSize)
    try reserve(payload.count / trailer.referenceSize, at: offset)
    return try take(payload, inPairs: false)
  }

  /// The references of a dictionary: all keys come first, then all values.
  private mutating func pairs(at offset: Int) throws(PropertyListError) -> Range<Int> {
    let payload = try payload(at: offset, unit: 2 * trailer.referenceSize)
    try reserve(payload.count / trailer.referenceSize, at: offset)
    return try take(payload, inPairs: true)
  }

  /// Copies the references of a container; in pairs, each of the first half is followed by its partner in the second.
  private mutating func take(_ payload: Range<Int>, inPairs: Bool) throws(PropertyListError) -> Range<Int> {
    let size = trailer.referenceSize
    let count = payload.count / size
    let half = inPairs ? count / 2 : count
    let start = references.count
    references.append(contentsOf: repeatElement(0, count: count))
    var highest: UInt64 = 0
    bytes.withUnsafeBufferPointer { bytes in
      references.withUnsafeMutableBufferPointer { references in
        var at = payload.lowerBound
        for position in 0..<count {
          var index: UInt64 = 0
          for byte in 0..<size { index = index << 8 | UInt64(bytes[at + byte]) }
          at += size
          highest = max(highest, index)
          let step = inPairs ? 2 : 1
          let target = position < half ? position * step : (position - half) * step + 1
          references[start + target] = UInt32(truncatingIfNeeded: index)
        }
      }
    }
    // Checked once for all, as there are hundreds of thousands; the wrong one is looked for only if there is one.
    guard highest < trailer.objectCount else {
      for at in stride(from: payload.lowerBound, to: payload.upperBound, by: size) { try checkReference(at: at) }
      throw PropertyListError("a reference to object \(highest) of \(trailer.objectCount)", at: payload.lowerBound)
    }
    return start..<references.count
  }

  private func reserve(_ count: Int, at offset: Int) throws(PropertyListError) {
    guard references.count + count <= limits.references else {
      throw PropertyListError("containers with more than \(limits.references) children altogether", at: offset)
    }
  }

  private func checkReference(at offset: Int) throws(PropertyListError) {
    let index = try number(at: offset, size: trailer.referenceSize)
    guard index < trailer.objectCount else {
      throw PropertyListError("a reference to object \(index) of \(trailer.objectCount)", at: offset)
    }
  }
}

extension PropertyListError {
  fileprivate static func unknownMarker(_ marker: UInt8, at offset: Int) -> Self {
    Self("unknown object marker 0x\(String(marker, radix: 16))", at: offset)
  }
}
