import StoreAnonymizing
import StoreDataModel
import StoreDiagnosis
import StoreGenerator
import StorePublishing
import StoreSQLite
import StoreTestSupport
import StoreWriting
import TestSupport
import Testing

/// `anonymize --sample`.
@Suite(.serialized) struct SampleTests {
  private func sampled(_ path: String, _ limit: Int, as name: String, in maker: CopyMaker) throws -> Anonymization {
    try anonymize(
      PosixPath(path), to: OutputTarget(PosixPath(maker.folder(name)), replaces: true),
      AnonymizingOptions(sample: limit, key: .known(1)))
  }

  /// Findings without counts: "SD401 Team.coach".
  private func places(_ path: String, _ options: DiagnosisOptions = DiagnosisOptions()) throws -> Set<String> {
    Set(
      try diagnose(path: path, options: options).findings.map {
        "\($0.id) \($0.entity ?? $0.table ?? "").\($0.property ?? "")"
      }.filter { !["SD104", "SD105", "SD106", "SD107", "SD705"].contains(String($0.prefix(5))) })
  }

  private func numbers(_ sql: String, _ path: String) throws -> [Int64?] {
    let rows = try Connection(reading: DatabaseFiles(path: path)).prepare(sql)
    var numbers: [Int64?] = []
    while try rows.step() { numbers.append(rows.isNull(0) ? nil : rows.int64(0)) }
    return numbers
  }

  /// A link to what was left out is NULL where the model allows it; else what it names comes along.
  @Test func linksAreCutOrFollowed() throws {
    let maker = try CopyMaker()
    let model = try Model(entities: [
      Entity(
        name: "Page",
        properties: [.toOne("book", "Book", optional: false), .toOne("cover", "Cover"), .attribute("text", .string)]),
      Entity(name: "Book", properties: [.attribute("name", .string)]),
      Entity(name: "Cover", properties: [.attribute("name", .string)]),
    ])
    let path = maker.folder("Books.sqlite")
    let writer = try StoreWriter(creating: path, StoreDescription(model: model, framework: 1526, usesWAL: false))
    let books = try (1...6).map { try writer.insert("Book", ["name": .text("Book \($0)")]) }
    let covers = try (1...6).map { try writer.insert("Cover", ["name": .text("Cover \($0)")]) }
    for (book, cover) in zip(books, covers) {
      let page = try writer.insert("Page", ["text": "words"])
      try writer.link(page, "book", to: book)
      try writer.link(page, "cover", to: cover)
    }
    try writer.finish()
    try change(path) {
      try $0.execute("UPDATE ZPAGE SET ZCOVER = 1 WHERE Z_PK = 2; UPDATE ZPAGE SET ZCOVER = 3 WHERE Z_PK = 1")
    }
    // Findings are first: the last page names a book that is not there.
    try change(path) { try $0.execute("UPDATE ZPAGE SET ZBOOK = 99 WHERE Z_PK = 6") }
    let result = try sampled(path, 1, as: "One.sqlite", in: maker)
    let copy = maker.folder("One.sqlite")
    #expect(try numbers("SELECT Z_PK FROM ZPAGE", copy) == [6] && numbers("SELECT ZBOOK FROM ZPAGE", copy) == [99])
    #expect(try numbers("SELECT ZCOVER FROM ZPAGE", copy) == [6] && numbers("SELECT Z_PK FROM ZCOVER", copy) == [6])
    #expect(try numbers("SELECT Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_NAME", copy) == [6, 6, 6])
    #expect(result.sample?.missing == [] && result.sample?.entities.map(\.objects) == [1, 1, 1])
    #expect(try places(copy) == places(path) && places(copy) == ["SD401 Page.book"])
    // Three pages need three books; the covers of two of them are beyond the third.
    try change(path) { try $0.execute("UPDATE ZPAGE SET ZBOOK = 6 WHERE Z_PK = 6") }
    try change(path) {
      try $0.execute("UPDATE ZPAGE SET ZBOOK = Z_PK + 3 WHERE Z_PK < 4; UPDATE ZPAGE SET ZCOVER = 7 - Z_PK")
    }
    let three = try sampled(path, 3, as: "Three.sqlite", in: maker)
    #expect(three.sample?.entities.map { $0.objects >= 3 } == [true, true, true])
    #expect(try places(maker.folder("Three.sqlite")) == [])
  }

