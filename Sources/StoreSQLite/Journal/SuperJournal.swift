/// The name at the end of a journal that took part in a transaction over several databases.
///
/// pager.c, readSuperJournal:
///
///     page number of the lock page (4) | name (n) | n (4) | sum of the name's bytes (4) | journal magic (8)
enum SuperJournal {
  /// The longest name SQLite on Unix writes, in bytes.
  private static let longestName: UInt32 = 512

  /// The name at the end of `journal`, nil when there is none.
  static func name(in journal: any ByteSource) throws(FileError) -> PosixPath? {
    let trailerSize: Int64 = 16
    guard journal.size >= trailerSize else { return nil }
    let trailer = try journal.read(at: journal.size - trailerSize, count: Int(trailerSize))
    let (length, sum, magic) = trailer.withUnsafeBytes {
      ($0.word(at: 0) ?? 0, $0.word(at: 4) ?? 0, $0.bigEndian(UInt64.self, at: 8))
    }
    guard magic == JournalHeader.magic, (1...longestName).contains(length),
      Int64(length) <= journal.size - trailerSize
    else { return nil }

    let name = try journal.read(at: journal.size - trailerSize - Int64(length), count: Int(length))
    guard name.count == Int(length), sums(of: name).contains(sum) else { return nil }
    // SQLite invalidates a name by overwriting its first byte with zero.
    return name.first == 0 ? nil : PosixPath(bytes: Array(name.prefix { $0 != 0 }))
  }

  /// Both possible sums: SQLite adds values of type `char`, which is signed on some machines and unsigned on others.
  private static func sums(of name: [UInt8]) -> [UInt32] {
    [
      name.reduce(0) { $0 &+ UInt32($1) },
      name.reduce(0) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) },
    ]
  }
}
