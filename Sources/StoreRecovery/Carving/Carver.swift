import SQLitePages
import StoreSQLite

/// Finds rows in bytes of a page that no cell covers.
///
/// A freed cell keeps all but its first four bytes, or all of them:
///
///     payload length | row id | header length | type | type ... | values      lies whole in a gap, or behind another
///     next freeblock (2) | size (2) | type ... | values                       freed on its own
///
/// First whole cells are looked for at every byte, then headless ones in what is left.
struct Carver: Sendable {
  let geometry: PageGeometry
  let encoding: DatabaseHeader.TextEncoding

  private let largestCount: Int
  private let smallestCount: Int
  /// The templates, that which asks for most first.
  let strictFirst: [Int]
  /// For each template of a table that for rows with numbers of no entity.
  private let foreign: [Int: Int]
  /// What is asked of each template at every byte.
  private let asked: AskedTemplates

  /// Whether a template is of a table with Core Data's own columns.
  func isOfCoreData(_ template: Int) -> Bool { asked[template].isOfCoreData }

  /// The number of a row's entity; nil where it has none, or it is lost.
  func entity(of cell: CarvedCell, in page: UnsafeRawBufferPointer) -> Int64? {
    guard let column = asked[cell.template].entityColumn, column < cell.record.count,
      column > 0 || !cell.isFirstValueUnknown, let size = cell.record.fields[column].type.size
    else { return nil }
    let start = cell.record.fields[column].offset
    let isLost = !cell.lost.isEmpty && start < cell.lost.upperBound && start + size > cell.lost.lowerBound
    guard !isLost, start + size <= cell.localSize else { return nil }
    return cell.record.integer(column, in: page, at: cell.recordStart)
  }

  /// The most rows that are taken from one page; a page of 64 KiB has room for some thousands.
  private static let limit = 8_000

  init(templates: [RowTemplate], geometry: PageGeometry, encoding: DatabaseHeader.TextEncoding) {
    self.geometry = geometry
    self.encoding = encoding
    largestCount = templates.map(\.masks.count).max() ?? 0
    smallestCount = templates.compactMap { $0.counts.union($0.unsureCounts).min() }.min() ?? 1
    let looseness = templates.map(\.looseness)
    strictFirst = templates.indices.filter { !templates[$0].isForeign }
      .sorted { (looseness[$0], $0) < (looseness[$1], $1) }
    foreign = Dictionary(templates.indices.filter { templates[$0].isForeign }.map { (templates[$0].home, $0) }) {
      first, _ in first
    }
    asked = AskedTemplates(templates)
  }

  /// The rows in `range` of `page`.
  ///
  /// - Parameters:
  ///   - owner: the template of the table that the page belongs to, which is tried first; nil where not known.
  ///   - freeblocks: those of the page.
  ///   - keyLengths: bytes that the keys of the page's cells take; nil where there are none.
  func rows(
    in page: UnsafeRawBufferPointer, range: Range<Int>, owner: Int?, freeblocks: [Range<Int>],
    keyLengths: ClosedRange<Int>? = nil
  ) -> [CarvedCell] {
    // Most of a page's free space is zero.
    guard let first = firstNonZero(page, in: range) else { return [] }
    var space = Space(page: page, range: range, owner: owner, freeblocks: freeblocks, keyLengths: keyLengths)
    var found: [CarvedCell] = []
    let left = takeWholeCells(from: first, in: &space, into: &found)
    let ends = found.isEmpty ? boundaries(&space) : boundaries(space, cells: found)
    for part in left where found.count < Self.limit { takeHeadlessCells(part, in: &space, ends: ends, into: &found) }
    return found
  }

  /// Bytes of a page that no cell covers.
  private struct Space {
    let page: UnsafeRawBufferPointer
    let range: Range<Int>
    let owner: Int?
    let freeblocks: [Range<Int>]
    let keyLengths: ClosedRange<Int>?
    /// Where freeblocks begin; looked for when the first row was found.
    var heads: OffsetSet?
    /// Where freed cells may begin or end, by the page alone.
    var ends: OffsetSet?
  }

  private func firstNonZero(_ page: UnsafeRawBufferPointer, in range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound {
      if page[index] != 0 { return index }
      index += 1
    }
    return nil
  }

  // MARK: Whole cells

  /// Adds whole cells to `found`.
  ///
  /// - Returns: what is left between them.
  private func takeWholeCells(from first: Int, in space: inout Space, into found: inout [CarvedCell]) -> [Range<Int>] {
    let end = space.range.upperBound
    var left: [Range<Int>] = []
    var record = Record()
    var (position, start) = (first, space.range.lowerBound)
    var unseen = first
    while position < end - 4, found.count < Self.limit {
      if position >= unseen {
        position = firstMayBeginCell(space.page, from: position, upTo: end)
        unseen = position + ByteScan.width
        guard position < end - 4 else { break }
      }
      if mayBeginCell(space.page, at: position, upTo: end),
        var cell = wholeCell(space.page, at: position, upTo: end, owner: space.owner, record: &record)
      {
        if position > start { left.append(start..<position) }
        position = loseOverwritten(&cell, in: &space)
        start = position
        found.append(cell)
      } else {
        position += 1
      }
    }
    if start < end { left.append(start..<end) }
    return left
  }

