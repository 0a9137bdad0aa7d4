@testable import StoreAudit
@testable import StoreSystem
import Foundation
import TestSupport
import Testing

/// Archives made to harm: each entry that looks like a store has one line, and nothing is written outside the private
/// folder.
@Suite(.needsArchivers) struct HostileArchiveTests {
  @Test(arguments: ["tar", "tgz", "zip"]) func refusesNamesThatLeadElsewhere(kind: String) throws {
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
    let zip = try TriedArchive(
      "zip", [],
      #"""
      for name in ["XX.sqlite", "é.sqlite", "a\\b.sqlite"]: add(name)
      change(lambda data: data.replace(b"XX.sqlite", b"\x82\xff.sqlite"))
      """#)
    #expect(
      try zip.lines() == ["file <82><ff>.sqlite 20016", "file é.sqlite 20016", "file a/b.sqlite 20016"])
  }

  /// bsdtar stops at a name that is marked as UTF-8 and is not.
  @Test func namesWhatAFalseNameHides() throws {
    let archive = try TriedArchive(
      "zip", [],
      #"""
      for name in ["a.sqlite", "é.sqlite", "b.sqlite", "c.txt"]: add(name)
      change(lambda data: data.replace("é".encode(), b"\xff\xfe"))
      """#)
    #expect(
      try archive.lines() == [
        "file a.sqlite 20016",
        "refused : the archive ends early or is damaged (bsdtar: Pathname cannot be converted from UTF-8 to current "
          + "locale.); what comes later in it is missing",
        "refused <ff><fe>.sqlite: the archive could not be read so far",
        "refused b.sqlite: the archive could not be read so far",
      ])
  }

  /// bsdtar 3.6.2 fills such an entry with zeros, says nothing and ends with status 0.
  @Test func doesNotBelieveWhatItsChecksumDenies() throws {
    let archive = try TriedArchive(
      "zip", [],
      """
      for name in ["a.sqlite", "b.sqlite", "c.sqlite"]: add(name, STORE + name.encode(), zipfile.ZIP_STORED)
      def edit(data): data[data.index(b"b.sqlite") + 5000] ^= 1
      change(edit)
      """)
    #expect(
      try archive.lines() == [
        "file a.sqlite 20024", "file c.sqlite 20024", "refused b.sqlite: its bytes do not fit its checksum",
      ])
  }

  @Test func keepsWhatAnArchiveHadBeforeItsDamage() throws {
    let archive = try TriedArchive(
      "zip", [],
      """
      for name in ["a.sqlite", "b.sqlite", "c.sqlite"]: add(name)
      def edit(data):
        start = data.index(b"b.sqlite") + 8
        data[start:start + 10] = b"\\xff" * 10
      change(edit)
      """)
    #expect(
      try archive.lines() == [
        "file a.sqlite 20016", "refused b.sqlite: the archive ends in it",
        "refused : the archive ends early or is damaged; what comes later in it is missing",
        "refused c.sqlite: the archive could not be read so far",
      ])
    #expect(try archive.written()["a.sqlite"]?.count == 20016)
  }

  @Test func leavesOutWhatNeedsAPassword() throws {
    let archive = try TriedArchive(
      "zip", [],
      #"""
      names = ["a.sqlite", "d/", "d/b.sqlite", "x/d/b.sqlite", "d/b.sqlite-wal", "we[i]rd*?^$.sqlite", "w\\in.sqlite",
        "e\u0301 and \u00e9.sqlite", "log", "z.sqlite"]
      for name in names: add(name, b"" if name == "d/" else STORE)
      encrypt("d/b.sqlite", "d/b.sqlite-wal", "we[i]rd*?^$.sqlite", "w\\in.sqlite", names[7], "log")
      """#)
    #expect(
      try archive.lines() == [
        "file a.sqlite 20016", "file x/d/b.sqlite 20016", "file z.sqlite 20016", "encrypted d/b.sqlite",
        "encrypted d/b.sqlite-wal", "encrypted we[i]rd*?^$.sqlite", "encrypted w\\in.sqlite",
        "encrypted e\u{301} and \u{e9}.sqlite", "encrypted log",
      ])
  }

  /// If all entries are encrypted, or if leaving some out by their names would leave out others, the whole archive is
  /// refused.
  @Test(arguments: [
    #"for name in ["a.sqlite", "d/b.sqlite"]: add(name)\#nadd("d/", b"")\#nencrypt("a.sqlite", "d/b.sqlite")"#,
    #"add("a.sqlite"); add("./a.sqlite"); encrypt("a.sqlite")"#,
    #"add("a\u00e9b.sqlite"); add("a and b.sqlite"); encrypt("a\u00e9b.sqlite")"#,
  ])
  func refusesWholeWhatNeedsAPassword(script: String) throws {
    let archive = try TriedArchive("zip", [], script)
    #expect(throws: ArchiveError.encrypted) { try archive.unpacked() }
  }

  /// Only the entry's own header says that it is encrypted, and bsdtar would ask for a password.
  @Test func leavesOutWhatSaysItselfThatItNeedsAPassword() throws {
    let archive = try TriedArchive(
      "zip", [],
      #"""
      for name in ["a.sqlite", "b.sqlite"]: add(name)
      def edit(data): data[data.find(b"PK\3\4", 1) + 6] |= 1
      change(edit)
      """#)
    #expect(try archive.lines() == ["file a.sqlite 20016", "encrypted b.sqlite"])
  }

  /// Whatever their names, all entries come out or are listed as encrypted.
  @Test(arguments: LongRuns.seeds(30, whole: 1000)) func losesNoEntryBesideEncryptedOnes(seed: UInt64) throws {
    let archive = try TriedArchive(
      "zip", ["\(seed)"],
      #"""
      random.seed(int(sys.argv[3]))
      letters = ["a", "A", "b", ".", "-", "*", "?", "[", "]", "^", "$", "\\", "/", " ", "e\u0301", "\u00e9", "\u30c6"]
      names = set()
      while len(names) < 12:
        name = "".join(random.choices(letters, k=random.randint(1, 6))).lstrip("/") + "x.sqlite"
        names.add(name)
      names = sorted(names)
      for name in names: add(name, STORE + name.encode())
      encrypt(*random.sample(names, 4))
      """#)
    do {
      let found = try archive.unpacked()
      #expect(found.files.count + found.refused.count == 8, "seed \(seed)")
      #expect(!found.refused.contains { $0.name.isEmpty }, "seed \(seed): \(found.refused)")
      #expect(found.encrypted.count == 4, "seed \(seed)")
    } catch ArchiveError.encrypted {
      // bsdtar cannot tell some names apart.
    }
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

  /// A directory whose 20,000 entries, under as many names or under one, all refer to the same file.
  @Test(arguments: ["a.sqlite", "%d.sqlite"]) func entriesInThePlaceOfOthersAreOneLine(name: String) throws {
    let archive = try TriedArchive(
      "raw", [name],
      #"""
      import struct, zlib
      def name(number): return (sys.argv[3].replace("%d", str(number))).encode()
      sizes = struct.pack("<III", zlib.crc32(STORE), len(STORE), len(STORE))
      start = b"PK\3\4" + struct.pack("<HHHHH", 20, 0, 0, 0, 0) + sizes + struct.pack("<HH", len(name(0)), 0) + name(0)
      entries = b"".join(
        b"PK\1\2" + struct.pack("<HHHHHH", 20, 20, 0, 0, 0, 0) + sizes
        + struct.pack("<HHHHHII", len(name(n)), 0, 0, 0, 0, 0, 0) + name(n) for n in range(20000))
      end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 20000, 20000, len(entries), len(start) + len(STORE), 0)
      open(out, "wb").write(start + STORE + entries + end)
      """#)
    #expect(
      try archive.lines() == [
        "file \(name.replacing("%d", with: "0")) 20016",
        "refused : 19999 of its 20000 entries did not come out: 19999 lie in the place of others, which is a trick; "
          + "unpack it yourself and audit the folder",
      ])
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
