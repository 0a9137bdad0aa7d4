import SQLitePages
import StoreSQLite

/// How many pages a file has lost at its front: none where its first page is one of the schema; else by what leads from page to page: the last key of a leaf is the key that the page
/// above has beside the leaf's number, and a chain of overflow pages begins on a page that is none of a tree.
struct FrontGap {
  private let geometry: PageGeometry
  /// The place of the leaf with that last key, from 1; 0 where several have it.
  private var leaves: [Int64: UInt32] = [:]
  private var children: [(page: UInt32, key: Int64)] = []
  private var overflows: [(first: UInt32, bytes: Int)] = []
  private var others: [UInt32] = []

  /// The most bytes that are looked at, and the most pages of each kind that are kept.
  private static let most: Int64 = 256 << 20
  private static let mostKept = 1 << 18
  /// The most pages that may be missing; memory is kept for each.
  private static let mostPages: UInt32 = 1 << 20

  /// The number of pages.
  ///
  /// - Throws: `FileError`.
  static func pages(before source: any ByteSource, _ geometry: PageGeometry) throws(FileError) -> Found {
    let first = try source.read(at: 0, count: geometry.pageSize)
    let (isFirst, isLater) = first.withUnsafeBytes { page in
      (isOfTree(page, isFirst: true, geometry), isOfTree(page, isFirst: false, geometry))
    }
    if isFirst { return .known(0) }
    var gap = FrontGap(geometry: geometry)
    try gap.read(source)
    if let pages = gap.vote { return .known(pages) }
    if let pages = try gap.onlyOneWithWholeChains(source) { return .known(pages) }
    return isLater ? .some : .unknown
  }

  /// What is known of the number.
  enum Found {
    case known(UInt32)
    /// At least one page is missing; how many is not known.
    case some
    /// Perhaps none.
    case unknown
  }

  private static func isOfTree(_ page: UnsafeRawBufferPointer, isFirst: Bool, _ geometry: PageGeometry) -> Bool {
    guard let header = BTreePage(page, isFirst: isFirst, usableSize: geometry.usableSize), header.cellCount > 0 else {
      return false
    }
    return header.flaw(in: page, geometry: geometry) == nil
  }

  private init(geometry: PageGeometry) { self.geometry = geometry }

  private mutating func read(_ source: any ByteSource) throws(FileError) {
    let (end, size) = (min(source.size, Self.most), geometry.pageSize)
    var (number, offset) = (UInt32(1), Int64(0))
    while offset + Int64(size) <= end {
      let piece = try source.read(at: offset, count: 1 << 20)
      piece.withUnsafeBytes { bytes in
        var start = 0
        while start + size <= bytes.count {
          look(at: UnsafeRawBufferPointer(rebasing: bytes[start..<start + size]), number: number)
          start += size
          number += 1
        }
      }
      offset += 1 << 20
    }
  }

  private mutating func look(at page: UnsafeRawBufferPointer, number: UInt32) {
    guard let header = BTreePage(page, isFirst: false, usableSize: geometry.usableSize),
      header.flaw(in: page, geometry: geometry) == nil, header.cellCount > 0
    else {
      if others.count < 4096 { others.append(number) }
      return
    }
    func cell(_ index: Int) -> Cell? {
      header.cellOffset(index, in: page, usableSize: geometry.usableSize)
        .flatMap { Cell(page, at: $0, kind: header.kind, geometry: geometry) }
    }
    switch header.kind {
    case .leafTable:
      if let last = cell(header.cellCount - 1)?.rowID, leaves.count < Self.mostKept {
        leaves[last] = leaves[last] == nil ? number : 0
      }
      for index in 0..<header.cellCount where overflows.count < 64 {
        if let cell = cell(index), let first = cell.overflow {
          overflows.append((first, cell.payloadSize - cell.localSize))
        }
      }
    case .interiorTable:
      for index in 0..<header.cellCount where children.count < Self.mostKept {
        if let cell = cell(index), let child = cell.child, let key = cell.rowID { children.append((child, key)) }
      }
    case .leafIndex, .interiorIndex: break
    }
  }

  private var vote: UInt32? {
    var votes: [UInt32: Int] = [:]
    for (page, key) in children {
      guard let place = leaves[key], place > 0, page >= place, page - place <= Self.mostPages else { continue }
      votes[page - place, default: 0] += 1
    }
    if let best = Self.clear(votes, of: 2) { return best }
    votes = [:]
    for (first, _) in overflows {
      for place in others where first >= place && first - place <= Self.mostPages {
        votes[first - place, default: 0] += 1
      }
    }
    return Self.clear(votes, of: 2)
  }

  /// The number with which all long values are whole; nil where there are several, or none.
  private func onlyOneWithWholeChains(_ source: any ByteSource) throws(FileError) -> UInt32? {
    guard let (first, _) = overflows.first else { return nil }
    var found: UInt32?
    for place in others where first >= place && first - place <= Self.mostPages {
      let gap = first - place
      var areWhole = true
      for chain in overflows.prefix(8) where areWhole { areWhole = try isWhole(chain, gap: gap, source) }
      guard areWhole else { continue }
      guard found == nil || found == gap else { return nil }
      found = gap
    }
    return found
  }

  private func isWhole(
    _ overflow: (first: UInt32, bytes: Int), gap: UInt32, _ source: any ByteSource
  ) throws(FileError) -> Bool {
    var chain = OverflowChain(first: overflow.first, count: overflow.bytes, in: geometry)
    var steps = 0
    while let next = chain.next {
      guard next > gap, steps < 1024 else { return steps >= 1024 }
      let page = try source.read(at: Int64(next - gap - 1) * Int64(geometry.pageSize), count: geometry.pageSize)
      let isGood = page.withUnsafeBytes { bytes -> Bool in
        guard bytes.count == geometry.pageSize, !Self.isOfTree(bytes, isFirst: false, geometry) else { return false }
        _ = chain.take(bytes)
        return chain.left > 0 || bytes.word(at: 0) == 0
      }
      guard isGood else { return false }
      steps += 1
    }
    return true
  }

  /// The number with the most votes, where it has at least so many and no other has as many.
  private static func clear(_ votes: [UInt32: Int], of fewest: Int) -> UInt32? {
    guard let best = votes.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), best.value >= fewest,
      votes.count(where: { $0.value == best.value }) == 1
    else { return nil }
    return best.key
  }
}
