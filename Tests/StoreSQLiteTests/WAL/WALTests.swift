import StoreSQLite
import Testing

/// Four frames, "header | page 1 | page 2 commit | page 2 commit": a table, then two rows.
private let twoRows = "CREATE TABLE t(b); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2);"

@Suite struct WALTests {
  @Test func countsFramesAndCommits() throws {
    let sample = try WALSample(twoRows)
    let wal = try WAL(scanning: MemoryBytes(sample.wal))
    #expect(wal.frames == 4)
    #expect(wal.validFrames == 4)
    #expect(wal.committedFrames == 4)
    #expect(wal.commits == 3)
    #expect(wal.pageCountAfterLastCommit == 2)
    #expect(wal.tail == WALTail())
    #expect(wal.pages.pages == [1, 2])
    #expect(wal.pages.positions == [0, 3])
    #expect(try wal.header.get().pageSize == 1024)
  }

  @Test func givesTheLatestCommittedVersionOfAPage() throws {
    let sample = try WALSample(twoRows)
    let wal = try WAL(scanning: MemoryBytes(sample.wal))
    // A leaf page has its number of cells at offset 3.
    #expect(try wal.page(2)?[4] == 2)
    #expect(try wal.content(ofFrame: 1)?[4] == 0)
    #expect(try wal.page(3) == nil)
    #expect(try wal.frame(1)?.pageNumber == 2)
    #expect(try wal.frame(1)?.isCommit == true)
    #expect(try wal.frame(4) == nil)
    #expect(try wal.frame(-1) == nil)
  }

  @Test func readsChecksumsOfBothByteOrders() throws {
    let sample = try WALSample(twoRows)
    for bigEndian in [false, true] {
      let folder = try sample.copy { bytes in
        var file = WALFile(bytes)
        file.seal(bigEndian: bigEndian)
        bytes = file.bytes
      }
      let wal = try WAL(scanning: MemoryBytes(folder.bytes("a.sqlite-wal")))
      #expect(try wal.header.get().isBigEndian == bigEndian)
      #expect(wal.committedFrames == 4)
      #expect(try column("SELECT b FROM t", on: reading(folder)) == ["1", "2"])
    }
  }

  @Test func stopsAtATornFrame() throws {
    let sample = try WALSample(twoRows)
    // As if the last bit of the last page had not reached the disk.
    let folder = try sample.copy { $0[$0.count - 1] ^= 1 }
    let wal = try WAL(scanning: MemoryBytes(folder.bytes("a.sqlite-wal")))
    #expect(wal.committedFrames == 3)
    #expect(wal.tail == WALTail(tornFrames: 1, tornEnd: 4, endsInTornCommit: true))
    #expect(try column("SELECT b FROM t", on: reading(folder)) == ["1"])
  }