  /// Every defect of the check fixtures: a sample has no other findings, and says which it lacks.
  @Test func fixturesHaveNoNewFindings() throws {
    let maker = try CopyMaker()
    var (made, lacking): (Int, [String]) = (0, [])
    for (index, fixture) in Fixture.all.enumerated() where LongRuns.areWanted || index % 2 == 0 {
      let own = try TemporaryFolder()
      let path = try fixture.build(in: own)
      var options = try fixture.options
      options.examples = 0
      for limit in LongRuns.areWanted ? [1, 2, 5] : [2] {
        let result: Anonymization
        do {
          result = try anonymize(
            PosixPath(path), to: OutputTarget(PosixPath(maker.folder("Copy.sqlite")), replaces: true),
            AnonymizingOptions(sample: limit, diagnosis: options, key: .known(1)))
        } catch {
          // What is refused whole is refused in part, too; nothing else is.
          #expect(throws: (any Error).self, "\(fixture): \(error)") {
            try maker.anonymized(path, as: "Whole.sqlite", diagnosis: options, replacing: true)
          }
          continue
        }
        made += 1
        let (before, after) = (try places(path, options), try places(maker.folder("Copy.sqlite"), options))
        #expect(after.isSubset(of: before), "\(fixture), \(limit): \(after.subtracting(before))")
        #expect(result.sample?.missing.count == before.subtracting(after).count, "\(fixture), \(limit)")
        if before != after { lacking.append("\(fixture) \(limit): \(before.subtracting(after).sorted())") }
      }
    }
    #expect(made > 20 && lacking.count * 4 < made, "\(lacking)")
  }

  /// A large store with every planted defect: each is in a small sample, and values of what was left out are not.
  @Test(.enabled(if: Python.isPresent)) func aSampleHasEveryFinding() throws {
    let maker = try CopyMaker()
    let club = try ClubStore(at: maker.folder("Club.sqlite"), teams: 60)
    var planting = try Planting(club, 7)
    try planting.plantAll()
    planting.database.close()
    let result = try sampled(club.path, 10, as: "Copy.sqlite", in: maker)
    let sample = try #require(result.sample)
    #expect(sample.missing == [] && sample.leftOutRows > 200)
    let copy = maker.folder("Copy.sqlite")
    #expect(try places(copy) == places(club.path))
    #expect(try contents(of: copy).count < contents(of: club.path).count)
    let store = try maker.folder.copyStore(club.path, as: "Source.sqlite")
    for result in try CopyMaker.search([(store, copy)]) { #expect(result.count == 0 && result.runs > 100) }
  }

  /// Real stores: no finding that the store has not.
  @Test func realStoresHaveNoNewFindings() throws {
    let maker = try CopyMaker()
    for (index, entry) in Catalogue.real.enumerated() where LongRuns.areWanted || index % 8 == 0 {
      let result = try sampled(entry.path, 3, as: "Copy.sqlite", in: maker)
      let (before, after) = (try places(entry.path), try places(maker.folder("Copy.sqlite")))
      #expect(after.isSubset(of: before), "\(entry): \(after.subtracting(before))")
      #expect(result.sample?.missing.count == before.subtracting(after).count, "\(entry)")
    }
  }

  private func change(_ path: String, _ body: (Connection) throws -> Void) throws {
    let connection = try Connection(writing: path, create: false)
    try body(connection)
    connection.close()
  }
}