  /// Whether a whole cell may begin at an offset that is at least five bytes before the end: most have a length and a key of
  /// one byte each, or begin with a longer length. This is asked at every byte.
  @inline(__always)
  private func mayBeginCell(_ page: UnsafeRawBufferPointer, at position: Int, upTo end: Int) -> Bool {
    let (size, key, header) = (page[position], page[position + 1], page[position + 2])
    guard size < 0x80 else { return true }
    guard Int(size) > smallestCount else { return false }
    guard key < 0x80 else { return true }
    guard header < 0x80 else { return true }
    // So few bytes have no types that are longer than two.
    return header <= size && Int(header) > smallestCount && Int(header) <= 2 * largestCount + 1
      && position + 2 + Int(size) <= end && asked.mayBegin(page[position + 3])
  }

  /// The first of eight offsets of which one may pass `mayBeginCell`, from an offset on: by the length of the header, which is
  /// small, and by what has the highest bit.
  @inline(__always)
  private func firstMayBeginCell(_ page: UnsafeRawBufferPointer, from position: Int, upTo end: Int) -> Int {
    let most = UInt8(clamping: 2 * largestCount + 1)
    var place = position
    while place + ByteScan.width + 2 <= end {
      let (sizes, headers) = (ByteScan.word(page, at: place), ByteScan.word(page, at: place + 2))
      if ByteScan.hasAny(above: 0x7f, sizes | headers) || ByteScan.hasAny(upTo: most, headers) { return place }
      place += ByteScan.width
    }
    return place
  }

  private func wholeCell(
    _ page: UnsafeRawBufferPointer, at position: Int, upTo end: Int, owner: Int?, record: inout Record
  ) -> CarvedCell? {
    guard let size = Varint(page, at: position), size.value > smallestCount, size.value < Int64(Int32.max),
      let key = Varint(page, at: position + size.length)
    else { return nil }
    let start = position + size.length + key.length
    // Cheap tests first: this is asked at every byte.
    guard start < end, Int(page[start]) > smallestCount, Int64(page[start]) <= size.value || page[start] >= 0x80,
      Int(page[start]) <= 9 * largestCount + 2,
      page[start] >= 0x80 || start + 1 < end && asked.mayBegin(page[start + 1]),
      Varint.length(of: size.value) == size.length,
      Varint.length(of: key.value) == key.length
    else { return nil }
    let payload = Int(size.value)
    let local = geometry.localSize(of: payload, isTableLeaf: true)
    let cellEnd = start + local + (local < payload ? 4 : 0)
    guard cellEnd <= end, typesSum(page, at: start, payload: payload), record.read(page, at: start),
      record.size == payload,
      record.headerSize <= local
    else { return nil }
    guard let template = fitting(record, in: page, at: start, local: local, key: key.value, owner: owner) else {
      return nil
    }
    return CarvedCell(
      template: template, start: position, end: cellEnd, key: key.value, record: record, recordStart: start,
      localSize: local, overflow: local < payload ? page.word(at: start + local) : nil, method: .gap)
  }

  /// Whether the types of a header add up to a payload, without keeping them.
  private func typesSum(_ page: UnsafeRawBufferPointer, at start: Int, payload: Int) -> Bool {
    guard let header = RecordHeader(page, at: start), header.end - start <= payload else { return false }
    var sum = header.end - start
    let isWhole = header.forEachType(page) { type in
      guard let length = type.size else { return false }
      sum += length
      return sum <= payload
    }
    return isWhole && sum == payload
  }

  private func fitting(
    _ record: Record, in page: UnsafeRawBufferPointer, at start: Int, local: Int, key: Int64?, owner: Int?
  ) -> Int? {
    firstOf(owner) { index in
      if let key, key < 1 || key > asked[index].largestKey ?? .max, asked[index].isOfCoreData {
        return nil
      }
      return asked[index].admits(record) && asked[index].agrees(record, in: page, at: start)
        && isFirm(record, index, owner: owner, known: Self.bitsOfWholeHead)
        && hasReadableText(record, in: page, at: start, local: local) ? index : nil
    }
  }

  /// The first result over all templates, the page's own first, then that which asks for most.
  func firstOf<Result>(_ owner: Int?, body: (Int) -> Result?) -> Result? {
    if let owner, let result = body(owner) { return result }
    for index in strictFirst where index != owner {
      if let result = body(index) { return result }
    }
    return owner.flatMap { foreign[$0] }.flatMap(body)
  }

