/// Runs over a text's UTF-8, in place where it is contiguous, as all but Foundation's on Apple's systems are.
@inlinable
public func withBytes<Result>(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
  if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
  return Array(text.utf8).withUnsafeBufferPointer(body)
}
