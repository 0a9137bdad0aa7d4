/// The place of each key in a list. Keys of a table are dense as a rule, and then a look-up is an array's.
struct KeyIndex {
  private var base: Int64 = 0
  private var dense: [Int32] = []
  private var sparse: [Int64: Int32] = [:]

  /// - Parameter keys: ascending, but in a damaged table; of equal ones the first counts.
  init(_ keys: [Int64]) {
    guard let first = keys.min(), let last = keys.max() else { return }
    let (span, overflows) = last.subtractingReportingOverflow(first)
    if !overflows, span < Int64(keys.count) * 4 + 1_024 {
      base = first
      dense = [Int32](repeating: -1, count: Int(span) + 1)
      for (place, key) in keys.enumerated() where dense[Int(key - first)] < 0 {
        dense[Int(key - first)] = Int32(truncatingIfNeeded: place)
      }
    } else {
      sparse.reserveCapacity(keys.count)
      for (place, key) in keys.enumerated() where sparse[key] == nil { sparse[key] = Int32(truncatingIfNeeded: place) }
    }
  }

  /// The place of a key; nil where it is not in the list.
  @inline(__always)
  subscript(key: Int64) -> Int? {
    if dense.isEmpty { return sparse[key].map(Int.init) }
    let (offset, overflows) = key.subtractingReportingOverflow(base)
    guard !overflows, offset >= 0, offset < dense.count else { return nil }
    let place = dense[Int(offset)]
    return place < 0 ? nil : Int(place)
  }
}
