import StoreSystem
import TestSupport
import Testing

@testable import StorePlaces

@Suite struct ZipArchiveTests {
  @Test(arguments: [0, 8] as [UInt16], [false, true]) func membersAreReadAsTheyWere(method: UInt16, isWide: Bool) throws
  {
    var zip = ZipMaker()
    try zip.add("a/Notes.sqlite", database(), .init(method: method, isWide: isWide))
    try zip.add("a/Notes.sqlite-wal", log, .init(method: method))
    try zip.add("a/text.txt", Array("text".utf8))
    let place = try TriedPlace(zip.archive(isWide: isWide))
    #expect(place.lines == ["a/Notes.sqlite + a/Notes.sqlite-wal"])
    #expect(try place.bytes("a/Notes.sqlite") == database())
    #expect(try place.bytes("a/Notes.sqlite", ending: "-wal") == log)
    #expect(place.contents.filesSeen == 3)
  }

  @Test func aZipThatWasWrittenToAPipeIsReadByItsDirectory() throws {
    var zip = ZipMaker()
    try zip.add("Notes.sqlite", database(), .init(isStreamed: true))
    #expect(try TriedPlace(zip.archive()).bytes("Notes.sqlite") == database())
  }

  @Test func whatWasPutBeforeAnArchiveIsPassedOver() throws {
    for isWide in [false, true] {
      var zip = ZipMaker(prefix: Array("#!/bin/sh\nexec unzip\n".utf8))
      try zip.add("Notes.sqlite", database())
      let place = try TriedPlace(zip.archive(isWide: isWide, comment: Array("a comment".utf8)))
      #expect(place.lines == ["Notes.sqlite"])
      #expect(try place.bytes("Notes.sqlite") == database())
    }
  }

  @Test func namesAreUTF8OrCodePage437() throws {
    var zip = ZipMaker()
    try zip.add("Müller.sqlite", database())
    try zip.add(Array("M".utf8) + [0x81] + Array("ller 2.sqlite".utf8), database())
    #expect(try TriedPlace(zip.archive()).lines == ["Müller 2.sqlite", "Müller.sqlite"])
  }

  /// A name is only a name: none of these is a path that anything is written to.
  @Test func namesThatLeadElsewhereAreOnlyNames() throws {
    var zip = ZipMaker()
    let names = ["/private/var/Notes.sqlite", "../../out.sqlite", "a/./b.sqlite", "c\\d.sqlite", "/"]
    for name in names { try zip.add(name, database()) }
    let place = try TriedPlace(zip.archive())
    #expect(
      Set(place.lines) == ["/private/var/Notes.sqlite", "../../out.sqlite", "a/./b.sqlite", "c\\d.sqlite"])
  }

  @Test func whatCannotBeTrustedIsSaid() throws {
    var zip = ZipMaker()
    try zip.add("good.sqlite", database())
    try zip.add("sum.sqlite", database(), .init(crc: 1))
    try zip.add("secret.sqlite", database(), .init(flags: 1))
    try zip.add("nine.sqlite", database(), .init(method: 9))
    try zip.add("nine.txt", database(), .init(method: 9))
    try zip.add("link.sqlite", Array("good.sqlite".utf8), .init(method: 0, mode: 0o120777))
    try zip.add("good.sqlite", database(seed: 8))
    let place = try TriedPlace(zip.archive())
    #expect(
      place.lines.sorted() == [
        ": whole: 1 member was not looked into: it is packed with Deflate64, which is not read",
        "good.sqlite",
        "good.sqlite: refused: an entry before it has the same name",
        "link.sqlite: link: a link, which is not followed",
        "nine.sqlite: refused: it is packed with Deflate64, which is not read",
        "secret.sqlite: encrypted: \(ArchiveError.encrypted.description)",
        "sum.sqlite: refused: its bytes do not fit its checksum",
      ])
    #expect(try place.bytes("good.sqlite") == database())
  }

  @Test func aZipThatNeedsAPasswordIsCalledOne() throws {
    var zip = ZipMaker()
    try zip.add("a.sqlite", database(), .init(flags: 1))
    #expect(throws: ArchiveError.encrypted) { try TriedPlace(zip.archive()) }
  }

  @Test func timesAreThoseInUTC() throws {
    var zip = ZipMaker()
    try zip.add("a.sqlite", database(), .init(time: 1_700_000_000))
    let set = try #require(try TriedPlace(zip.archive()).contents.sets.first)
    guard case .member(let member, _) = set.main.bytes else { return #expect(Bool(false)) }
    #expect(member.modified == 1_700_000_000)
  }

  /// Without its directory a zip is followed from its beginning; of what is cut off nothing is used.
  @Test(arguments: [false, true]) func aZipWithoutItsDirectoryIsReadAsFarAsItGoes(isStreamed: Bool) throws {
    var zip = ZipMaker()
    try zip.add("a.sqlite", database(), .init(isStreamed: isStreamed))
    var noise = SeededGenerator(seed: 1)
    let content = database() + (0..<3000).map { _ in UInt8.random(in: 0 ... .max, using: &noise) }
    try zip.add("b.sqlite", content, .init(isStreamed: isStreamed))
    let place = try TriedPlace(zip.bytes)
    #expect(place.lines == ["a.sqlite", "b.sqlite", ": whole: the archive ends early: its directory is missing"])
    #expect(try place.bytes("b.sqlite") == content)
    let cut = try TriedPlace(Array(zip.bytes.dropLast(700)))
    #expect(cut.sets.count == 1)
    #expect(cut.lines.contains { $0.hasPrefix("b.sqlite: refused") })
  }

  @Test func aDirectoryThatIsCutIsSaid() throws {
    var zip = ZipMaker()
    for number in 0..<5 { try zip.add("\(number).sqlite", database()) }
    var bytes = zip.archive()
    let third = try #require(bytes.indices.filter { bytes[$0...].starts(with: [0x50, 0x4b, 1, 2]) }.dropFirst(2).first)
    bytes[third] = 0
    let place = try TriedPlace(bytes)
    #expect(place.sets.count == 4)
    #expect(place.lines.last == ": whole: its directory is damaged after 2 entries; what it names there is missing")
  }
}
