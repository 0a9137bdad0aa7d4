@testable import StoreAudit
@testable import StoreSystem
import TestSupport
import Testing

/// Of a truncated archive, the entries that were read are kept, and one line says that there may have been more.
@Suite(.needsArchivers) struct CutArchiveTests {
  @Test(arguments: ["tar", "tgz"]) func keepsTheBeginningOfAStore(kind: String) throws {
    let archive = try TriedArchive(
      kind, [],
      """
      for name in ["a.sqlite", "b.sqlite", "c.sqlite"]: add(name, STORE + random.randbytes(180000))
      change(lambda data: data[:len(data) // 2])
      """)
    let lines = try archive.lines()
    #expect(lines.count == 3)
    #expect(lines.first == "file a.sqlite 200016")
    #expect(lines.dropFirst().first?.hasPrefix("file b.sqlite 200016 ") == true)
    #expect(lines.last == "refused : the archive ends early or is damaged; what comes later in it is missing")
    let written = try #require(archive.written()["b.sqlite"])
    #expect(written.count > 512 && written.count < 200016 && written.starts(with: "SQLite format 3".utf8))
  }

  @Test func saysWhereATarIsDamaged() throws {
    let archive = try TriedArchive(
      "tar", [],
      """
      add("a.sqlite"); add("b.sqlite")
      def edit(data): data[data.index(b"b.sqlite")] = 120
      change(edit)
      """)
    #expect(
      try archive.lines() == [
        "file a.sqlite 20016",
        "refused : the archive ends early or is damaged (bsdtar: Damaged tar archive); what comes later in it is missing",
      ])
  }

  @Test(arguments: ["tar", "tgz"]) func survivesEveryLength(kind: String) throws {
    for part in stride(from: 3, to: 100, by: LongRuns.areWanted ? 1 : 24) {
      let archive = try TriedArchive(
        kind, ["\(part)"],
        """
        add("a.sqlite"); add("dir/a.sqlite-wal", b"w" * 700); add("b.sqlite")
        change(lambda data: data[:len(data) * int(sys.argv[3]) // 100])
        """)
      do {
        let result = try archive.unpacked()
        let isWhole = result.files.map(\.written) == [20016, 700, 20016]
        #expect(isWhole || result.refused.contains { $0.name.isEmpty }, "\(part) %")
      } catch let error as ArchiveError {
        guard case .damaged = error else {
          #expect(error == .notAnArchive, "\(part) %")
          continue
        }
      }
    }
  }
}
