extension [UInt8] {
  /// Whether the bytes contain a word.
  func mention(_ word: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard let first = wanted.first else { return true }
    return withUnsafeBufferPointer { bytes in
      bytes.indices.contains { bytes[$0] == first && bytes[$0...].starts(with: wanted) }
    }
  }
}