  @Test func countsCommitsBehindATornFrame() throws {
    let sample = try WALSample(twoRows)
    // A bit of the second frame's page: the two frames behind it are whole, and each commits.
    let folder = try sample.copy { $0[32 + 1048 + 24] ^= 1 }
    let wal = try WAL(scanning: MemoryBytes(folder.bytes("a.sqlite-wal")))
    #expect(wal.validFrames == 1 && wal.commits == 0)
    #expect(
      wal.tail == WALTail(uncommittedFrames: 1, tornFrames: 3, hiddenCommits: 2, tornEnd: 4, endsInTornCommit: true))
  }

  /// One of the two salts is not enough; a checkpoint changes both, so that the frame is a damaged one.
  @Test(arguments: [8, 12]) func stopsAtAFrameOfAnotherCycle(salt: Int) throws {
    let sample = try WALSample(twoRows)
    let folder = try sample.copy { bytes in
      var file = WALFile(bytes)
      file.put(word(bytes, file.offset(3) + salt) &+ 1, at: file.offset(3) + salt)
      bytes = file.bytes
    }
    let wal = try WAL(scanning: MemoryBytes(folder.bytes("a.sqlite-wal")))
    #expect(wal.validFrames == 3 && wal.tail == WALTail(tornFrames: 1, tornEnd: 4, endsInTornCommit: true))
    #expect(try column("SELECT b FROM t", on: reading(folder)) == ["1"])
  }

  /// Salts that are of no time before are no sign of an older frame.
  @Test func aFrameOfNoiseBehindTheLastCommitIsDamagedAndNotLeftOver() throws {
    let sample = try WALSample(twoRows)
    func tail(_ change: (inout WALFile) -> Void) throws -> WALTail {
      var file = WALFile(try sample.wal)
      change(&file)
      return try WAL(scanning: MemoryBytes(file.bytes)).tail
    }
    func put(_ salts: [UInt32], inFrame frame: Int, of file: inout WALFile) {
      for (index, salt) in salts.enumerated() { file.put(salt, at: file.offset(frame) + 8 + 4 * index) }
    }
    let noise: [UInt32] = [0x6e6f_6973, 0x6521_2121]
    #expect(try tail { put(noise, inFrame: 3, of: &$0) } == WALTail(tornFrames: 1, tornEnd: 4))
    // Two frames of one time have the same salts, whatever these are.
    let pair = try tail { file in
      put(noise, inFrame: 2, of: &file)
      put(noise, inFrame: 3, of: &file)
    }
    #expect(pair == WALTail(endsInOlderFrame: true, leftoverFrames: 2))
    // Behind an older frame all are older, damaged or not.
    let salt = try WAL(scanning: MemoryBytes(sample.wal)).header.get().salt1
    let older = try tail { file in
      put([salt &- 1, 7], inFrame: 2, of: &file)
      put(noise, inFrame: 3, of: &file)
    }
    #expect(older == WALTail(endsInOlderFrame: true, leftoverFrames: 2))
  }

  /// SQLite takes no frame of page 0, whatever its checksum.
  @Test func stopsAtAFrameOfPageZero() throws {
    let sample = try WALSample(twoRows)
    let folder = try sample.copy { bytes in
      var file = WALFile(bytes)
      file.put(0, at: file.offset(3))
      file.seal(bigEndian: false)
      bytes = file.bytes
    }
    let wal = try WAL(scanning: MemoryBytes(folder.bytes("a.sqlite-wal")))
    #expect(wal.validFrames == 3)
    #expect(try column("SELECT b FROM t", on: reading(folder)) == ["1"])
  }

  @Test func stopsWhereTheFileEndsWithinAFrame() throws {
    let sample = try WALSample(twoRows)
    let folder = try sample.copy { $0.removeLast(1000) }
    let wal = try WAL(scanning: MemoryBytes(folder.bytes("a.sqlite-wal")))
    #expect(wal.frames == 3)
    #expect(wal.tail == WALTail(partialBytes: 48))
    #expect(try column("SELECT b FROM t", on: reading(folder)) == ["1"])
  }

  @Test func leavesOutFramesWithoutACommit() throws {
    let sample = try WALSample(twoRows)
    let folder = try sample.copy { bytes in
      var file = WALFile(bytes)
      // Without the number of pages in its header, the last frame does not commit.
      file.put(0, at: file.offset(3) + 4)
      file.seal(bigEndian: false)
      bytes = file.bytes
    }
    let wal = try WAL(scanning: MemoryBytes(folder.bytes("a.sqlite-wal")))
    #expect(wal.validFrames == 4)
    #expect(wal.committedFrames == 3)
    #expect(wal.tail == WALTail(uncommittedFrames: 1))
    #expect(try column("SELECT b FROM t", on: reading(folder)) == ["1"])
  }

  @Test func leavesOutFramesFromBeforeACheckpoint() throws {
    let sample = try WALSample(twoRows)
    // The first write after a checkpoint begins the log anew and overwrites one frame; three old ones remain.
    try sample.execute("PRAGMA wal_checkpoint(RESTART); INSERT INTO t VALUES (3);")
    let wal = try WAL(scanning: MemoryBytes(sample.wal))
    #expect(wal.frames == 4)
    #expect(wal.committedFrames == 1)
    #expect(wal.tail == WALTail(endsInOlderFrame: true, leftoverFrames: 3))
    #expect(try column("SELECT b FROM t", on: reading(sample.copy())) == ["1", "2", "3"])
  }

  /// SQLite cuts a log off at `journal_size_limit`, wherever that is.
  @Test func aPartOfAnOlderFrameAtTheEndIsNoUnfinishedTransaction() throws {
    let sample = try WALSample(twoRows)
    try sample.execute("PRAGMA journal_size_limit=1500; PRAGMA wal_checkpoint(RESTART); INSERT INTO t VALUES (3);")
    #expect(try sample.wal.count == 1500)
    let wal = try WAL(scanning: MemoryBytes(sample.wal))
    #expect(wal.committedFrames == 1 && wal.tail == WALTail(endsInOlderFrame: true, partialBytes: 420))
    let blank = try WAL(scanning: MemoryBytes(Array(sample.wal.prefix(32 + 1048)) + [UInt8](repeating: 0, count: 99)))
    #expect(blank.tail == WALTail(endsInOlderFrame: true, partialBytes: 99))
    // Fewer bytes than tell.
    let short = try WAL(scanning: MemoryBytes(Array(sample.wal.prefix(32 + 1048 + 15))))
    #expect(short.tail == WALTail(partialBytes: 15))
  }

  @Test func leavesOutBlankFrames() throws {
    let sample = try WALSample(twoRows)
    let wal = try WAL(scanning: MemoryBytes(sample.wal + [UInt8](repeating: 0, count: 2 * 1048)))
    #expect(wal.committedFrames == 4)
    #expect(wal.tail == WALTail(endsInOlderFrame: true, blankFrames: 2))
  }

  @Test func forgetsPagesThatTheDatabaseNoLongerHas() throws {
    let sample = try WALSample(
      "PRAGMA auto_vacuum=FULL; VACUUM; CREATE TABLE t(b); INSERT INTO t VALUES (zeroblob(5000)); DELETE FROM t;")
    let wal = try WAL(scanning: MemoryBytes(sample.wal))
    let size = try #require(wal.pageCountAfterLastCommit)
    #expect(size == 3)
    #expect(wal.pages.pages.allSatisfy { $0 <= size })
    #expect(wal.committedFrames > wal.pages.count)
  }

  @Test(arguments: [
    (0, 0, WALHeader.Invalid.empty),
    (31, 0, .truncated(bytes: 31)),
    (4224, 0, .magic(0x3680_0682)),
    (4224, 8, .pageSize(0x0100_0400)),
    (4224, 4, .checksum),
    (4224, 20, .checksum),
    (4224, 27, .checksum),
  ])
  func saysWhyAHeaderIsInvalid(length: Int, changedByte: Int, reason: WALHeader.Invalid) throws {
    let sample = try WALSample(twoRows)
    let folder = try sample.copy { bytes in
      bytes = Array(bytes.prefix(length))
      if bytes.indices.contains(changedByte) { bytes[changedByte] ^= 1 }
      if bytes.count > 1, changedByte == 0, length > 32 { bytes[1] = 0x80 }
    }
    let wal = try WAL(scanning: MemoryBytes(folder.bytes("a.sqlite-wal")))
    #expect(throws: reason) { try wal.header.get() }
    #expect(wal.frames == 0 && wal.committedFrames == 0 && wal.pages.count == 0)
    // The main file alone has one page, without the table.
    #expect(try column("SELECT name FROM sqlite_master", on: reading(folder)) == [])
  }

  @Test func takesALogOfAnUnknownVersionForNone() throws {
    let sample = try WALSample(twoRows)
    let folder = try sample.copy { bytes in
      var file = WALFile(bytes)
      file.put(3_007_001, at: 4)
      file.seal(bigEndian: false)
      bytes = file.bytes
    }
    let wal = try WAL(scanning: MemoryBytes(folder.bytes("a.sqlite-wal")))
    #expect(throws: WALHeader.Invalid.version(3_007_001)) { try wal.header.get() }
    // SQLite refuses such a database; here the main file is read alone, and the connection says so.
    let connection = try reading(folder)
    #expect(!connection.readsWAL)
    #expect(try connection.schema().isEmpty)
  }

  @Test func acceptsAHeaderWithoutFrames() throws {
    let sample = try WALSample(twoRows)
    let folder = try sample.copy { $0.removeLast($0.count - 32) }
    let wal = try WAL(scanning: MemoryBytes(folder.bytes("a.sqlite-wal")))
    #expect(wal.frames == 0 && !wal.hasCommits && wal.tail == WALTail())
    #expect(try reading(folder).schema().isEmpty)
  }

  @Test func agreesWithSQLiteOnEveryTruncation() throws {
    let sample = try WALSample(twoRows)
    let (main, whole) = (try sample.main, try sample.wal)
    for length in stride(from: 0, through: whole.count, by: 131) {
      let bytes = MemoryBytes(Array(whole.prefix(length)))
      let connection = try Connection(reading: MemoryBytes(main), wal: bytes)
      let rows = try connection.schema().isEmpty ? 0 : integers("SELECT count(*) FROM t", on: connection)[0]
      let commits = try WAL(scanning: bytes).commits
      #expect(Int(rows) == max(0, commits - 1), "\(length) bytes")
    }
  }

  @Test(.enabled(if: hasShell), arguments: [4223, 3200, 3175, 2200])
  func agreesWithTheShellOnChangedBytes(changed: Int) throws {
    let sample = try WALSample(twoRows)
    let folder = try sample.copy { $0[changed] ^= 1 }
    let ours = try column("SELECT b FROM t ORDER BY b", on: reading(folder))
    let theirs = shell(folder, "SELECT b FROM t ORDER BY b")
    #expect(theirs == ours.map { $0 ?? "" }.joined(separator: "\n"))
  }
}
