import StorePlatform

extension [UInt8] {
  /// Whether the bytes contain a word.
  func mention(_ word: StaticString) -> Bool {
    let wanted = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard let first = wanted.first else { return true }
    return withUnsafeBufferPointer { bytes in
      bytes.indices.contains { bytes[$0] == first && bytes[$0...].starts(with: wanted) }
    }
  }

  /// The same for a word that is made at run time.
  func mention(_ word: String) -> Bool { self[...].mention(word) }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes contain a word.
  func mention(_ word: String) -> Bool {
    var word = word
    return word.withUTF8 { wanted in
      withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress, let first = wanted.baseAddress else { return wanted.isEmpty }
        var position = 0
        while bytes.count - position >= wanted.count,
          let found = memchr(start + position, Int32(first.pointee), bytes.count - position - wanted.count + 1)
        {
          if memcmp(found, first, wanted.count) == 0 { return true }
          position = UnsafeRawPointer(found) - start + 1
        }
        return false
      }
    }
  }
}
