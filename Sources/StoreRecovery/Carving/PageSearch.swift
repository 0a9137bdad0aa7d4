import SQLitePages
import StoreDataModel
import StoreSQLite
import Synchronization

/// One version of a page.
struct PageVersion: Sendable {
  var number: UInt32
  var origin: PageOrigin
  /// Whether it is the version that counts.
  var isCurrent: Bool
  /// The commit of the log that wrote it, 0 for the main file; nil for the current version, and where no commit is known.
  var commit: Int?
  /// What became of what it holds.
  var fate = FrameFate.saved
  /// Whether the page is one that nothing leads to.
  var isLost = false
}

/// Versions of pages, one behind the other.
struct PagePiece: Sendable {
  let pageSize: Int
  /// Their bytes; none for pages of the main file, which the threads that search them read.
  private(set) var bytes: [UInt8] = []
  private(set) var versions: [PageVersion] = []

  init(pageSize: Int) { self.pageSize = pageSize }

  /// Pages of the main file that lie side by side.
  init(pageSize: Int, ofMain versions: [PageVersion]) { (self.pageSize, self.versions) = (pageSize, versions) }

  mutating func append(_ version: PageVersion, _ page: [UInt8]) {
    versions.append(version)
    bytes.append(contentsOf: page.prefix(pageSize))
    if page.count < pageSize { bytes.append(contentsOf: repeatElement(0, count: pageSize - page.count)) }
  }

  mutating func removeAll() {
    versions.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }
}

/// Searches pages for rows, each by itself, so that many are searched at once. What was found before makes no difference.
struct PageSearch: Sendable {
  let carver: Carver
  let files: PageFiles
  /// For each page the template of its table plus 1; -1 for pages in other use, 0 for pages in none.
  let owners: [Int32]
  /// All pages of the freelist.
  let freePages: PageSet
  /// Those whose beginning lists others.
  let trunks: PageSet

  /// What one version of a page has.
  struct Finds: Sendable {
    var version: PageVersion
    var rows: [FoundRow] = []
    var freedSpace = FreedSpace()
    /// Hashes of rows that no template fits, to which the pointers of a freed page lead.
    var unfitting: [UInt64] = []
  }

  /// A row, with what is asked of its bytes.
  struct FoundRow: Sendable {
    var candidate: Candidate
    /// The hash of all its values on its page.
    var hash: UInt64
    /// What goes on in overflow pages; nil where it has none.
    var overflow: OverflowingRow?
  }

  /// A record that goes on in overflow pages.
  struct OverflowingRow: Sendable {
    var record: Record
    /// Its bytes on the page.
    var payload: [UInt8]
    /// The first overflow page.
    var first: UInt32
  }

  /// Pages that one thread takes at once.
  private static let share = 16

  /// What the pages of a piece have, in their order, and what `work` says, which is done on one of the threads meanwhile.
  func found(in piece: PagePiece, besides work: () throws -> Bool) throws -> ([Finds], Bool) {
    let shares = stride(from: 0, to: piece.versions.count, by: Self.share).map {
      $0..<min($0 + Self.share, piece.versions.count)
    }
    return try withoutActuallyEscaping(work) { work in
      // It is done once, while its caller waits.
      nonisolated(unsafe) let work = work
      let said = Mutex(false)
      let finds = try concurrently([nil] + shares) { share in
        guard let share else {
          let answer = try work()
          said.withLock { $0 = answer }
          return [Finds]()
        }
        return try withBytes(of: share, in: piece) { bytes in
          zip(share, stride(from: 0, to: bytes.count, by: piece.pageSize)).map { index, start in
            found(
              in: UnsafeRawBufferPointer(rebasing: bytes[start..<start + piece.pageSize]), piece.versions[index])
          }
        }
      }
      return (finds.flatMap(\.self), said.withLock { $0 })
    }
  }

