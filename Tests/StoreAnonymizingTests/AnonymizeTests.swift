import Foundation
import StoreAnonymizing
import StoreCoreData
import StoreDiagnosis
import StoreFindings
import StoreGenerator
import StoreModels
import StorePublishing
import StoreRepair
import StoreSQLite
import StoreTestSupport
import StoreWriting
import StoreDataModel
import TestSupport
import Testing

/// What an independent search of a copy said.
struct SearchResult: Decodable {
  var store: String
  var runs: Int
  var count: Int
}

/// Makes copies in a folder and looks into them.
struct CopyMaker {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.inMemory() }

  /// Anonymises a store; `seed` decides about values.
  func anonymized(
    _ path: String, as name: String = "Copy.sqlite", seed: UInt64 = 1, policy: AnonymizingPolicy = .init(),
    sizes: AnonymizingSizes = .exact, diagnosis: DiagnosisOptions = DiagnosisOptions(), replacing: Bool = false
  ) throws -> Anonymization {
    try anonymize(
      PosixPath(path), to: OutputTarget(PosixPath(folder(name)), replaces: replacing),
      AnonymizingOptions(policy: policy, sizes: sizes, diagnosis: diagnosis, key: .known(seed)))
  }

  /// Searches copies for values of stores with Python alone. The stores have to be copies, because SQLite writes beside them.
  static func search(_ pairs: [(store: String, copy: String)]) throws -> [SearchResult] {
    let script = try String(
      contentsOfFile: Project.path("Tests/StoreAnonymizingTests/independent_search.py"), encoding: .utf8)
    // Python holds every run of a store: a thousand times the bytes of its values.
    let small = try pairs.filter { try contents(of: $0.store).count < 500_000 }
    let input = small.map { "\($0.store)\t\($0.copy)\t\n" }.joined()
    let output = String(decoding: try Python.run(script, input: Array(input.utf8)), as: UTF8.self)
    return try output.split(separator: "\n").map { try JSONDecoder().decode(SearchResult.self, from: Data($0.utf8)) }
  }
}

/// Each finding as "SD401 Team.coach 3".
private func lines(_ path: String, _ options: DiagnosisOptions) throws -> [String] {
  try diagnose(path: path, options: options).findings
    .filter { !["SD104", "SD105", "SD106", "SD107", "SD705"].contains($0.id) }
    .map { "\($0.id) \($0.entity ?? $0.table ?? "").\($0.property ?? "") \($0.count)" }
}

/// Findings about damage: such stores are refused.
private let damage = ["SD101", "SD102", "SD103", "SD108"]

