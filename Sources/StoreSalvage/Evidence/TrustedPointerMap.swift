import SQLitePages
import StoreSQLite

/// The pointer map, as far as it is one: of a page of it that was wiped or overwritten nothing is believed, or chance would
/// contradict what is true.
struct TrustedPointerMap {
  private let view: PageView
  /// The pages of the map that are one, one in hundreds of the file: kept, since they lie far from each other.
  private var pages: [UInt32: [UInt8]] = [:]

  /// - Throws: `FileError`.
  init(_ view: PageView) throws(FileError) {
    self.view = view
    let geometry = view.files.geometry
    guard view.files.header.hasPointerMap else { return }
    for number in geometry.pointerMapPages(upTo: view.pageCount) {
      guard let page = try view.pageAlone(number) else { continue }
      if Self.isMap(page, number, last: view.pageCount, geometry) != false { pages[number] = page }
    }
  }

  /// The entry of page `number`; nil without a map there, or where its type is unknown.
  func entry(_ number: UInt32) -> PointerMapEntry? {
    let geometry = view.files.geometry
    return pages[geometry.pointerMapPage(for: number)]?
      .withUnsafeBytes { PointerMapEntry(of: number, in: $0, geometry) }
  }

  /// Whether nearly all entries of pages that exist have a kind, and a parent that exists; nil for a page of zeros, which says
  /// nothing.
  static func isMap(_ page: [UInt8], _ map: UInt32, last: UInt32, _ geometry: PageGeometry) -> Bool? {
    if page.allSatisfy({ $0 == 0 }) { return nil }
    let entries = max(0, min(geometry.usableSize / 5, Int(last) - Int(map)))
    let good = (0..<entries).count { index in
      let entry = page.withUnsafeBytes { PointerMapEntry(of: map + 1 + UInt32(index), in: $0, geometry) }
      return entry.map { $0.parent <= last && ($0.parent == 0) == ($0.kind == .root || $0.kind == .free) } ?? false
    }
    return good * 10 >= entries * 9
  }
}
