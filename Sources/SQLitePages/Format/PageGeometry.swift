import StoreSQLite

/// How pages are divided: their size, and how much of a payload stays on a page.
package struct PageGeometry: Equatable, Sendable {
  /// Bytes of a page.
  package let pageSize: Int
  /// Bytes of a page without those reserved for extensions: `U` in the file format's formulas. At least 480.
  package let usableSize: Int

  /// The division that a header states.
  package init(_ header: DatabaseHeader) {
    pageSize = header.pageSize
    usableSize = header.pageSize - Int(header.reservedBytes)
  }

  /// Pages of `pageSize` bytes, of which nothing is reserved; for files whose header is lost.
  package init?(pageSize: Int) {
    guard isPageSize(pageSize) else { return nil }
    (self.pageSize, usableSize) = (pageSize, pageSize)
  }

  /// Pages of a log, divided as a header states that tells of pages of that size; without one nothing is reserved.
  init(ofLog pageSize: Int, _ header: DatabaseHeader?) {
    self.pageSize = pageSize
    usableSize = header.flatMap { $0.pageSize == pageSize ? PageGeometry($0).usableSize : nil } ?? pageSize
  }

  /// The bytes of a payload that are stored on its page; the rest is in overflow pages.
  ///
  /// "Let X be U-35 for table btree leaf pages or ((U-12)*64/255)-23 for index pages. Let M be ((U-12)*32/255)-23. Let K
  /// be M+((P-M)%(U-4)). If P<=X then all P bytes of payload are stored directly on the btree page without overflow. If
  /// P>X and K<=X then the first K bytes of P are stored on the btree page [...] If P>X and K>X then the first M bytes of
  /// P are stored on the btree page". https://www.sqlite.org/fileformat2.html#cell_payload
  package func localSize(of payload: Int, isTableLeaf: Bool) -> Int {
    let largest = isTableLeaf ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    guard payload > largest else { return payload }
    let smallest = (usableSize - 12) * 32 / 255 - 23
    let rest = smallest + (payload - smallest) % (usableSize - 4)
    return rest <= largest ? rest : smallest
  }

  /// The page that holds file locks and nothing else.
  package var lockPage: UInt32 { LockBytes.page(ofSize: pageSize) }

  /// Whether `page` holds a part of the pointer map, in a database with auto-vacuum.
  ///
  /// "The first ptrmap page (page 2) will contain back pointer information for pages 3 through J+2, inclusive", J being
  /// U/5; the next is page J+3. A map page that would be the lock page comes one later.
  package func isPointerMap(_ page: UInt32) -> Bool { page >= 2 && pointerMapPage(for: page) == page }

  /// The pages of the pointer map in a database of so many pages, in order.
  package func pointerMapPages(upTo last: UInt32) -> some Sequence<UInt32> {
    stride(from: Int64(2), through: Int64(last), by: Int(pagesOfMap)).lazy
      .map { pointerMapPage(for: UInt32($0)) }
      .filter { $0 <= last }
  }

  /// A page of the map, and those that it has entries of.
  private var pagesOfMap: UInt32 { UInt32(usableSize / 5) + 1 }

  /// The page of the pointer map that has the entry of `page`; 0 for page 1.
  package func pointerMapPage(for page: UInt32) -> UInt32 {
    guard page >= 2 else { return 0 }
    let map = (page - 2) / pagesOfMap * pagesOfMap + 2
    return map == lockPage ? map + 1 : map
  }
}
