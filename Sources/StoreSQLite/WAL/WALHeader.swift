/// The first 32 bytes of a write-ahead log.
///
///     offset  size  example       meaning
///      0       4    37 7f 06 82   magic; 82 checksums little-endian words, 83 big-endian ones
///      4       4    00 2d e2 18   format version, 3007000
///      8       4    00 00 10 00   page size in bytes
///     12       4    00 00 00 00   checkpoint sequence number
///     16       4    salt 1        one more after each checkpoint
///     20       4    salt 2        a new random number after each checkpoint
///     24       8    checksum      of the 24 bytes before
///
/// https://www.sqlite.org/fileformat2.html#walformat
package struct WALHeader: Equatable, Sendable {
  /// Length of the header in bytes.
  package static let size = 32

  /// Whether checksums are made of big-endian words.
  package let isBigEndian: Bool
  /// Bytes in a page.
  package let pageSize: Int
  /// Counts the checkpoints this log has been through.
  package let checkpointSequence: UInt32
  /// One more after each checkpoint.
  package let salt1: UInt32
  /// A new random number after each checkpoint.
  package let salt2: UInt32
  /// The header's checksum, from which that of the first frame continues.
  let checksum: WALChecksum

  /// Why SQLite uses nothing from a write-ahead log.
  package enum Invalid: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file has no bytes. Normal after the last connection closed without deleting the log.
    case empty
    /// The file ends within the header.
    case truncated(bytes: Int)
    /// It does not begin with 377f0682 or 377f0683.
    case magic(UInt32)
    /// The page size is not a power of two from 512 to 65536.
    case pageSize(UInt32)
    /// The header's checksum is wrong.
    case checksum
    /// A format version other than 3007000, which SQLite refuses to open.
    case version(UInt32)

    /// What is wrong.
    package var description: String {
      switch self {
      case .empty: "the write-ahead log is empty"
      case .truncated(let bytes): "\(bytes) bytes are too few for the header of a write-ahead log"
      case .magic: "it does not begin as a write-ahead log does"
      case .pageSize(let size): "\(size) is no page size"
      case .checksum: "the checksum of the write-ahead log's header is wrong"
      case .version(let version): "\(version) is no version of the write-ahead log's format that SQLite reads"
      }
    }
  }

  /// Reads a header from the first bytes of a file.
  ///
  /// The checks come in SQLite's order: magic and page size, then checksum, then version.
  package init(_ bytes: [UInt8]) throws(Invalid) {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count >= Self.size else { throw .truncated(bytes: bytes.count) }
    let field = { (offset: Int) in bytes.withUnsafeBytes { $0.word(at: offset) ?? 0 } }

    // "Magic number. 0x377f0682 or 0x377f0683"
    let magic = field(0)
    guard magic & ~1 == Self.magic else { throw .magic(magic) }
    isBigEndian = magic & 1 == 1

    // "Database page size. Example: 1024"; unlike in the database header 65536 is written out.
    let pageSize = field(8)
    guard isPageSize(Int(pageSize)) else { throw .pageSize(pageSize) }
    self.pageSize = Int(pageSize)
    checkpointSequence = field(12)
    salt1 = field(16)
    salt2 = field(20)

    // "Checksum-1: First part of a checksum on the first 24 bytes of header"
    var checksum = WALChecksum()
    let order = Self.byteOrder(isBigEndian)
    bytes.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0.prefix(24)), order: order) }
    guard checksum == WALChecksum(s0: field(24), s1: field(28)) else { throw .checksum }
    self.checksum = checksum

    // "File format version. Currently 3007000."
    guard field(4) == 3_007_000 else { throw .version(field(4)) }
  }

  /// Whether `salt1` is of a time before the last checkpoint: one less for each checkpoint since.
  ///
  /// The sequence number alone does not say how many there can be: each connection counts the checkpoints it knows of. Of
  /// random salts one in 65,536 is taken for such a one.
  func isAfter(salt1: UInt32) -> Bool {
    let checkpoints = self.salt1 &- salt1
    return checkpoints > 0 && checkpoints <= max(checkpointSequence, 1 << 16)
  }

  /// Bytes of a frame: its header and one page.
  package var frameSize: Int { WALFrame.headerSize + pageSize }

  /// The order of bytes in the words that are summed up.
  ///
  /// "The 32-bit integers are big-endian if the magic number in the first 4 bytes of the WAL header is 0x377f0683 and
  /// the integers are little-endian if the magic number is 0x377f0682."
  var byteOrder: WALChecksum.ByteOrder { Self.byteOrder(isBigEndian) }

  private static func byteOrder(_ isBigEndian: Bool) -> WALChecksum.ByteOrder {
    isBigEndian ? .bigEndian : .littleEndian
  }

  /// The magic of a log with little-endian checksums; one more for big-endian.
  package static let magic: UInt32 = 0x377f_0682
}
