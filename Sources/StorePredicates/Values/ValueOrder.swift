import StoreText

/// How two values stand to each other.
enum ValueOrder: Sendable {
  case ascending, same, descending
  /// Neither is before the other: one of them is NULL, or no number.
  case none
  /// They cannot be compared: one is unknown or of another kind than its attribute.
  case unknown

  init<Value: Comparable>(_ left: Value, _ right: Value) {
    if left < right {
      self = .ascending
    } else if left == right {
      self = .same
    } else if left > right {
      self = .descending
    } else {
      self = .none
    }
  }

  /// From a negative number, 0 or a positive one.
  init(sign: Int) {
    if sign < 0 {
      self = .ascending
    } else {
      self = sign == 0 ? .same : .descending
    }
  }

  var reversed: ValueOrder {
    switch self {
    case .ascending: .descending
    case .descending: .ascending
    default: self
    }
  }

  /// The order of two values of one kind; numbers of any kind are compared exactly, and texts by their bytes.
  static func of(_ left: PredicateValue, _ right: PredicateValue) -> ValueOrder {
    switch (left, right) {
    case (.unknown, _), (_, .unknown): .unknown
    case (.null, .null): .same
    case (.null, _), (_, .null): .none
    case (.integer(let left), .integer(let right)): ValueOrder(left, right)
    case (.real(let left), .real(let right)): ValueOrder(left, right)
    case (.date(let left), .date(let right)): ValueOrder(left, right)
    case (.text(let left), .text(let right)), (.uri(let left), .uri(let right)): ofBytes(left, right)
    case (.uuid(let left), .uuid(let right)), (.data(let left), .data(let right)):
      left == right ? .same : ValueOrder(sign: left.lexicographicallyPrecedes(right) ? -1 : 1)
    case (.object(let left), .object(let right)): ValueOrder(left, right)
    default: ofNumbers(left, right)
    }
  }

  static func ofBytes(_ left: String, _ right: String) -> ValueOrder {
    // Swift's == holds canonical equivalents equal, Core Data's columns do not.
    withBytes(of: left) { left in
      withBytes(of: right) { right in
        for position in 0..<min(left.count, right.count) where left[position] != right[position] {
          return ValueOrder(left[position], right[position])
        }
        return ValueOrder(left.count, right.count)
      }
    }
  }

  private static func ofNumbers(_ left: PredicateValue, _ right: PredicateValue) -> ValueOrder {
    switch (left, right) {
    case (.boolean(let value), _): of(.integer(value ? 1 : 0), right)
    case (_, .boolean(let value)): of(left, .integer(value ? 1 : 0))
    case (.integer(let left), .real(let right)): of(left, right)
    case (.real(let left), .integer(let right)): of(right, left).reversed
    case (.decimal(let left), .decimal(let right)): ofDecimals(left, right)
    case (.decimal(let left), .integer(let right)): ofDecimals(left, String(right))
    case (.integer(let left), .decimal(let right)): ofDecimals(String(left), right)
    case (.decimal(let left), .real(let right)): Double(left).map { ValueOrder($0, right) } ?? .unknown
    case (.real(let left), .decimal(let right)): Double(right).map { ValueOrder(left, $0) } ?? .unknown
    default: .unknown
    }
  }

  /// Exact: a large integer is not rounded to the nearest Double first.
  private static func of(_ left: Int64, _ right: Double) -> ValueOrder {
    guard !right.isNaN else { return .none }
    guard let whole = Int64(exactly: right.rounded(.down)) else { return right > 0 ? .ascending : .descending }
    if left != whole { return ValueOrder(left, whole) }
    if right > right.rounded(.down) { return .ascending }
    return .same
  }

  private static func ofDecimals(_ left: String, _ right: String) -> ValueOrder {
    guard let left = DecimalNumber(left), let right = DecimalNumber(right) else { return .unknown }
    return left.order(relativeTo: right)
  }
}

/// A decimal number's sign, digits and place, read from its text.
struct DecimalNumber {
  private var isNegative = false
  /// Without zeros at either end; empty for zero.
  private var digits: [UInt8] = []
  /// The number is 0.digits times ten to this power.
  private var power = 0

  /// Nil if the text is no number.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest = rest.dropFirst()
    }
    let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let whole = rest.prefix(while: isDigit)
    rest = rest.dropFirst(whole.count)
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = rest.prefix(while: isDigit)
      rest = rest.dropFirst(fraction.count)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    var exponent = 0
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      let digits = String(decoding: rest.dropFirst(), as: UTF8.self)
      guard let value = Int(digits), abs(value) < 1_000_000 else { return nil }
      exponent = value
      rest = []
    }
    guard rest.isEmpty else { return nil }
    set(Array(whole), fraction: Array(fraction), exponent: exponent)
  }

  private mutating func set(_ whole: [UInt8], fraction: [UInt8], exponent: Int) {
    let zero = UInt8(ascii: "0")
    let all = whole + fraction
    let leading = all.prefix { $0 == zero }.count
    guard leading < all.count else {
      isNegative = false
      return
    }
    let trailing = all.reversed().prefix { $0 == zero }.count
    digits = Array(all[leading..<(all.count - trailing)])
    power = whole.count - leading + exponent
  }

  func order(relativeTo other: DecimalNumber) -> ValueOrder {
    let (sign, otherSign) = (signum, other.signum)
    guard sign == otherSign else { return ValueOrder(sign, otherSign) }
    let order: ValueOrder
    if power != other.power {
      order = ValueOrder(power, other.power)
    } else if digits == other.digits {
      order = .same
    } else {
      order = digits.lexicographicallyPrecedes(other.digits) ? .ascending : .descending
    }
    return isNegative ? order.reversed : order
  }

  private var signum: Int {
    if digits.isEmpty {
      0
    } else if isNegative {
      -1
    } else {
      1
    }
  }
}
