/// Canonical decomposition (Unicode's normalization form D).
///
/// The standard library has it without a public name, and Foundation's would link all of ICU.
struct Decomposition: Sendable {
  /// Scalars that have parts, in ascending order.
  private let scalars: [UInt32]
  /// For each of them where its parts begin, and where the last ones end.
  private let starts: [Int]
  private let parts: [UInt32]

  private static let shared = Decomposition()

  private init() {
    var (scalars, starts, parts): ([UInt32], [Int], [UInt32]) = ([], [], [])
    let words = UnsafeBufferPointer(start: Self.table.utf8Start, count: Self.table.utf8CodeUnitCount).split {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n")
    }
    for word in words {
      let sides = word.split(separator: UInt8(ascii: "=")).map { side in
        side.split(separator: UInt8(ascii: "+")).map(Self.hexadecimal)
      }
      starts.append(parts.count)
      parts += sides.last ?? []
      scalars.append(sides.count == 2 ? sides[0][0] : (scalars.last ?? 0) + 1)
    }
    (self.scalars, self.starts, self.parts) = (scalars, starts + [parts.count], parts)
  }

  private static func hexadecimal(_ digits: some Sequence<UInt8>) -> UInt32 {
    digits.reduce(0) { $0 << 4 | UInt32($1 < UInt8(ascii: "a") ? $1 - UInt8(ascii: "0") : $1 - UInt8(ascii: "a") + 10) }
  }

  /// Appends what a scalar consists of, or itself; marks stay in the order in which they are met.
  static func append(_ scalar: Unicode.Scalar, to result: inout [Unicode.Scalar]) {
    let value = scalar.value
    if value < 0xc0 { return result.append(scalar) }
    if (0xac00...0xd7a3).contains(value) { return appendSyllable(value - 0xac00, to: &result) }
    let found = shared.parts(of: value)
    guard !found.isEmpty else { return result.append(scalar) }
    result += found.compactMap(Unicode.Scalar.init)
  }

  private func parts(of value: UInt32) -> ArraySlice<UInt32> {
    var (low, high) = (0, scalars.count)
    while low < high {
      let middle = (low + high) / 2
      if scalars[middle] < value { low = middle + 1 } else { high = middle }
    }
    guard low < scalars.count, scalars[low] == value else { return [] }
    return parts[starts[low]..<starts[low + 1]]
  }

  /// The letters of a syllable of Hangul (the Unicode Standard, 3.12).
  private static func appendSyllable(_ index: UInt32, to result: inout [Unicode.Scalar]) {
    let letters = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11a7 + index % 28]
    result += letters.prefix(index % 28 == 0 ? 2 : 3).compactMap(Unicode.Scalar.init)
  }

  /// All of a text, the marks of each letter in canonical order.
  static func scalars(of text: String) -> [Unicode.Scalar] {
    var result: [Unicode.Scalar] = []
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { append(scalar, to: &result) }
    order(&result)
    return result
  }

  /// Sorts each run of scalars with a combining class by it; equal ones keep their order.
  private static func order(_ scalars: inout [Unicode.Scalar]) {
    var start = 0
    while start < scalars.count {
      guard scalars[start].combiningClass > 0 else {
        start += 1
        continue
      }
      var end = start
      while end < scalars.count, scalars[end].combiningClass > 0 { end += 1 }
      if end - start > 1 {
        let run = scalars[start..<end].enumerated().sorted {
          ($0.element.combiningClass, $0.offset) < ($1.element.combiningClass, $1.offset)
        }
        scalars.replaceSubrange(start..<end, with: run.map(\.element))
      }
      start = end
    }
  }
}

extension Unicode.Scalar {
  /// 0 for what is no mark on the scalar before.
  fileprivate var combiningClass: UInt8 { value < 0x300 ? 0 : properties.canonicalCombiningClass.rawValue }
}
