/// The first 100 bytes of a database file.
///
/// The layout, from https://www.sqlite.org/fileformat2.html section 1.3, with the values of a fresh store in WAL mode:
///
///     offset  size  value                     meaning
///      0      16    "SQLite format 3" 00      magic
///     16       2    10 00                     page size in bytes, 1 for 65536
///     18       1    02                        write version: 1 rollback journal, 2 WAL
///     19       1    02                        read version
///     20       1    00                        bytes reserved at the end of each page
///     21       3    40 20 20                  payload fractions, always these
///     24       4    00 00 00 03               change counter
///     28       4    00 00 00 10               size in pages
///     32       4    00 00 00 00               first page of the freelist
///     36       4    00 00 00 00               pages on the freelist
///     40       4    00 00 00 07               schema cookie
///     44       4    00 00 00 04               schema format
///     48       4    00 00 00 00               suggested cache size
///     52       4    00 00 00 05               largest root page, 0 without auto-vacuum
///     56       4    00 00 00 01               text encoding
///     60       4    00 00 00 00               user version
///     64       4    00 00 00 01               incremental vacuum
///     68       4    00 00 00 00               application id
///     72      20    00 ...                    reserved
///     92       4    00 00 00 03               the change counter for which the next field is right
///     96       4    00 2e 76 81               version number of the SQLite that wrote last
package struct DatabaseHeader: Equatable, Sendable {
  /// Length of the header in bytes.
  package static let size = 100

  /// Where each field is; fields are 4 bytes long unless said otherwise.
  package enum Offset {
    /// Bytes in a page, 2 bytes.
    package static let pageSize = 16
    /// Write version, 1 byte.
    package static let writeVersion = 18
    /// Read version, 1 byte.
    package static let readVersion = 19
    /// Bytes reserved at the end of each page, 1 byte.
    package static let reservedBytes = 20
    /// Three payload fractions, 1 byte each.
    package static let payloadFractions = 21
    /// Change counter.
    package static let changeCounter = 24
    /// Size in pages.
    package static let pageCount = 28
    /// First page of the freelist.
    package static let freelistFirst = 32
    /// Pages on the freelist.
    package static let freelistCount = 36
    /// Schema cookie.
    package static let schemaCookie = 40
    /// Schema format.
    package static let schemaFormat = 44
    /// Largest root page.
    package static let largestRootPage = 52
    /// Text encoding.
    package static let textEncoding = 56
    /// User version.
    package static let userVersion = 60
    /// Incremental vacuum.
    package static let incrementalVacuum = 64
    /// Application id.
    package static let applicationID = 68
    /// The change counter for which the page count is right.
    package static let versionValidFor = 92
    /// Version number of the SQLite that wrote last.
    package static let sqliteVersion = 96
  }

  /// Bytes in a page, a power of two from 512 to 65536.
  package let pageSize: Int
  /// 1 for a rollback journal, 2 for WAL; with anything above, "the database file must be treated as read-only".
  package let writeVersion: UInt8
  /// 1 for a rollback journal, 2 for WAL; with anything above, the "database cannot be read or written".
  package let readVersion: UInt8
  /// Bytes at the end of each page that SQLite leaves to extensions.
  package let reservedBytes: UInt8
  /// Counts transactions, in WAL mode only those that were checkpointed.
  package let changeCounter: UInt32
  /// Size in pages as the header says; see `isPageCountValid`.
  package let pageCount: UInt32
  /// Number of the first trunk page of the freelist, 0 for none.
  package let freelistFirst: UInt32
  /// Number of pages on the freelist.
  package let freelistCount: UInt32
  /// Counts changes of the schema.
  package let schemaCookie: UInt32
  /// 1 to 4; 0 in a database without a schema.
  package let schemaFormat: UInt32
  /// Number of the largest root page where auto-vacuum is on, else 0.
  package let largestRootPage: UInt32
  /// How text is stored.
  package let textEncoding: TextEncoding
  /// `PRAGMA user_version`.
  package let userVersion: UInt32
  /// Whether auto-vacuum is incremental.
  package let incrementalVacuum: Bool
  /// `PRAGMA application_id`.
  package let applicationID: UInt32
  /// The change counter at the time `pageCount` and `sqliteVersion` were written.
  package let versionValidFor: UInt32
  /// Version of the SQLite library that wrote last, such as 3040001.
  package let sqliteVersion: UInt32

  /// How text is stored in a database.
  package enum TextEncoding: Equatable, Sendable {
    /// Nothing has been stored yet.
    case unset
    /// UTF-8.
    case utf8
    /// UTF-16, low byte first.
    case utf16LittleEndian
    /// UTF-16, high byte first.
    case utf16BigEndian
    /// A number the file format does not know.
    case unknown(UInt32)
  }

  /// Why bytes are not the header of a database.
  package enum Invalid: Error, Equatable, Sendable, CustomStringConvertible {
    /// Fewer than 100 bytes.
    case tooShort(bytes: Int)
    /// They do not begin with `SQLite format 3` and a zero byte.
    case notSQLite
    /// The page size is not a power of two from 512 to 65536.
    case pageSize(UInt16)
    /// So much of each page is reserved that less than 480 bytes remain.
    case reservedBytes(UInt8)
    /// The payload fractions are not 64, 32 and 32.
    case payloadFractions(UInt8, UInt8, UInt8)

    /// What is wrong.
    package var description: String {
      switch self {
      case .tooShort(let bytes): "\(bytes) bytes are too few for the header of a database"
      case .notSQLite: "it does not begin as a SQLite database does"
      case .pageSize(let size): "\(size) is no page size"
      case .reservedBytes(let count): "\(count) reserved bytes leave too little of a page"
      case .payloadFractions(let most, let least, let leaf):
        "the payload fractions are \(most), \(least) and \(leaf), not 64, 32 and 32"
      }
    }
  }

  /// Reads the header from the first bytes of a file.
  ///
  /// - Throws: `Invalid` for what SQLite itself would refuse as "not a database".
  package init(_ bytes: [UInt8]) throws(Invalid) {
    guard bytes.count >= Self.size else { throw .tooShort(bytes: bytes.count) }
    let field = Fields(bytes: bytes)

    // "Every valid SQLite database file begins with the following 16 bytes (in hex):
    // 53 51 4c 69 74 65 20 66 6f 72 6d 61 74 20 33 00."
    guard bytes.starts(with: Self.magic) else { throw .notSQLite }

    // "The database page size in bytes. Must be a power of two between 512 and 32768 inclusive, or the value 1
    // representing a page size of 65536."
    let storedPageSize = field.half(Offset.pageSize)
    pageSize = storedPageSize == 1 ? 65536 : Int(storedPageSize)
    guard isPageSize(pageSize) else { throw .pageSize(storedPageSize) }

    // "However, the usable size is not allowed to be less than 480."
    reservedBytes = field.byte(Offset.reservedBytes)
    guard pageSize - Int(reservedBytes) >= 480 else { throw .reservedBytes(reservedBytes) }

    // "Maximum embedded payload fraction. Must be 64." "Minimum embedded payload fraction. Must be 32."
    // "Leaf payload fraction. Must be 32."
    let fractions = (0...2).map { field.byte(Offset.payloadFractions + $0) }
    guard fractions == [64, 32, 32] else {
      throw .payloadFractions(fractions[0], fractions[1], fractions[2])
    }

    writeVersion = field.byte(Offset.writeVersion)
    readVersion = field.byte(Offset.readVersion)
    changeCounter = field.word(Offset.changeCounter)
    pageCount = field.word(Offset.pageCount)
    freelistFirst = field.word(Offset.freelistFirst)
    freelistCount = field.word(Offset.freelistCount)
    schemaCookie = field.word(Offset.schemaCookie)
    schemaFormat = field.word(Offset.schemaFormat)
    largestRootPage = field.word(Offset.largestRootPage)
    textEncoding = TextEncoding(field.word(Offset.textEncoding))
    userVersion = field.word(Offset.userVersion)
    incrementalVacuum = field.word(Offset.incrementalVacuum) != 0
    applicationID = field.word(Offset.applicationID)
    versionValidFor = field.word(Offset.versionValidFor)
    sqliteVersion = field.word(Offset.sqliteVersion)
  }

  /// The header of a file that is open.
  ///
  /// - Throws: `Invalid`, or `FileError` when it cannot be read.
  package init(of source: any ByteSource) throws {
    try self.init(try source.read(at: 0, count: Self.size))
  }

  /// Whether pages have a pointer map: "If the integer at offset 52 is zero then both values at offset 52 and 64 must be
  /// zero, and auto_vacuum and incremental_vacuum are both disabled and ptrmap pages must not be present."
  package var hasPointerMap: Bool { largestRootPage != 0 }

  /// Whether the database is in WAL mode.
  ///
  /// "both of these values are 1 for rollback journalling modes and 2 for WAL journalling mode"; SQLite goes by the
  /// read version.
  package var isWAL: Bool { readVersion == 2 }

  /// Whether `pageCount` can be believed.
  ///
  /// "The in-header database size is only considered to be valid if it is non-zero and if the 4-byte change counter at
  /// offset 24 exactly matches the 4-byte version-valid-for number at offset 92."
  package var isPageCountValid: Bool { pageCount > 0 && changeCounter == versionValidFor }

  /// `SQLite format 3` and a zero byte.
  package static let magic = Array("SQLite format 3\0".utf8)

  /// The fields of a header that is known to be long enough.
  private struct Fields {
    var bytes: [UInt8]

    func byte(_ offset: Int) -> UInt8 { bytes.indices.contains(offset) ? bytes[offset] : 0 }
    func half(_ offset: Int) -> UInt16 { bytes.withUnsafeBytes { $0.bigEndian(UInt16.self, at: offset) ?? 0 } }
    func word(_ offset: Int) -> UInt32 { bytes.withUnsafeBytes { $0.word(at: offset) ?? 0 } }
  }
}

extension DatabaseHeader.TextEncoding {
  /// "A value of 1 means UTF-8. A value of 2 means UTF-16le. A value of 3 means UTF-16be."
  fileprivate init(_ number: UInt32) {
    switch number {
    case 0: self = .unset
    case 1: self = .utf8
    case 2: self = .utf16LittleEndian
    case 3: self = .utf16BigEndian
    default: self = .unknown(number)
    }
  }
}

/// Whether this is a valid page size for a database, WAL or journal.
package func isPageSize(_ size: Int) -> Bool {
  (512...65536).contains(size) && size.nonzeroBitCount == 1
}