  /// Whether every text on the page is text in the database's encoding.
  private func hasReadableText(_ record: Record, in page: UnsafeRawBufferPointer, at start: Int, local: Int)
    -> Bool
  {
    for field in record.fields where field.type.kind == .text {
      guard let size = field.type.size else { return false }
      let first = field.offset
      guard first < local else { break }
      let isWhole = first + size <= local
      let bytes = UnsafeRawBufferPointer(rebasing: page[start + first..<start + min(local, first + size)])
      guard encoding.isReadable(bytes, isWhole: isWhole) else { return false }
    }
    return true
  }

  // MARK: Cells without their first four bytes

  private func takeHeadlessCells(
    _ range: Range<Int>, in space: inout Space, ends: OffsetSet, into found: inout [CarvedCell]
  ) {
    guard range.count >= 6 else { return }
    let page = space.page
    var position = range.lowerBound
    // Cells that were freed one after the other lie side by side.
    var endOfLast = position
    var (unseen, nextEnd) = (position + 1, position)
    while position < range.upperBound - 5, found.count < Self.limit {
      if position >= unseen, position != endOfLast {
        if nextEnd < position { nextEnd = ends.first(from: position, before: range.upperBound) }
        position = firstMayBeHeadless(page, from: position, before: nextEnd, owner: space.owner)
        unseen = position + ByteScan.width
        guard position < range.upperBound - 5 else { break }
      }
      let isHead = position == range.lowerBound || ends.contains(position)
      if !isHead, !mayBeHeadless(page, at: position, owner: space.owner, isBehindOther: position == endOfLast) {
        position += 1
      } else if isBlank(page, from: position + 4, to: range.upperBound) {
        position += 1
      } else if var cell = headlessCell(
        page, at: position, upTo: range.upperBound, owner: space.owner, ends: ends, keyLengths: space.keyLengths,
        isHead: isHead,
        isBehindOther: position == endOfLast)
      {
        position = loseOverwritten(&cell, in: &space)
        endOfLast = position
        found.append(cell)
      } else {
        position += 1
      }
    }
  }

  /// The first offset from one on that may pass `mayBeHeadless` where no cell ends, or one shortly before it.
  @inline(__always)
  private func firstMayBeHeadless(
    _ page: UnsafeRawBufferPointer, from position: Int, before end: Int, owner: Int?
  ) -> Int {
    guard let owner, asked[owner].isOfCoreData else { return end }
    guard let others = asked[owner].bytesOfNoType else { return position }
    func hasNoType(_ offset: Int) -> Bool {
      let bytes = ByteScan.word(page, at: offset)
      return (others.lowerBound == 0 || !ByteScan.hasAny(upTo: others.lowerBound - 1, bytes))
        && !ByteScan.hasAny(above: others.upperBound, bytes)
    }
    let looked = 2 * ByteScan.width
    var place = position
    while place < end, place + 4 + looked <= page.count, hasNoType(place + 4), hasNoType(place + 4 + ByteScan.width) {
      place += looked + 4 - Self.lastTypeOfHeadless
    }
    return min(place, end)
  }

  /// Takes note of bytes of a cell that were written over later: by a row that was freed since, from its beginning on, or
  /// by the head of a freeblock. Of several heads, all from the first to the last are lost.
  ///
  /// - Returns: where the search goes on: behind the cell, or at the row that was written over it.
  private func loseOverwritten(_ cell: inout CarvedCell, in space: inout Space) -> Int {
    let first = cell.recordStart + cell.record.headerSize
    guard first < cell.end else { return cell.end }
    // Where its own head says that all of it was freed, what looks like another one is by chance.
    let isFreedWhole = cell.method == .freeblock && space.page.half(at: cell.start + 2) == cell.end - cell.start
    let (page, end) = (space.page, cell.end)
    if let row = rowWritten(over: cell, in: page, owner: space.owner) {
      cell.lost = row.lowerBound - cell.recordStart..<end - cell.recordStart
      if cell.overflow != nil { cell.overflow = 0 }
      if row.upperBound <= end { return row.lowerBound }
    }
    var next = first
    while next < end {
      let position = ByteScan.first(upTo: largestFirstByte, in: page, next..<end)
      next = position + 1
      guard position < end, isHead(position, in: page) else { continue }
      let heads = space.heads ?? heads(&space)
      space.heads = heads
      let isKnown = heads.contains(position)
      let row = headlessCell(
        page, at: position, upTo: space.range.upperBound, owner: space.owner, ends: heads,
        keyLengths: space.keyLengths, isHead: isKnown)
      let isRow =
        row.map { !beginsBehind(cell, record: $0.recordStart, in: space, ends: heads) }
        ?? (!isFreedWhole && isFreedRow(at: position, in: page, before: end, owner: space.owner))
      let start = position - cell.recordStart
      let before = cell.lost.isEmpty ? start : min(start, cell.lost.lowerBound)
      if isRow {
        cell.lost = before..<cell.end - cell.recordStart
        if cell.overflow != nil { cell.overflow = 0 }
        return position
      }
      if isKnown, !isFreedWhole || space.freeblocks.contains(where: { $0.lowerBound == position }) {
        cell.lost = before..<max(start + 4, cell.lost.upperBound)
      }
    }
    // The number of the overflow page is overwritten: it leads nowhere.
    if !cell.lost.isEmpty, cell.overflow != nil, cell.lost.upperBound > cell.localSize { cell.overflow = 0 }
    return cell.end
  }

