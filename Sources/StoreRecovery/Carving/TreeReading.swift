import SQLitePages
import StoreDataModel
import StoreSQLite
import Synchronization

/// A tree that was read in parts, each on a thread of its own; one that is damaged, or small, in one.
struct TreeReading<Part: Sendable> {
  /// What the parts have, in their order.
  let parts: [Part]
  /// The pages of the tree.
  let pages: PageSet
  /// What of it could not be read.
  let faults: PageFaults

  /// - Parameter read: goes through a part of the tree.
  init(
    _ view: PageView, root: UInt32, isTable: Bool? = nil, read: @Sendable (inout BTreeWalk) throws -> Part
  ) throws {
    if let (parts, pages) = try Self.inParts(view, root: root, isTable: isTable, read) {
      (self.parts, self.pages, faults) = (parts, pages, PageFaults())
      return
    }
    var walk = BTreeWalk(view, root: root, isTable: isTable)
    parts = [try read(&walk)]
    (pages, faults) = (walk.pages, walk.faults)
  }

  /// Reads the parts at once; nil where there is only one, one has a fault, or two have the same page: in what order the pages
  /// of a damaged tree come makes a difference.
  private static func inParts(
    _ view: PageView, root: UInt32, isTable: Bool?, _ read: @Sendable (inout BTreeWalk) throws -> Part
  ) throws -> (parts: [Part], pages: PageSet)? {
    let parts = try BTreeWalk.parts(view, root: root, isTable: isTable)
    guard !parts.isEmpty else { return nil }
    let map = view.map
    // Taken together as soon as each is read, so that there are not more sets at once than threads.
    let pages = Mutex<PageSet?>(PageSet(upTo: view.pageCount))
    let read = try concurrently(parts) { part -> Part? in
      guard pages.withLock({ $0 != nil }) else { return nil }
      var walk = BTreeWalk(PageView(map), root: root, isTable: isTable, part: part)
      let read = try read(&walk)
      pages.withLock { all in
        let isSound = walk.faults.count == 0 && all?.formUnion(walk.pages, sharing: walk.upperPages) == true
        if !isSound { all = nil }
      }
      return read
    }
    return pages.withLock { $0 }.map { (read.compactMap(\.self), $0) }
  }
}

/// What the rows of a table, or of a part of it, tell together.
struct TreeSummary: Sendable {
  private(set) var count: Int64 = 0
  /// The largest key.
  private(set) var largest: Int64 = 0
  private(set) var keys = KeySum()
  /// The first page that does not add up, and the first with a key that is not above the one before it.
  private(set) var flawed: UInt32?
  private(set) var disorder: UInt32?
  /// The leaves below the root, by `Z_ENT` of their first rows.
  private(set) var leaves: [Int64: [UInt32]] = [:]
  /// What was learned of the rows.
  private(set) var template: RowTemplate
  /// The keys from 1 on, where the table is one of objects; nil where they lie far from each other.
  private(set) var liveKeys: [KeyBits]? = []
  private var first: (key: Int64, page: UInt32)?
  private var last: Int64?

  /// No rows.
  init(_ template: RowTemplate) { self.template = template }

  init(_ walk: inout BTreeWalk, _ template: RowTemplate, geometry: PageGeometry) throws {
    self.init(template)
    let entityColumn = template.columns.firstIndex { $0.name == "Z_ENT" }
    let root = template.root
    var record = Record()
    var bits: KeyBits? = entityColumn == nil ? nil : KeyBits()
    var rows = self
    try walk.run(readsOverflow: false) { number, page, header in
      if rows.flawed == nil, header.flaw(in: page, geometry: geometry) == .space { rows.flawed = number }
      guard let entityColumn, number != root, header.kind == .leafTable,
        let start = header.firstPayload(in: page, geometry: geometry), record.read(page, at: start),
        let entity = record.integer(entityColumn, in: page, at: start)
      else { return }
      rows.add(leaves: [number], of: entity)
    } entry: { row in
      let key = row.cell.rowID ?? 0
      rows.add(key: key, on: row.page)
      if bits?.add(key) == false { bits = nil }
      rows.template.learn(row.payload)
      return true
    }
    rows.liveKeys = bits.map { [$0] }
    self = rows
  }

  /// The most numbers of entities that leaves of one table are told by.
  private static let mostNumbers = 10_000

  private mutating func add(leaves pages: [UInt32], of entity: Int64) {
    if leaves[entity] != nil || leaves.count < Self.mostNumbers { leaves[entity, default: []] += pages }
  }

  private mutating func add(key: Int64, on page: UInt32) {
    count += 1
    if let last, key <= last, disorder == nil { disorder = page }
    if first == nil { first = (key, page) }
    last = key
    keys.add(key)
    largest = max(largest, key)
  }

  /// Adds those of the next part.
  mutating func add(_ next: Self) {
    count += next.count
    largest = max(largest, next.largest)
    keys.add(next.keys)
    flawed = flawed ?? next.flawed
    if let last, let first = next.first, first.key <= last, disorder == nil { disorder = first.page }
    disorder = disorder ?? next.disorder
    (first, last) = (first ?? next.first, next.last ?? last)
    for (entity, pages) in next.leaves.sorted(by: { $0.key < $1.key }) { add(leaves: pages, of: entity) }
    if let next = next.liveKeys { liveKeys? += next } else { liveKeys = nil }
    template.learn(from: next.template)
  }
}

/// The entries of an index, or the rows of a table without row ids.
struct IndexEntries: Sendable {
  private(set) var count: Int64 = 0
  /// The keys of rows; nil where an entry has none that can be read.
  private(set) var keys: KeySum? = KeySum()

  /// No entries.
  init() {}

  /// - Parameter isWhole: whether the index has the keys of all rows, which then are read.
  init(_ walk: inout BTreeWalk, isWhole: Bool) throws {
    var (count, keys): (Int64, KeySum?) = (0, isWhole ? KeySum() : nil)
    try walk.run(readsOverflow: false) { row in
      count += 1
      guard keys != nil else { return true }
      let key = row.cell.overflow == nil ? RecordHeader(row.payload)?.lastInteger(in: row.payload) : nil
      if let key { keys?.add(key) } else { keys = nil }
      return true
    }
    (self.count, self.keys) = (count, keys)
  }

  /// Adds those of another part.
  mutating func add(_ other: Self) {
    count += other.count
    if let keys = other.keys { self.keys?.add(keys) } else { keys = nil }
  }
}

/// Many keys in two numbers, whatever their order, so that two sets of them can be compared without being kept.
struct KeySum: Equatable, Sendable {
  private var count: Int64 = 0
  private var sum: UInt64 = 0

  mutating func add(_ key: Int64) {
    var mixed = UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= mixed >> 29
    count &+= 1
    sum &+= mixed &* 0xBF58_476D_1CE4_E5B9
  }

  mutating func add(_ other: Self) {
    count &+= other.count
    sum &+= other.sum
  }
}
