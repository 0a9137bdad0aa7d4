import StorePlatform

enum Stream: Int32 { case output = 1, error = 2 }

/// Writes all of a text; false when not all could be written.
@discardableResult
func write(_ text: String, to stream: Stream) -> Bool {
  var text = text
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let written = write(stream.rawValue, rest.baseAddress, rest.count)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
    return true
  }
}
