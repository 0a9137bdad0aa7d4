@testable import StoreAudit
@testable import StoreSystem
import Foundation
import TestSupport
import Testing

/// Archives made to harm: each entry that looks like a store has one line, and nothing is written outside the private
/// folder.
@Suite(.needsArchivers) struct HostileArchiveTests {
  @Test(arguments: ["tar", "tgz"]) func refusesNamesThatLeadElsewhere(kind: String) throws {
    let archive = try TriedArchive(
      kind, [],
      """
      add("good.sqlite")
      add("/abs.sqlite")
      add("../up.sqlite")
      add("a/../../../up.sqlite")
      add("/abs.txt", b"of no interest")
      add("../up.sqlite-wal", b"frames")
      add("d/" * 64 + "deep.sqlite")
      add("d/" * 65 + "deeper.sqlite")
      add("n" * 256 + ".sqlite")
      add("/".join(["m" * 200] * 25) + "/long.sqlite")
      add("good.sqlite", STORE + b"second")
      add("good.sqlite/below.sqlite")
      add("Good.sqlite")
      add("end.sqlite")
      """)
    let deep = String(repeating: "d/", count: 64)
    #expect(
      try archive.lines().map { $0.replacing(deep, with: "D/").replacing(/[mn\/]{200,}/, with: "…") } == [
        "file good.sqlite 20016", "file D/deep.sqlite 20016", "file Good.sqlite 20016", "file end.sqlite 20016",
        "refused /abs.sqlite: its name begins with a slash",
        "refused ../up.sqlite: its name leads out of the archive with '..'",
        "refused a/../../../up.sqlite: its name leads out of the archive with '..'",
        "refused ../up.sqlite-wal: its name leads out of the archive with '..'",
        "refused D/d/deeper.sqlite: it lies more than 64 folders deep",
        "refused ….sqlite: its name is too long",
        "refused …: its name is too long",
        "refused good.sqlite: an entry before it has the same name",
        "refused good.sqlite/below.sqlite: an entry before it is a file where this one needs a folder",
      ])
    #expect(try archive.written()["good.sqlite"]?.count == 20016)
  }

  @Test func followsNoLinksAndMakesNone() throws {
    let archive = try TriedArchive(
      "tar", [],
      """
      add("out", b"", type=tarfile.SYMTYPE, linkname="/tmp")
      add("out/through.sqlite")
      add("soft.sqlite", b"", type=tarfile.SYMTYPE, linkname="../../etc/passwd")
      add("hard.sqlite", b"", type=tarfile.LNKTYPE, linkname="out/through.sqlite")
      add("pipe.sqlite", b"", type=tarfile.FIFOTYPE)
      add("disk.sqlite", b"", type=tarfile.BLKTYPE)
      add("folder.sqlite", b"", type=tarfile.DIRTYPE)
      """)
    #expect(try archive.lines() == ["file out/through.sqlite 20016", "link soft.sqlite", "link hard.sqlite"])
  }

  @Test(.needsNamesOfAnyBytes) func takesNamesInAnyEncoding() throws {
    let tar = try TriedArchive(
      "tar", [],
      #"""
      tar.format = tarfile.GNU_FORMAT
      for name in ["\udcff.sqlite", "é.sqlite", "a\nb.sqlite", "\u202e.sqlite", "-rf.sqlite", "@x.sqlite"]: add(name)
      """#)
    #expect(
      try tar.lines()
        == ["<ff>.sqlite", "é.sqlite", "a\nb.sqlite", "\u{202e}.sqlite", "-rf.sqlite", "@x.sqlite"].map {
          "file \($0) 20016"
        })
  }

  /// libarchive reads an mtree list as an archive, and bsdtar would then pack the files of this machine that it names.
  /// The "sealed" one also has a tar's header, with a checksum that libarchive does not accept.
  @Test(arguments: [
    "text", "list", "gzip list", "sealed list", "gzip sealed list", "empty", "zeros in gzip", "7 bytes",
  ])
  func refusesWhatIsNoArchive(content: String) throws {
    let archive = try TriedArchive(
      "raw", [content],
      #"""
      mtree = b"#mtree\n./a.sqlite type=file contents=" + os.path.abspath(__file__).encode() + b"\n" + b"# more\n" * 99
      sealed = bytearray(512)
      sealed[:78] = b"a type=file contents=/a.b\n" * 3
      sealed[124:136] = b"00000000000\0"
      sealed[156:157] = b"0"
      sealed[257:265] = b"ustar\x0000"
      sealed[148:156] = b" " * 8
      sealed[148:156] = b"\x80" + sum(sealed).to_bytes(7, "big")
      open(out, "wb").write({
        "text": b"hello\n" * 200, "list": mtree, "gzip list": gzip.compress(mtree), "empty": b"",
        "sealed list": sealed, "gzip sealed list": gzip.compress(sealed),
        "zeros in gzip": gzip.compress(gzip.compress(bytes(100))), "7 bytes": b"PK\3\4abc"}[sys.argv[3]])
      """#)
    let expected: ArchiveError? = content == "7 bytes" ? nil : .notAnArchive
    let error = try #require(throws: ArchiveError.self) { try archive.unpacked() }
    if let expected { #expect(error == expected) }
  }

  /// Numbers in base 256 may be negative.
  @Test(arguments: [0, 1]) func aNegativeSizeIsDamage(before: Int) throws {
    let archive = try TriedArchive(
      "tar", ["\(before)"],
      #"""
      for number in range(int(sys.argv[3])): add(f"{number}.sqlite")
      bad = bytearray(tarfile.TarInfo("bad.sqlite").tobuf(tarfile.USTAR_FORMAT))
      bad[124:136] = b"\xff" * 12
      bad[148:156] = b" " * 8
      bad[148:156] = b"%06o\0 " % sum(bad)
      tar.fileobj.write(bad)
      """#)
    let words = "ends early or is damaged (bsdtar: Tar entry has negative size)"
    if before == 0 {
      let error = try #require(throws: ArchiveError.self) { try archive.unpacked() }
      #expect(error.description.contains(words), "\(error)")
    } else {
      let lines = try archive.lines()
      #expect(lines.count == 2 && lines[0] == "file 0.sqlite 20016" && lines[1].contains(words), "\(lines)")
    }
  }

  /// bsdtar would read this one as a tar. But if it did not, it would read files of this machine, so the archive is
  /// refused.
  @Test func refusesATarThatBeginsAsAListOfFilesDoes() throws {
    let archive = try TriedArchive(
      "tar", [],
      #"""
      tar.format = tarfile.GNU_FORMAT
      add("#mtree\n./a.sqlite type=file contents=/etc/passwd\n", b"text")
      add("b.sqlite")
      """#)
    #expect(throws: ArchiveError.notAnArchive) { try archive.lines() }
  }
}
