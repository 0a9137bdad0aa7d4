/// Counts stores by size, in powers of two.
package struct SizeHistogram: Sendable, Equatable {
  /// Indexed by the number of bits of the size: 0 for 0, 1 for 1, 2 for 2 and 3, and so on.
  private var stores = [Int64](repeating: 0, count: 64)
  /// The sum of all sizes.
  package private(set) var total: Int64 = 0
  /// The largest.
  package private(set) var largest: Int64 = 0
  /// The number of stores.
  package private(set) var count: Int64 = 0

  /// Nothing counted yet.
  package init() {}

  /// A class of sizes.
  package struct Class: Sendable, Equatable {
    /// The least size of the class.
    package var from: Int64
    /// The greatest.
    package var through: Int64
    /// How many stores have a size in between.
    package var stores: Int64
  }

  /// The classes from the smallest to the largest that is not empty.
  package var classes: [Class] {
    guard let first = stores.firstIndex(where: { $0 > 0 }), let last = stores.lastIndex(where: { $0 > 0 }) else {
      return []
    }
    return (first...last).map { bits in
      Class(
        from: bits == 0 ? 0 : 1 << (bits - 1), through: bits == 63 ? .max : (1 << bits) - 1, stores: stores[bits])
    }
  }
}

extension SizeHistogram: Countable {
  mutating func add(size: Int64) {
    let size = max(size, 0)
    stores[64 - size.leadingZeroBitCount].count(1)
    total.count(size)
    largest = max(largest, size)
    count.count(1)
  }

  mutating func add(_ other: Self) {
    for bits in stores.indices { stores[bits].count(other.stores[bits]) }
    total.count(other.total)
    largest = max(largest, other.largest)
    count.count(other.count)
  }
}

/// A distribution of numbers of rows in little memory: exact up to 7, then four classes for each power of two, so that
/// a median is off by an eighth at most.
struct RowSketch: Countable {
  private var stores: [Int64] = []
  private(set) var total: Int64 = 0
  private(set) var most: Int64 = 0
  private var least = Int64.max
  private(set) var count: Int64 = 0

  mutating func add(rows: Int64) {
    least = min(least, max(rows, 0))
    let place = Self.place(of: max(rows, 0))
    extend(to: place + 1)
    stores[place].count(1)
    total.count(max(rows, 0))
    most = max(most, rows)
    count.count(1)
  }

  mutating func add(_ other: Self) {
    extend(to: other.stores.count)
    for place in other.stores.indices { stores[place].count(other.stores[place]) }
    total.count(other.total)
    most = max(most, other.most)
    least = min(least, other.least)
    count.count(other.count)
  }

  /// The median: the middle of its class.
  var median: Int64 {
    var below: Int64 = 0
    for (place, number) in stores.enumerated() {
      below.count(number)
      if below >= count - below { return min(max(Self.middle(of: place), least), most) }
    }
    return 0
  }

  private mutating func extend(to length: Int) {
    if stores.count < length { stores += [Int64](repeating: 0, count: length - stores.count) }
  }

  /// 0...7 have one class each; then 8 and 9, 10 and 11, 12 and 13, 14 and 15, 16...19, and so on.
  private static func place(of rows: Int64) -> Int {
    guard rows >= 8 else { return Int(rows) }
    let power = 63 - rows.leadingZeroBitCount
    return 8 + (power - 3) * 4 + Int(rows >> (power - 2) & 3)
  }

  private static func middle(of place: Int) -> Int64 {
    guard place >= 8 else { return Int64(place) }
    let power = (place - 8) / 4 + 3
    let from = Int64(4 + (place - 8) % 4) << (power - 2)
    return from + (Int64(1) << (power - 2) - 1) / 2
  }
}
