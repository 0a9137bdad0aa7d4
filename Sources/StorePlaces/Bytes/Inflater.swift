import CStoreZlib

/// A deflate stream that is unpacked piece by piece, with zlib.
final class Inflater {
  /// What is around the deflated bytes.
  enum Format { case raw, gzip }

  /// How a step ended.
  enum State { case more, end, damaged }

  /// Allocated, because zlib requires the stream's address not to change.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Nil where zlib has not enough memory.
  init?(_ format: Format) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let code =
      switch format {
      case .raw: storedoctor_inflate_init_raw(stream)
      case .gzip: storedoctor_inflate_init_gzip(stream)
      }
    guard code == Z_OK else {
      stream.deallocate()
      return nil
    }
    self.stream = stream
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Begins another stream.
  func reset() { inflateReset(stream) }

  /// Unpacks as much as fits.
  ///
  /// - Returns: how many bytes of `input` were used, and how many of `output` were filled. Neither, where more input is
  ///   needed.
  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> (used: Int, filled: Int, state: State) {
    let (given, room) = (min(input.count, 1 << 30), min(output.count, 1 << 30))
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(given)
    stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = UInt32(room)
    let code = inflate(stream, Z_NO_FLUSH)
    let (used, filled) = (given - Int(stream.pointee.avail_in), room - Int(stream.pointee.avail_out))
    return switch code {
    case Z_OK, Z_BUF_ERROR: (used, filled, .more)
    case Z_STREAM_END: (used, filled, .end)
    default: (used, filled, .damaged)
    }
  }
}