  /// Whether the head of a freeblock says just the length of the row of a table of objects that goes on behind it: such a row was
  /// freed there, also where its own end was written over since.
  ///
  /// - Parameter end: where its header begins before.
  private func isFreedRow(at position: Int, in page: UnsafeRawBufferPointer, before end: Int, owner: Int?) -> Bool {
    guard let size = page.half(at: position + 2) else { return false }
    var record = Record()
    func isRow(_ index: Int, start: Int, lostBytes: Int) -> Bool {
      let payload = record.size + lostBytes
      let local = geometry.localSize(of: payload, isTableLeaf: true)
      let keyLength = start - position - lostBytes - Varint.length(of: Int64(payload))
      return start - position + local - lostBytes + (local < payload ? 4 : 0) == Int(size)
        && (1...9).contains(keyLength)
        && keyMayTake(keyLength, index: index) && asked[index].admits(record)
        && asked[index].agrees(record, in: page, at: start)
    }
    return firstOf(owner) { index in
      guard asked[index].isOfCoreData, position + 4 < end else { return nil }
      for start in position + 4..<min(position + 9, end)
      where headerFits(page, at: start, index: index) && record.read(page, at: start) {
        if isRow(index, start: start, lostBytes: 0) { return true }
      }
      for count in asked[index].counts where typesFit(page, at: position + 4, count: count, index: index) {
        guard record.readTypes(page, from: position + 4, count: count) != nil else { continue }
        if isRow(index, start: position + 4, lostBytes: 1) { return true }
      }
      return nil
    } ?? false
  }

  /// Whether a record is that of the row which begins where a cell ends: how many bytes its length and key took is not known of a
  /// row that lost them, so that it may also be read from the end of the cell before it on.
  private func beginsBehind(_ cell: CarvedCell, record start: Int, in space: Space, ends: OffsetSet) -> Bool {
    guard start >= cell.end else { return false }
    let (page, end) = (space.page, space.range.upperBound)
    var record = Record()
    if let row = wholeCell(page, at: cell.end, upTo: end, owner: space.owner, record: &record) {
      return row.recordStart == start
    }
    let row = headlessCell(
      page, at: cell.end, upTo: end, owner: space.owner, ends: ends, keyLengths: space.keyLengths, isHead: true)
    return row?.recordStart == start
  }

  /// The whole cell that was written over the values of another row: it begins in one value, and ends in another one, or
  /// behind them all. What is in a single value may be one.
  private func rowWritten(over cell: CarvedCell, in page: UnsafeRawBufferPointer, owner: Int?) -> Range<Int>? {
    let values = cell.recordStart + cell.record.headerSize..<cell.end
    // In a table of objects the first value is the key, which is not in the record: its type is 0.
    let isOfObjects = owner.map { asked[$0].isOfCoreData } ?? true
    var types = values.lowerBound + Self.shortestHead
    let end = min(values.upperBound + (isOfObjects ? -1 : 2), page.count)
    while types < end {
      if isOfObjects { types = ByteScan.first(upTo: 0, in: page, types..<end) }
      guard types < end else { break }
      if page[types - 1] > smallestCount {
        for lengthSize in 1...2 {
          let row = row(in: page, header: types - lengthSize, types: types, from: values.lowerBound, owner: owner)
          if let row, row.lowerBound < values.upperBound, !cell.hasValue(over: row) { return row }
        }
      }
      types += 1
    }
    return nil
  }

  /// The fewest bytes of a cell before its first type.
  private static let shortestHead = 3

  /// The cell whose header begins at an offset, and which itself begins at `least` or behind.
  private func row(
    in page: UnsafeRawBufferPointer, header: Int, types: Int, from least: Int, owner: Int?
  ) -> Range<Int>? {
    guard let length = RecordHeader(page, at: header), length.first == types,
      length.end - header <= 9 * largestCount + 2
    else { return nil }
    for keySize in 1...9 {
      for payloadSize in 1...4 {
        let start = header - keySize - payloadSize
        guard start >= least, let payload = Varint(page, at: start), payload.length == payloadSize,
          let key = Varint(page, at: start + payloadSize), key.length == keySize, payload.value < Int64(Int32.max),
          key.value >= 1, Varint.length(of: payload.value) == payloadSize, Varint.length(of: key.value) == keySize
        else { continue }
        let local = geometry.localSize(of: Int(payload.value), isTableLeaf: true)
        var record = Record()
        guard typesSum(page, at: header, payload: Int(payload.value)), record.read(page, at: header),
          isRow(record, in: page, at: header, key: key.value, owner: owner)
        else { continue }
        return start..<header + local + (local < payload.value ? 4 : 0)
      }
    }
    return nil
  }

