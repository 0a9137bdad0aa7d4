/// The running checksum of a write-ahead log.
///
/// "The checksum is computed by interpreting the input as an even number of unsigned 32-bit integers: x(0) through
/// x(N)", then:
///
///     for i from 0 to n-1 step 2:
///       s0 += x(i) + s1;
///       s1 += x(i+1) + s0;
///     endfor
///
/// https://www.sqlite.org/fileformat2.html#checksum_algorithm
struct WALChecksum: Equatable, Sendable {
  var s0: UInt32 = 0
  var s1: UInt32 = 0

  /// The byte order of the input's words; the sums themselves are always stored big-endian.
  enum ByteOrder: Sendable {
    case littleEndian
    case bigEndian
  }

  /// Adds the 8-byte groups of `bytes`; an incomplete group at the end is ignored.
  mutating func add(_ bytes: UnsafeRawBufferPointer, order: ByteOrder) {
    switch order {
    case .littleEndian: add(bytes) { UInt32(littleEndian: $0) }
    case .bigEndian: add(bytes) { UInt32(bigEndian: $0) }
    }
  }

  @inline(__always)
  private mutating func add(_ bytes: UnsafeRawBufferPointer, word: (UInt32) -> UInt32) {
    var (a, b) = (s0, s1)
    var offset = 0
    while bytes.count - offset >= 8 {
      a &+= word(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) &+ b
      b &+= word(bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)) &+ a
      offset += 8
    }
    (s0, s1) = (a, b)
  }
}
