import SQLitePages
import StoreSQLite

// What the pages of a copy say of a place
// ---------------------------------------
//
//   page of a tree   header | cell pointers | left over | cell | cell | ...
//   cell             child, length, key | types of the values | value | value | ... | number of an overflow page
//   overflow page    number of the next one | the next bytes of values | left over
//
// A run that lies in one text or in one data value is a part of it. One that lies in a number, or that needs a byte of what stands
// between two values, is chance: there is no value that has it. What no tree claims is taken for a value's, since nothing says
// otherwise.

/// Where runs lie in the pages of a database.
struct PagePlaces {
  /// What stands where a run is; the later counts where a run is at several places, or two cells claim one.
  enum Place: Int, Comparable {
    /// Across values, or what separates them: lengths, keys, types, the heads of pages and cells.
    case across
    /// Within one number of a row.
    case number
    /// Within one text or data value, or where no tree has anything.
    case value

    static func < (first: Place, second: Place) -> Bool { first.rawValue < second.rawValue }
  }

  /// The place of each run.
  private(set) var places: [UInt64: Place] = [:]

  private let found: FoundRuns
  private let view: PageView
  private let geometry: PageGeometry
  /// For pages with bytes of a run, which these are.
  private var byPage: [UInt32: [Int]] = [:]
  /// What was learned of each; nil where nothing claims a byte of it.
  private var claims: [Place?]
  private var record = Record()

  /// Looks the runs up in the trees of a database.
  ///
  /// - Parameter roots: the root pages of its tables and indexes, besides that of the schema.
  init(_ found: FoundRuns, in path: PosixPath, roots: some Sequence<UInt32>) throws {
    self.found = found
    view = PageView(try PageFiles(main: EvidenceFile(path)))
    geometry = view.files.geometry
    claims = Array(repeating: nil, count: found.occurrences.count)
    for (index, occurrence) in found.occurrences.enumerated() {
      let first = page(of: occurrence.bytes.lowerBound)
      let last = page(of: occurrence.bytes.upperBound - 1)
      for page in Set([first, last]) { byPage[page, default: []].append(index) }
    }
    if view.files.header.hasPointerMap {
      for page in byPage.keys where geometry.isPointerMap(page) { claim(0..<geometry.pageSize, of: page) }
    }
    // Most are on leaves. Overflow pages are claimed by what may be on any other.
    for root in [1] + roots { try look(atTree: root, leaves: { [byPage] in byPage[$0] != nil }) }
    if claims.contains(nil) { for root in [1] + roots { try look(atTree: root, leaves: nil) } }
    for (index, occurrence) in found.occurrences.enumerated() {
      places[occurrence.run] = max(places[occurrence.run] ?? .across, claims[index] ?? .value)
    }
  }

  private func page(of offset: Int64) -> UInt32 { UInt32(clamping: offset / Int64(geometry.pageSize) + 1) }

  /// Where in a page an occurrence is; beyond its ends where another page has a part of it.
  private func bytes(_ index: Int, in page: UInt32) -> Range<Int> {
    let start = view.files.offset(ofMainPage: page)
    let bytes = found.occurrences[index].bytes
    return Int(bytes.lowerBound - start)..<Int(bytes.upperBound - start)
  }

  // MARK: Trees

  private mutating func look(atTree root: UInt32, leaves: ((UInt32) -> Bool)?) throws {
    var walk = BTreeWalk(view, root: root)
    walk.leaves = leaves
    try walk.run { page, bytes, header in
      guard byPage[page] != nil else { return }
      claim(0..<header.pointersEnd, of: page)
      // Of the interior of a table a walk gives no cells: they have keys alone.
      guard header.kind == .interiorTable else { return }
      for index in 0..<header.cellCount {
        guard let offset = header.cellOffset(index, in: bytes, usableSize: geometry.usableSize),
          let cell = Cell(bytes, at: offset, kind: header.kind, geometry: geometry)
        else { continue }
        claim(cell.start..<cell.end, of: page)
      }
    } entry: { entry in
      try look(at: entry)
      return true
    }
  }

  /// Claims what a cell has, on its page and on overflow pages.
  private mutating func look(at entry: BTreeWalk.Entry) throws {
    let cell = entry.cell
    if byPage[entry.page] != nil {
      claim(cell.start..<cell.end, of: entry.page)
      claim(payload: entry.payload, 0..<cell.localSize, at: cell.payloadStart, of: entry.page)
    }
    var chain = OverflowChain(cell, in: geometry)
    while let next = chain.next, let bytes = try view.page(next) {
      let first = cell.payloadSize - chain.left
      let count = bytes.withUnsafeBytes { chain.take($0).count }
      guard count > 0 else { break }
      guard byPage[next] != nil else { continue }
      claim(0..<OverflowChain.contentStart + count, of: next)
      claim(payload: entry.payload, first..<first + count, at: OverflowChain.contentStart, of: next)
    }
  }

  /// Claims the values of a payload of which a part begins at `start` of a page.
  private mutating func claim(payload: UnsafeRawBufferPointer, _ part: Range<Int>, at start: Int, of page: UInt32) {
    guard record.read(payload) else { return claim(start..<start + part.count, of: page, as: .value) }
    for field in record.fields {
      guard let size = field.type.size, size >= Runs.length else { continue }
      let own = (field.offset..<field.offset + size).clamped(to: part)
      let place = start - part.lowerBound
      if own.count >= Runs.length {
        claim(own.lowerBound + place..<own.upperBound + place, of: page, as: Self.place(in: field.type))
      }
    }
  }

  private static func place(in type: SerialType) -> Place {
    switch type.kind {
    case .null, .integer, .real: .number
    case .text, .blob: .value
    }
  }

  // MARK: Claims

  /// Claims bytes of a page, in which or across which a run may be, as none of a value.
  private mutating func claim(_ bytes: Range<Int>, of page: UInt32) {
    for index in byPage[page] ?? [] where self.bytes(index, in: page).overlaps(bytes) { add(.across, to: index) }
  }

  /// Claims bytes for the runs that lie in them as a whole.
  private mutating func claim(_ bytes: Range<Int>, of page: UInt32, as place: Place) {
    for index in byPage[page] ?? [] {
      let own = self.bytes(index, in: page)
      if bytes.lowerBound <= own.lowerBound, own.upperBound <= bytes.upperBound { add(place, to: index) }
    }
  }

  private mutating func add(_ place: Place, to index: Int) { claims[index] = max(claims[index] ?? place, place) }
}