  /// Whether a record is of a table of objects, by its types, key, `Z_ENT` and `Z_OPT`; or of the page's own table, by types
  /// that tell enough.
  private func isRow(
    _ record: Record, in page: UnsafeRawBufferPointer, at start: Int, key: Int64, owner: Int?
  ) -> Bool {
    firstOf(owner) { index in
      guard key <= asked[index].largestKey ?? .max, asked[index].admits(record) else { return nil }
      if asked[index].isOfCoreData { return asked[index].agrees(record, in: page, at: start) ? true : nil }
      return index == owner && Self.bitsOfWholeHead + bits(of: record, index) >= Self.firmnessOfOther ? true : nil
    } ?? false
  }

  /// No offset in a page begins with a larger byte.
  private var largestFirstByte: UInt8 { UInt8(clamping: (geometry.usableSize - 1) >> 8) }

  /// Whether there may be the head of a freeblock: the next one, if any, lies behind it.
  @inline(__always)
  private func isHead(_ position: Int, in page: UnsafeRawBufferPointer) -> Bool {
    // Of most bytes the first tells.
    guard page[position] <= largestFirstByte, let word = page.word(at: position) else { return false }
    let (next, size) = (Int(word >> 16), Int(word & 0xffff))
    return size >= 4 && (next == 0 || next >= position + size && next <= geometry.usableSize - 4)
  }

