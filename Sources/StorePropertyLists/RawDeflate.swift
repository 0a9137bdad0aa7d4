import CStoreZlib

/// Deflate without zlib's header and checksum (RFC 1951), as used in a store's model cache.
package enum RawDeflate {
  /// Unpacks exactly one stream.
  ///
  /// - Parameter limit: the most bytes the result may have.
  /// - Throws: ``PropertyListError`` with the offset in `bytes` when the stream is damaged or ends early, when
  ///   anything follows it, and when the result would exceed `limit`.
  package static func inflate(_ bytes: [UInt8], limit: Int) throws(PropertyListError) -> [UInt8] {
    let stream = allocateStream()
    defer { stream.deallocate() }
    guard storedoctor_inflate_init_raw(stream) == Z_OK else { throw .outOfMemory }
    defer { inflateEnd(stream) }
    let output = try run(stream, over: bytes, limit: max(0, limit)) { _ in CStoreZlib.inflate(stream, Z_NO_FLUSH) }
    let used = Int(stream.pointee.total_in)
    guard used == bytes.count else {
      throw PropertyListError("\(bytes.count - used) bytes follow the end of the deflate stream", at: used)
    }
    return output
  }

  /// Packs bytes into one stream that ``inflate(_:limit:)`` turns back.
  ///
  /// - Throws: ``PropertyListError`` if zlib has not enough memory.
  package static func deflate(_ bytes: [UInt8]) throws(PropertyListError) -> [UInt8] {
    let stream = allocateStream()
    defer { stream.deallocate() }
    guard storedoctor_deflate_init_raw(stream, Z_DEFAULT_COMPRESSION) == Z_OK else { throw .outOfMemory }
    defer { deflateEnd(stream) }
    return try run(stream, over: bytes, limit: .max) { isLastPiece in
      CStoreZlib.deflate(stream, isLastPiece ? Z_FINISH : Z_NO_FLUSH)
    }
  }

  /// Allocated, because zlib requires the stream's address not to change.
  private static func allocateStream() -> UnsafeMutablePointer<z_stream> {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    return stream
  }

  /// Calls zlib until it reports the end of the stream.
  ///
  /// A call that neither produces nor consumes anything would not get further the next time: the stream is truncated.
  /// zlib's counters have 32 bits, so the input is passed in pieces.
  private static func run(
    _ stream: UnsafeMutablePointer<z_stream>, over bytes: [UInt8], limit: Int, call: (_ isLastPiece: Bool) -> Int32
  ) throws(PropertyListError) -> [UInt8] {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let used = Int(stream.pointee.total_in)
      let piece = min(bytes.count - used, 1 << 30)
      let (result, produced) = bytes.withUnsafeBufferPointer { input in
        buffer.withUnsafeMutableBufferPointer { buffer in
          stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + used) }
          stream.pointee.avail_in = UInt32(piece)
          stream.pointee.next_out = buffer.baseAddress
          stream.pointee.avail_out = UInt32(buffer.count)
          let result = call(used + piece == bytes.count)
          return (result, buffer.count - Int(stream.pointee.avail_out))
        }
      }
      guard produced <= limit - output.count else {
        throw PropertyListError("the deflate stream unpacks to more than the limit of \(limit) bytes", at: used)
      }
      output += buffer.prefix(produced)
      let position = Int(stream.pointee.total_in)
      switch result {
      case Z_STREAM_END: return output
      case Z_OK where produced > 0 || position > used: continue
      case Z_OK, Z_BUF_ERROR: throw PropertyListError("the deflate stream ends early", at: position)
      case Z_MEM_ERROR: throw .outOfMemory
      default: throw PropertyListError("damaged deflate stream: \(stream.pointee.reason)", at: position)
      }
    }
  }
}

extension z_stream {
  /// zlib's message, which is static text.
  fileprivate var reason: String { msg.map { String(cString: $0) } ?? "no reason given" }
}

extension PropertyListError {
  fileprivate static let outOfMemory = PropertyListError("zlib has not enough memory", at: 0)
}
