import StoreSQLite

extension BTreeWalk {
  /// A part of a tree, to be gone through by itself. All parts, one behind the other, are the tree.
  ///
  /// A page that is not a leaf has steps: child 0, cell 0, child 1, cell 1 ... right child. A part has some of the root's,
  /// or some of those of one page below it:
  ///
  ///     steps of the root   steps of the page below
  ///     0                   0..<360
  ///     0 and 1             360...
  ///     2                   0..<300
  package struct Part: Equatable, Sendable {
    let root: Range<Int>
    /// Those of the page to which the first step of the root leads; nil for all.
    var child: Range<Int>?
  }

  /// The parts of a tree, of about the same size; none where it is small, or its upper pages are damaged.
  package static func parts(_ view: PageView, root: UInt32, isTable: Bool?) throws -> [Part] {
    guard let top = try InnerPage(root, view), isTable == nil || isTable == top.isTable, let first = top.children.first
    else { return [] }
    let below = try InnerPage(first, view)
    if below == nil || top.children.count >= mostParts {
      let parts = pieces(of: top.children.count, each: below == nil ? fewestLeaves : 1).map { Part(root: steps($0)) }
      return parts.count > 1 ? parts : []
    }
    let counts = try top.children.map { try InnerPage($0, view)?.children.count ?? 1 }
    let total = counts.reduce(0, +)
    let areLeaves = try below?.children.first.map { try InnerPage($0, view) == nil } ?? true
    let size = max(areLeaves ? fewestLeaves : 1, total / mostParts)
    guard total >= 2 * size else { return [] }
    return counts.enumerated().flatMap { child, count in
      let pieces = pieces(of: count, each: size)
      return pieces.map { piece in
        var ofRoot = steps(child..<child + 1)
        // The cell behind the child is the last part's.
        if piece.upperBound < count { ofRoot = ofRoot.dropLast() }
        return Part(root: ofRoot, child: pieces.count > 1 ? steps(piece) : nil)
      }
    }
  }

  private static let mostParts = 64
  /// A part that is smaller takes more time to begin than it saves.
  private static let fewestLeaves = 64

  /// A number of children in pieces of at least so many, of which there are not more than the most parts.
  private static func pieces(of count: Int, each size: Int) -> [Range<Int>] {
    let number = max(1, min(mostParts, count / max(1, size)))
    return (0..<number).map { count * $0 / number..<count * ($0 + 1) / number }
  }

  /// The steps to some children, each with that to the cell behind it.
  private static func steps(_ children: Range<Int>) -> Range<Int> { 2 * children.lowerBound..<2 * children.upperBound }
}

/// The children of a page that is not a leaf.
private struct InnerPage {
  let isTable: Bool
  let children: [UInt32]

  /// Reads page `number`; nil where it is a leaf, or no page of a tree, or a child is not there.
  init?(_ number: UInt32, _ view: PageView) throws {
    let usable = view.files.geometry.usableSize
    guard let bytes = try view.page(number) else { return nil }
    let read = bytes.withUnsafeBytes { page -> (isTable: Bool, children: [UInt32?])? in
      guard let header = BTreePage(page, isFirst: number == 1, usableSize: usable), !header.kind.isLeaf else {
        return nil
      }
      let children = (0..<header.cellCount).map { index in
        header.cellOffset(index, in: page, usableSize: usable).flatMap { page.word(at: $0) }
      }
      return (header.kind.isTable, children + [header.rightChild])
    }
    guard let read, !read.children.contains(nil) else { return nil }
    isTable = read.isTable
    children = read.children.compactMap(\.self)
  }
}
