import StorePlatform

/// Whether both hold the same bytes.
package func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
  guard one.count == other.count else { return false }
  guard let first = one.baseAddress, let second = other.baseAddress else { return true }
  return memcmp(first, second, one.count) == 0
}
