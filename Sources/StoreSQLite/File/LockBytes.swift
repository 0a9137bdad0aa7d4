/// The bytes of a database file that programs lock, and the page that has them.
///
/// "The lock-byte page is the single page of the database file that contains the bytes at offsets between 1073741824 and
/// 1073742335, inclusive. A database file that is less than or equal to 1073741824 bytes in size contains no lock-byte
/// page." https://www.sqlite.org/fileformat2.html#the_lock_byte_page
package enum LockBytes {
  /// The offset of the first: 1 GiB.
  package static let start: Int64 = 1_073_741_824

  /// The number of the page that has them, in a file with pages of `pageSize` bytes. It holds nothing else, and SQLite
  /// neither reads nor writes it.
  package static func page(ofSize pageSize: Int) -> UInt32 {
    UInt32(clamping: start / max(1, Int64(pageSize)) + 1)
  }
}
