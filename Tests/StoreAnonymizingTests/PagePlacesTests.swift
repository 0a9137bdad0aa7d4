import StoreAnonymizing
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreAnonymizing

/// Where the pages of a database say that a run is.
@Suite struct PagePlacesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder("Pages.sqlite")
  }

  private func number(_ run: some Sequence<UInt8>) -> UInt64 { run.reduce(0) { $0 << 8 | UInt64(Runs.lowercased($1)) } }

  private func make(_ sql: String) throws {
    let connection = try Connection(writing: path, create: true)
    try connection.execute(sql)
    connection.close()
  }

  /// "value", "number" or "across" for each run that the file has.
  private func places(_ runs: [String]) throws -> [String: PagePlaces.Place] {
    let found = try self.places(of: runs.map { number($0.utf8) })
    return Dictionary(runs.compactMap { run in found[number(run.utf8)].map { (run, $0) } }) { first, _ in first }
  }

  private func places(of runs: [UInt64]) throws -> [UInt64: PagePlaces.Place] {
    let schema = try Connection(reading: DatabaseFiles(path: path)).schema()
    let found = try FoundRuns(WantedRuns(runs), in: PosixPath(path))
    return try PagePlaces(found, in: PosixPath(path), roots: schema.map { UInt32($0.rootPage) }.filter { $0 > 0 })
      .places
  }

  /// What is in one text is a value's, in the leaf of a table, an index or a table without row ids; what is in a number, or across
  /// two values, is none's.
  @Test func aRunIsInAValueInANumberOrAcrossThem() throws {
    try make(
      """
      PRAGMA page_size = 512;
      CREATE TABLE rows (name TEXT, more, data BLOB);
      INSERT INTO rows VALUES
        ('a Geheim b', NULL, NULL), ('the Sec', 'ret word', NULL), (NULL, 8677713481919722105, x'00'),
        ('kept', x'70', 'jumble'), ('and', 30806, 'tail');
      CREATE TABLE keyed (name TEXT PRIMARY KEY, more) WITHOUT ROWID;
      INSERT INTO keyed VALUES ('in an Object', 'and b'), ('last ke', 'yed words');
      CREATE INDEX byData ON rows (data, more);
      """)
    #expect(
      try places(["geheim", "secret", "mnopqr", "jumble", "pjumbl", "ndxvta", "object", "t keye", "nowher"]) == [
        "geheim": .value, "secret": .across, "jumble": .value, "pjumbl": .across, "ndxvta": .across,
        "object": .value, "t keye": .across, "mnopqr": .number,
      ])
  }

  /// Long values go on in other pages, each of which begins with the number of the next one.
  @Test(arguments: ["0", "1"]) func aRunOnAnOverflowPageIsFound(autoVacuum: String) throws {
    func long(_ text: String, at place: Int, of length: Int) -> String {
      String(repeating: "-", count: place) + text + String(repeating: "-", count: length - place - text.utf8.count)
    }
    try make(
      """
      PRAGMA page_size = 512; PRAGMA auto_vacuum = \(autoVacuum);
      CREATE TABLE rows (first TEXT, second TEXT, third);
      INSERT INTO rows VALUES
        ('\(long("Geheim", at: 1200, of: 3000))', '\(long("words", at: 0, of: 2000))', 1),
        ('\(long("one", at: 1497, of: 1500))', '\(long("two", at: 0, of: 700))', 8677713481919722105),
        ('\(long("x", at: 0, of: 2500))', '\(long("behind", at: 2000, of: 2100))', x'616263'),
        ('short', '\(long("ending", at: 994, of: 1000))', 'z');
      CREATE INDEX bySecond ON rows (second);
      """)
    #expect(
      try places(["geheim", "onetwo", "behind", "words-", "--abcx", "ending", "dingz-", "mnopqr"]) == [
        "geheim": .value, "onetwo": .across, "behind": .value, "words-": .value, "ending": .value, "mnopqr": .number,
      ])
    // What needs bytes of two pages is in no value: each page begins with what is none.
    let bytes = try contents(of: path)
    let ends = stride(from: 512, to: bytes.count, by: 512).map { number(bytes[($0 - 3)..<($0 + 3)]) }
    let found = try places(
      of: ends.filter { end in bytes.indices.dropLast(5).count { number(bytes[$0..<$0 + 6]) == end } == 1 })
    #expect(!found.isEmpty && found.values.allSatisfy { $0 == .across })
  }

  /// Of the leaves those are read that have runs; where one is on an overflow page, all, since nothing else tells whose it is.
  @Test(arguments: [false, true]) func aRunIsFoundAmongManyLeaves(isOnOverflowPages: Bool) throws {
    let rest = isOnOverflowPages ? String(repeating: "-", count: 1497) : "the "
    try make(
      """
      PRAGMA page_size = 512;
      CREATE TABLE rows (name TEXT, more TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
        INSERT INTO rows SELECT iif(i = 700, '\(rest)Sec', 'a row'), iif(i = 700, 'ret word', 'another ' || i) FROM n;
      CREATE INDEX byMore ON rows (more, name);
      """)
    #expect(try places(["secret", "ther 7"]) == ["secret": .across, "ther 7": .value])
    #expect(try places(["secret"]) == ["secret": .across])
  }

  /// What no tree claims may have been a value.
  @Test func aRunThatNothingClaimsIsTakenForAValues() throws {
    try make(
      """
      PRAGMA page_size = 512; PRAGMA secure_delete = off;
      CREATE TABLE rows (name TEXT);
      INSERT INTO rows VALUES ('a Geheim b'), ('other'), ('more'), ('Secret of it');
      CREATE TABLE gone (name TEXT);
      INSERT INTO gone VALUES ('Object 1');
      DELETE FROM rows WHERE name = 'a Geheim b';
      DROP TABLE gone;
      """)
    #expect(try places(["geheim", "object", "secret"]) == ["geheim": .value, "object": .value, "secret": .value])
    // The record of a cell that cannot be read.
    var bytes = try contents(of: path)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "Secret".utf8) })
    bytes[place - 2] = 0xff
    _ = try folder.write(bytes, to: "Pages.sqlite")
    #expect(try places(["secret"]) == ["secret": .value])
  }

  /// Chance at one place excuses nothing at another.
  @Test func aRunAtTwoPlacesIsWhereItCounts() throws {
    try make(
      """
      CREATE TABLE rows (name TEXT, more TEXT);
      INSERT INTO rows VALUES ('the Sec', 'ret word'), ('a secret', NULL), ('the Sec', 'ret word');
      """)
    #expect(try places(["secret", "e secr"]) == ["secret": .value, "e secr": .across])
  }

  /// Six units of UTF-16, with which a run is twelve bytes.
  @Test func textsInUTF16AreFound() throws {
    try make(
      """
      PRAGMA encoding = 'UTF-16le';
      CREATE TABLE rows (name TEXT, more TEXT);
      INSERT INTO rows VALUES ('a Geheim b', NULL), ('the Sec', 'ret word'), ('in a blob', x'0070006C00610063006500730000');
      """)
    #expect(
      try places(["geheim", "secret", "places"]) == ["geheim": .value, "secret": .across, "places": .value])
  }

  /// A run that stands everywhere is not held at each place.
  @Test func placesAreBounded() throws {
    try make("CREATE TABLE rows (name TEXT); INSERT INTO rows VALUES ('\(String(repeating: "Geheim ", count: 40))')")
    let wanted = WantedRuns([number("geheim".utf8)])
    #expect(try FoundRuns(wanted, in: PosixPath(path), most: 40).occurrences.count == 40)
    #expect(throws: AnonymizingError.self) { try FoundRuns(wanted, in: PosixPath(path), most: 39) }
  }

  /// A text at many places around the middle of a file of 64 bytes, as UTF-8 and in both orders of UTF-16; or around a place of one
  /// that is looked through in parts.
  private func forEachPlace(
    of text: String, before middle: Int? = nil, _ body: (_ file: PosixPath, _ bytes: Range<Int>) throws -> Void
  ) throws {
    for isBig in [nil, true, false] as [Bool?] {
      let own =
        isBig.map { isBig in
          text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xff)] : [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        } ?? Array(text.utf8)
      for start in middle.map({ $0 - 12...$0 }) ?? 12...42 {
        var bytes = [UInt8](repeating: 0x20, count: middle == nil ? 64 : 4 * FileParts.length)
        bytes.replaceSubrange(start..<start + own.count, with: own)
        try body(PosixPath(folder.write(bytes, to: "Middle.sqlite")), start..<start + own.count)
      }
    }
  }

  /// The halves of a file are looked through beside each other: what lies across the middle is found once.
  @Test func aRunAcrossTheMiddleIsFoundOnce() throws {
    let run = number("geheim".utf8)
    try forEachPlace(of: "Geheim") { file, bytes in
      let own = Int64(bytes.lowerBound)..<Int64(bytes.upperBound)
      let found = try FoundRuns(WantedRuns([run]), in: file).occurrences
      #expect(found == [.init(run: run, bytes: own)])
    }
  }

  /// Each run of a value is found wherever it stands, with as few letters as tell something.
  @Test(arguments: ["Geheim", "a1-b--", "Zürich", "東京都港区芝", "x😀y😀"]) func everyRunOfAFileIsLookedUp(text: String) throws
  {
    let filter = RunFilter(bytes: 1 << 16)
    filter.insert(.text(Array(text.utf8)))
    for middle in [nil, FileParts.length, 2 * FileParts.length] {
      try forEachPlace(of: text, before: middle) { file, bytes in
        var search = RunSearch(filter)
        try search.search(store: file)
        #expect(try search.hasFound(run(in: file, bytes, of: text)), "\(bytes)")
      }
    }
  }

  /// Of a file that was looked through before it was finished, what changed since is looked through again: also where a run begins
  /// or ends in a part that is as it was.
  @Test(arguments: ["Geheim", "東京都港区芝"], [nil, false, true] as [Bool?])
  func whatChangedIsLookedUpAgain(text: String, changesBehind: Bool?) throws {
    let filter = RunFilter(bytes: 1 << 16)
    filter.insert(.text(Array(text.utf8)))
    for end in [1, 2] {
      let end = end * FileParts.length
      try forEachPlace(of: text, before: end) { file, bytes in
        let whole = try EvidenceFile(file).read(at: 0, count: 4 * FileParts.length)
        var unfinished = whole
        for place in bytes where changesBehind.map({ $0 == (place >= end) }) ?? true { unfinished[place] = 0x20 }
        var search = RunSearch(filter)
        try search.begin(PosixPath(folder.write(Array(unfinished.dropLast(FileParts.length)), to: "Middle.sqlite")))
        _ = try folder.write(whole, to: "Middle.sqlite")
        try search.search(store: file)
        #expect(try search.hasFound(run(in: file, bytes, of: text)), "\(bytes)")
      }
    }
  }

  /// What was in it before it was finished, and is in it no more, is not found, and has no place; what still is has one.
  @Test func whatWasWrittenAnewIsForgotten() throws {
    let filter = RunFilter(bytes: 1 << 16)
    for text in ["Geheim", "Object"] { filter.insert(.text(Array(text.utf8))) }
    try make(
      """
      CREATE TABLE rows (name TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
        INSERT INTO rows SELECT hex(zeroblob(100000)) || iif(i = 9, 'an Object', iif(i = 5, 'a Geheim b', '')) FROM n;
      """)
    #expect(try contents(of: path).count > 50 * FileParts.length)
    var search = RunSearch(filter)
    try search.begin(PosixPath(path))
    try make("PRAGMA secure_delete = on; UPDATE rows SET name = replace(name, 'Geheim', 'nobody')")
    try search.search(store: PosixPath(path))
    let (gone, left) = (number("geheim".utf8), number("object".utf8))
    #expect(!search.hasFound(gone) && search.hasFound(left))
    let connection = try Connection(reading: DatabaseFiles(path: path))
    #expect(try search.places(of: [gone, left], in: PosixPath(path), connection) == [left: .value])
  }

  /// Where much is in doubt early, the rest is looked through when the file is finished.
  @Test func whatWasNotLookedThroughEarlyIsLater() throws {
    let filter = RunFilter(bytes: 1 << 16)
    for text in ["Geheim", "Object"] { filter.insert(.text(Array(text.utf8))) }
    var bytes = [UInt8](repeating: 0x20, count: 4 * FileParts.length)
    for (text, place) in [("Geheim", 100), ("Object", 3 * FileParts.length)] {
      bytes.replaceSubrange(place..<place + 6, with: text.utf8)
    }
    let file = PosixPath(try folder.write(bytes, to: "Early.sqlite"))
    var search = RunSearch(filter)
    try search.begin(file, most: 0)
    #expect(search.hasFound(number("geheim".utf8)) && !search.hasFound(number("object".utf8)))
    try search.search(store: file)
    #expect(search.hasFound(number("geheim".utf8)) && search.hasFound(number("object".utf8)))
  }

  /// Where there are more places than are held, those of the runs that are asked for are looked up.
  @Test func placesThatAreNotHeldAreLookedUp() throws {
    let filter = RunFilter(bytes: 1 << 16)
    for text in ["Geheim", "Object"] { filter.insert(.text(Array(text.utf8))) }
    try make(
      """
      CREATE TABLE rows (name TEXT);
      INSERT INTO rows VALUES (replace(hex(zeroblob(\(RunSearch.mostOccurrences * 2))), '0', 'Geheim ')), ('an Object');
      """)
    var search = RunSearch(filter)
    try search.search(store: PosixPath(path))
    let (often, once) = (number("geheim".utf8), number("object".utf8))
    #expect(search.hasFound(often) && search.hasFound(once))
    let connection = try Connection(reading: DatabaseFiles(path: path))
    #expect(try search.places(of: [once], in: PosixPath(path), connection) == [once: .value])
    #expect(try search.places(of: [often], in: PosixPath(path), connection) == [often: .value])
  }

  /// The last run of a text that stands there.
  private func run(in file: PosixPath, _ bytes: Range<Int>, of text: String) throws -> UInt64 {
    var window = RollingRun()
    for byte in try EvidenceFile(file).read(at: 0, count: bytes.upperBound)[bytes] { window.append(byte) }
    let isWide = bytes.count == 12 && text.utf8.count != 12
    return isWide ? Runs.pair(window.before, window.run) : window.run
  }
}
