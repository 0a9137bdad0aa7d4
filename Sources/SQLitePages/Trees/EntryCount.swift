import StoreSQLite

extension PageView {
  /// The number of entries of an index, by the headers of its pages.
  ///
  /// - Returns: nil where a page is damaged, or met twice.
  package func entryCount(ofIndexAt root: UInt32) throws -> Int64? {
    let usable = files.geometry.usableSize
    var pages = PageSet(upTo: pageCount)
    var waiting = [root]
    var count: Int64 = 0
    while let number = waiting.popLast() {
      guard let origin = origin(of: number), pages.insert(number) else { return nil }
      let isSound = try files.bytes(at: origin).withUnsafeBytes { page in
        guard let header = BTreePage(page, isFirst: number == 1, usableSize: usable), !header.kind.isTable,
          number == root || header.cellCount > 0
        else { return false }
        count += Int64(header.cellCount)
        guard !header.kind.isLeaf else { return true }
        for index in 0..<header.cellCount {
          guard let child = header.cellOffset(index, in: page, usableSize: usable).flatMap({ page.word(at: $0) }) else {
            return false
          }
          waiting.append(child)
        }
        waiting.append(header.rightChild)
        return true
      }
      guard isSound else { return nil }
    }
    return count
  }
}
