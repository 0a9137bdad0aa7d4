import StoreJSON
import StorePlatform
import StoreText

extension RowValue {
  /// The number, if it is one.
  private var number: Double? {
    switch self {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let number): Double(number)
    case .real(let number), .decimal(let number), .date(let number): number
    default: nil
    }
  }

  private var bytes: UnsafeRawBufferPointer? {
    switch self {
    case .text(let bytes), .uri(let bytes), .uuid(let bytes), .data(let bytes), .transformed(let bytes): bytes
    default: nil
    }
  }

  /// Whether two values are the same, whatever types the models give them; keys are compared after `translated`.
  func isSame(as other: RowValue) -> Bool {
    switch (self, other) {
    case (.null, .null), (.absent, .absent), (.null, .absent), (.absent, .null): return true
    case (.integer(let left), .integer(let right)): return left == right
    // Not rounded to be the same as another.
    case (.integer(let whole), .real(let number)), (.real(let number), .integer(let whole)):
      return Int64(exactly: number) == whole
    case (.key(let left), .key(let right)): return left == right
    case (.keys(let left), .keys(let right)): return left.elementsEqual(right)
    // A relationship that leads to one object in one model and to many in the other.
    case (.key(let key), .keys(let keys)), (.keys(let keys), .key(let key)):
      return keys.elementsEqual(CollectionOfOne(key))
    case (.null, .keys(let keys)), (.keys(let keys), .null), (.absent, .keys(let keys)), (.keys(let keys), .absent):
      return keys.isEmpty
    case (.missingFile(let left), .missingFile(let right)): return Self.areEqual(left, right)
    case (.entity(let left), .entity(let right)): return left == right
    // The same bytes as text and as a blob: of one class the app makes a value, of the other none.
    case (.text, .data), (.data, .text): return false
    default: break
    }
    if let left = number, let right = other.number { return left == right }
    if let left = bytes, let right = other.bytes { return Self.areEqual(left, right) }
    return false
  }

  private static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let one = left.baseAddress, let other = right.baseAddress else { return true }
    return memcmp(one, other, left.count) == 0
  }

  /// Whether there is a value.
  var isEmpty: Bool {
    switch self {
    case .null, .absent: true
    case .keys(let keys): keys.isEmpty
    default: false
    }
  }

  /// Mixes the value into a hash.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null, .absent: hasher.combine(0)
    case .keys(let keys): for key in keys { hasher.combine(key) }
    case .key(let number), .integer(let number): hasher.combine(number)
    default:
      if let number {
        // A whole number is the same one whatever type it has; large ones are not rounded.
        if let whole = Int64(exactly: number) { hasher.combine(whole) } else { hasher.combine(number) }
      } else if let bytes {
        hasher.combine(bytes: bytes)
      }
    }
  }

  /// The value as JSON.
  var json: JSONValue {
    switch self {
    case .null, .absent: .null
    case .boolean(let flag): .bool(flag)
    case .integer(let number), .key(let number): .integer(number)
    case .real(let number), .decimal(let number): number.isFinite ? .number(number) : .string(number.description)
    case .date(let seconds): .string(dateText(seconds))
    case .text(let bytes), .uri(let bytes): .string(String(decoding: bytes, as: UTF8.self))
    case .uuid(let bytes): .string(UUIDText.text(bytes))
    case .data(let bytes), .transformed(let bytes):
      ArchivedValue(bytes).map { .string($0.text) } ?? .object(["length": .integer(Int64(bytes.count))])
    case .dataLength(let length): .object(["length": .integer(length)])
    case .missingFile(let name): .object(["missing file": .string(String(decoding: name, as: UTF8.self))])
    case .keys(let keys): .array(keys.map { .integer($0) })
    case .entity(let name): .string(name)
    case .written(let file, _): .string(file)
    }
  }
}
