/// Values in a row, in eight bytes each as long as all of them are integers.
///
/// Most of what a plan holds are keys, and it may hold millions.
public struct SQLiteValues: RandomAccessCollection, Equatable, Sendable, ExpressibleByArrayLiteral {
  private var storage = Storage.integers([])

  private enum Storage: Sendable {
    case integers([Int64])
    case any([SQLiteValue])
  }

  /// No values.
  public init() {}

  /// These values.
  public init(arrayLiteral values: SQLiteValue...) { for value in values { append(value) } }

  /// 0.
  public var startIndex: Int { 0 }

  /// How many there are.
  public var endIndex: Int {
    switch storage {
    case .integers(let integers): integers.count
    case .any(let values): values.count
    }
  }

  /// The value at a place.
  public subscript(position: Int) -> SQLiteValue {
    switch storage {
    case .integers(let integers): .integer(integers[position])
    case .any(let values): values[position]
    }
  }

  /// Makes room for so many values.
  public mutating func reserveCapacity(_ count: Int) {
    switch storage {
    case .integers(var integers):
      storage = .integers([])
      integers.reserveCapacity(count)
      storage = .integers(integers)
    case .any(var values):
      storage = .any([])
      values.reserveCapacity(count)
      storage = .any(values)
    }
  }

  /// Adds a value.
  public mutating func append(_ value: SQLiteValue) {
    switch (storage, value) {
    case (.integers(var integers), .integer(let integer)):
      // Not held twice, or each addition would copy them all.
      storage = .integers([])
      integers.append(integer)
      storage = .integers(integers)
    case (.integers(let integers), _):
      storage = .any(integers.map(SQLiteValue.integer) + [value])
    case (.any(var values), _):
      storage = .any([])
      values.append(value)
      storage = .any(values)
    }
  }

  /// Adds values.
  public static func += (left: inout Self, right: some Sequence<SQLiteValue>) {
    for value in right { left.append(value) }
  }

  /// Whether the values are the same, however they are held.
  public static func == (left: Self, right: Self) -> Bool {
    if case .integers(let own) = left.storage, case .integers(let others) = right.storage { return own == others }
    return left.elementsEqual(right)
  }
}