  /// Whether the bytes where types would be are all zero.
  private func isBlank(_ page: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Bool {
    for index in start..<max(start, min(start + 8, end)) where page[index] != 0 { return false }
    return true
  }

  /// Offsets where freed cells may begin or end: the ends of the range, freeblocks, cells that were found, and what the
  /// heads of freeblocks that were joined since say.
  private func boundaries(_ space: Space, cells: [CarvedCell]) -> OffsetSet {
    OffsetSet(
      endsIn: space.page, range: space.range, freeblocks: space.freeblocks,
      others: cells.flatMap { [$0.start, $0.end] })
  }

  private func boundaries(_ space: inout Space) -> OffsetSet {
    if let known = space.ends { return known }
    let ends = boundaries(space, cells: [])
    space.ends = ends
    return ends
  }

  /// Where freeblocks begin: those of the chain, and such as end where a cell or freeblock does and name a next one behind
  /// them.
  private func heads(_ space: inout Space) -> OffsetSet {
    let ends = boundaries(&space)
    var heads = OffsetSet(upTo: space.page.count)
    for block in space.freeblocks { heads.insert(block.lowerBound) }
    ends.forEach(in: space.range) { position in
      if isHead(position, in: space.page) { heads.insert(position) }
    }
    return heads
  }

  private func headlessCell(
    _ page: UnsafeRawBufferPointer, at position: Int, upTo end: Int, owner: Int?, ends: OffsetSet,
    keyLengths: ClosedRange<Int>?, isHead: Bool, isBehindOther: Bool = false
  ) -> CarvedCell? {
    func cell(of index: Int) -> CarvedCell? {
      // Types alone are read in several ways, unless Core Data's are among them: the keys around it tell how many bytes were
      // the key's.
      let keyLengths = index == owner && !asked[index].isOfCoreData ? keyLengths : nil
      func mayHave(_ length: Int) -> Bool { keyLengths?.contains(length) ?? true }
      // A link of two small numbers is known by where it ends as well.
      func sure(_ cell: CarvedCell?) -> CarvedCell? {
        guard let cell else { return nil }
        let content = cell.record.size - cell.record.headerSize
        return content >= Self.leastContent || keyLengths != nil && ends.contains(cell.end) ? cell : nil
      }
      return sure(withFirstTypeLost(page, at: position, upTo: end, index: index, ends: ends, keyMayHave: mayHave))
        ?? sure(withLengthLost(page, at: position, upTo: end, index: index, keyMayHave: mayHave))
        ?? sure(withHeaderWhole(page, at: position, upTo: end, index: index, keyMayHave: mayHave))
    }
    if isHead {
      return firstOf(owner) { index in
        guard let cell = cell(of: index) else { return nil }
        let isWhole = page.half(at: cell.start + 2) == cell.end - cell.start
        return isFirm(cell.record, index, owner: owner, known: isWhole ? Self.bitsOfSize : Self.bitsOfPlace)
          ? cell : nil
      }
    }
    guard let owner, mayBeHeadless(page, at: position, owner: owner, isBehindOther: isBehindOther) else { return nil }
    return cell(of: owner)
  }

  /// Whether a cell of a page's own table may have lost its first bytes at a place where nothing says that one begins: only
  /// what Core Data writes in every row is distinct enough there. By single bytes, since this is asked at every byte.
  @inline(__always)
  private func mayBeHeadless(
    _ page: UnsafeRawBufferPointer, at position: Int, owner: Int?, isBehindOther: Bool
  ) -> Bool {
    guard let owner else { return false }
    let template = asked[owner]
    guard isBehindOther || template.isOfCoreData else { return false }
    let last = position + Self.lastTypeOfHeadless
    guard last < page.count else { return true }
    if template.mayBegin(page[position + 4]) || template.mayGoOn(page[position + 4]) { return true }
    for types in position + 5...last where template.mayBegin(page[types]) { return true }
    return false
  }

  /// Where the first type of a cell without its first four bytes is at most: behind eight more of its key, and the length of
  /// its header.
  private static let lastTypeOfHeadless = 9

  /// Payload length, row id, header length and first type took one byte each, and are all lost.
  private func withFirstTypeLost(
    _ page: UnsafeRawBufferPointer, at position: Int, upTo end: Int, index: Int, ends: OffsetSet,
    keyMayHave mayHave: (Int) -> Bool
  ) -> CarvedCell? {
    guard position + 4 < end, asked[index].mayGoOn(page[position + 4]) else { return nil }
    for count in asked[index].counts where count > 1 {
      guard typesFit(page, at: position + 4, count: count - 1, index: index, from: 1) else { continue }
      var rest = Record()
      guard let typesEnd = rest.readTypes(page, from: position + 4, count: count - 1), typesEnd <= end
      else { continue }
      for (type, isUnknown) in firstTypes(
        index, from: typesEnd, rest: rest.size - rest.headerSize, upTo: end, ends: ends)
      {
        var record = Record()
        guard record.readTypes(page, from: position + 4, count: count - 1, after: type) != nil,
          // One byte for the length: at most 127 bytes in all, with the header's own two lost bytes.
          record.size + 2 <= 127, position + 4 + record.size <= end, asked[index].admits(record) || isUnknown,
          asked[index].agrees(record, in: page, at: position + 4), hasContent(record),
          hasReadableText(record, in: page, at: position + 4, local: record.size), keyMayTake(1, index: index),
          mayHave(1),
          isSure(
            record, index: index, page, of: position..<position + 4 + record.size, at: position + 4, local: record.size)
        else { continue }
        return CarvedCell(
          template: index, start: position, end: position + 4 + record.size, record: record, recordStart: position + 4,
          localSize: record.size, head: .typeLost, isFirstValueUnknown: isUnknown, method: .freeblock)
      }
    }
    return nil
  }

  /// Whether `count` types from `start` on are such as the template's values have from `column` on. Nothing is kept: this
  /// is asked at every byte.
  private func typesFit(
    _ page: UnsafeRawBufferPointer, at start: Int, count: Int, index: Int, from column: Int = 0
  ) -> Bool {
    let masks = asked[index].masks
    guard column + count <= masks.count else { return false }
    var position = start
    for value in column..<column + count {
      guard let type = Varint(page, at: position), SerialType(type.value).fits(masks[value]) else { return false }
      position += type.length
    }
    return true
  }

  /// The same for a header that is whole.
  private func headerFits(_ page: UnsafeRawBufferPointer, at start: Int, index: Int) -> Bool {
    let masks = asked[index].masks
    guard let header = RecordHeader(page, at: start) else { return false }
    var value = 0
    return header.forEachType(page) { type in
      guard value < masks.count, type.fits(masks[value]) else { return false }
      value += 1
      return true
    }
  }

  /// Types that the lost first value may have had, the likeliest first: such that the row ends where another begins, then
  /// those of live rows.
  private func firstTypes(
    _ index: Int, from typesEnd: Int, rest: Int, upTo end: Int, ends: OffsetSet
  ) -> [(SerialType, isUnknown: Bool)] {
    guard let mask = asked[index].masks.first else { return [] }
    if mask == StorageClass.null.rawValue { return [(SerialType(0), false)] }
    var types: [(SerialType, Bool)] = []
    for length in 0...60 where ends.contains(typesEnd + length + rest) {
      if length == 0 {
        types.append((SerialType(0), true))
      } else if mask & StorageClass.integer.rawValue != 0, let type = SerialType(integerOf: length) {
        types.append((type, false))
      } else if mask & StorageClass.real.rawValue != 0, length == 8 {
        types.append((SerialType(7), false))
      } else if mask & StorageClass.text.rawValue != 0, length <= 57 {
        types.append((SerialType(.text, size: length), false))
      } else if mask & StorageClass.blob.rawValue != 0, length <= 57 {
        types.append((SerialType(.blob, size: length), false))
      }
    }
    let known = asked[index].firstTypes
    return types + (known.count <= 2 ? known.map { (SerialType($0), false) } : [])
  }

  /// The header's length is lost, all types are there.
  private func withLengthLost(
    _ page: UnsafeRawBufferPointer, at position: Int, upTo end: Int, index: Int, keyMayHave mayHave: (Int) -> Bool
  ) -> CarvedCell? {
    guard position + 4 < end, asked[index].mayBegin(page[position + 4]) else { return nil }
    for count in asked[index].counts {
      guard typesFit(page, at: position + 4, count: count, index: index) else { continue }
      var record = Record()
      guard record.readTypes(page, from: position + 4, count: count) != nil, asked[index].admits(record) else {
        continue
      }
      let payload = record.size + 1
      let keyLength = 3 - Varint.length(of: Int64(payload))
      guard keyLength >= 1, keyMayTake(keyLength, index: index), mayHave(keyLength),
        let cell = headless(
          page, at: position, upTo: end, index: index, record: record, recordStart: position + 4, lostBytes: 1)
      else { continue }
      return cell
    }
    return nil
  }

  /// Payload length and row id took four bytes or more; the header is whole.
  private func withHeaderWhole(
    _ page: UnsafeRawBufferPointer, at position: Int, upTo end: Int, index: Int, keyMayHave mayHave: (Int) -> Bool
  ) -> CarvedCell? {
    for rest in 0...4 {
      let start = position + 4 + rest
      guard start + 1 < end, Int(page[start]) > smallestCount,
        page[start] >= 0x80 || asked[index].mayBegin(page[start + 1]), headerFits(page, at: start, index: index)
      else { continue }
      var record = Record()
      guard record.read(page, at: start), asked[index].admits(record) else { continue }
      let keyLength = 4 + rest - Varint.length(of: Int64(record.size))
      guard keyLength >= 1, keyLength <= 9, keyMayTake(keyLength, index: index), mayHave(keyLength),
        let cell = headless(
          page, at: position, upTo: end, index: index, record: record, recordStart: start, lostBytes: 0)
      else { continue }
      return cell
    }
    return nil
  }

  private func headless(
    _ page: UnsafeRawBufferPointer, at position: Int, upTo end: Int, index: Int, record: Record,
    recordStart: Int,
    lostBytes: Int
  ) -> CarvedCell? {
    let payload = record.size + lostBytes
    let local = geometry.localSize(of: payload, isTableLeaf: true) - lostBytes
    let cellEnd = recordStart + local + (local < record.size ? 4 : 0)
    guard cellEnd <= end, record.headerSize <= local, hasContent(record),
      asked[index].agrees(record, in: page, at: recordStart),
      hasReadableText(record, in: page, at: recordStart, local: local),
      isSure(record, index: index, page, of: position..<cellEnd, at: recordStart, local: local)
    else { return nil }
    return CarvedCell(
      template: index, start: position, end: cellEnd, record: record, recordStart: recordStart, localSize: local,
      overflow: local < record.size ? page.word(at: recordStart + local) : nil,
      head: lostBytes == 0 ? .whole : .lengthLost, method: .freeblock)
  }

  /// Whether a row has a number of values that is known and no impossible date, or its freed block ends where the row does.
  private func isSure(
    _ record: Record, index: Int, _ page: UnsafeRawBufferPointer, of cell: Range<Int>, at start: Int, local: Int
  ) -> Bool {
    page.half(at: cell.lowerBound + 2) == cell.count
      || asked[index].isSure(count: record.count)
        && asked[index].hasPossibleDates(record, in: page, at: start, local: local)
  }

  /// Whether a row in the page of an index can be no entry of it: entries are made of the same values as rows are, so that a
  /// few small numbers are nothing to know a row by, unless Core Data's columns are among them.
  func isDistinct(_ cell: CarvedCell) -> Bool {
    if asked[cell.template].isOfCoreData { return true }
    return cell.record.fields.contains { field in
      switch field.type.kind {
      case .text, .blob: (field.type.size ?? 0) >= 4
      case .real: true
      case .null, .integer: false
      }
    }
  }

  /// Whether a row outside the pages of its own table is more than what any bytes look like.
  ///
  /// - Parameter known: what is known of it besides its types, in bits.
  private func isFirm(_ record: Record, _ index: Int, owner: Int?, known: Int) -> Bool {
    if asked[index].isOfCoreData || asked[index].home == owner { return true }
    return known + bits(of: record, index) >= Self.firmness
  }

  /// What the types of a record tell, in bits.
  private func bits(of record: Record, _ index: Int) -> Int {
    asked[index].masks.prefix(record.count).reduce(0) { $0 + Self.bits($1) }
  }

  /// A match by chance in 2¹⁸ offsets is rare enough.
  private static let firmness = 18

  /// What a row tells that is written over another one, whose values any bytes may be.
  private static let firmnessOfOther = 24

  /// A length of the payload that its types add up to, and the header's own.
  private static let bitsOfWholeHead = 16

  /// A place where a freed cell begins.
  private static let bitsOfPlace = 6

  /// A freed block that is just as long as the row.
  private static let bitsOfSize = 12

  /// What a type among those of a column tells, in bits: of the 256 that a byte may be, 1 is NULL and 9 are integers, while each
  /// from 12 on is a text or a blob.
  private static func bits(_ mask: UInt8) -> Int {
    if mask & (StorageClass.blob.rawValue | StorageClass.text.rawValue) == 0 {
      return mask == StorageClass.null.rawValue ? 8 : 5
    }
    return mask & StorageClass.blob.rawValue == 0 || mask & StorageClass.text.rawValue == 0 ? 1 : 0
  }

  /// Bytes of values that are enough to know a row by: rows of NULL, 0 and 1 alone look like any bytes.
  private static let leastContent = 4

  /// Whether there is anything to know a row by.
  private func hasContent(_ record: Record) -> Bool { record.size - record.headerSize >= 2 }

  /// Whether keys of the table can take so many bytes.
  private func keyMayTake(_ length: Int, index: Int) -> Bool {
    guard let largest = asked[index].largestKey, largest >= 0 else { return true }
    return length <= Varint.length(of: largest)
  }
}

extension SerialType {
  /// The type of an integer of so many bytes; nil where there is none.
  fileprivate init?(integerOf length: Int) {
    switch length {
    case 1...4: self.init(Int64(length))
    case 6: self.init(5)
    case 8: self.init(6)
    default: return nil
    }
  }
}

extension Carver {
  /// The template of a row in a cell: that of its page's table, else the least loose that fits.
  ///
  /// - Parameter fate: what became of its page; the keys of a transaction that was never finished may not have been handed
  ///   out.
  func template(
    _ record: Record, in page: UnsafeRawBufferPointer, cell: Cell, owner: Int?, fate: FrameFate
  ) -> Int? {
    func fits(_ index: Int) -> Bool {
      asked[index].admits(record) && asked[index].agrees(record, in: page, at: cell.payloadStart)
        && (fate != .saved || (cell.rowID ?? 0) <= asked[index].largestKey ?? .max)
    }
    return firstOf(owner) { fits($0) ? $0 : nil }
  }
}

/// Offsets in a page, one bit each.
struct OffsetSet {
  private var words: [UInt64]

