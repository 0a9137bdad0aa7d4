/// A page of a table's tree at one moment, of any bytes.
struct TablePage {
  /// What a page can be.
  enum Kind {
    /// Rows.
    case leaf
    /// Pages below it.
    case interior
    /// No page of a table: an index, a value's overflow, a free page, or damage.
    case other

    init(_ kind: BTreePage.Kind?) {
      self =
        switch kind {
        case .leafTable: .leaf
        case .interiorTable: .interior
        case .leafIndex, .interiorIndex, nil: .other
        }
    }
  }

  /// The page's bytes; none where it is in no file.
  let bytes: [UInt8]
  private let header: BTreePage?
  private let geometry: PageGeometry

  init(_ bytes: [UInt8], isFirst: Bool, _ geometry: PageGeometry) {
    self.bytes = bytes
    self.geometry = geometry
    header = bytes.withUnsafeBytes { BTreePage($0, isFirst: isFirst, usableSize: geometry.usableSize) }
  }

  var kind: Kind { Kind(header?.kind) }

  /// The pages below an interior page, from left to right; none of another page.
  var children: [UInt32] {
    guard let header, kind == .interior else { return [] }
    return bytes.withUnsafeBytes { bytes in
      var children: [UInt32] = []
      children.reserveCapacity(header.cellCount + 1)
      for index in 0..<header.cellCount {
        let offset = header.cellOffset(index, in: bytes, usableSize: geometry.usableSize)
        if let offset, let child = bytes.word(at: offset), child > 0 { children.append(child) }
      }
      if header.rightChild > 0 { children.append(header.rightChild) }
      return children
    }
  }

  /// The rows of a leaf in the order of their ids, none of another page; nil if the page is damaged.
  func rows() -> [Cell]? {
    guard let header, kind == .leaf else { return [] }
    guard header.hasRoomForCells else { return nil }
    return bytes.withUnsafeBytes { bytes in
      var rows: [Cell] = []
      rows.reserveCapacity(header.cellCount)
      var last: Int64?
      for index in 0..<header.cellCount {
        guard let offset = header.cellOffset(index, in: bytes, usableSize: geometry.usableSize),
          let cell = Cell(bytes, at: offset, kind: header.kind, geometry: geometry), last.map({ $0 < cell.key }) ?? true
        else { return nil }
        last = cell.key
        rows.append(cell)
      }
      return rows
    }
  }
}

extension Cell {
  /// The row id, in a table.
  var key: Int64 { rowID ?? 0 }

  /// The part of the payload that is on the page.
  var local: Range<Int> { payloadStart..<payloadStart + localSize }
}
