/// Something on a page that is not as the file format wants it. What lies behind it is not read.
package struct PageFault: Equatable, Sendable {
  /// The page where it was seen.
  package var page: UInt32
  /// What it is.
  package var kind: Kind

  /// The faults.
  package enum Kind: Equatable, Sendable {
    /// The page does not exist.
    case outOfRange
    /// The page was met before on the same way.
    case visitedTwice
    /// The page is no b-tree page of the kind that belongs here.
    case notBTree(firstByte: UInt8)
    /// The page lies below a root and has no cell, which SQLite never leaves.
    case empty
    /// A tree is deeper than any that SQLite makes.
    case tooDeep
    /// So many cell pointers lead to no cell.
    case cells(Int)
    /// A chain of overflow pages ends too early, or leads out of the file.
    case overflow(firstPage: UInt32)
    /// The payload of a cell is no record.
    case record
    /// A key is not above the one before it.
    case order
    /// The list of free pages is longer than the file, or says more entries than there is room for.
    case freelist
  }

  /// A fault of a page.
  package init(page: UInt32, kind: Kind) {
    self.page = page
    self.kind = kind
  }
}

/// Faults, the first of them in detail.
package struct PageFaults: Sendable {
  /// The first faults.
  package private(set) var first: [PageFault] = []
  /// How many there were.
  package private(set) var count = 0

  /// The most that are kept; a hostile file has as many as cells.
  package static let limit = 100

  /// None.
  package init() {}

  /// Whether rows may lie behind one of them: behind every kind but a long value's missing end.
  package var hidesRows: Bool {
    count > first.count
      || first.contains { fault in
        if case .overflow = fault.kind { false } else { true }
      }
  }

  /// Adds those of another reading.
  mutating func add(_ others: PageFaults) {
    count += others.count
    first += others.first.prefix(max(0, Self.limit - first.count))
  }

  /// Adds one.
  package mutating func add(_ page: UInt32, _ kind: PageFault.Kind) {
    count += 1
    if first.count < Self.limit { first.append(PageFault(page: page, kind: kind)) }
  }
}
