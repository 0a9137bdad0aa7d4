/// The last 32 bytes of a binary list, checked against its size. See the example in `BinaryReader.swift`.
struct BinaryTrailer {
  static let size = 32

  /// Where the objects may be.
  let objectArea: Range<Int>
  let offsetTable: Range<Int>
  let offsetSize: Int
  let referenceSize: Int
  let objectCount: Int
  /// The index of the root, less than `objectCount`.
  let top: Int

  init(of bytes: [UInt8], limits: PropertyList.Limits) throws(PropertyListError) {
    let start = bytes.count - Self.size
    guard bytes.starts(with: Array("bplist00".utf8)) || bytes.starts(with: Array("bplist01".utf8)) else {
      throw PropertyListError("a version of the binary format other than 00 and 01", at: 6)
    }
    // The smallest list is the magic, one object of one byte, and its offset.
    guard start >= 10 else {
      throw PropertyListError("\(bytes.count) bytes are too short for a binary property list", at: bytes.count)
    }
    func field(
      _ offset: Int, _ size: Int, _ allowed: ClosedRange<Int>, _ name: String
    ) throws(PropertyListError) -> Int {
      let value = bytes.bigEndian(at: start + offset, size: size) ?? 0
      guard let number = Int(exactly: value), allowed.contains(number) else {
        throw PropertyListError("the trailer gives \(value) as the \(name)", at: start + offset)
      }
      return number
    }
    offsetSize = try field(6, 1, 1...8, "size of an offset")
    referenceSize = try field(7, 1, 1...8, "size of a reference")
    objectCount = try field(8, 8, 1...max(1, limits.objectLimit), "number of objects")
    top = try field(16, 8, 0...(objectCount - 1), "root")
    let table = try field(24, 8, 9...start, "place of the offset table")
    guard objectCount <= (start - table) / offsetSize else {
      throw PropertyListError("the offset table has no room for \(objectCount) objects", at: table)
    }
    objectArea = 8..<table
    offsetTable = table..<(table + objectCount * offsetSize)
  }
}
