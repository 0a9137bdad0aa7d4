import Testing

/// Expects the same bytes. Where they differ, the message shows the first that do, of both sides, and not whole files.
package func expectSameBytes(
  _ found: some Sequence<UInt8>, as expected: some Sequence<UInt8>, _ what: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let difference = byteDifference(Array(found), from: Array(expected)) else { return }
  Issue.record("\(what.isEmpty ? "" : what + ": ")\(difference)", sourceLocation: sourceLocation)
}

/// Expects the same files with the same bytes, by name.
package func expectSameFiles<Bytes: Sequence<UInt8>>(
  _ found: [String: Bytes], as expected: [String: Bytes], _ what: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(found.keys.sorted() == expected.keys.sorted(), "\(what)", sourceLocation: sourceLocation)
  for (name, bytes) in found {
    guard let other = expected[name] else { continue }
    expectSameBytes(bytes, as: other, what.isEmpty ? name : "\(what), \(name)", sourceLocation: sourceLocation)
  }
}

/// Where two sequences of bytes begin to differ, and what each has there in hexadecimal; nil if they are equal.
///
///     at byte 4098 of 8192 and 8192: 0d 00 00 00 02, expected 05 00 00 00 02
package func byteDifference(_ found: [UInt8], from expected: [UInt8], shown: Int = 32) -> String? {
  guard found != expected else { return nil }
  let place =
    zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(found.count, expected.count)
  func hex(_ bytes: [UInt8]) -> String {
    let shown = bytes.dropFirst(place).prefix(shown)
    guard !shown.isEmpty else { return "nothing" }
    return shown.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
  return "at byte \(place) of \(found.count) and \(expected.count): \(hex(found)), expected \(hex(expected))"
}
