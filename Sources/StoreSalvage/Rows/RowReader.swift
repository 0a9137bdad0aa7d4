import SQLitePages
import StoreRecovery
import StoreSQLite

/// Reads the rows of leaves, their overflow pages included, and says of each whether it is as it was written.
struct RowReader {
  private let view: PageView
  private let map: TrustedPointerMap
  private let geometry: PageGeometry
  /// Pages that a row or a tree has.
  private(set) var claimed: PageSet
  /// Whether a row led to a page that was claimed before.
  private(set) var metClaimed = false
  private var payload: [UInt8] = []
  private var record = Record()
  /// Whether the store shows damage: then a row has to look like one of its table although its tree leads to it.
  private let isStrict: Bool
  /// Whether overflow pages are where their numbers say.
  private let followsPages: Bool

  /// One row.
  struct Row {
    var key: Int64
    /// Where its values lie in `payload`.
    var record: Record
    /// The whole payload; of a torn row as much as there is. Valid until the next row.
    var payload: UnsafeRawBufferPointer
    var state: State
    /// What its state would be if nothing else of the store were damaged.
    var lenientState: State
  }

  /// What is known of a row.
  enum State: Sendable {
    /// It is as it was written, as far as can be seen.
    case whole
    /// A part of it on overflow pages is lost, or lies on a page that is not its own.
    case torn
    /// It does not look like a row of its table, or lies on a damaged page where it may be overwritten.
    case doubtful
  }

  /// How much of a leaf was read.
  struct Coverage {
    /// Keys of cells whose record cannot be read.
    var unreadable: [Int64] = []
    /// How many rows were found, those of `unreadable` among them.
    var found = 0
    /// How many rows the page says that it has; nil where it has not the room for so many.
    var stated: Int?
    /// Whether what was found is all that the page has.
    var isComplete = false
  }

  /// - Parameters:
  ///   - reached: the pages of trees, which no row has.
  ///   - isStrict: whether the store shows damage.
  init(_ evidence: SalvageEvidence, reached: PageSet, isStrict: Bool) {
    (view, map) = (evidence.view, evidence.map)
    followsPages = evidence.knowsNumbers
    self.isStrict = isStrict
    geometry = view.files.geometry
    claimed = reached
  }

  /// Calls `body` for each row of a leaf, by key.
  ///
  /// - Parameter template: the one of its table.
  /// - Throws: what `body` throws, and `FileError`.
  @discardableResult mutating func read(
    _ leaf: SalvageTable.Leaf, template: AskedTemplates, _ body: (Row) throws -> Void
  ) throws -> Coverage {
    guard let bytes = try view.page(leaf.page) else { return Coverage() }
    return try bytes.withUnsafeBytes { try read($0, of: leaf, template: template, body) }
  }

  /// The same of a leaf whose bytes are at hand.
  ///
  /// - Throws: what `body` throws, and `FileError`.
  @discardableResult mutating func read(
    _ page: UnsafeRawBufferPointer, of leaf: SalvageTable.Leaf, template: AskedTemplates, _ body: (Row) throws -> Void
  ) throws -> Coverage {
    var coverage = Coverage()
    guard let header = BTreePage(page, isFirst: leaf.page == 1, usableSize: geometry.usableSize) else {
      return coverage
    }
    var cells = LeafCells(page, header, geometry)
    cells.restrict(to: leaf.bounds)
    coverage.stated = header.hasRoomForCells ? header.cellCount : nil
    coverage.isComplete = cells.isComplete
    coverage.found = cells.cells.count
    for found in cells.cells where try !read(found, in: page, leaf, cells.isSound, template, body) {
      if let key = found.cell.rowID { coverage.unreadable.append(key) }
    }
    return coverage
  }

  /// Reads one row; false where its cell has no record that can be read.
  private mutating func read(
    _ found: LeafCells.Found, in page: UnsafeRawBufferPointer, _ leaf: SalvageTable.Leaf, _ isSound: Bool,
    _ template: AskedTemplates, _ body: (Row) throws -> Void
  ) throws -> Bool {
    let cell = found.cell
    guard let key = cell.rowID, cell.payloadStart + cell.localSize <= page.count else { return false }
    let local = UnsafeRawBufferPointer(rebasing: page[cell.payloadStart..<cell.payloadStart + cell.localSize])
    guard record.read(local), record.size <= cell.payloadSize else { return false }
    // What is not asked of a sound page of a tree, unless something else of the store is damaged.
    let isDoubted = !isSound || leaf.way != .tree
    let asksAll = isStrict || isDoubted
    var lenient: State = found.isSure && record.count <= template[0].masks.count ? .whole : .doubtful
    var strict = lenient
    if asksAll, !isLikeItsTable(template, local) || record.size < cell.payloadSize { strict = .doubtful }
    if cell.end > bytesThere(ofPage: leaf.page) { (strict, lenient) = (.torn, .torn) }
    func row(_ payload: UnsafeRawBufferPointer) -> Row {
      Row(
        key: key, record: record, payload: payload, state: asksAll ? strict : lenient,
        lenientState: isDoubted ? strict : lenient)
    }
    guard cell.overflow != nil else {
      if asksAll, !hasReadableValues(local) { strict = .doubtful }
      try body(row(local))
      return true
    }
    payload.removeAll(keepingCapacity: true)
    payload.append(contentsOf: local)
    if try !collect(cell, of: leaf.page) {
      if strict == .whole { strict = .torn }
      if lenient == .whole { lenient = .torn }
    }
    try payload.withUnsafeBytes { payload in
      if asksAll, strict == .whole, !hasReadableValues(payload) { strict = .torn }
      try body(row(payload))
    }
    return true
  }