  /// Where freed cells of a range may begin or end: its ends, freeblocks, other places that are known, and what the heads of
  /// freeblocks that were joined since say.
  init(endsIn page: UnsafeRawBufferPointer, range: Range<Int>, freeblocks: [Range<Int>], others: [Int] = []) {
    self.init(upTo: page.count)
    insert(range.lowerBound)
    insert(range.upperBound)
    for block in freeblocks where block.lowerBound >= range.lowerBound && block.upperBound <= range.upperBound {
      insert(block.lowerBound)
      insert(block.upperBound)
    }
    for other in others { insert(other) }
    guard range.upperBound <= page.count else { return }
    var position = range.upperBound - 4
    while position >= range.lowerBound {
      // The first bytes of the next eight sizes: most are larger than what lies behind them.
      let last = position - ByteScan.width + 1
      if last >= range.lowerBound,
        !ByteScan.hasAny(upTo: UInt8(clamping: (range.upperBound - last) >> 8), ByteScan.word(page, at: last + 2))
      {
        position -= ByteScan.width
        continue
      }
      let size = Int(page[position + 2]) << 8 | Int(page[position + 3])
      // No offset behind the range is in it.
      if size >= 4, size <= range.upperBound - position, contains(position + size) { insert(position) }
      position -= 1
    }
  }

