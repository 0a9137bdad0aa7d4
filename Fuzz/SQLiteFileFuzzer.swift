// Feeds arbitrary bytes to the readers of SQLite's files. From the package's folder:
//
//   swiftc -swift-version 6 -O -parse-as-library -use-ld=lld -sanitize=fuzzer,address -package-name storedoctor \
//     -Xcc -fmodule-map-file=Sources/CStoreSQLite/module.modulemap \
//     $(find Sources/StoreSQLite -name '*.swift') Fuzz/SQLiteFileFuzzer.swift -lsqlite3 -o .build/sqlite-fuzzer
//   mkdir -p .build/fuzz-corpus
//   SWIFT_BACKTRACE=enable=no .build/sqlite-fuzzer -detect_leaks=0 -max_len=65536 -timeout=20 \
//     .build/fuzz-corpus Fuzz/seeds/sqlite
//
// The first byte says who gets the rest:
//
//   00  DatabaseHeader and FileSniff
//   01  WAL; 02  WAL after its checksums were made right
//   03  RollbackJournal; 04  RollbackJournal after its checksums were made right
//   05  a whole database: length of the main file (4, big-endian) | main | WAL
//   06  a whole database: length of the main file (4, big-endian) | main | journal

/// One run of libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  let rest = Array(bytes.dropFirst())
  switch bytes.first.map({ $0 % 7 }) {
  case 0: readHeader(rest)
  case 1: readLog(rest)
  case 2: readLog(sealedLog(rest))
  case 3: readJournal(rest)
  case 4: readJournal(sealedJournal(rest))
  case 5: readDatabase(rest) { main, wal in try Connection(reading: main, wal: wal, policy: policy) }
  case 6: readDatabase(rest) { main, journal in try Connection(reading: main, journal: journal, policy: policy) }
  default: break
  }
  return 0
}

private let policy = ReadPolicy(deadline: .milliseconds(300), cacheBytes: 1 << 20)

private func readHeader(_ bytes: [UInt8]) {
  _ = FileSniff(bytes)
  guard let header = try? DatabaseHeader(bytes) else { return }
  precondition(header.pageSize - Int(header.reservedBytes) >= 480)
}

private func readLog(_ bytes: [UInt8]) {
  guard let wal = try? WAL(scanning: MemoryBytes(bytes)) else { preconditionFailure("memory cannot fail") }
  precondition(wal.committedFrames <= wal.validFrames && wal.validFrames <= wal.frames)
  precondition(wal.tail.uncommittedFrames == wal.validFrames - wal.committedFrames)
  let tail = wal.tail
  let after = tail.tornFrames + tail.leftoverFrames + tail.blankFrames + tail.unexaminedFrames
  precondition(wal.validFrames + after == wal.frames)
  for page in wal.pages.pages.prefix(50) {
    guard (try? wal.page(page)) != nil else { preconditionFailure("page \(page) is in the map") }
  }
  _ = try? wal.page(.max)
}

private func readJournal(_ bytes: [UInt8]) {
  guard let journal = try? RollbackJournal(scanning: MemoryBytes(bytes), databasePageSize: 1024) else {
    preconditionFailure("memory cannot fail")
  }
  precondition(journal.pages.count <= journal.records)
  for page in journal.pages.pages.prefix(50) {
    guard (try? journal.page(page)) != nil else { preconditionFailure("page \(page) is in the map") }
    precondition(page > 0 && page <= journal.originalPageCount)
  }
}

private func readDatabase(_ bytes: [UInt8], _ open: (MemoryBytes, MemoryBytes) throws -> Connection) {
  let length = Int(bytes.prefix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
  let main = Array(bytes.dropFirst(4).prefix(length))
  let side = Array(bytes.dropFirst(4).dropFirst(length))
  guard let connection = try? open(MemoryBytes(main), MemoryBytes(side)) else { return }
  for object in ((try? connection.schema()) ?? []).prefix(20) {
    _ = try? connection.columns(of: object.name)
    _ = try? connection.indexes(of: object.name)
    guard object.isOrdinaryTable else { continue }
    let name = quotedIdentifier(object.name)
    _ = try? connection.execute("SELECT count(*) FROM \(name)")
    if let rows = try? connection.prepare("SELECT * FROM \(name)") { readRows(rows) }
  }
  _ = try? connection.execute("PRAGMA integrity_check")
}

private func readRows(_ rows: Statement) {
  var left = 100
  while left > 0, (try? rows.step()) == true {
    left -= 1
    for column in 0..<rows.columnCount {
      _ = rows.kind(column)
      _ = rows.string(column)
      _ = rows.withBytes(column) { $0.reduce(0) { $0 &+ $1 } }
      _ = rows.int64(column)
      _ = rows.double(column)
    }
  }
}

/// The log with the checksums of its header and frames made right, and the salts of most frames those of the header.
private func sealedLog(_ log: [UInt8]) -> [UInt8] {
  var log = log
  guard log.count >= 32 else { return log }
  let order: WALChecksum.ByteOrder = log[3] & 1 == 1 ? .bigEndian : .littleEndian
  log.replaceSubrange(0..<8, with: [0x37, 0x7f, 0x06, 0x82 | log[3] & 1, 0x00, 0x2d, 0xe2, 0x18])
  let pageSize = 512 << (Int(log[11]) % 8)
  write(UInt32(pageSize), at: 8, in: &log)
  var checksum = WALChecksum()
  log.withUnsafeBytes { checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<24]), order: order) }
  write(checksum.s0, at: 24, in: &log)
  write(checksum.s1, at: 28, in: &log)
  for frame in stride(from: 32, through: log.count - 24 - pageSize, by: 24 + pageSize) {
    if log[frame + 8] != 0xff { log.replaceSubrange(frame + 8..<frame + 16, with: Array(log[16..<24])) }
    log.withUnsafeBytes {
      checksum.add(UnsafeRawBufferPointer(rebasing: $0[frame..<frame + 8]), order: order)
      checksum.add(UnsafeRawBufferPointer(rebasing: $0[frame + 24..<frame + 24 + pageSize]), order: order)
    }
    write(checksum.s0, at: frame + 16, in: &log)
    write(checksum.s1, at: frame + 20, in: &log)
  }
  return log
}

/// The journal with its magic and the checksums of its first segment made right.
private func sealedJournal(_ journal: [UInt8]) -> [UInt8] {
  var journal = journal
  guard journal.count >= 512 else { return journal }
  journal.replaceSubrange(0..<8, with: [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
  let sectorSize = 32 << (Int(journal[20]) % 6)
  let pageSize = 512 << (Int(journal[24]) % 4)
  write(UInt32(sectorSize), at: 20, in: &journal)
  write(UInt32(pageSize), at: 24, in: &journal)
  let nonce = journal[12..<16].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
  for record in stride(from: sectorSize, through: journal.count - pageSize - 8, by: pageSize + 8) {
    let sum = journal.withUnsafeBytes {
      journalChecksum(UnsafeRawBufferPointer(rebasing: $0[record + 4..<record + 4 + pageSize]), nonce: nonce)
    }
    write(sum, at: record + 4 + pageSize, in: &journal)
  }
  return journal
}

private func write(_ value: UInt32, at offset: Int, in bytes: inout [UInt8]) {
  for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32(index))) }
}
