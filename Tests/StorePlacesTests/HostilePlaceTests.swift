import CStoreZlib
import Foundation
import StorePlatform
import StoreSQLite
import StoreSystem
import TestSupport
import Testing

@testable import StorePlaces

/// Archives made to harm or to mislead: nothing is written but private files, what cannot be trusted is said, and what lies
/// beside it is read.
@Suite struct HostilePlaceTests {
  private func zip(_ names: [String], _ traits: ZipMaker.Traits = .init()) throws -> ZipMaker {
    var zip = ZipMaker()
    for name in names { try zip.add(name, database(), traits) }
    return zip
  }

  // MARK: Names

  @Test(arguments: ["a.zip", "a.tar", "a.tgz"]) func namesThatLeadElsewhereAreOnlyNames(kind: String) throws {
    let deep = String(repeating: "d/", count: 70) + "deep.sqlite"
    let long = String(repeating: String(repeating: "m", count: 200) + "/", count: 25) + "long.sqlite"
    let names = [
      "good.sqlite", "/abs.sqlite", "../up.sqlite", "a/../../../up.sqlite", deep, long,
      String(repeating: "n", count: 256) + ".sqlite", "good.sqlite/below.sqlite", "Good.sqlite", "a\nb.sqlite",
      "\u{202e}.sqlite", "-rf.sqlite", "@x.sqlite", "é.sqlite",
    ]
    var (zip, tar) = (ZipMaker(), TarMaker())
    for name in names + ["good.sqlite"] {
      try zip.add(name, database())
      tar.add("././@LongLink", Array((name + "\0").utf8), type: "L")
      tar.add("short", database())
    }
    let place = try TriedPlace(
      kind == "a.zip" ? zip.archive() : kind == "a.tar" ? tar.archive : try gzip(tar.archive), named: kind)
    #expect(place.lines.sorted() == (names + ["good.sqlite: refused: an entry before it has the same name"]).sorted())
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path).sorted() == [kind, "private"])
  }

  @Test func bytesOfAnyEncodingAreNames() throws {
    var tar = TarMaker()
    tar.add([0xff] + Array(".sqlite".utf8), database())
    #expect(try TriedPlace(tar.archive, named: "a.tar").sets.map(\.shown) == [[0xff] + Array(".sqlite".utf8)])
    var zip = ZipMaker()
    try zip.add([0x82, 0xff] + Array(".sqlite".utf8), database())
    try zip.add(Array("hidden.sqlite\0.txt".utf8), database())
    // Said to be UTF-8, which it is not.
    try zip.add([0x82, 0xfe] + Array(".sqlite".utf8), database(), .init(flags: 0x800))
    #expect(try TriedPlace(zip.archive()).lines == ["hidden.sqlite", "é\u{a0}.sqlite", "é■.sqlite"])
  }

  /// On Windows a backslash parts folders; elsewhere it is a letter.
  @Test(arguments: [0, 3, 10] as [UInt8]) func backslashesOfWindowsPartFolders(system: UInt8) throws {
    var zip = ZipMaker()
    let names = ["a\\Notes.sqlite", "a\\Notes.sqlite-wal", "a\\.Notes_SUPPORT\\_EXTERNAL_DATA\\0A1B"]
    try zip.add(names[0], database(), .init(system: system))
    try zip.add(names[1], log, .init(system: system))
    try zip.add(names[2], [1, 2], .init(system: system))
    let place = try TriedPlace(zip.archive())
    let parted = names.map { $0.replacing("\\", with: "/") }
    #expect(place.lines == [system == 3 ? names[..<2].joined(separator: " + ") : parted.joined(separator: " + ")])
  }

  @Test func linksAndDevicesAreNotFollowed() throws {
    var tar = TarMaker()
    tar.add("out", [], type: "2")
    tar.add("out/through.sqlite", database())
    for (name, type) in [("soft.sqlite", "2"), ("hard.sqlite", "1"), ("pipe.sqlite", "6"), ("disk.sqlite", "4")] {
      tar.add(name, [], type: Character(type))
    }
    tar.add("folder.sqlite", [], type: "5")
    #expect(
      try TriedPlace(tar.archive, named: "a.tar").lines == [
        "out/through.sqlite", "soft.sqlite: link: a link, which is not followed",
        "hard.sqlite: link: a link, which is not followed",
      ])
  }

  /// Old programs state the size of what a link leads to, and no content follows.
  @Test(arguments: ["1", "2", "5"] as [Character]) func linksHaveNoContent(type: Character) throws {
    var tar = TarMaker()
    tar.add("a.sqlite", database())
    tar.add(Array("b.sqlite".utf8), [], type: type, size: 3016)
    tar.add("c.sqlite", database(seed: 1))
    let place = try TriedPlace(tar.archive, named: "a.tar")
    #expect(try place.bytes("c.sqlite") == database(seed: 1))
  }

  @Test func aHardLinkMayHaveContent() throws {
    var tar = TarMaker()
    tar.add(Array("b.sqlite".utf8), database(), type: "1")
    tar.add("c.sqlite", database(seed: 1))
    #expect(try TriedPlace(tar.archive, named: "a.tar").bytes("c.sqlite") == database(seed: 1))
  }

  @Test(.needsNamesOfAnyBytes) func anArchiveMayHaveAnyName() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(zip(["a.sqlite"]).archive(), to: "a.zip")
    for name: [UInt8] in [Array("-x @a".utf8), [0xff, 0xfe], Array("a\nb".utf8)] {
      let named = PosixPath(bytes: Array((folder.path + "/").utf8) + name)
      #expect(named.withCString { link(path, $0) } == 0)
      let place = try readPlace(
        named, spool: { Spool(in: PosixPath("/tmp"), isNamed: false, limits: .standard, archiveSize: $0) })
      #expect(place?.sets.count == 1)
    }
  }

  // MARK: Passwords

  @Test func whatNeedsAPasswordIsNamedAndTheRestIsRead() throws {
    let secret = [
      "d/b.sqlite", "we[i]rd*?^$.sqlite", "w\\in.sqlite", "e\u{301} and \u{e9}.sqlite", "log", "./a.sqlite",
    ]
    var zip = ZipMaker()
    for name in ["a.sqlite", "x/d/b.sqlite", "z.sqlite"] { try zip.add(name, database()) }
    for name in secret { try zip.add(name, database(), .init(flags: 1)) }
    let place = try TriedPlace(zip.archive())
    #expect(place.sets.map { String(decoding: $0.shown, as: UTF8.self) } == ["a.sqlite", "x/d/b.sqlite", "z.sqlite"])
    #expect(place.leftOut.map(\.kind) == secret.map { _ in .encrypted })
    #expect(Set(place.leftOut.map { String(decoding: $0.name, as: UTF8.self) }) == Set(secret))
  }

  /// Only the member's own header says it.
  @Test func aMemberMaySayItselfThatItNeedsAPassword() throws {
    var bytes = try zip(["a.sqlite", "b.sqlite"]).archive()
    let second = try #require(bytes.indices.dropFirst().first { bytes[$0...].starts(with: [0x50, 0x4b, 3, 4]) })
    bytes[second + 6] |= 1
    let place = try TriedPlace(bytes)
    #expect(place.lines == ["a.sqlite", "b.sqlite: encrypted: \(ArchiveError.encrypted.description)"])
  }

  /// Whatever their names, all members are read or named.
  @Test(arguments: LongRuns.seeds(30, whole: 1000)) func noMemberIsLostBesideEncryptedOnes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let letters = [
      "a", "A", "b", ".", "-", "*", "?", "[", "]", "^", "$", "\\", "/", " ", "e\u{301}", "\u{e9}", "\u{30c6}",
    ]
    var names: Set<[UInt8]> = []
    while names.count < 12 {
      let name = (0..<Int.random(in: 1...6, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
      names.insert(Array((name.joined() + "x.sqlite").utf8))
    }
    var zip = ZipMaker()
    for (position, name) in names.shuffled(using: &random).enumerated() {
      try zip.add(name, database(), .init(flags: position < 4 ? 1 : 0))
    }
    let place = try TriedPlace(zip.archive())
    #expect(place.sets.count == 8 && place.leftOut.map(\.kind) == [.encrypted, .encrypted, .encrypted, .encrypted])
  }

  // MARK: Damage

  @Test(arguments: [0, 8] as [UInt16]) func onlyWhatIsDamagedIsRefused(method: UInt16) throws {
    var noise = SeededGenerator(seed: 1)
    let content = database() + (0..<9000).map { _ in UInt8.random(in: 0 ... .max, using: &noise) }
    var zip = ZipMaker()
    for name in ["a.sqlite", "b.sqlite", "c.sqlite"] { try zip.add(name, content, .init(method: method)) }
    var bytes = zip.archive()
    let second = try #require(bytes.indices.dropFirst().first { bytes[$0...].starts(with: [0x50, 0x4b, 3, 4]) })
    bytes[second + 7000] ^= 1
    let place = try TriedPlace(bytes)
    #expect(place.sets.count == 2 && place.leftOut.map(\.kind) == [.refused])
    #expect(try place.bytes("c.sqlite") == content)
  }

  /// A tar has no checksum of contents; gzip has one, behind everything.
  @Test(arguments: ["changed", "sum", "cut"]) func aWrongChecksumOfGzipIsSaid(damage: String) throws {
    var tar = TarMaker()
    tar.add("a.sqlite", database())
    // Stored, so that the change is none to the packing.
    let bytes = tar.archive
    var packed: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1]
    packed += little(UInt16(bytes.count)) + little(~UInt16(bytes.count)) + bytes
    packed += little(checksum(bytes)) + little(UInt32(bytes.count))
    #expect(try TriedPlace(packed, named: "a.tgz").lines == ["a.sqlite"])
    switch damage {
    case "changed": packed[2000] ^= 1
    case "sum": packed[packed.count - 7] ^= 1
    default: packed.removeLast(6)
    }
    #expect(
      try TriedPlace(packed, named: "a.tgz").lines == [
        "a.sqlite", ": whole: it is damaged, or its checksum is missing: what was read of it may be wrong",
      ])
  }

  /// The directory of an archive that lies at the end of one that was cut is not that one's.
  @Test func anArchiveInACutOneIsNotTakenForIt() throws {
    var outer = try zip(["a.sqlite", "b.sqlite"])
    try outer.add("inner.zip", zip(["c.sqlite"]).archive(), .init(method: 0))
    let place = try TriedPlace(outer.bytes)
    #expect(
      place.sets.map { String(decoding: $0.shown, as: UTF8.self) } == ["a.sqlite", "b.sqlite", "inner.zip!c.sqlite"])
    #expect(place.leftOut.map(\.kind) == [.whole])
  }

  @Test func aDirectoryOfWhichNothingIsLeftIsDoneWithout() throws {
    var bytes = try zip(["a.sqlite", "b.sqlite"]).archive()
    for place in bytes.indices where bytes[place...].starts(with: [0x50, 0x4b, 1, 2]) { bytes[place] = 0 }
    let lines = try TriedPlace(bytes).lines
    #expect(
      lines.prefix(3) == [
        "a.sqlite", "b.sqlite", ": whole: its directory is damaged; its members were followed from its beginning",
      ])
    #expect(lines.last?.hasSuffix(" bytes, was not read") == true)
  }

  @Test func whatWasPutBehindATarIsRead() throws {
    var (one, two) = (TarMaker(), TarMaker())
    one.add("a.sqlite", database())
    two.add("b.sqlite", database())
    #expect(try TriedPlace(one.archive + two.archive, named: "a.tar").lines == ["a.sqlite", "b.sqlite"])
    let noise = [UInt8](repeating: 0xA7, count: 512)
    #expect(
      try TriedPlace(one.archive + noise, named: "a.tar").lines == [
        "a.sqlite", ": whole: what lies behind its end was not read",
      ])
  }

  @Test(arguments: [0, 1]) func aNegativeSizeIsDamage(before: Int) throws {
    var tar = TarMaker()
    for number in 0..<before { tar.add("\(number).sqlite", database()) }
    tar.add(Array("bad.sqlite".utf8), database()) {
      $0.replaceSubrange(124..<136, with: [UInt8](repeating: 0xff, count: 12))
    }
    do {
      let place = try TriedPlace(tar.archive, named: "a.tar")
      #expect(before == 1 && place.sets.count == 1 && place.leftOut.map(\.kind) == [.whole])
    } catch is ArchiveError {
      #expect(before == 0)
    } catch is NoArchive {
      #expect(before == 0)
    }
  }

  @Test(arguments: ["a.zip", "a.tar", "a.tgz"]) func everyLengthIsSurvived(kind: String) throws {
    var (zip, tar) = (ZipMaker(), TarMaker())
    for (name, content) in [("a.sqlite", database(2000)), ("dir/a.sqlite-wal", log), ("b.sqlite", database(2000))] {
      try zip.add(name, content)
      tar.add(name, content)
    }
    let whole = kind == "a.zip" ? zip.archive() : kind == "a.tar" ? tar.archive : try gzip(tar.archive)
    for length in stride(from: 1, to: whole.count, by: LongRuns.areWanted ? 1 : 397) {
      do {
        let place = try TriedPlace(Array(whole[..<length]), named: kind)
        let isWhole = place.sets.filter { $0.size == 2016 }.count == 2
        // A tar that lacks nothing but zeros at its end is whole.
        #expect(place.leftOut.contains { $0.kind == .whole } || isWhole && kind == "a.tar", "\(length)")
      } catch is ArchiveError {
        // It says what is wrong.
      } catch is NoArchive {
        #expect(length < 1536)
      }
    }
  }

  /// A store of whose log it is known that it is there is not read as one without a log.
  @Test(arguments: ["sum", "password", "method", "link"]) func aLogThatCannotBeReadIsNoMissingOne(why: String) throws {
    var zip = ZipMaker()
    try zip.add("a.sqlite", database())
    let traits: ZipMaker.Traits =
      switch why {
      case "sum": .init(crc: 1)
      case "password": .init(flags: 1)
      case "method": .init(method: 9)
      default: .init(method: 0, mode: 0o120777)
      }
    try zip.add("a.sqlite-wal", log, traits)
    let place = try TriedPlace(zip.archive())
    #expect(place.sets.map { $0.unreadable.map(\.name) } == [[Array("a.sqlite-wal".utf8)]])
    #expect(place.leftOut.count == 1)
    let path = place.sets[0].mount(in: PosixPath(place.folder("a.zip")))
    defer { place.sets[0].unmount(from: PosixPath(place.folder("a.zip"))) }
    let files = try DatabaseFiles(path)
    #expect(files.wal == nil && files.problems.count == 1)
  }

  // MARK: Too much

  /// A directory whose 20,000 entries, under as many names or under one, all lead to the same place.
  @Test(arguments: ["a.sqlite", "%.sqlite"]) func entriesInThePlaceOfOthersAreOneLine(name: String) throws {
    let content = database()
    func named(_ number: Int) -> [UInt8] { Array(name.replacing("%", with: "\(number)").utf8) }
    let sizes = little(checksum(content)) + little(UInt32(content.count)) + little(UInt32(content.count))
    var bytes: [UInt8] = [0x50, 0x4b, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0] + sizes
    bytes += little(UInt16(named(0).count)) + [0, 0] + named(0) + content
    var directory: [UInt8] = []
    for number in 0..<20_000 {
      directory += [0x50, 0x4b, 1, 2, 20, 3, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0] + sizes
      directory += little(UInt16(named(number).count)) + [UInt8](repeating: 0, count: 16) + named(number)
    }
    let end =
      [0x50, 0x4b, 5, 6, 0, 0, 0, 0] + little(UInt16(20_000)) + little(UInt16(20_000))
      + little(UInt32(directory.count)) + little(UInt32(bytes.count)) + [0, 0]
    let place = try TriedPlace(bytes + directory + end)
    #expect(
      place.lines == [
        name.replacing("%", with: "0"),
        ": whole: 19999 of its entries lie in the place of others, which is a trick",
      ])
  }

  /// One that would be too large costs itself, not what lies beside it.
  @Test func aBombCostsItselfAlone() throws {
    var limits = PlaceLimits.standard
    limits.archive.bytes = 100_000
    var zip = ZipMaker()
    try zip.add("a.sqlite", database() + [UInt8](repeating: 0, count: 1 << 20))
    try zip.add("b.sqlite", database())
    let reason = ArchiveError.tooManyBytes(limit: 100_000).description
    #expect(try TriedPlace(zip.archive(), limits: limits).lines == ["b.sqlite", "a.sqlite: refused: \(reason)"])
    // A sparse file says how large it is without being it.
    var tar = TarMaker()
    tar.addRecords([
      ("GNU.sparse.map", "0,512"), ("GNU.sparse.name", "a.sqlite"), ("GNU.sparse.size", "9223372036854775807"),
    ])
    tar.add("x", database(512 - 16))
    tar.add("b.sqlite", database())
    #expect(
      try TriedPlace(tar.archive, named: "a.tar", limits: limits).lines == ["b.sqlite", "a.sqlite: refused: \(reason)"])
  }

  @Test func aPackedTarIsReadUpToALimit() throws {
    var limits = PlaceLimits.standard
    limits.archive.growth = 1
    limits.archive.growthAllowance = 20_000
    var tar = TarMaker()
    tar.add("a.sqlite", database())
    tar.add("b.txt", [UInt8](repeating: 0, count: 1 << 20))
    tar.add("c.sqlite", database())
    let place = try TriedPlace(gzip(tar.archive), named: "a.tgz", limits: limits)
    #expect(place.sets.count == 1 && place.leftOut.map(\.kind) == [.whole])
    #expect(place.leftOut.first?.reason.hasPrefix("it unpacks to more than ") == true)
  }

  @Test func countsAreBounded() throws {
    var limits = PlaceLimits.standard
    limits.mostFiles = 3
    limits.mostNamed = 2
    limits.mostNested = 1
    var zip = try zip(["a.sqlite", "b.sqlite", "c.sqlite", "d.sqlite", "e.sqlite"])
    for name in ["f.sqlite", "g.sqlite", "h.sqlite", "i.sqlite"] { try zip.add(name, database(), .init(method: 9)) }
    let reason = "it is packed with Deflate64, which is not read"
    #expect(
      try TriedPlace(zip.archive(), limits: limits).lines == [
        "a.sqlite", "b.sqlite", "c.sqlite", "f.sqlite: refused: \(reason)", "g.sqlite: refused: \(reason)",
        ": whole: of 2 more members the same is to be said: \(reason)",
        ": whole: of its files 3 were looked at that may be stores, and 2 more were not",
      ])
    var nested = ZipMaker()
    for name in ["x.zip", "y.zip"] { try nested.add(name, self.zip(["\(name).sqlite"]).archive()) }
    #expect(
      try TriedPlace(nested.archive(), limits: limits).lines == [
        "x.zip!x.zip.sqlite", "y.zip: refused: so many archives lie in it that no more were looked into",
      ])
  }

  @Test func nothingButWhatIsWantedIsWritten() throws {
    var (zip, tar) = (ZipMaker(), TarMaker())
    let members: [(String, [UInt8])] = [
      ("any name at all", database()), ("text.sqlite", [UInt8](repeating: 0x41, count: 110_000)), ("empty.store", []),
      ("./a//b.db", database()), ("readme.txt", Array("SQLite is mentioned".utf8)),
      ("._text.sqlite", [0, 5, 0x16, 7] + [UInt8](repeating: 0, count: 100)), ("UPPER.SQLITE", Array("text".utf8)),
      (".Notes_SUPPORT/other", [1]), ("b.sqlite-journal", Array("journal".utf8)), ("end.coredata", database()),
    ]
    for (name, content) in members {
      try zip.add(name, content)
      tar.add(name, content)
    }
    for (bytes, name) in [(zip.archive(), "a.zip"), (tar.archive, "a.tar")] {
      let place = try TriedPlace(bytes, named: name)
      #expect(
        place.lines == [
          "./a//b.db", "UPPER.SQLITE", "any name at all", "empty.store", "end.coredata", "text.sqlite",
        ])
      // Of what is no database, no more is written than tells what it is.
      #expect(try place.bytes("text.sqlite").count == 65_536)
    }
  }

  @Test(arguments: ["a.zip", "a.tar"]) func holesAreLeftWhereZerosAre(kind: String) throws {
    let content = database() + [UInt8](repeating: 0, count: 30 << 20)
    var (zip, tar) = (ZipMaker(), TarMaker())
    try zip.add("a.sqlite", content)
    tar.add("a.sqlite", content)
    let place = try TriedPlace(kind == "a.zip" ? zip.archive() : tar.archive, named: kind)
    var status = stat()
    #expect(stat(place.sets[0].files[0].path.description, &status) == 0)
    #expect(status.st_size == content.count && status.st_blocks * 512 < 1 << 20)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func theArchiveIsNotTouched() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(zip(["a.sqlite"]).archive(), to: "a.zip")
    let old = [timespec(tv_sec: 1_000_000, tv_nsec: 1), timespec(tv_sec: 2_000_000, tv_nsec: 2)]
    let bytes = try contents(of: path)
    #expect(utimensat(AT_FDCWD, path, old, 0) == 0)
    func times() -> [Int] {
      var status = stat()
      #expect(stat(path, &status) == 0)
      return [
        status.accessTime.tv_sec, status.modificationTime.tv_sec, status.statusChangeTime.tv_sec,
        status.statusChangeTime.tv_nsec,
      ]
    }
    let before = times()
    _ = try readPlace(
      PosixPath(path),
      spool: { Spool(in: PosixPath("/tmp"), isNamed: false, limits: .standard, archiveSize: $0) })
    #expect(times() == before)
    #expect(try contents(of: path) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.zip"])
  }

  /// libarchive reads lists of files as archives, and would pack the files of this machine that they name. They are none.
  @Test(arguments: ["text", "list", "sealed", "empty", "short"], [false, true])
  func whatIsNoArchiveIsNone(content: String, isPacked: Bool) throws {
    var sealed = [UInt8](repeating: 0, count: 512)
    let entry = Array("a type=file contents=/a.b\n".utf8)
    sealed.replaceSubrange(0..<entry.count * 3, with: entry + entry + entry)
    sealed.replaceSubrange(124..<136, with: Array("00000000000\0".utf8))
    sealed[156] = UInt8(ascii: "0")
    sealed.replaceSubrange(257..<265, with: Array("ustar\u{0}00".utf8))
    let sum = sealed.reduce(0) { $0 + Int($1) } + 8 * 32
    sealed.replaceSubrange(148..<156, with: [0x80, 0, 0, 0, 0, 0, UInt8(sum >> 8), UInt8(sum & 0xff)])
    let bytes: [UInt8] =
      switch content {
      case "text": Array(String(repeating: "hello\n", count: 200).utf8)
      case "list":
        Array(("#mtree\n./a.sqlite type=file contents=/etc/passwd\n" + String(repeating: "# more\n", count: 99)).utf8)
      case "sealed": sealed
      case "empty": []
      default: [0x50, 0x4b, 3, 4, 0x61, 0x62, 0x63]
      }
    do {
      let place = try TriedPlace(isPacked ? gzip(bytes) : bytes, named: "a.tar")
      #expect(Bool(false), "\(place.lines)")
    } catch is NoArchive {
    } catch is ArchiveError {
    }
  }

  @Test func aTarThatBeginsAsAListOfFilesDoesIsNone() throws {
    var tar = TarMaker()
    tar.add("#mtree\n./a.sqlite type=file contents=/etc/passwd\n", Array("text".utf8))
    tar.add("b.sqlite", database())
    #expect(throws: NoArchive.self) { try TriedPlace(tar.archive, named: "a.tar") }
  }

  @Test func theWideEndIsRead() throws {
    var zip = ZipMaker()
    for number in 0..<70_000 { try zip.add("\(number)", [], .init(method: 0)) }
    try zip.add("z.sqlite", database())
    let place = try TriedPlace(zip.archive(isWide: true))
    #expect(place.lines == ["z.sqlite"] && place.contents.filesSeen == 70_001)
  }
}
