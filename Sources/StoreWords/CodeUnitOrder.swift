import StorePlatform

/// Order by code units, upper case before lower case, as in version hashes (`docs/format/version-hash.md`).
package func codeUnitsPrecede(_ left: String, _ right: String) -> Bool {
  // Only Foundation's strings, on Apple's systems, are not contiguous.
  let fast = left.utf8.withContiguousStorageIfAvailable { left in
    right.utf8.withContiguousStorageIfAvailable { right in bytesPrecede(left, right) }
  }
  return fast.flatMap(\.self) ?? left.utf8.lexicographicallyPrecedes(right.utf8)
}

private func bytesPrecede(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
  guard let start = left.baseAddress, let other = right.baseAddress else { return left.count < right.count }
  let order = memcmp(start, other, min(left.count, right.count))
  return order == 0 ? left.count < right.count : order < 0
}
