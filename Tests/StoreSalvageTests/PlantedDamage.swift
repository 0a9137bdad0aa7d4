import SQLitePages
import StoreSQLite
import TestSupport

/// Ways in which a file is damaged, and what of its rows is left then.
struct PlantedDamage: CustomStringConvertible {
  let description: String
  let bytes: [UInt8]
  /// How many bytes are missing in front.
  var missing = 0
  /// Whether a part of it is of an older state of the store.
  var isOfTwoStates = false

  /// All damages of a store.
  ///
  /// - Parameter older: the bytes of an older state of the store, of the same length or not.
  static func all(_ whole: [UInt8], older: [UInt8], _ rows: PlacedRows, seed: UInt64) -> [PlantedDamage] {
    var random = SeededGenerator(seed: seed)
    let (size, count) = (rows.pageSize, whole.count / rows.pageSize)
    func zeroed(_ pages: some Sequence<Int>) -> [UInt8] {
      var copy = whole
      for page in pages { copy.replaceSubrange((page - 1) * size..<page * size, with: repeatElement(0, count: size)) }
      return copy
    }
    func some(_ part: Int) -> [Int] { Array((2...count).shuffled(using: &random).prefix(max(1, count / part))) }
    var foreign = whole
    foreign.replaceSubrange(16..<18, with: [0x20, 0])
    foreign.replaceSubrange(52..<56, with: [0, 0, 0, 0])
    let front = min(16, count / 4)
    var pointers = whole
    for page in rows.leaves.shuffled(using: &random).prefix(40) where page > 1 {
      let start = (page - 1) * size
      let cells = Int(pointers[start + 3]) << 8 | Int(pointers[start + 4])
      for index in 0..<2 * cells { pointers[start + 8 + index] = 0 }
    }
    var noise = whole
    for page in some(20) {
      for index in (page - 1) * size..<page * size { noise[index] = UInt8(truncatingIfNeeded: random.next()) }
    }
    let half = count / 2 * size
    return [
      .init(description: "header zeroed", bytes: [UInt8](repeating: 0, count: 100) + whole[100...]),
      .init(description: "header of another database", bytes: foreign),
      .init(description: "page 1 zeroed", bytes: zeroed([1])),
      .init(
        description: "tree of page 1 zeroed",
        bytes: whole[..<100] + [UInt8](repeating: 0, count: size - 100) + whole[size...]),
      .init(description: "first pages zeroed", bytes: zeroed(1...front)),
      .init(description: "first pages cut off", bytes: Array(whole[(front * size)...]), missing: front * size),
      .init(description: "interior pages zeroed", bytes: zeroed(rows.interiors.filter { $0 > 1 })),
      .init(description: "second half cut off", bytes: Array(whole[..<half])),
      .init(description: "a tenth zeroed", bytes: zeroed(some(10))),
      .init(description: "four tenths zeroed", bytes: zeroed(some(10) + some(10) + some(10) + some(10))),
      .init(description: "cell pointers zeroed", bytes: pointers),
      .init(description: "noise on a twentieth", bytes: noise),
      .init(
        description: "the second half is older",
        bytes: Array(whole[..<half]) + Array(older.dropFirst(half).prefix(whole.count - half)),
        isOfTwoStates: true),
    ]
  }

  /// Whether bytes of the sound file are in the damaged one.
  func has(_ range: Range<Int>, of whole: [UInt8]) -> Bool {
    let start = range.lowerBound - missing
    guard start >= 0, start + range.count <= bytes.count else { return false }
    return bytes[start..<start + range.count].elementsEqual(whole[range])
  }
}

/// Where the rows of a sound store lie, by its trees.
struct PlacedRows {
  /// By table and key the bytes of a row's cell and overflow pages.
  private(set) var places: [String: [Int64: [Range<Int>]]] = [:]
  private(set) var leaves: Set<Int> = []
  private(set) var interiors: Set<Int> = []
  let pageSize: Int

  /// The bytes of the page that a row lies on.
  func leaf(of key: Int64, in table: String) -> Range<Int> {
    let start = (places[table]?[key]?.first?.lowerBound ?? 0) / pageSize * pageSize
    return start..<start + pageSize
  }

  init(_ whole: [UInt8], tables: [(name: String, root: UInt32)], otherRoots: [UInt32]) throws {
    let files = try PageFiles(main: MemoryBytes(whole))
    let (view, geometry) = (PageView(files), files.geometry)
    pageSize = geometry.pageSize
    for (name, root) in tables {
      var walk = BTreeWalk(view, root: root, isTable: true)
      var rows: [Int64: [Range<Int>]] = [:]
      var (leaves, interiors) = (self.leaves, self.interiors)
      try walk.run(
        page: { number, _, header in
          if header.kind.isLeaf { leaves.insert(Int(number)) } else { interiors.insert(Int(number)) }
        },
        entry: { entry in
          let start = (Int(entry.page) - 1) * pageSize
          var ranges = [start + entry.cell.start..<start + entry.cell.end]
          var chain = OverflowChain(entry.cell, in: geometry)
          while let next = chain.next, let page = try view.page(next) {
            let before = chain.left
            page.withUnsafeBytes { _ = chain.take($0) }
            let first = (Int(next) - 1) * pageSize
            ranges.append(first..<first + 4 + before - chain.left)
          }
          rows[entry.cell.rowID ?? 0] = ranges
          return true
        })
      (self.leaves, self.interiors) = (leaves, interiors)
      places[name] = rows
    }
    for root in otherRoots {
      var walk = BTreeWalk(view, root: root, isTable: false)
      var interiors = self.interiors
      try walk.run(
        readsOverflow: false,
        page: { number, _, header in if !header.kind.isLeaf { interiors.insert(Int(number)) } }, entry: { _ in true })
      self.interiors = interiors
    }
  }
}
