/// A page of a table's B-tree, of any bytes.
///
///     offset  size  meaning
///      0       1    0d leaf of a table, 05 interior page of a table; 0a and 02 those of an index
///      1       2    first freeblock
///      3       2    number of cells
///      5       2    start of the cell content
///      7       1    fragmented bytes
///      8       4    interior pages only: the rightmost child
///
/// then the offset of each cell in 2 bytes. On page 1 all this comes after the header of the database.
///
/// https://www.sqlite.org/fileformat2.html#b_tree_pages
package struct TreePage {
  /// What a page can be.
  package enum Kind: Equatable, Sendable {
    /// Rows.
    case leaf
    /// Pages below it.
    case interior
    /// No page of a table: an index, a value's overflow, a free page, or damage.
    case other
  }

  /// What it is.
  package let kind: Kind
  /// Its bytes.
  package let bytes: [UInt8]
  private let start: Int
  private let usableSize: Int
  private let cells: Int

  /// A page.
  ///
  /// - Parameters:
  ///   - number: the page's number, counted from 1.
  ///   - usableSize: bytes of a page without those reserved for extensions.
  package init(_ bytes: [UInt8], number: UInt32, usableSize: Int) {
    self.bytes = bytes
    self.usableSize = min(usableSize, bytes.count)
    start = number == 1 ? DatabaseHeader.size : 0
    let start = start
    let (first, count) = bytes.withUnsafeBytes {
      ($0.count > start + 8 ? $0[start] : 0, $0.bigEndian(UInt16.self, at: start + 3) ?? 0)
    }
    cells = Int(count)
    kind = first == 0x0D ? .leaf : first == 0x05 ? .interior : .other
  }

  /// The pages below an interior page, from left to right; none of another page.
  package var children: [UInt32] {
    guard kind == .interior else { return [] }
    return bytes.withUnsafeBytes { bytes in
      let pointers = offsets(in: bytes, from: start + 12)
      let last = bytes.word(at: start + 8) ?? 0
      return (pointers.compactMap { bytes.word(at: $0) } + [last]).filter { $0 > 0 }
    }
  }

  /// A row on a leaf.
  package struct Cell {
    /// The rowid; `Z_PK` in Core Data's tables.
    package var rowid: Int64
    /// The part of the record that is on the page.
    package var local: Range<Int>
    /// Bytes of the whole record.
    package var length: Int
    /// The first page of the rest; nil if there is none.
    package var overflow: UInt32?
  }

  /// The rows of a leaf in the order of the page; nil if the page is damaged.
  package func rows() -> [Cell]? {
    guard kind == .leaf else { return [] }
    return bytes.withUnsafeBytes { bytes in
      let offsets = offsets(in: bytes, from: start + 8)
      guard offsets.count == cells else { return nil }
      var rows: [Cell] = []
      rows.reserveCapacity(offsets.count)
      for offset in offsets {
        guard let cell = cell(at: offset, in: bytes), rows.last.map({ $0.rowid < cell.rowid }) ?? true else {
          return nil
        }
        rows.append(cell)
      }
      return rows
    }
  }

  private func offsets(in bytes: UnsafeRawBufferPointer, from first: Int) -> [Int] {
    var offsets: [Int] = []
    // "the number of cells on the page": as many pointers as fit.
    for index in 0..<min(cells, max(0, (usableSize - first) / 2)) {
      guard let offset = bytes.bigEndian(UInt16.self, at: first + 2 * index) else { break }
      offsets.append(Int(offset))
    }
    return offsets
  }

  private func cell(at offset: Int, in bytes: UnsafeRawBufferPointer) -> Cell? {
    var position = offset
    guard let length = bytes.varint(at: &position), length >= 0, length <= 0x7FFF_FFFF,
      let rowid = bytes.varint(at: &position)
    else { return nil }
    let size = Int(length)
    let local = Self.localBytes(of: size, usableSize: usableSize)
    let end = position + local
    guard end + (local < size ? 4 : 0) <= usableSize else { return nil }
    let overflow = local < size ? bytes.word(at: end) : nil
    return Cell(rowid: rowid, local: position..<end, length: size, overflow: overflow)
  }

  /// The bytes of a record of `length` bytes that are on the leaf itself.
  ///
  /// "Let X be U-35. If the payload size P is less than or equal to X then the entire payload is stored on the b-tree leaf
  /// page. Let M be ((U-12)*32/255)-23 and let K be M+((P-M)%(U-4)). If P is greater than X then the number of bytes
  /// stored on the table b-tree leaf page is K if K is less or equal to X or M otherwise."
  ///
  /// https://www.sqlite.org/fileformat2.html#cell_payload
  static func localBytes(of length: Int, usableSize: Int) -> Int {
    let most = usableSize - 35
    guard length > most else { return length }
    let least = (usableSize - 12) * 32 / 255 - 23
    let rest = least + (length - least) % (usableSize - 4)
    return rest <= most ? rest : least
  }
}

extension UnsafeRawBufferPointer {
  /// A number of one to nine bytes, the high bits first; nil where it would reach beyond the end.
  ///
  /// https://www.sqlite.org/fileformat2.html#varint
  func varint(at position: inout Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard position >= 0, position < count else { return nil }
      let byte = self[position]
      position += 1
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return Int64(bitPattern: value) }
    }
    return nil
  }
}
