import StorePlatform

/// Memory of zeros for one large table. The system gives it piece by piece, when a thread first touches it, in large pages where it
/// has them: of small ones each place that is looked up at random takes a look into the system's own tables first.
package final class ZeroedMemory: @unchecked Sendable {
  /// Where it begins; it lives as long as this object.
  package let base: UnsafeMutableRawPointer
  /// How many bytes it has.
  package let count: Int
  /// What the system gave; nil where it is of the usual memory.
  private let mapped: UnsafeMutableRawBufferPointer?

  private static let largePage = 2 << 20

  /// - Parameter count: how many bytes; from 1 on.
  package init(count: Int) {
    self.count = count
    let size = count + Self.largePage
    if count >= Self.largePage,
      let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), start != MAP_FAILED
    {
      mapped = UnsafeMutableRawBufferPointer(start: start, count: size)
      base = start + (Self.largePage - Int(bitPattern: start) % Self.largePage) % Self.largePage
      if let advice = Platform.adviceForLargePages { madvise(base, count, advice) }
    } else {
      mapped = nil
      base = .allocate(byteCount: count, alignment: 64)
      base.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }
  }

  deinit {
    if let mapped { munmap(mapped.baseAddress, mapped.count) } else { base.deallocate() }
  }

  /// Gives the memory from a place on back to the system, all of it unless one is given. Its contents are zeros from then on, or
  /// what they were: nobody may read them.
  package func giveBack(from start: Int = 0) {
    // Whole pages alone can be given back.
    let first = (start + Self.largePage - 1) / Self.largePage * Self.largePage
    if mapped != nil, first < count { madvise(base + first, count - first, MADV_DONTNEED) }
  }
}
