import SQLitePages
import StoreRecovery

/// The pages that no tree leads to: leaves with rows, what leads from page to page, and what can be read at all.
struct LooseLeaves {
  private(set) var leaves: [Found] = []
  /// For each page that another of these pages leads to, that other page.
  private(set) var parents: [UInt32: UInt32] = [:]
  /// Pages of nothing but zeros.
  private(set) var blankPages = 0
  /// Pages of trees that add up.
  private(set) var sound: PageSet
  private let geometry: PageGeometry

  /// A leaf.
  struct Found {
    var page: UInt32
    var keys: ClosedRange<Int64>
    /// A key that is the leaf's own, where chance may have made some of a page that does not add up.
    var median: Int64
    var isDamaged: Bool
    /// How many rows were looked at.
    var rows: Int
    /// How many of them fit which tables.
    var fits: [(table: Int, rows: Int)]

    /// The one table that its rows are of, where they tell.
    func table(of tables: [SalvageTable]) -> Int? {
      let candidates = tables.candidates(fits: fits, rows: rows)
      return candidates.count == 1 ? candidates.first : nil
    }
  }

  init(in view: PageView) {
    geometry = view.files.geometry
    sound = PageSet(upTo: view.pageCount)
  }

  /// Looks at a page; what it found where that is a leaf.
  mutating func look(
    at page: UnsafeRawBufferPointer, _ number: UInt32, _ tables: [SalvageTable], _ asked: AskedTemplates
  ) -> Found? {
    guard let header = BTreePage(page, isFirst: number == 1, usableSize: geometry.usableSize) else {
      if page.allSatisfy({ $0 == 0 }) { blankPages += 1 }
      return nil
    }
    let isSound = header.flaw(in: page, geometry: geometry) == nil
    if isSound { sound.insert(number) }
    if header.kind == .leafTable {
      guard let leaf = leaf(number, page, header, tables, asked) else { return nil }
      leaves.append(leaf)
      return leaf
    }
    if header.kind == .interiorTable, isSound {
      for child in header.children(in: page, below: Int64.min...Int64.max, geometry) { parents[child.page] = number }
    }
    return nil
  }

  private func leaf(
    _ number: UInt32, _ page: UnsafeRawBufferPointer, _ header: BTreePage, _ tables: [SalvageTable],
    _ asked: AskedTemplates
  ) -> Found? {
    let cells = LeafCells(page, header, geometry)
    guard let keys = cells.keys, let median = cells.median else { return nil }
    let sample = cells.sample
    let fits = tables.indices.compactMap { table -> (table: Int, rows: Int)? in
      let rows = sample.count { asked[table].fits($0, in: page) }
      return rows > 0 ? (table, rows) : nil
    }
    return Found(
      page: number, keys: keys, median: median, isDamaged: !cells.isSound, rows: sample.count, fits: fits)
  }
}

extension [SalvageTable] {
  /// The tables that rows can be of, of which so many fit which tables: one in ten may be damaged, and rows say by their entity's
  /// number which table is theirs.
  ///
  /// - Parameter isWanting: whether a table misses the keys of the rows; where some do, it is one of these.
  func candidates(
    fits: some Sequence<(table: Int, rows: Int)>, rows: Int, where isWanting: (Int) -> Bool = { _ in true }
  ) -> [Int] {
    let fitting = fits.filter { $0.rows * 10 >= rows * 9 }.map(\.table).sorted()
    let wanting = fitting.filter(isWanting)
    let candidates = wanting.isEmpty ? fitting : wanting
    let certain = candidates.filter { self[$0].template.coreData != nil }
    return certain.isEmpty ? candidates : certain
  }
}

extension AskedTemplate {
  /// Whether a cell has a record that can be a row of the table.
  func fits(_ cell: Cell, in page: UnsafeRawBufferPointer) -> Bool {
    var record = Record()
    return record.read(page, at: cell.payloadStart) && record.size == cell.payloadSize && admits(record)
      && agrees(record, in: page, at: cell.payloadStart)
  }
}

extension BTreePage {
  /// The pages below an interior page of a table, with the keys that their rows can have.
  func children(
    in page: UnsafeRawBufferPointer, below bounds: ClosedRange<Int64>, _ geometry: PageGeometry
  ) -> [(page: UInt32, keys: ClosedRange<Int64>)] {
    var children: [(page: UInt32, keys: ClosedRange<Int64>)] = []
    var lower = bounds.lowerBound
    for index in 0..<cellCount {
      guard let offset = cellOffset(index, in: page, usableSize: geometry.usableSize),
        let cell = Cell(page, at: offset, kind: kind, geometry: geometry), let child = cell.child,
        let key = cell.rowID, key >= lower
      else { continue }
      children.append((child, lower...key))
      guard key < .max else { return children }
      lower = key + 1
    }
    children.append((rightChild, lower...max(lower, bounds.upperBound)))
    return children
  }
}
