/// What was freed in the newest state of a database, and how much of it still has content.
///
/// Whether freed space is wiped differs by app and by store (`forensics.md`, fact 1), so it is measured in each.
package struct FreedSpace: Sendable, Equatable {
  /// Freed blocks within pages of tables.
  package private(set) var blocks: Int64 = 0
  /// Those in which a byte behind the block's own head of four is not zero.
  package private(set) var blocksWithContent: Int64 = 0
  /// Free pages, without those that list others.
  package private(set) var pages: Int64 = 0
  /// Those in which a byte is not zero.
  package private(set) var pagesWithContent: Int64 = 0

  /// Nothing freed.
  package init() {}

  /// Whether there is anything to measure.
  package var isKnown: Bool { blocks + pages > 0 }

  mutating func add(_ freeblocks: [Range<Int>], in page: UnsafeRawBufferPointer) {
    // A block of four bytes is its head alone.
    for block in freeblocks where block.count > 4 && block.upperBound <= page.count {
      blocks += 1
      if Self.hasContent(page, in: block.lowerBound + 4..<block.upperBound) { blocksWithContent += 1 }
    }
  }

  mutating func add(_ other: FreedSpace) {
    blocks += other.blocks
    blocksWithContent += other.blocksWithContent
    pages += other.pages
    pagesWithContent += other.pagesWithContent
  }

  mutating func add(freePage page: UnsafeRawBufferPointer) {
    pages += 1
    if Self.hasContent(page, in: 0..<page.count) { pagesWithContent += 1 }
  }

  private static func hasContent(_ page: UnsafeRawBufferPointer, in range: Range<Int>) -> Bool {
    page[range].contains { $0 != 0 }
  }
}
