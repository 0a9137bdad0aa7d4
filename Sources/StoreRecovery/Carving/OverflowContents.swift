import SQLitePages

/// A version of an overflow page, and a row that has it.
typealias OverflowClaim = (page: UInt64, row: Int32)

/// Which bytes of overflow pages are values of which rows.
struct OverflowContents {
  private let claims: [OverflowClaim]
  private let search: PageRecovery
  private var layouts: [Int32: Layout] = [:]

  /// Where a row's record lies.
  private struct Layout {
    /// For each page the first byte of the record that it has, and its place.
    var pages: [UInt64: (first: Int, place: PlaceRef)] = [:]
    /// The texts and data of the record.
    var values: [Range<Int>] = []
  }

  /// - Parameter claims: by page.
  init(_ claims: [OverflowClaim], _ search: PageRecovery) { (self.claims, self.search) = (claims, search) }

  /// The version of a page that a place is on.
  static func page(of place: PlaceRef) -> UInt64 {
    let file: UInt64 =
      switch place.source {
      case .main: 0
      case .wal: 1
      case .journal: 2
      }
    return file << 32 | UInt64(place.version)
  }

  /// Whether a place is on an overflow page of a row.
  func mayHave(_ place: PlaceRef) -> Bool { claim(on: Self.page(of: place)) != nil }

  /// The first row that has a page.
  private func claim(on page: UInt64) -> Int32? {
    var (low, high) = (0, claims.count)
    while low < high {
      let middle = (low + high) / 2
      if claims[middle].page < page { low = middle + 1 } else { high = middle }
    }
    return low < claims.count && claims[low].page == page ? claims[low].row : nil
  }

  /// Whether all bytes of a place are those of one value of another row.
  mutating func has(_ place: PlaceRef, besides row: Int) throws -> Bool {
    let page = Self.page(of: place)
    guard let owner = claim(on: page), owner != row else { return false }
    let layout = try layouts[owner] ?? layout(of: owner)
    layouts[owner] = layout
    guard let part = layout.pages[page] else { return false }
    let offset = Int(place.start(in: search.files) - part.place.start(in: search.files)) - OverflowChain.contentStart
    guard offset >= 0, offset + place.count <= part.place.count - OverflowChain.contentStart else { return false }
    let bytes = part.first + offset..<part.first + offset + place.count
    return layout.values.contains { $0.lowerBound <= bytes.lowerBound && bytes.upperBound <= $0.upperBound }
  }

  private func layout(of row: Int32) throws -> Layout {
    let candidate = search.found[Int(row)]
    var layout = Layout()
    var first = candidate.localSize
    for place in search.extra(of: candidate)?.otherPlaces ?? [] {
      guard place.how == .overflow else { break }
      layout.pages[Self.page(of: place)] = (first, place)
      first += place.count - OverflowChain.contentStart
    }
    layout.values =
      try search.read(candidate) { record, _ in
        record.fields.compactMap { field in
          guard [.text, .blob].contains(field.type.kind), let size = field.type.size else { return nil }
          return field.offset..<field.offset + size
        }
      } ?? []
    return layout
  }
}

extension Candidate {
  /// Bytes of the record on its own page, for one that goes on in overflow pages.
  var localSize: Int { place.count - Int(recordOffset) - OverflowChain.contentStart }
}
