import StorePlatform
import StoreSQLite
import TestSupport
import Testing

@Suite struct EvidenceFileTests {
  @Test func readsWhatIsThereAndNoMore() throws {
    let folder = try TemporaryFolder()
    try folder.write(Array(0..<10), to: "f")
    let file = try EvidenceFile(PosixPath(folder.file("f")))
    #expect(file.size == 10)
    #expect(try file.read(at: 0, count: 100) == Array(0..<10))
    #expect(try file.read(at: 8, count: 2) == [8, 9])
    #expect(try file.read(at: 10, count: 1) == [])
    #expect(try file.read(at: -1, count: 1) == [])
    #expect(try file.read(at: .max, count: .max) == [])
    #expect(try file.read(at: 0, count: -1) == [])
  }

  @Test func doesNotReadWhatWasAppendedLater() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "f")
    let file = try EvidenceFile(PosixPath(folder.file("f")))
    try folder.write([1, 2, 3], to: "f")
    #expect(try file.read(at: 0, count: 10) == [1])
  }

  @Test func refusesWhatIsNoRegularFileWithoutWaiting() throws {
    let folder = try TemporaryFolder()
    mkfifo(folder.file("fifo"), 0o600)
    mkdir(folder.file("folder"), 0o700)
    for (path, kind) in [
      (folder.file("fifo"), "FIFO"), (folder.file("folder"), "directory"), ("/dev/zero", "character device"),
    ] {
      let error = #expect(throws: FileError.self) { try EvidenceFile(PosixPath(path)) }
      #expect(error?.kind == .notRegularFile(kind: kind))
      #expect(throws: FileError.self) { try DatabaseFiles(path: path) }
    }
  }

  @Test(arguments: ["", "a\0b", "no/such/folder", "/dev/null/file", "nothing"])
  func saysWhenThereIsNoSuchFile(path: String) {
    let error = #expect(throws: FileError.self) { try EvidenceFile(PosixPath(path)) }
    #expect(error?.kind == .missing)
  }

  @Test func saysWhenItIsNotPermitted() throws {
    guard getuid() != 0 else { return }
    let folder = try TemporaryFolder()
    try folder.write([1], to: "f")
    chmod(folder.file("f"), 0)
    let error = #expect(throws: FileError.self) { try EvidenceFile(PosixPath(folder.file("f"))) }
    #expect(error?.kind == .notPermitted)
    #expect(error?.description == "cannot read '\(folder.file("f"))': permission denied")
  }

  @Test(.needsNamesOfAnyBytes) func opensAFileWhoseNameIsNotUTF8() throws {
    let folder = try TemporaryFolder()
    let name = Array(folder.path.utf8) + [UInt8(ascii: "/"), 0xff, 0xfe]
    try folder.write(Array("x".utf8), to: "plain")
    let cName = name.map { CChar(bitPattern: $0) } + [0]
    #expect(rename(folder.file("plain"), cName) == 0)
    #expect(try EvidenceFile(PosixPath(bytes: name)).size == 1)
    #expect(try DatabaseFiles(PosixPath(bytes: name)).main.size == 1)
    unlink(cName)
  }

  @Test func noticesAFileThatWasReplaced() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "f")
    try folder.write([1], to: "g")
    let file = try EvidenceFile(PosixPath(folder.file("f")))
    #expect(try file.currentIdentity() == file.identity)
    rename(folder.file("g"), folder.file("f"))
    let error = #expect(throws: FileError.self) { try file.currentIdentity() }
    #expect(error?.kind == .changed)
    folder.remove("f")
    #expect(throws: FileError.self) { try file.currentIdentity() }
  }

  @Test func leavesTheAccessTimeAlone() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "f")
    // The access time is before the modification time, so that a `relatime` mount would update it on any read.
    var times = [timeval(tv_sec: 1000, tv_usec: 0), timeval(tv_sec: 2000, tv_usec: 0)]
    utimes(folder.file("f"), &times)
    let file = try EvidenceFile(PosixPath(folder.file("f")))
    _ = try file.read(at: 0, count: 1)
    if Platform.withoutAccessTime != nil {
      #expect(!file.accessTimeMayChange)
      #expect(try FileState(folder.file("f")).times[4] == 1000)
    } else {
      #expect(file.accessTimeMayChange)
    }
  }
}
