import StoreDigests

/// Exchanges numbers one for one: sign and magnitude (the highest bit) stay, whole numbers stay whole, equal ones equal.
struct NumberMapping: Sendable {
  let key: MappingKey

  /// The most exchanges until a number is found that the caller takes.
  private static let mostSteps = 20_000

  /// The number in the place of an integer; nil where none was found that `isLike` takes.
  ///
  /// - Parameter isLike: whether a number is as the first one in what has to stay, such as a bound that it breaks.
  func integer(_ value: Int64, where isLike: (Int64) -> Bool = { _ in true }) -> Int64? {
    guard value.magnitude > 1, value != .min else { return value }
    var number = value
    // The exchange of a set with itself, walked until it comes back into the set, is one of the smaller set too.
    for _ in 0..<Self.mostSteps {
      number = step(number)
      if isLike(number) { return number }
    }
    return nil
  }

  private func step(_ value: Int64) -> Int64 {
    let magnitude = value.magnitude
    let bits = 63 - magnitude.leadingZeroBitCount
    let top: UInt64 = 1 << UInt64(bits)
    var low = magnitude ^ top
    // -32,768 is in the range of its type, and no other negative number of its magnitude is.
    guard value > 0 || low != 0 else { return value }
    repeat { low = permuted(low, bits: bits, purpose: 1) } while value < 0 && low == 0
    let result = Int64(truncatingIfNeeded: top | low)
    return value < 0 ? 0 &- result : result
  }

  /// The number in the place of a real number; nil where none was found.
  func real(_ value: Double, where isLike: (Double) -> Bool = { _ in true }) -> Double? {
    guard value.isFinite, value != 0 else { return value }
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
      return integer(whole, where: { isLike(Double($0)) }).map(Double.init)
    }
    let isSingle = value.significandBitPattern & Self.lowBits == 0
    var pattern = value.significandBitPattern
    for _ in 0..<Self.mostSteps {
      pattern =
        isSingle
        ? permuted(pattern >> 29, bits: 23, purpose: 3) << 29 : permuted(pattern, bits: 52, purpose: 2)
      let number = Double(
        sign: value.sign, exponentBitPattern: value.exponentBitPattern, significandBitPattern: pattern)
      let isWhole = Int64(exactly: number).map { $0.magnitude < 1 << 53 } ?? false
      let staysSingle = (number.significandBitPattern & Self.lowBits == 0) == isSingle
      if !isWhole, number != 0, staysSingle, isLike(number) { return number }
    }
    return nil
  }

  /// Zero in what was a number of 32 bits.
  private static let lowBits: UInt64 = 1 << 29 - 1

  /// Exchanges the numbers of so many bits one for one: a Feistel network of two halves, walked where it is too wide.
  private func permuted(_ value: UInt64, bits: Int, purpose: UInt64) -> UInt64 {
    guard bits > 0 else { return value }
    let half = UInt64((bits + 1) / 2)
    let mask: UInt64 = 1 << half - 1
    let limit: UInt64 = 1 << UInt64(bits)
    var number = value
    repeat {
      var (left, right) = (number >> half, number & mask)
      for turn in 0..<6 as Range<UInt64> {
        var hash = KeyedHash(key, 0x6e75_6d00 | purpose)
        hash.combine(UInt64(bits) << 8 | turn)
        hash.combine(right)
        (left, right) = (right, (left ^ hash.finish()) & mask)
      }
      number = left << half | right
    } while number >= limit
    return number
  }
}

extension Double {
  fileprivate init(sign: FloatingPointSign, exponentBitPattern: UInt, significandBitPattern: UInt64) {
    self.init(
      bitPattern: (sign == .minus ? 1 << 63 : 0) | UInt64(exponentBitPattern) << 52 | significandBitPattern)
  }
}

/// Moves all dates of a store by the same number of whole days, so that intervals and times of day stay.
struct DateMapping: Sendable {
  /// Seconds by which dates move: one to eight years back.
  let shift: Int64

  init(_ key: MappingKey) {
    var hash = KeyedHash(key, 0x6461_7465)
    hash.combine(0)
    var stream = SplitMix64(seed: hash.finish())
    shift = -Int64(365 + stream.next(below: 7 * 365)) * 86_400
  }

  /// `Date.distantPast` and `Date.distantFuture`, which stand for "never".
  static let never: Set<Double> = [-63_114_076_800, 63_113_904_000]

  func moved(_ value: Double) -> Double { Self.never.contains(value) ? value : Self.moved(value, by: shift) }

  /// A date so many seconds later. One that is no whole second stays none, also where the sum has no room for what is behind the
  /// point: SQLite would store it as an integer, which is another kind of value.
  static func moved(_ value: Double, by seconds: Int64) -> Double {
    let sum = value + Double(seconds)
    guard !isWhole(value), isWhole(sum) else { return sum }
    let next = value < sum - Double(seconds) ? sum.nextDown : sum.nextUp
    // Beyond 2^52 every number is whole: there is room the other way.
    return isWhole(next) ? value - Double(seconds) : next
  }

  private static func isWhole(_ value: Double) -> Bool { value.rounded(.down) == value }

  func moved(_ value: Int64) -> Int64 {
    let sum = value.addingReportingOverflow(shift)
    return Self.never.contains(Double(value)) || sum.overflow ? value : sum.partialValue
  }
}