  /// Calls `body` with the bytes of some pages of a piece, which are filled up with zeros where the file ends.
  private func withBytes<Result>(
    of share: Range<Int>, in piece: PagePiece, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws -> Result {
    let size = share.count * piece.pageSize
    guard piece.bytes.isEmpty, let first = piece.versions[share].first else {
      let start = share.lowerBound * piece.pageSize
      return piece.bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<start + size])) }
    }
    var bytes = try files.main.read(at: first.origin.offset, count: size)
    if bytes.count < size { bytes.append(contentsOf: repeatElement(0, count: size - bytes.count)) }
    return bytes.withUnsafeBytes(body)
  }

  private var geometry: PageGeometry { files.geometry }

  private func found(in page: UnsafeRawBufferPointer, _ version: PageVersion) -> Finds {
    var finds = Finds(version: version)
    let (number, usable) = (version.number, geometry.usableSize)
    let owner = Int(number) < owners.count ? owners[Int(number)] : 0
    let isLive = version.isCurrent && owner != 0
    if version.isCurrent, freePages.contains(number), !trunks.contains(number) { finds.freedSpace.add(freePage: page) }
    let header = BTreePage(page, isFirst: number == 1, usableSize: usable)
    guard let header, isLive || header.kind != .interiorTable || header.cellCount > 0 else {
      if !isLive { carve(page, in: 0..<usable, owner: nil, freeblocks: [], into: &finds) }
      return finds
    }
    var template = owner > 0 ? Int(owner) - 1 : nil
    let anatomy = PageAnatomy(page, header: header, geometry: geometry)
    if isLive, header.kind == .leafTable { finds.freedSpace.add(anatomy.freeblocks, in: page) }
    if !isLive, header.kind == .leafTable {
      let itsOwn = takeCells(page, anatomy: anatomy, owner: template, into: &finds)
      // A free page was of the table of which it still has rows.
      template = template ?? itsOwn
    }
    // Of a page that cells do not fit, the whole space is searched where nothing live is in it.
    let isWhole = anatomy.unreadableCells == 0 && (header.cellCount > 0 || header.kind == .leafTable)
    let ranges = isLive || isWhole ? anatomy.unclaimed : [header.start..<usable]
    let isOfIndex = header.kind == .leafIndex || header.kind == .interiorIndex
    // What was freed in an interior page are keys and page numbers: rows in it are from a time when it was another page, and
    // have to be known by themselves, as Core Data's are.
    let isInterior = header.kind == .interiorTable && template.map { !carver.isOfCoreData($0) } ?? false
    let ownerOfCells = isInterior ? nil : template
    for range in ranges where range.count >= 5 {
      carve(
        page, in: range, owner: ownerOfCells, freeblocks: anatomy.freeblocks,
        keyLengths: ownerOfCells.flatMap { carver.isOfCoreData($0) ? nil : anatomy.keyLengths(around: range) },
        isOfIndex: isOfIndex, into: &finds)
    }
    return finds
  }

  private func carve(
    _ page: UnsafeRawBufferPointer, in range: Range<Int>, owner: Int?, freeblocks: [Range<Int>],
    keyLengths: ClosedRange<Int>? = nil, isOfIndex: Bool = false, into finds: inout Finds
  ) {
    for cell in carver.rows(in: page, range: range, owner: owner, freeblocks: freeblocks, keyLengths: keyLengths)
    where !isOfIndex || carver.isDistinct(cell) {
      add(cell, in: page, to: &finds)
    }
  }

  /// Takes the rows that the pointers of a page in no tree still lead to.
  ///
  /// - Returns: the template of the first.
  private func takeCells(
    _ page: UnsafeRawBufferPointer, anatomy: PageAnatomy, owner: Int?, into finds: inout Finds
  ) -> Int? {
    let isFreed = finds.version.isCurrent && owner == nil && freePages.contains(finds.version.number)
    var record = Record()
    var first: Int?
    for cell in anatomy.cells {
      guard
        record.read(
          page.first(cell.payloadStart + cell.localSize), at: cell.payloadStart),
        record.size == cell.payloadSize, record.headerSize <= cell.localSize, let key = cell.rowID
      else { continue }
      guard let template = carver.template(record, in: page, cell: cell, owner: owner, fate: finds.version.fate)
      else {
        let payload = UnsafeRawBufferPointer(rebasing: page[cell.payloadStart..<cell.payloadStart + cell.localSize])
        // Rows of the schema are looked for by themselves.
        if isFreed, PageSchema.Entry(record, payload, files.header.textEncoding) == nil {
          finds.unfitting.append(ByteHash.row(key, payload))
        }
        continue
      }
      first = first ?? template
      let carved = CarvedCell(
        template: template, start: cell.start, end: cell.end, key: key, record: record,
        recordStart: cell.payloadStart, localSize: cell.localSize, overflow: cell.overflow, method: .cell)
      add(carved, in: page, to: &finds)
    }
    return first
  }

  private func add(_ cell: CarvedCell, in page: UnsafeRawBufferPointer, to finds: inout Finds) {
    let (version, local) = (finds.version, cell.recordStart + cell.localSize)
    let localHash = ByteHash.body(cell.record, in: page, at: cell.recordStart, upTo: local)
    let hash = ByteHash.row(
      cell.record, isFirstUnknown: cell.isFirstValueUnknown, localHash: localHash, in: page, at: cell.recordStart,
      upTo: local)
    let place = PlaceRef(
      cell.start..<cell.end, page: version.number, file: version.origin.file, index: version.origin.index,
      check: UInt32(truncatingIfNeeded: hash), how: cell.method)
    finds.rows.append(
      FoundRow(
        candidate: Candidate(
          cell, localHash: localHash, place: place, entity: carver.entity(of: cell, in: page), fate: version.fate,
          isOnLostPage: version.isLost),
        hash: hash,
        overflow: cell.overflow.map {
          OverflowingRow(record: cell.record, payload: Array(page[cell.recordStart..<local]), first: $0)
        }))
  }
}

extension PageAnatomy {
  /// Bytes that the keys of the cells before and behind a free range take, of all cells of the page where it has none beside it;
  /// nil where it has none at all.
  fileprivate func keyLengths(around range: Range<Int>) -> ClosedRange<Int>? {
    func lengths(where isWanted: (Cell) -> Bool) -> ClosedRange<Int>? {
      var (least, most) = (Int.max, 0)
      for cell in cells where isWanted(cell) {
        guard let key = cell.rowID else { continue }
        let length = Varint.length(of: key)
        (least, most) = (min(least, length), max(most, length))
      }
      return most > 0 ? least...most : nil
    }
    return lengths { $0.end == range.lowerBound || $0.start == range.upperBound } ?? lengths { _ in true }
  }
}