@Suite(.serialized) struct AnonymizeTests {
  /// Every defect of the check fixtures: the same findings, or a refusal, and nothing of the values.
  @Test(.enabled(if: Python.isPresent), arguments: AnonymizingSizes.allCases)
  func everyPlantedDefectStays(_ sizes: AnonymizingSizes) throws {
    let maker = try CopyMaker()
    var pairs: [(String, String)] = []
    var refused: [String] = []
    let all = Fixture.all.enumerated().filter { sizes == .exact || LongRuns.areWanted || $0.offset % 4 == 0 }
    for (index, fixture) in all {
      let own = try TemporaryFolder()
      let path = try fixture.build(in: own)
      var options = try fixture.options
      options.examples = 0
      do {
        _ = try maker.anonymized(path, as: "\(index).sqlite", sizes: sizes, diagnosis: options)
        let (before, after) = (try lines(path, options), try lines(maker.folder("\(index).sqlite"), options))
        #expect(before == after, "\(fixture)")
        let store = try maker.folder.copyStore(path, as: "source-\(index).sqlite")
        pairs.append((store, maker.folder("\(index).sqlite")))
      } catch {
        refused.append("\(fixture): \(error)")
        let found = (try? diagnose(path: path, options: options).findings.map(\.id)) ?? ["SD101"]
        // What cannot be read whole, may be of two stores, or has contents that only a module knows.
        let isRefused =
          damage.contains { found.contains($0) } || found.contains("SD105") || "\(error)".contains("virtual table")
        #expect(isRefused, "\(fixture): \(error)")
        #expect(!FileManager.default.fileExists(atPath: maker.folder("\(index).sqlite")))
      }
    }
    for result in try CopyMaker.search(pairs) { #expect(result.count == 0, "\(result.store)") }
    #expect(pairs.count == all.count - refused.count && refused.count <= 16, "\(refused)")
  }

  /// Real stores and bundled ones: the same findings, no value, and another mapping each time.
  @Test(.enabled(if: Python.isPresent), arguments: AnonymizingSizes.allCases)
  func storesKeepTheirFaultsAndNoValues(_ sizes: AnonymizingSizes) throws {
    let maker = try CopyMaker()
    var pairs: [(String, String)] = []
    // The search looks at every byte in Python, in a hundred times the memory of the store.
    let small = Catalogue.real.filter { LongRuns.areWanted || (try? contents(of: $0.path).count) ?? 0 < 400_000 }
    let some = Catalogue.bundled + small.enumerated().filter { LongRuns.areWanted || $0.offset % 6 == 0 }.map(\.element)
    for (index, entry) in some.enumerated() {
      // The originals are read only; Python gets a copy.
      let result = try maker.anonymized(entry.path, as: "\(index).sqlite", seed: UInt64(index), sizes: sizes)
      let options = DiagnosisOptions(examples: 0)
      #expect(try lines(entry.path, options) == lines(maker.folder("\(index).sqlite"), options), "\(entry)")
      #expect(result.proof.keptValues > 0)
      let store = try maker.folder.copyStore(entry.path, as: "source-\(index).sqlite")
      pairs.append((store, maker.folder("\(index).sqlite")))
    }
    for result in try CopyMaker.search(pairs) { #expect(result.count == 0, "\(result.store)") }
    #expect(pairs.count >= 6)
  }

  /// The same store twice gives other values, with the same key the same.
  @Test func eachRunHasItsOwnMapping() throws {
    let maker = try CopyMaker()
    let store = Project.path("corpus/Notes.sqlite")
    for (name, seed) in [("A", 1), ("B", 2), ("C", 1)] as [(String, UInt64)] {
      _ = try maker.anonymized(store, as: name, seed: seed)
    }
    let titles = try ["A", "B", "C"].map { name in try texts("SELECT ZTITLE FROM ZNOTE", maker.folder(name)) }
    #expect(titles[0] != titles[1] && titles[0] == titles[2])
    let before = try texts("SELECT ZTITLE FROM ZNOTE", store)
    #expect(titles[0].map(\.utf8.count) == before.map(\.utf8.count))
    let attributes = try FileManager.default.attributesOfItem(atPath: maker.folder("A"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    // An output that exists is refused.
    #expect(throws: PublishingError.self) { try maker.anonymized(store, as: "A") }
  }

  /// Texts that differ in case and marks alone still do, and others do not become one.
  @Test(arguments: AnonymizingSizes.allCases) func twinsStayTwins(_ sizes: AnonymizingSizes) throws {
    let titles = [
      "Café Müller", "CAFE MULLER", "Cafe\u{301} Mu\u{308}ller", "Straße", "STRASSE", "a", "b", "c", "12", "13", "01",
      "한국어 문장",
      "日本語の文章です", "Привет, мир!", "ПРИВЕТ, МИР!", "👩‍👩‍👧‍👦 family ❤️", "", " ", "שלום עולם",
      "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
      "see E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "https://example.com/a?b=c", "x\u{0}y", "ﬁle", "FILE",
      "مرحبا بالعالم",
    ]
    let maker = try CopyMaker()
    let store = try maker.folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try change(store) { connection in
      for (index, title) in titles.enumerated() {
        let row = try connection.prepare("INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (?, 3, 1, ?)")
        try row.bind(Int64(1000 + index), at: 1)
        try row.bind(title, at: 2)
        _ = try row.step()
      }
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2000 WHERE Z_NAME = 'Note'")
    }
    _ = try maker.anonymized(store, sizes: sizes)
    let new = try texts("SELECT ZTITLE FROM ZNOTE WHERE Z_PK >= 1000 ORDER BY Z_PK", maker.folder("Copy.sqlite"))
    #expect(new.count == titles.count)
    func folded(_ text: String) -> String {
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
    for (index, (before, after)) in zip(titles, new).enumerated() {
      if sizes == .exact {
        #expect(before.utf8.count == after.utf8.count && before.utf16.count == after.utf16.count, "\(before): \(after)")
      }
      // Of a few letters chance may make the same.
      #expect(before.allSatisfy { !$0.isLetter } || before.utf8.count < 4 || before != after, "\(before)")
      for (other, otherAfter) in zip(titles, new).dropFirst(index + 1) {
        #expect((before == other) == (after == otherAfter), "\(before), \(other): \(after), \(otherAfter)")
        #expect((folded(before) == folded(other)) == (folded(after) == folded(otherAfter)), "\(before), \(other)")
      }
    }
    #expect(new[20].lowercased().hasSuffix(new[19]), "a UUID is replaced alike in another text")
  }

  /// A length is one of a few, so that it tells little, and a text that a rule of the model forbids or allows stays so.
  @Test func roughSizesAreThoseOfAClass() throws {
    #expect(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 100, 1025].map { AnonymizingSizes.rough.length(for: $0) }
        == [0, 1, 2, 3, 4, 6, 6, 8, 8, 12, 12, 16, 16, 24, 128, 1536])
    let titles: KeyValuePairs = [
      "Lunch with Anna": 16, "5551234567": 12, "no": 2, "Hello": 6, "hello": 6, "HELLO": 6, "----------": 10,
      "A cat": 6,
      "e621e1f8-c36c-495a-93fc-0c247a3e6e5f": 36, "{\"name\": \"Anna\", \"n\": 0}": 24,
    ]
    let maker = try CopyMaker()
    let store = try maker.folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try change(store) { connection in
      for (index, title) in titles.enumerated() {
        let row = try connection.prepare("UPDATE ZNOTE SET ZTITLE = ?, ZBODY = NULL WHERE Z_PK = ?")
        try row.bind(title.key, at: 1)
        try row.bind(Int64(index + 1), at: 2)
        _ = try row.step()
      }
    }
    let result = try maker.anonymized(store, sizes: .rough)
    #expect(result.sizes == .rough && result.proof.otherLengths > 4 && (result.proof.keptLengths ?? 0) >= 1)
    #expect(result.policy.contains("--sizes rough") && result.policy.contains("the same class of length"))
    let new = try texts("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK", maker.folder("Copy.sqlite"))
    #expect(new.prefix(titles.count).map(\.utf8.count) == titles.map(\.value), "\(new.prefix(titles.count))")
    #expect(new[3].lowercased() == new[4] && new[5].lowercased() == new[4] && new[3] != new[4])
    // What separates words and elements is still there.
    #expect(new[0].filter { $0 == " " }.count == 2 && new[9].hasPrefix("{\"") && new[9].hasSuffix(": 0}"))
  }

  /// Names of at most 12 letters: one that is too long still is, and no other becomes so.
  @Test func roughSizesHoldTheRulesOfTheModel() throws {
    let maker = try CopyMaker()
    let atMost12 = Predicate.comparison(.init(.keyPath("length"), .lessThanOrEqual, .constant(.integer(12))))
    let model = try Model(entities: [
      Entity(name: "Tag", properties: [.attribute("name", .string) { $0.validationPredicates = [atMost12] }])
    ])
    let path = maker.folder("Tags.sqlite")
    let names = ["a garden", "ten tables", "twelve toads", "eleven owls", "thirteen cats", "much too long a name"]
    let writer = try StoreWriter(creating: path, StoreDescription(model: model, framework: 1526, usesWAL: false))
    for name in names { _ = try writer.insert("Tag", ["name": .text(name)]) }
    try writer.finish()
    let result = try maker.anonymized(path, sizes: .rough)
    #expect(try lines(path, DiagnosisOptions()) == ["SD507 Tag.name 2"])
    #expect(try lines(maker.folder("Copy.sqlite"), DiagnosisOptions()) == ["SD507 Tag.name 2"])
    let new = try texts("SELECT ZNAME FROM ZTAG ORDER BY Z_PK", maker.folder("Copy.sqlite"))
    #expect(new.map(\.utf8.count) == [8, 12, 12, 12, 16, 24] && Set(new).count == 6)
    #expect(result.proof.otherLengths == 4)
  }

  /// A repair plans for the copy what it plans for the store.
  @Test func aRepairOfTheCopyIsTheSame() throws {
    let maker = try CopyMaker()
    let club = try ClubStore(at: maker.folder("Club.sqlite"), teams: 60)
    var planting = try Planting(club, 7)
    try planting.plantAll()
    planting.database.close()
    _ = try maker.anonymized(club.path)
    var recipe = Recipe.safe
    recipe.dangling = .nullify
    recipe.dedupe = [.init(entity: "Trophy", by: ["name"])]
    let plans = try [club.path, maker.folder("Copy.sqlite")].map { path in
      try planRepair(recipe, of: Store(path: path)).operations.map {
        "\($0.repair) \($0.entity ?? "").\($0.property ?? "") \($0.expectedChanges)"
      }
    }
    #expect(plans[0] == plans[1] && plans[0].count > 3)
  }

  /// A policy that was written is read back as it was.
  @Test func aPolicyDecides() throws {
    let maker = try CopyMaker()
    var policy = AnonymizingPolicy()
    policy.decide("Folder.name", .keep)
    policy.decide("Note.body", .drop)
    let result = try maker.anonymized(Project.path("corpus/Notes.sqlite"), policy: policy)
    let copy = maker.folder("Copy.sqlite")
    #expect(
      try texts("SELECT ZNAME FROM ZFOLDER", copy)
        == texts("SELECT ZNAME FROM ZFOLDER", Project.path("corpus/Notes.sqlite")))
    #expect(try texts("SELECT ZBODY FROM ZNOTE WHERE ZBODY IS NOT NULL", copy) == [])
    let read = try AnonymizingPolicy(yaml: Array(result.policy.utf8))
    #expect(read.decisions["Folder.name"] == .keep && read.decisions["Note.body"] == .drop)
    #expect(read.decisions["Note.title"] == .replace && read.decisions["Note.isPinned"] == .keep)
    policy.decide("Note.titel", .keep)
    #expect(throws: AnonymizingError.self) {
      try maker.anonymized(Project.path("corpus/Notes.sqlite"), as: "No", policy: policy)
    }
  }

  /// Stores with damaged bytes are refused, or give a copy without a value.
  @Test(.enabled(if: Python.isPresent)) func damagedStoresLeakNothing() throws {
    let maker = try CopyMaker()
    var pairs: [(String, String)] = []
    for seed in LongRuns.seeds(16, whole: 1000) {
      var random = SeededGenerator(seed: seed)
      let name = ["Notes", "Club", "Shop", "Guests"][Int(seed % 4)]
      var bytes = try contents(of: Project.path("corpus/\(name).sqlite"))
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        // Mostly behind the schema, so that some can still be read.
        let place = Int.random(in: (seed % 5 == 0 ? 0 : 12_000)..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      let path = try maker.folder.write(bytes, to: "damaged-\(seed).sqlite")
      let copy = "copy-\(seed).sqlite"
      if (try? maker.anonymized(path, as: copy, seed: seed)) != nil {
        pairs.append((path, maker.folder(copy)))
      } else {
        #expect(!FileManager.default.fileExists(atPath: maker.folder(copy)), "\(seed)")
      }
    }
    for result in try CopyMaker.search(pairs) { #expect(result.count == 0, "\(result.store)") }
    #expect(pairs.count >= 2)
  }

  /// Stores of made-up values: emoji, scripts, NUL, large and small numbers, years 0 and 9999, archives, JSON.
  @Test(.enabled(if: Python.isPresent)) func unusualValuesLeakNothing() throws {
    let maker = try CopyMaker()
    var pairs: [(String, String)] = []
    for seed in LongRuns.seeds(10, whole: 300) {
      let path = try maker.folder.copyStore(Project.path("corpus/Notes.sqlite"), as: "made-\(seed).sqlite")
      try change(path) { try UnusualValues(seed).fill($0) }
      do {
        _ = try maker.anonymized(path, as: "copy-\(seed).sqlite", seed: seed)
        pairs.append((path, maker.folder("copy-\(seed).sqlite")))
      } catch {
        Issue.record("\(seed): \(error)")
      }
    }
    for result in try CopyMaker.search(pairs) { #expect(result.count == 0, "\(result.store)") }
  }

  /// Where a tree grew, its root has nothing of what it had before; and what other threads made ahead is what is made in turn.
  @Test func nothingIsLeftOverInACopy() throws {
    let maker = try CopyMaker()
    let model = try Model(entities: [
      Entity(
        name: "Note", properties: [.attribute("title", .string), .attribute("uuid", .uuid), .attribute("n", .string)])
    ])
    let path = maker.folder("Notes.sqlite")
    let writer = try StoreWriter(creating: path, StoreDescription(model: model, framework: 1526, usesWAL: false))
    var random = SeededGenerator(seed: 7)
    for number in 0..<3_000 {
      let uuid = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try writer.insert(
        "Note", ["title": .text("Some words of note \(number / 2)"), "uuid": .blob(uuid), "n": .text("\(number)")])
    }
    try writer.finish()
    _ = try maker.anonymized(path)
    let copy = maker.folder("Copy.sqlite")
    let bytes = try contents(of: copy)
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    var interior = 0
    for start in stride(from: size, to: bytes.count, by: size) where bytes[start] == 5 {
      interior += 1
      let end = start + 12 + 2 * (Int(bytes[start + 3]) << 8 | Int(bytes[start + 4]))
      #expect(bytes[end..<start + (Int(bytes[start + 5]) << 8 | Int(bytes[start + 6]))].allSatisfy { $0 == 0 })
    }
    #expect(interior > 0)
    // Equal ones are equal still, whichever thread made them, and no two others became one.
    let titles = try texts("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK", copy)
    #expect(Set(titles).count == 1_500 && (0..<1_500).allSatisfy { titles[2 * $0] == titles[2 * $0 + 1] })
    #expect(try Set(texts("SELECT ZN FROM ZNOTE", copy)).count == 3_000)
  }

  /// Large values: a text and a JSON document of many pieces, decimals beyond every whole number.
  @Test func largeValuesLeakNothing() throws {
    let maker = try CopyMaker()
    let model = try Model(entities: [
      Entity(
        name: "Item",
        properties: [
          .attribute("text", .string), .attribute("price", .decimal), .attribute("json", .binary),
          .attribute("at", .date),
        ])
    ])
    let path = maker.folder("Items.sqlite")
    let size = LongRuns.areWanted ? 100 << 20 : 1 << 20
    var random = SeededGenerator(seed: 9)
    let words = (0..<5000).map { _ in
      String((0..<9).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) ?? "a" })
    }
    var text = ""
    while text.utf8.count < size { text += (words.randomElement(using: &random) ?? "") + " " }
    let elements = words.prefix(12_000).map { "\"\($0)\": [true, null, \($0.utf8.count)e3]" }
    let json = "{" + elements.joined(separator: ", ") + "}"
    #expect(json.utf8.count > 65_536 * 2)
    let prices: [Double] = [1e127, -1e127, 9.999e-128, 123_456_789_012_345_680, 0.1, 0]
    let writer = try StoreWriter(creating: path, StoreDescription(model: model, framework: 1526, usesWAL: false))
    _ = try writer.insert("Item", ["text": .text(text), "json": .blob(Array(json.utf8))])
    for price in prices {
      _ = try writer.insert("Item", ["price": .real(price), "at": .date(-62_135_769_600 - 978_307_200)])
    }
    try writer.finish()
    let result = try maker.anonymized(path)
    let copy = maker.folder("Copy.sqlite")
    #expect(result.proof.otherLengths <= 1 && result.proof.replacedValues >= 14)
    let new = try #require(try texts("SELECT ZTEXT FROM ZITEM WHERE Z_PK = 1", copy).first)
    #expect(new.utf8.count == text.utf8.count && new.utf16.count == text.utf16.count)
    let kept = Set(words).intersection(new.split(separator: " ").map(String.init))
    #expect(kept.isEmpty)
    // Still JSON of the same shape.
    let document = try #require(try texts("SELECT CAST(ZJSON AS TEXT) FROM ZITEM WHERE Z_PK = 1", copy).first)
    let read = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: [Any]]
    #expect(read?.count == Set(words).count && read?.values.allSatisfy { $0.count == 3 } == true)
    let before = prices.map { ($0 < 0, $0 == 0 ? 0 : $0.exponent) }
    let after = try texts("SELECT printf('%!.17g', ZPRICE) FROM ZITEM WHERE Z_PK > 1 ORDER BY Z_PK", copy).compactMap(
      Double.init)
    #expect(
      zip(before, after).allSatisfy { $0.0 == ($1 < 0) && $0.1 == ($1 == 0 ? 0 : $1.exponent) } && after.count == 6)
  }

  private func texts(_ sql: String, _ path: String) throws -> [String] {
    let rows = try Connection(reading: DatabaseFiles(path: path)).prepare(sql)
    var texts: [String] = []
    while try rows.step() { texts.append(rows.string(0) ?? "") }
    return texts
  }

  private func change(_ path: String, _ body: (Connection) throws -> Void) throws {
    let connection = try Connection(writing: path, create: false)
    try body(connection)
    connection.close()
  }
}
