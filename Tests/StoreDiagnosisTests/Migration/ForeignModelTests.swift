import StoreDiagnosis
import StoreFindings
import StoreModels
import StoreDataModel
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// Each bundled store with each bundled model that is not its own.
@Suite struct ForeignModelTests {
  private static let stores = [
    "Club.sqlite", "Notes.sqlite", "School.sqlite", "SchoolBridge.sqlite", "Shapes.sqlite", "Shop.sqlite",
    "Trips/1.0.store",
    "Trips/2.0.store", "Trips/2.1-beta.store",
  ]
  private static let models = stores + ["Notes.xcdatamodeld", "School.xcdatamodeld"]

  /// Stores and models with an entity in common, judged by hand: verdict, and highest severity.
  private static let related = [
    "Notes.sqlite Notes.xcdatamodeld": "blocked-by-data error",  // a required attribute without default
    "School.sqlite SchoolBridge.sqlite": "migrates note",  // things are added
    "School.sqlite School.xcdatamodeld": "needs-custom-stage error",  // a date cannot become a number
    "SchoolBridge.sqlite School.sqlite": "migrates error",  // what the bridge added is empty; SD802, it is newer
    "SchoolBridge.sqlite School.xcdatamodeld": "migrates warning",  // old courses and dates go
    "Trips/1.0.store Trips/2.0.store": "migrates note",
    "Trips/1.0.store Trips/2.1-beta.store": "migrates note",
    "Trips/2.0.store Trips/2.1-beta.store": "migrates note",
    "Trips/2.0.store Trips/1.0.store": "migrates error",
    "Trips/2.1-beta.store Trips/1.0.store": "migrates error",
    "Trips/2.1-beta.store Trips/2.0.store": "migrates warning",
  ]

  private static let sources = Dictionary(
    uniqueKeysWithValues: models.map { name in (name, Once { try readModel(PosixPath(Project.path("corpus/" + name))) })
    })

  @Test(arguments: stores) func isSaidOfAllThatAreNotRelated(_ store: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.copyStore(Project.path("corpus/" + store))
    for name in Self.models where name != store {
      let model = try #require(Self.sources[name]).get()
      let options = DiagnosisOptions(candidates: CandidateOptions(models: [model]))
      let diagnosis = try diagnose(path: path, options: options)
      let foreign = diagnosis.findings.filter { $0.id == "SD810" }
      let words = "\(diagnosis.verdict.rawValue) \(diagnosis.worstSeverity?.rawValue ?? "")"
      if try Self.entities(store).isDisjoint(with: Self.entities(name)) {
        #expect(words == "foreign-model error" && foreign.map(\.severity) == [.error], "\(store) \(name)")
        #expect(diagnosis.deciding?.openings.values.allSatisfy { $0.verdict == .foreignModel } == true)
        #expect(
          !diagnosis.findings.contains { ["SD802", "SD803", "SD808", "SD809"].contains($0.id) }, "\(store) \(name)")
      } else {
        #expect(words == Self.related["\(store) \(name)"], "\(store) \(name)")
        #expect(foreign == [])
      }
    }
  }

  /// The names of the entities: of a store by plain SQL, of a bundle from the text of its version files.
  private static func entities(_ name: String) throws -> Set<String> {
    let path = Project.path("corpus/" + name)
    guard name.hasSuffix(".xcdatamodeld") else {
      let folder = try TemporaryFolder()
      let connection = try Connection(writing: try folder.copyStore(path), create: false)
      defer { connection.close() }
      let statement = try connection.prepare("SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16001")
      var names: Set<String> = []
      while try statement.step() { names.insert(String(decoding: statement.blob(0) ?? [], as: UTF8.self)) }
      return names
    }
    let files = try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.hasSuffix("/contents") }
    return try files.reduce(into: []) { names, file in
      let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
      for match in text.matches(of: /<entity name="([^"]*)"/) { names.insert(String(match.1)) }
    }
  }

  @Test func oneNameOrIdentifierThatIsKeptIsEnough() throws {
    let old = ["A: x String?", "B: y String?"]
    #expect(try verdict(old, ["C: x String?"]) == "foreign-model SD801 error, SD810 error")
    #expect(try verdict(old, ["C was(A): x String?"]) == "migrates SD801 note, SD809 note")
    #expect(try verdict(old, ["B: y String?"]) == "migrates SD801 note, SD804 note, SD809 note")
    #expect(try verdict(old, ["B: z Date?"]) == "migrates SD801 note, SD809 note, SD809 note")
    #expect(try verdict(["A was(Z): x String?"], ["B was(Z): x String?"]) == "migrates SD801 note")
  }

  /// The verdict does not depend on rows and is the same for every way of opening.
  @Test(arguments: OpeningWay.allCases) func comesBeforeAnUnknownVersion(_ way: OpeningWay) throws {
    #expect(try verdict(["A: x String?"], ["B: x String?"], way) == "foreign-model SD801 error, SD810 error")
  }

  /// If the store has no model, only the names in its metadata are compared.
  @Test func isToldWithoutAModelOfTheStoreToo() throws {
    let setup = try JSONTree(#"{"modelCache": false}"#)
    #expect(try verdict(["A: x String?"], ["B: x String?"], setup: setup) == "foreign-model SD801 error, SD810 error")
    #expect(try verdict(["A: x String?"], ["A: x Date?"], setup: setup) == "unknown-version SD801 error")
  }

  /// For a version that does not decide it is a note.
  @Test func ofOtherVersionsItIsANote() throws {
    let store = try CaseStore(try ModelNotation.model(["A: x String?"]), [:])
    let sources = try candidateSources([
      ("foreign", ModelNotation.model(["B: x String?"])), ("own", ModelNotation.model(["A: x String?"])),
    ])
    let options = DiagnosisOptions(candidates: CandidateOptions(models: sources))
    let diagnosis = try diagnose(path: store.path, options: options)
    #expect(diagnosis.verdict == .opens && diagnosis.models.map(\.verdict) == [.foreignModel, .opens])
    #expect(diagnosis.findings.map { "\($0.id) \($0.severity.rawValue)" } == ["SD801 note", "SD810 note"])
  }

  /// A damaged store is reported as damaged whatever model is given, and the foreign model is reported too.
  @Test func aDamagedStoreStaysDamaged() throws {
    let folder = try TemporaryFolder()
    let path = try folder.copyStore(Project.path("corpus/Shop.sqlite"))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: try file.seekToEnd() - 4096)
    try file.close()
    let model = try #require(Self.sources["Notes.xcdatamodeld"]).get()
    let diagnosis = try diagnose(path: path, options: DiagnosisOptions(candidates: CandidateOptions(models: [model])))
    #expect(diagnosis.verdict == .damaged)
    #expect(diagnosis.findings.contains { $0.id == "SD810" && $0.severity == .error })
  }

  private func verdict(
    _ old: [String], _ new: [String], _ way: OpeningWay? = nil, setup: JSONTree? = nil
  ) throws -> String {
    let store = try CaseStore(try ModelNotation.model(old), [:], setup: setup)
    let sources = try candidateSources([("new", ModelNotation.model(new))])
    let options = DiagnosisOptions(candidates: CandidateOptions(models: sources, opening: way))
    let diagnosis = try diagnose(path: store.path, options: options)
    let findings = diagnosis.findings.filter { $0.id.hasPrefix("SD8") }.map { "\($0.id) \($0.severity.rawValue)" }
    return ([diagnosis.verdict.rawValue, findings.joined(separator: ", ")]).joined(separator: " ")
  }
}
