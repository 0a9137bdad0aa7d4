/// A list of values, in eight bytes each as long as all are integers.
///
/// A plan may hold millions of values, most of which are keys.
package struct SQLiteValues: RandomAccessCollection, Equatable, Sendable, ExpressibleByArrayLiteral {
  private var storage = Storage.integers([])

  private enum Storage: Sendable {
    case integers([Int64])
    case any([SQLiteValue])
  }

  /// No values.
  package init() {}

  /// These values.
  package init(arrayLiteral values: SQLiteValue...) { for value in values { append(value) } }

  /// 0.
  package var startIndex: Int { 0 }

  /// The number of values.
  package var endIndex: Int {
    switch storage {
    case .integers(let integers): integers.count
    case .any(let values): values.count
    }
  }

  /// The value at an index.
  package subscript(position: Int) -> SQLiteValue {
    switch storage {
    case .integers(let integers): .integer(integers[position])
    case .any(let values): values[position]
    }
  }

  /// Makes room for this many values.
  package mutating func reserveCapacity(_ count: Int) {
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
  package mutating func append(_ value: SQLiteValue) {
    switch (storage, value) {
    case (.integers(var integers), .integer(let integer)):
      // Taken out of `storage` first; otherwise each addition would copy them all.
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
  package static func += (left: inout Self, right: some Sequence<SQLiteValue>) {
    for value in right { left.append(value) }
  }

  /// Whether both hold the same values, in whatever form.
  package static func == (left: Self, right: Self) -> Bool {
    if case .integers(let own) = left.storage, case .integers(let others) = right.storage { return own == others }
    return left.elementsEqual(right)
  }
}
