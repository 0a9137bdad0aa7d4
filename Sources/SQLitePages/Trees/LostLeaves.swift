import StoreSQLite

extension PageView {
  /// Leaves of tables, with rows, to which no tree leads and which are not in the list of free pages: a sound database has
  /// none. Where a page was put in another's place, they are what that one led to.
  ///
  /// Leaves that trees lead to are not read: all children of a page are leaves where one is. Of the other pages one byte is
  /// read, which in an overflow page is the highest of a page's number, and so never the kind of a leaf.
  ///
  /// - Parameters:
  ///   - roots: the roots of all trees.
  ///   - limit: how many are looked for.
  /// - Throws: `FileError`.
  package func lostLeaves(besides roots: some Sequence<UInt32>, limit: Int) throws(FileError) -> [[UInt8]] {
    guard pageCount >= 2, pageCount < UInt32(BTreePage.Kind.leafTable.rawValue) << 24 else { return [] }
    var owned = PageSet(upTo: pageCount)
    for root in roots { try own(root, in: &owned) }
    let free = try Freelist(self).pages
    var lost: [[UInt8]] = []
    for number in 2...pageCount where !owned.contains(number) && !free.contains(number) && isOfTrees(number) {
      guard let origin = origin(of: number),
        try files.source(origin.file)?.read(at: origin.offset, count: 1).first == BTreePage.Kind.leafTable.rawValue,
        let page = try page(number), hasRows(page)
      else { continue }
      lost.append(page)
      if lost.count >= limit { break }
    }
    return lost
  }

  private func isOfTrees(_ number: UInt32) -> Bool {
    number != files.geometry.lockPage && !(files.header.hasPointerMap && files.geometry.isPointerMap(number))
  }

  private func hasRows(_ page: [UInt8]) -> Bool {
    page.withUnsafeBytes { bytes in
      guard let header = BTreePage(bytes, isFirst: false, usableSize: files.geometry.usableSize) else { return false }
      return header.kind == .leafTable && header.cellCount > 0
        && header.flaw(in: bytes, geometry: files.geometry) == nil
    }
  }

  private func own(_ root: UInt32, in owned: inout PageSet) throws(FileError) {
    var waiting = [root]
    while let number = waiting.popLast() {
      guard owned.insert(number) else { continue }
      let children = try children(of: number)
      guard let first = children.first, let head = try page(first) else { continue }
      let areLeaves = head.withUnsafeBytes { BTreePage.kind(of: $0, isFirst: false)?.isLeaf ?? true }
      if areLeaves { for child in children { owned.insert(child) } } else { waiting += children }
    }
  }

  private func children(of number: UInt32) throws(FileError) -> [UInt32] {
    guard let bytes = try page(number) else { return [] }
    let usable = files.geometry.usableSize
    return bytes.withUnsafeBytes { page in
      guard let header = BTreePage(page, isFirst: number == 1, usableSize: usable), !header.kind.isLeaf else {
        return []
      }
      let left = (0..<header.cellCount).compactMap { index in
        header.cellOffset(index, in: page, usableSize: usable).flatMap { page.word(at: $0) }
      }
      return left + [header.rightChild]
    }
  }
}