  /// How much of a page the file has; the last one may be cut off.
  private func bytesThere(ofPage number: UInt32) -> Int {
    guard let origin = view.origin(of: number) else { return 0 }
    return Int(clamping: (view.files.source(origin.file)?.size ?? 0) - origin.offset)
  }

  private func isLikeItsTable(_ template: AskedTemplates, _ payload: UnsafeRawBufferPointer) -> Bool {
    template[0].admits(record) && template[0].agrees(record, in: payload, at: 0)
  }

  /// Whether all texts are texts, where the database has UTF-8, and all property lists end as such.
  private func hasReadableValues(_ payload: UnsafeRawBufferPointer) -> Bool {
    let isUTF8 =
      switch view.files.header.textEncoding {
      case .utf16LittleEndian, .utf16BigEndian: false
      case .unset, .utf8, .unknown: true
      }
    return record.fields.indices.allSatisfy { column in
      guard let bytes = record.bytes(column, in: payload) else { return true }
      guard record.fields[column].type.kind == .text else { return !Self.isBrokenList(bytes) }
      return !isUTF8 || Self.isText(bytes)
    }
  }

  private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var isPlain = true
    for byte in bytes {
      if byte == 0 { return false }
      if byte >= 0x80 { isPlain = false }
    }
    return isPlain || String(validating: bytes, as: UTF8.self) != nil
  }

  /// Whether it begins as a binary property list and does not end as one: the last 32 bytes say where the offsets begin.
  private static func isBrokenList(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.starts(with: "bplist00".utf8) else { return false }
    guard bytes.count >= 40, let start = bytes.word(at: bytes.count - 4), let high = bytes.word(at: bytes.count - 8)
    else {
      return true
    }
    let (offsetSize, referenceSize) = (bytes[bytes.count - 26], bytes[bytes.count - 25])
    return high != 0 || start < 8 || Int(start) >= bytes.count - 32 || !(1...8).contains(offsetSize)
      || !(1...8).contains(referenceSize)
  }

  /// Follows the overflow pages of a cell; false where they do not have all bytes, or one is not its own.
  private mutating func collect(_ cell: Cell, of leaf: UInt32) throws -> Bool {
    guard followsPages, cell.payloadSize <= BTreeWalk.maximumPayload else { return false }
    var chain = OverflowChain(cell, in: geometry)
    var before = leaf
    while let number = chain.next {
      guard number >= 2, claim(number), let page = try view.page(number),
        isOverflow(number, after: before, isFirst: before == leaf)
      else { return false }
      let isOwn = page.withUnsafeBytes { bytes -> Bool in
        guard !Self.isBlank(bytes), !isOfTree(bytes),
          OverflowChain.contentStart + min(chain.left, geometry.usableSize - OverflowChain.contentStart)
            <= bytesThere(ofPage: number)
        else { return false }
        payload.append(contentsOf: chain.take(bytes))
        // The last page of a chain leads nowhere.
        return chain.left > 0 || bytes.word(at: 0) == 0
      }
      guard isOwn else { return false }
      before = number
    }
    return true
  }

  private mutating func claim(_ page: UInt32) -> Bool {
    let isNew = claimed.insert(page)
    if !isNew, page <= view.pageCount { metClaimed = true }
    return isNew
  }

  /// A page that was wiped; one that SQLite wrote has at least its own content.
  private static func isBlank(_ page: UnsafeRawBufferPointer) -> Bool { page.allSatisfy { $0 == 0 } }

  private func isOfTree(_ page: UnsafeRawBufferPointer) -> Bool {
    guard let header = BTreePage(page, isFirst: false, usableSize: geometry.usableSize), header.cellCount > 0 else {
      return false
    }
    return header.flaw(in: page, geometry: geometry) == nil
  }

  /// Whether the pointer map, where it has an entry, says that a page follows another one.
  private func isOverflow(_ number: UInt32, after before: UInt32, isFirst: Bool) -> Bool {
    guard let entry = map.entry(number) else { return true }
    return entry.kind == (isFirst ? .overflowFirst : .overflowNext) && entry.parent == before
  }
}
