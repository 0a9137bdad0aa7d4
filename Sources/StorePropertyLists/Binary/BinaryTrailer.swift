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
      offset: Int, size: Int, allowed: ClosedRange<Int>, name: String
    ) throws(PropertyListError) -> Int {
      let value = bytes.bigEndian(at: start + offset, size: size) ?? 0
      guard let number = Int(exactly: value), allowed.contains(number) else {
        throw PropertyListError("the trailer gives \(value) as the \(name)", at: start + offset)
      }
      return number
    }
    offsetSize = try field(offset: 6, size: 1, allowed: 1...8, name: "size of an offset")
    referenceSize = try field(offset: 7, size: 1, allowed: 1...8, name: "size of a reference")
    objectCount = try field(offset: 8, size: 8, allowed: 1...max(1, limits.objectLimit), name: "number of objects")
    top = try field(offset: 16, size: 8, allowed: 0...(objectCount - 1), name: "root")
    let table = try field(offset: 24, size: 8, allowed: 9...start, name: "place of the offset table")
    guard objectCount <= (start - table) / offsetSize else {
      throw PropertyListError("the offset table has no room for \(objectCount) objects", at: table)
    }
    objectArea = 8..<table
    offsetTable = table..<(table + objectCount * offsetSize)
  }
}