  /// No offsets up to `last`.
  init(upTo last: Int) { words = [UInt64](repeating: 0, count: last / 64 + 1) }

  func contains(_ offset: Int) -> Bool {
    offset >= 0 && offset / 64 < words.count && words[offset / 64] & (1 << UInt64(offset % 64)) != 0
  }

  /// The first offset from one on; `end` where none comes before that.
  func first(from start: Int, before end: Int) -> Int {
    guard start >= 0, start < end, start / 64 < words.count else { return end }
    var (index, word) = (start / 64, words[start / 64] & (UInt64.max << UInt64(start % 64)))
    while word == 0 {
      index += 1
      guard index < words.count, index * 64 < end else { return end }
      word = words[index]
    }
    return min(end, index * 64 + word.trailingZeroBitCount)
  }

  /// Calls `body` with the offsets of a range, ascending.
  func forEach(in range: Range<Int>, _ body: (Int) -> Void) {
    for index in words.indices.clamped(to: range.lowerBound / 64..<range.upperBound / 64 + 1) {
      var word = words[index]
      while word != 0 {
        let offset = index * 64 + word.trailingZeroBitCount
        if range.contains(offset) { body(offset) }
        word &= word - 1
      }
    }
  }

  /// Adds an offset; one beyond the last is left out.
  mutating func insert(_ offset: Int) {
    guard offset >= 0, offset / 64 < words.count else { return }
    words[offset / 64] |= 1 << UInt64(offset % 64)
  }
}
