/// Maps page numbers to the position of each page's latest copy, in two compact sorted arrays.
package struct PageMap: Equatable, Sendable {
  /// The page numbers, ascending, each once.
  package private(set) var pages: [UInt32] = []
  /// The position of each page's copy: the index of a WAL frame, or a byte offset in a journal.
  package private(set) var positions: [Int64] = []

  /// The number of pages.
  package var count: Int { pages.count }

  /// The position of a page's latest copy, nil when there is none.
  package func position(of page: UInt32) -> Int64? {
    var (low, high) = (0, pages.count)
    while low < high {
      let middle = low + (high - low) / 2
      if pages[middle] < page { low = middle + 1 } else { high = middle }
    }
    return low < pages.count && pages[low] == page ? positions[low] : nil
  }

  /// Collects pages in the order they were written; a later copy replaces an earlier one.
  struct Builder {
    private var entries: [Entry] = []
    private var committed = 0
    private var compactAt = 1 << 16

    /// Adds a copy of `page`, which takes effect with the next `commit`.
    mutating func add(_ page: UInt32, at position: Int64) {
      entries.append(Entry(page: page, position: position))
    }

    /// Makes all copies added so far take effect.
    mutating func commit() {
      committed = entries.count
      // A long WAL writes the same pages again and again; compacting keeps memory proportional to the number of pages.
      if committed >= compactAt {
        compact()
        compactAt = max(1 << 16, committed * 2)
      }
    }

    /// The committed pages up to number `last`.
    consuming func build(upTo last: UInt32 = .max) -> PageMap {
      entries.removeSubrange(committed...)
      compact()
      var map = PageMap()
      let kept = entries.prefix { $0.page <= last }
      map.pages = kept.map(\.page)
      map.positions = kept.map(\.position)
      return map
    }

    /// Keeps only the latest copy of each page. To be called only when everything is committed.
    private mutating func compact() {
      entries.sort { ($0.page, $0.position) < ($1.page, $1.position) }
      var kept = 0
      for entry in entries {
        if kept > 0, entries[kept - 1].page == entry.page { kept -= 1 }
        entries[kept] = entry
        kept += 1
      }
      entries.removeSubrange(kept...)
      committed = kept
    }

    private struct Entry {
      var page: UInt32
      var position: Int64
    }
  }
}
