@testable import StoreAudit
import StoreSQLite
import TestSupport
import Testing

@Suite(.needsArchivers) struct ZipDirectoryTests {
  private func sample(_ script: String) throws -> [UInt8] {
    let archive = try TriedArchive("zip", [], script)
    return try withExtendedLifetime(archive.place) { try contents(of: archive.path) }
  }

  @Test func readsNamesSizesAndChecksums() throws {
    let bytes = try sample(
      """
      add("a.txt", b"123456789")
      with archive.open("wide.txt", "w", force_zip64=True) as file: file.write(b"wide")
      archive.comment = b"PK\\5\\6 in a comment"
      """)
    let directory = try #require(try ZipDirectory(of: MemoryBytes(bytes)))
    #expect(directory.entries.map { shown($0.name) } == ["a.txt", "wide.txt"])
    #expect(directory.entries.first?.contents == .init(size: 9, crc32: 0xcbf4_3926))
    #expect(directory.entries.map(\.contents.size) == [9, 4])
    #expect(directory.entries.allSatisfy { !$0.isEncrypted })
  }

  @Test func survivesEveryTruncationAndManyInjuries() throws {
    let bytes = try sample(#"add("a.txt", b"text"); add("b.txt", b"")"#)
    for length in bytes.indices { #expect(try ZipDirectory(of: MemoryBytes(Array(bytes.prefix(length)))) == nil) }
    for seed in LongRuns.seeds(2000, whole: 200_000) {
      var random = SeededGenerator(seed: seed)
      var injured = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 60..<injured.count, using: &random)
        injured[place] = [0, 1, 0xff, 0x50].randomElement(using: &random) ?? 0
      }
      if let directory = try ZipDirectory(of: MemoryBytes(injured)) {
        #expect(directory.entries.count <= injured.count / 46, "seed \(seed)")
      }
    }
  }

  /// With more than 65535 entries, the end of the directory has the form of zip64.
  @Test func readsTheWideEnd() throws {
    let bytes = try sample(#"for number in range(70000): archive.writestr(zipfile.ZipInfo(str(number)), b"")"#)
    let directory = try #require(try ZipDirectory(of: MemoryBytes(bytes)))
    #expect(directory.entries.count == 70000)
    #expect(directory.entries.last.map { shown($0.name) } == "69999")
  }
}
