import StoreSQLite
import Testing

@Suite struct DatabaseFilesTests {
  private func sample() throws -> TemporaryFolder {
    try WALSample("CREATE TABLE t(b); INSERT INTO t VALUES (1);").copy()
  }

  @Test func noticesWhatAnotherProcessDoes() throws {
    let injuries: [(name: String, injury: (TemporaryFolder) throws -> Void)] = [
      ("a.sqlite", { try $0.write($0.bytes("a.sqlite") + [0], to: "a.sqlite") }),
      ("a.sqlite", { try $0.write($0.bytes("a.sqlite"), to: "a.sqlite") }),
      ("a.sqlite-wal", { try $0.write([], to: "a.sqlite-wal") }),
      ("a.sqlite-wal", { $0.remove("a.sqlite-wal") }),
      ("a.sqlite-journal", { try $0.write([1], to: "a.sqlite-journal") }),
      ("a.sqlite-shm", { try $0.write([1], to: "a.sqlite-shm") }),
    ]
    for (name, injury) in injuries {
      let folder = try sample()
      let files = try DatabaseFiles(path: folder.file("a.sqlite"))
      #expect(files.changedFile() == nil)
      try injury(folder)
      #expect(files.changedFile() == folder.file(name))
    }
  }

  @Test func notesTheWALIndexWithoutReadingIt() throws {
    let folder = try sample()
    try folder.write([UInt8](repeating: 7, count: 32768), to: "a.sqlite-shm")
    let files = try DatabaseFiles(path: folder.file("a.sqlite"))
    #expect(files.sharedMemory?.size == 32768)
    #expect(try column("SELECT b FROM t", on: Connection(reading: files)) == ["1"])
    #expect(files.changedFile() == nil)
  }

  @Test func noticesASideFileThatIsNone() throws {
    let folder = try sample()
    let files = try DatabaseFiles(path: folder.file("a.sqlite"))
    #expect(files.wal != nil && files.journal == nil && files.sharedMemory == nil)
    #expect(files.problems.isEmpty && files.sideFilesBesideLink.isEmpty)
    #expect(files.path == folder.file("a.sqlite"))
  }
}
