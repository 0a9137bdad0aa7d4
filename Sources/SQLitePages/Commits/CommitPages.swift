import StoreSQLite

/// The pages of a database before and after the commit that is looked at.
final class CommitPages {
  /// A moment: before the commit or after it.
  enum Moment { case before, after }

  /// The pages that the commit writes, each with its last frame.
  private(set) var written: [UInt32: Int] = [:]
  private var frames: [UInt32: Int] = [:]
  private let wal: any ByteSource
  private let main: any ByteSource
  private let pageSize: Int
  private var before: Layout
  private var after: Layout

  /// How a database says of itself that it is laid out.
  struct Layout {
    /// Nil while it has no header.
    var header: DatabaseHeader?
    var geometry: PageGeometry
    /// How text is stored.
    var encoding: DatabaseHeader.TextEncoding { header?.textEncoding ?? .unset }

    init(_ header: DatabaseHeader?, pageSize: Int) {
      self.header = header
      geometry = PageGeometry(ofLog: pageSize, header)
    }
  }

  init(wal: any ByteSource, main: any ByteSource, pageSize: Int) throws(FileError) {
    self.wal = wal
    self.main = main
    self.pageSize = pageSize
    let header = try? DatabaseHeader(try main.read(at: 0, count: DatabaseHeader.size))
    before = Layout(header, pageSize: pageSize)
    after = before
  }

  func layout(_ moment: Moment) -> Layout { moment == .before ? before : after }

  /// Begins with a commit, whose frames hold these pages.
  func begin(_ commit: WALHistory.Commit, pages: [UInt32]) throws(FileError) {
    for frame in commit.frames where pages.indices.contains(frame) && pages[frame] <= commit.databasePages {
      written[pages[frame]] = frame
    }
    guard written[1] != nil, let header = try? DatabaseHeader(try bytes(1, at: .after, count: DatabaseHeader.size))
    else {
      return
    }
    after = Layout(header, pageSize: pageSize)
  }

  /// Ends with the commit, so that what is after it is before the next.
  func end() {
    frames.merge(written) { _, new in new }
    written.removeAll(keepingCapacity: true)
    before = after
  }

  /// The first `count` bytes of a page; fewer at the end of the main file, none beyond it.
  private func bytes(_ page: UInt32, at moment: Moment, count: Int) throws(FileError) -> [UInt8] {
    guard page > 0 else { return [] }
    if let frame = moment == .after ? written[page] ?? frames[page] : frames[page] {
      let offset = WALFrame.offset(of: frame, pageSize: pageSize) + Int64(WALFrame.headerSize)
      return try wal.read(at: offset, count: count)
    }
    return try main.read(at: Int64(page - 1) * Int64(pageSize), count: count)
  }

  /// The bytes of a page, filled up with zeros where the main file ends in it; none where it is in neither file.
  func bytes(of page: UInt32, at moment: Moment) throws(FileError) -> [UInt8] {
    var bytes = try bytes(page, at: moment, count: pageSize)
    if !bytes.isEmpty, bytes.count < pageSize {
      bytes.append(contentsOf: repeatElement(0, count: pageSize - bytes.count))
    }
    return bytes
  }

  /// A page, read as one of a table.
  func page(_ number: UInt32, at moment: Moment) throws(FileError) -> TablePage {
    TablePage(try bytes(of: number, at: moment), isFirst: number == 1, layout(moment).geometry)
  }

  /// What a page's first bytes say that it is; nil for no page of a tree.
  func kind(_ number: UInt32, at moment: Moment) throws(FileError) -> BTreePage.Kind? {
    let bytes = try bytes(number, at: moment, count: BTreePage.start(isFirst: number == 1) + BTreePage.smallestHeader)
    return bytes.withUnsafeBytes { BTreePage.kind(of: $0, isFirst: number == 1) }
  }

  /// The pages below an interior page of a table; none of another page, which is not read whole.
  func children(of number: UInt32, at moment: Moment) throws(FileError) -> [UInt32] {
    try kind(number, at: moment) == .interiorTable ? page(number, at: moment).children : []
  }

  /// Calls `body` with each overflow page of a cell and what it has of the payload, as far as the chain goes without coming
  /// to a page again.
  func forEachOverflowPage(
    of cell: Cell, at moment: Moment, _ body: (UInt32, UnsafeRawBufferPointer) -> Void
  ) throws(FileError) {
    guard cell.overflow != nil else { return }
    var chain = OverflowChain(cell, in: layout(moment).geometry)
    var seen: Set<UInt32> = []
    while let number = chain.next, seen.insert(number).inserted {
      let bytes = try bytes(of: number, at: moment)
      guard !bytes.isEmpty else { return }
      bytes.withUnsafeBytes { body(number, chain.take($0)) }
    }
  }

  /// The payload of a row, with its overflow pages unless that would be too much.
  func payload(of cell: Cell, on page: TablePage, at moment: Moment) throws(FileError) -> [UInt8] {
    var payload = Array(page.bytes[cell.local])
    guard cell.payloadSize <= BTreeWalk.maximumPayload else { return payload }
    try forEachOverflowPage(of: cell, at: moment) { _, content in payload.append(contentsOf: content) }
    return payload
  }

  /// Calls `body` with each page of the freelist after the commit, each trunk once.
  func forEachFreePage(_ body: (UInt32) -> Void) throws(FileError) {
    var next = after.header?.freelistFirst ?? 0
    var seen: Set<UInt32> = []
    while next > 0, seen.insert(next).inserted {
      body(next)
      next = try bytes(of: next, at: .after).withUnsafeBytes { bytes in
        let trunk = FreelistTrunk(bytes, in: after.geometry)
        for leaf in trunk.leaves { body(leaf) }
        return trunk.next
      }
    }
  }

  /// What the pointer map says of a page after the commit; nil where there is no entry.
  func pointerMapEntry(_ number: UInt32) throws(FileError) -> PointerMapEntry? {
    guard let map = PointerMapEntry.mapPage(of: number, after.geometry) else { return nil }
    return try bytes(of: map, at: .after).withUnsafeBytes { PointerMapEntry(of: number, in: $0, after.geometry) }
  }
}
