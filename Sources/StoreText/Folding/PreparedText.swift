/// A text that others are compared with, folded once; comparisons with ASCII texts allocate nothing.
package struct PreparedText: Sendable {
  package let options: TextOptions
  /// UTF-8 where there are no options; else the folded scalars if all are ASCII.
  private let bytes: [UInt8]?
  private let scalars: [UInt32]
  private let byteTable: [Int]
  private let scalarTable: [Int]

  package init(_ text: String, options: TextOptions) {
    self.options = options
    let scalars = options.isEmpty ? [] : TextFolding.folded(text, options: options)
    if options.isEmpty {
      bytes = Array(text.utf8)
    } else {
      bytes = scalars.allSatisfy { $0 < 0x80 } ? scalars.map { UInt8(truncatingIfNeeded: $0) } : nil
    }
    self.scalars = scalars
    byteTable = bytes.map(failureTable) ?? []
    scalarTable = failureTable(scalars)
  }

  /// How a text is looked for in another.
  package enum Place: Sendable { case whole, beginning, end, anywhere }

  /// Whether it is found in `text`.
  package func isFound(in text: String, at place: Place) -> Bool {
    guard options.isEmpty || TextFolding.isASCII(text) else {
      return TextFolding.folded(text, options: options).withUnsafeBufferPointer { folded in
        found(scalars, in: folded, place, scalarTable, fold: { $0 }, mayEnd: { mayEnd(before: $0) })
      }
    }
    guard let bytes else { return false }
    return withBytes(of: text) { utf8 in
      options.contains(.caseInsensitive)
        ? found(bytes, in: utf8, place, byteTable, fold: TextFolding.lowercased, mayEnd: { _ in true })
        : found(bytes, in: utf8, place, byteTable, fold: { $0 }, mayEnd: { _ in true })
    }
  }

  /// Whether `text` comes before it (negative), after it (positive) or is equal (0), by bytes or folded scalars.
  package func order(of text: String) -> Int {
    if options.isEmpty, let bytes {
      return withBytes(of: text) { utf8 in unitOrder(of: utf8, bytes) { $0 } }
    }
    if let bytes, TextFolding.isASCII(text) {
      let ignoresCase = options.contains(.caseInsensitive)
      return withBytes(of: text) { utf8 in unitOrder(of: utf8, bytes) { ignoresCase ? TextFolding.lowercased($0) : $0 }
      }
    }
    return TextFolding.folded(text, options: options).withUnsafeBufferPointer { folded in
      unitOrder(of: folded, scalars) { $0 }
    }
  }

  /// Without `[d]`, an "e" is not found in "é", whichever way that is written.
  private func mayEnd(before next: UInt32) -> Bool {
    options.contains(.diacriticInsensitive) || !TextFolding.isCombining(next)
  }
}

/// The order of a text and another by their units.
@inline(__always)
private func unitOrder<Unit: FixedWidthInteger>(
  of text: UnsafeBufferPointer<Unit>, _ other: [Unit], fold: (Unit) -> Unit
) -> Int {
  for position in 0..<min(text.count, other.count) {
    let unit = fold(text[position])
    if unit != other[position] { return unit < other[position] ? -1 : 1 }
  }
  return text.count - other.count
}

/// Looks for `needle` in time that grows with the length of the text alone (Knuth, Morris and Pratt).
@inline(__always)
private func found<Unit: FixedWidthInteger>(
  _ needle: [Unit], in text: UnsafeBufferPointer<Unit>, _ place: PreparedText.Place, _ table: [Int],
  fold: (Unit) -> Unit, mayEnd: (Unit) -> Bool
) -> Bool {
  guard needle.count <= text.count else { return false }
  switch place {
  case .whole where needle.count != text.count: return false
  case .whole, .beginning:
    for position in needle.indices where fold(text[position]) != needle[position] { return false }
    return needle.count == text.count || needle.isEmpty || mayEnd(text[needle.count])
  case .end:
    let start = text.count - needle.count
    for position in needle.indices where fold(text[start + position]) != needle[position] { return false }
    return true
  case .anywhere: return foundAnywhere(needle, in: text, table, fold: fold, mayEnd: mayEnd)
  }
}

@inline(__always)
private func foundAnywhere<Unit: FixedWidthInteger>(
  _ needle: [Unit], in text: UnsafeBufferPointer<Unit>, _ table: [Int], fold: (Unit) -> Unit, mayEnd: (Unit) -> Bool
) -> Bool {
  guard !needle.isEmpty else { return true }
  var matched = 0
  for position in 0..<text.count {
    let unit = fold(text[position])
    while matched > 0, needle[matched] != unit { matched = table[matched - 1] }
    if needle[matched] == unit { matched += 1 }
    if matched == needle.count {
      if position + 1 == text.count || mayEnd(text[position + 1]) { return true }
      matched = table[matched - 1]
    }
  }
  return false
}

/// For each beginning of the needle, the length of the longest shorter beginning that it ends with.
private func failureTable<Unit: FixedWidthInteger>(_ needle: [Unit]) -> [Int] {
  var table = [Int](repeating: 0, count: needle.count)
  var matched = 0
  for position in needle.indices.dropFirst() {
    while matched > 0, needle[matched] != needle[position] { matched = table[matched - 1] }
    if needle[matched] == needle[position] { matched += 1 }
    table[position] = matched
  }
  return table
}
