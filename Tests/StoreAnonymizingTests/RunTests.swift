import StoreDataModel
import StoreDiagnosis
import StoreGenerator
import StoreSQLite
import StoreSystem
import StoreTestSupport
import StoreWriting
import TestSupport
import Testing

@testable import StoreAnonymizing

/// Runs of six bytes, and texts among which there are few ways around those of others.
@Suite struct RunTests {
  private func runs(_ piece: ValuePiece) -> Set<UInt64> {
    var runs: Set<UInt64> = []
    piece.forEachRun { runs.insert($0) }
    return runs
  }

  private func number(_ run: String) -> UInt64 { number(run.utf8) }

  private func number(_ run: some Sequence<UInt8>) -> UInt64 { run.reduce(0) { $0 << 8 | UInt64($1) } }

  @Test func runsOfATextAreThoseThatTellSomething() {
    #expect(
      runs(.text(Array("To Anna 12".utf8))) == Set(["to ann", "o anna", " anna ", "anna 1", "nna 12"].map(number)))
    // Three letters or digits, three different bytes, no words of JSON.
    for text in ["a - - b", "000000", "aaaaaa", "ababab", ": true, ", "[null, ", "-4a1c-"] {
      #expect(runs(.text(Array(text.utf8))).isEmpty, "\(text)")
    }
  }

  /// What a text is in UTF-8 and in both orders of UTF-16 is one run, so that it is found however it is written.
  @Test(arguments: ["Geheim", "Zürich", "東京都港区芝", "x😀y😀z😀"]) func aTextIsFoundInUTF16(text: String) {
    let own = runs(.text(Array(text.utf8)))
    for isBig in [true, false] {
      let bytes = text.utf16.flatMap { unit -> [UInt8] in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xff))
        return isBig ? [high, low] : [low, high]
      }
      var window = RollingRun()
      for byte in bytes.prefix(12) { window.append(byte) }
      #expect(own.contains(Runs.pair(window.before, window.run)), "\(text) \(isBig)")
    }
  }

  @Test func everyRunThatTellsSomethingIsCounted() {
    let filter = RunFilter(bytes: 100)
    filter.insert(.bytes([0, 0, 0, 0, 0, 0, 0, 0]))
    #expect(filter.added == 0)
    for _ in 0..<2 { filter.insert(.text(Array("Geheim".utf8))) }
    #expect(filter.added == 2)
  }

  /// A date between two seconds stays between them, although what was moved far has no room for so small a part.
  @Test func datesStayNonWhole() {
    let dates = DateMapping(.known(1))
    let values = [
      1e-9, -1e-9, 0.1, 0.999_999_999_999, 700_000_000.000_000_1, 700_000_000.25, -63_114_076_799.999_99, 0.5 - 1e15,
      0.5 - 0x1p52, 0x1p52 - 0.5, .leastNonzeroMagnitude,
    ]
    for value in values {
      for seconds in [dates.shift, -dates.shift, 86_400, -86_400] {
        let moved = DateMapping.moved(value, by: seconds)
        #expect(moved != moved.rounded(), "\(value) by \(seconds)")
        #expect(abs(abs(moved - value) - Double(abs(seconds))) < 1)
      }
      #expect(dates.moved(value) == DateMapping.moved(value, by: dates.shift))
    }
    for value in [0, 1, -1, 700_000_000, 252_423_993_599, 0x1p52, 1e12, 1e18] {
      let moved = dates.moved(value)
      #expect(moved == moved.rounded() && moved == value + Double(dates.shift), "\(value)")
    }
  }

  /// Marks of more texts than one part of the records holds.
  @Test func marksOfManyTextsAreKept() {
    var texts = MarkedTexts()
    func marks(_ number: Int) -> [MarkedTexts.Mark] {
      (0...number % 5).map { .init(place: $0 * 200 + number % 7, marks: UInt16($0 * 40)) }
    }
    func hash(_ number: Int) -> UInt64 { UInt64(number) &* 0x9e37_79b9_7f4a_7c15 }
    for number in 1...60_000 { texts.add(marks(number), to: hash(number)) }
    // The same again changes nothing, and others join them.
    texts.add(marks(7), to: hash(7))
    texts.add([.init(place: 3, marks: Composition.fixed)], to: hash(8))
    #expect((1...60_000).allSatisfy { $0 == 8 || texts[hash($0)] == marks($0) })
    #expect(texts[hash(8)] == (marks(8) + [.init(place: 3, marks: Composition.fixed)]).sorted())
    #expect(texts[hash(60_001)].isEmpty)
  }

  /// What has no room is not held, and what was held still is; own marks are known all the same.
  @Test func marksAreBounded() {
    var texts = MarkedTexts(mostBytes: 2 << 20)
    func mark(_ number: UInt64) -> MarkedTexts.Mark { .init(place: Int(number % 90), marks: 1) }
    func hash(_ number: UInt64) -> UInt64 { number &* 0x9e37_79b9_7f4a_7c15 }
    for number in 1...200_000 as ClosedRange<UInt64> { texts.add([mark(number)], to: hash(number)) }
    #expect(!texts.areWhole)
    let held = (1...200_000 as ClosedRange<UInt64>).count { texts[hash($0)] == [mark($0)] }
    #expect(held > 100_000 && held < (2 << 20) / 8, "\(held)")
    #expect(texts.with([mark(7)], of: hash(200_000)) == [mark(7)] && texts.with([], of: hash(7)) == [mark(7)])
    #expect(texts.with([.init(place: 95, marks: 2)], of: hash(7)) == [mark(7), .init(place: 95, marks: 2)])
    texts.forget()
    #expect(texts[hash(7)].isEmpty && !texts.areWhole)
  }

  /// Of short texts so many are held against each other.
  @Test func shortTextsAreBounded() {
    let filter = RunFilter(bytes: 100)
    let replacer = Replacer(.known(1), filter, .exact)
    var made: Set<SQLiteValue> = []
    for number in 0..<TextMapping.mostOwners + 1000 {
      guard let new = try? replacer.replaced(.text(String(1_000_000 + number)), .replace(isDate: false), made: nil)
      else {
        continue
      }
      if number < TextMapping.mostOwners { made.insert(new) }
      #expect(number > 0 || !replacer.hasForgotten)
    }
    #expect(made.count == TextMapping.mostOwners && replacer.hasForgotten)
  }

  @Test func aFilterNeverSaysNoWrongly() {
    var random = SeededGenerator(seed: 3)
    let texts = (0..<2_000).map { _ in (0..<40).map { _ in UInt8.random(in: 0x20...0xff, using: &random) } }
    let filter = RunFilter(bytes: 80_000)
    for text in texts { filter.insert(.bytes(text)) }
    for text in texts {
      ValuePiece.bytes(text).forEachRun { run in #expect(filter.table.hasQuads(of: run) && filter.contains(run)) }
    }
    let others = (0..<20_000).count { _ in filter.contains(UInt64.random(in: 0...Runs.mask, using: &random)) }
    #expect(others < 400, "\(others)")
  }

  /// The table of letters with marks has all that the standard library composes of these alphabets.
  @Test func allLettersWithMarksAreKnown() {
    var scalars: [String: Unicode.Scalar] = [:]
    for scalar in [0xc0..<0x250, 0x370..<0x530, 0x1e00..<0x2000].joined().compactMap(Unicode.Scalar.init) {
      // Of those that are canonically equal the first.
      if scalars[String(scalar)] == nil { scalars[String(scalar)] = scalar }
    }
    var composed: [String: Set<String>] = [:]
    var known: Set<Unicode.Scalar> = []
    var last = Array(
      "abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρςστυφχψωабвгдежзийклмнопрстуфхцчшщъыьэюяæø".unicodeScalars
    )
    .map { (text: String($0), letter: $0, marks: "") }
    while !last.isEmpty {
      var next: [(text: String, letter: Unicode.Scalar, marks: String)] = []
      for (text, letter, marks) in last {
        for mark in (0x300..<0x370).compactMap(Unicode.Scalar.init) {
          var longer = text
          longer.unicodeScalars.append(mark)
          guard let found = scalars[longer], known.insert(found).inserted else { continue }
          var all = marks
          all.unicodeScalars.append(mark)
          composed[all, default: []].insert("\(letter)\(found)")
          next.append((String(found), letter, all))
        }
      }
      last = next
    }
    let table = Composition.table.map { ($0.marks, Set($0.letters.split(separator: " ").map(String.init))) }
    #expect(Dictionary(table) { $0.union($1) } == composed)
    #expect(known.count == 394 && known.allSatisfy { Composition.shared.decomposed($0.value) != nil })
  }

  /// Of a text all runs are added that it has, and counted as often as they are there.
  @Test func allRunsOfATextAreAdded() {
    var random = SeededGenerator(seed: 9)
    let letters = Array("abcdefg XYZ-0123456789éß東京😀\u{301}".unicodeScalars)
    for _ in 0..<300 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...60, using: &random) { text.append(letters.randomElement(using: &random) ?? "a") }
      let piece = ValuePiece.text(Array(String(text).utf8))
      let filter = RunFilter(bytes: 1 << 10)
      for _ in 0..<2 { filter.insert(piece) }
      var count: Int64 = 0
      piece.forEachRun { run in
        count += 1
        #expect(filter.contains(run) && (run >> 63 == 1 || filter.table.hasQuads(of: run)), "\(text)")
      }
      #expect(filter.added == 2 * count, "\(text)")
    }
  }

  /// Wanted runs are found wherever they stand in bytes, although not every byte is looked at.
  @Test func wantedRunsAreFoundAtEachPlace() {
    var random = SeededGenerator(seed: 10)
    for turn in 0..<400 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        turn % 4 == 0
          ? UInt8.random(in: 0...255, using: &random) : Array("abAB\0".utf8).randomElement(using: &random) ?? 0
      }
      let small = bytes.map(Runs.lowercased)
      let windows = (0..<max(small.count - 5, 0)).map { number(small[$0..<$0 + 6]) }
      let wanted = WantedRuns(Set(windows.shuffled(using: &random).prefix(3)), asUnits: false)
      let start = Int.random(in: 0...8, using: &random)
      var found: [Int] = []
      bytes.withUnsafeBufferPointer { wanted.forEach(in: $0, from: start) { found.append($2) } }
      let all = windows.indices.filter { wanted.runs.contains(windows[$0]) && $0 + 5 >= start }
      #expect(found == all.map { $0 + 6 }, "\(bytes)")
    }
  }

  /// Texts that are equal where case, marks and spaces at both ends do not count become such texts, however many letters are chosen
  /// at once.
  @Test func textsThatAreEqualInASenseStaySo() throws {
    let filter = RunFilter(bytes: 1 << 10)
    for sizes in [AnonymizingSizes.exact, .rough] {
      let texts = TextMapping(
        MappingFacts(key: .known(5), filter: filter, sizes: sizes), IdentifierMapping(.known(5), filter.table))
      func made(_ text: String) throws -> String {
        try #require(String(validating: texts.replaced(Array(text.utf8)), as: UTF8.self))
      }
      let long = "a meeting, tomorrow: call the garden; 12 letters about 東京 and much more, until the end of the text"
      for text in [
        "fourteen letters", "Note 12345 of the garden", long, "a b c d e f g h i j k l m n o p q r", "x-y-z \(long)",
      ] {
        let new = try made(text)
        #expect(new != text)
        for spaces in ["", " ", "  \n", "        "] {
          let other = try made(spaces + text.uppercased() + spaces)
          #expect(
            other.uppercased().trimmingWhitespace == new.uppercased().trimmingWhitespace, "\(sizes) '\(spaces)\(text)'")
        }
      }
    }
  }

  /// Letters are chosen from the whole alphabet, and so that none of them makes a run of others: also where only every third is
  /// looked up.
  @Test func chosenLettersMakeNoRunOfOthers() {
    var random = SeededGenerator(seed: 11)
    let filter = RunFilter(bytes: 1 << 10)
    filter.insert(.text((0..<100_000).map { _ in UInt8.random(in: 0x61...0x7a, using: &random) }))
    let facts = MappingFacts(key: .known(3), filter: filter, sizes: .exact)
    let texts = TextMapping(facts, IdentifierMapping(facts.key, facts.table))
    let old = (0..<60_000).map { _ in Array("abcdefghijklmnopqrstuvwxyz      ".utf8).randomElement(using: &random) ?? 0
    }
    let new = texts.replaced(old)
    #expect(zip(old, new).allSatisfy { ($0 == 0x20) == ($1 == 0x20) })
    var hits = 0
    Runs.forEach(in: new) { run, _ in
      if filter.table.hasQuads(of: run), filter.contains(run), Runs.tells(run) { hits += 1 }
    }
    #expect(hits == 0)
    let counts = Dictionary(grouping: new.filter { $0 != 0x20 }, by: \.self).mapValues(\.count)
    #expect(counts.count == 26 && counts.values.allSatisfy { (1_000...3_000).contains($0) }, "\(counts)")
  }

  /// Of texts with few other letters only what is near these is looked at: it has all runs of UTF-16 that are not of ASCII alone.
  @Test func noRunOfUTF16IsLeftOut() {
    var random = SeededGenerator(seed: 5)
    let letters = Array("abcdefgXYZ 0123456789".unicodeScalars)
    let others = Array("éß東京😀\u{301}\u{4100}\u{4200}".unicodeScalars)
    for turn in 0..<2_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let isOther = Int.random(in: 0..<(turn % 12 + 2), using: &random) == 0
        text.append((isOther ? others : letters).randomElement(using: &random) ?? "a")
      }
      var found: [UInt64] = []
      Array(String(text).utf8).withUnsafeBufferPointer { UnitRuns.forEach(in: $0) { found += [$0.run, $0.swapped] } }
      #expect(found == runsOfUnits(Array(String(text).utf16)), "\(String(text).debugDescription)")
    }
  }

  /// The runs of six units of which one is beyond ASCII, three tell something and three differ, in both byte orders.
  private func runsOfUnits(_ units: [UInt16]) -> [UInt64] {
    func small(_ byte: UInt8) -> UInt64 { UInt64(byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte) }
    func run(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | small($1) } }
    return (0..<max(units.count - 5, 0)).flatMap { start -> [UInt64] in
      let own = units[start..<start + 6]
      let telling = own.filter { $0 >= 0x80 || "123456789abcdefgXYZ".utf16.contains($0) }
      guard own.contains(where: { $0 >= 0x80 }), telling.count > 2, Set(own).count > 2 else { return [] }
      return [true, false].map { isBig in
        let bytes = own.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xff)] : [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        return Runs.pair(run(bytes[..<6]), run(bytes[6...]))
      }
    }
  }

  /// With few runs for its size a filter is made smaller, and still has all of them; one that is full stays as it is.
  @Test(arguments: [(80_000, 50, true), (80_000, 4_000, false)])
  func aFilterIsMadeAsSmallAsItsRunsAllow(bytes: Int64, texts: Int, isSmaller: Bool) {
    var random = SeededGenerator(seed: 6)
    let texts = (0..<texts).map { _ in (0..<40).map { _ in UInt8.random(in: 0x20...0xff, using: &random) } }
    let filter = RunFilter(bytes: bytes)
    for text in texts { filter.insert(.bytes(text)) }
    let before = filter.wordCount
    filter.fit()
    #expect(isSmaller ? filter.wordCount == 1 << 11 : filter.wordCount == before)
    for text in texts {
      ValuePiece.bytes(text).forEachRun { run in #expect(filter.table.hasQuads(of: run) && filter.contains(run)) }
    }
    guard isSmaller else { return }
    let others = (0..<20_000).count { _ in filter.contains(UInt64.random(in: 0...Runs.mask, using: &random)) }
    #expect(others < 100, "\(others)")
  }

  /// Before the table of many runs a smaller one of the same runs is asked.
  @Test func runsOfALargeFilterAreAllThere() {
    var random = SeededGenerator(seed: 7)
    let filter = RunFilter(bytes: 1 << 20)
    let bytes = (0..<700_000).map { _ in UInt8.random(in: 0x20...0xff, using: &random) }
    filter.insert(.bytes(bytes))
    filter.fit()
    #expect(filter.hasNear)
    var missing = 0
    ValuePiece.bytes(bytes).forEachRun { missing += filter.table.hasQuads(of: $0) && filter.contains($0) ? 0 : 1 }
    #expect(missing == 0)
    let others = (0..<20_000).count { _ in filter.contains(UInt64.random(in: 0...Runs.mask, using: &random)) }
    #expect(others < 100, "\(others)")
  }

  /// Two threads add beside each other, and none takes from the other.
  @Test func whatTwoThreadsAddIsThere() throws {
    var random = SeededGenerator(seed: 4)
    let texts = (0..<4_000).map { _ in (0..<40).map { _ in UInt8.random(in: 0x20...0xff, using: &random) } }
    // Of each word both set bits.
    let filter = RunFilter(bytes: 1 << 13)
    let add = { @Sendable (half: ArraySlice<[UInt8]>) in
      let adder = RunFilter.Adder(to: filter)
      for text in half { adder.insert(.bytes(text)) }
      return adder.takeCounts()
    }
    let (first, second) = try beside {
      add(texts[..<2_000])
    } meanwhile: {
      add(texts[2_000...])
    }
    filter.count(first)
    filter.count(second)
    var runs: Int64 = 0
    for text in texts {
      ValuePiece.bytes(text).forEachRun { run in
        runs += 1
        #expect(filter.table.hasQuads(of: run) && filter.contains(run))
      }
    }
    #expect(filter.added == runs)
  }

  /// A filter that is doubled while two threads add has all runs, and takes few others for one of them.
  @Test(arguments: [(1 << 12, 1 << 16), (1 << 14, 1 << 16), (1 << 20, 1 << 16)])
  func aFilterThatGrowsHasAllRuns(first: Int, words: Int) throws {
    var random = SeededGenerator(seed: 8)
    let filter = RunFilter(bytes: Int64(words), first: first)
    let halves = (0..<2).map { _ in (0..<words / 2).map { _ in UInt8.random(in: 0x20...0xff, using: &random) } }
    let add = { @Sendable (half: [UInt8]) in
      let adder = RunFilter.Adder(to: filter)
      adder.insert(.bytes(half))
      return adder.takeCounts()
    }
    #expect(filter.wordCount == min(first, words))
    let counts = try beside {
      add(halves[0])
    } meanwhile: {
      add(halves[1])
    }
    filter.count(counts.0)
    filter.count(counts.1)
    #expect(filter.wordCount == words)
    var missing = 0
    for half in halves {
      ValuePiece.bytes(half).forEachRun { missing += filter.table.hasQuads(of: $0) && filter.contains($0) ? 0 : 1 }
    }
    #expect(missing == 0)
    let others = (0..<20_000).count { _ in filter.contains(UInt64.random(in: 0...Runs.mask, using: &random)) }
    #expect(others < 200, "\(others)")
  }

  /// What a text is without case and marks has runs that the text has not: parts around what differs have all of them.
  @Test(arguments: [
    "Zürich", "a meeting in Zürich, tomorrow", "Straße und Größe", "e\u{301}t\u{e9} 12345678 e\u{301}t\u{e9}",
    "東京都港区芝 Ünd", "ÀÉÎÕÜ", "no marks", "𝒳é𝒳é", "é", "ΐabcdefghΐ",
  ])
  func partsHaveTheRunsOfWhatIsFolded(text: String) {
    let folded = FoldedText(text.unicodeScalars.map(\.value), FoldTable())
    let own = runs(.text(Array(text.utf8)))
    var ofParts: Set<UInt64> = []
    var length = 0
    folded.forEachChangedPart {
      ofParts.formUnion(runs(.text($0)))
      length += $0.count
    }
    #expect(own.union(ofParts) == own.union(runs(.text(folded.utf8(folded.letters.indices)))))
    #expect(length < 60 && (length == 0) == (text == "no marks"))
  }

  /// A kept name explains its own runs, and what stands beside it only where both are in one value.
  @Test func aKeptNameExplainsWhatItHas() {
    let wanted = ["znoteb", "note 1", "1 znot", "te 123", "the zn"].map(number)
    var kept = KeptRuns(wanted)
    kept.take(.text(Array("ZNOTEBOOK".utf8)))
    kept.take(.text(Array("ZNOTE".utf8)))
    #expect(wanted.map(kept.explains) == [true, false, false, false, false])
    kept.take(part: .text(Array("ZNOTE".utf8)))
    #expect(wanted.map(kept.explains) == [true, true, true, false, false])
    kept.take(part: .text(Array("ZNOTE".utf8)), shortest: 2)
    #expect(wanted.map(kept.explains) == [true, true, true, true, true])
  }

  /// Few words and every number up to that of the last note: refused half of the time before.
  @Test(arguments: [1, 2] as [UInt64]) func fewWordsAndManyNumbersAreGoneAround(key: UInt64) throws {
    let words = ["milk", "meeting", "Zürich", "remember", "the", "a", "call", "naïve", "list", "of", "to", "東京"]
    let model = try Model(entities: [
      Entity(name: "Note", properties: [.attribute("title", .string), .attribute("body", .string)])
    ])
    let maker = try CopyMaker()
    let path = maker.folder("Notes.sqlite")
    let writer = try StoreWriter(creating: path, StoreDescription(model: model, framework: 1526, usesWAL: false))
    var random = SeededGenerator(seed: 7)
    func text(_ count: Int) -> String {
      (0..<count).map { _ in words.randomElement(using: &random) ?? "a" }.joined(separator: " ")
    }
    for number in 1...4_000 {
      _ = try writer.insert("Note", ["title": .text("Note \(number) \(text(2))"), "body": .text(text(20))])
    }
    try writer.finish()
    let result = try maker.anonymized(path, seed: key)
    #expect(result.proof.replacedValues >= 8_000 && result.proof.otherLengths == 0)
  }
}

extension String {
  fileprivate var trimmingWhitespace: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
