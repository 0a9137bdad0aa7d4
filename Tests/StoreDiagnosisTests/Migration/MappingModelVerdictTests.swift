import Foundation
import StoreDiagnosis
import StoreFindings
import StoreDataModel
import StoreGenerator
import StoreModels
import StoreSQLite
import TestSupport
import Testing

/// Verdicts if the app has mapping models: Core Data looks for one before it infers a mapping.
@Suite struct MappingModelVerdictTests {
  private static let versions = [
    ["Note: title String?; count I32", "Gone: x String?"],
    ["Note: title I64?; count I32", "Gone: x String?"],
    ["Note: title Date?; count I32", "Gone: x String?"],
    ["Note: title Date; count I32", "Gone: x String?"],
  ]
  private let folder: TemporaryFolder
  private let models: [Model]
  private let store: String

  /// A store of the first version with two notes, one without title.
  init() throws {
    folder = try TemporaryFolder()
    models = try Self.versions.map(ModelNotation.model)
    store = folder("Store.sqlite")
    let writer = try StoreWriter(
      creating: store, StoreDescription(model: models[0], framework: 1526, usesWAL: false))
    for title in ["a", nil] { try writer.insert("Note", title.map { ["title": .text($0)] } ?? [:]) }
    try writer.finish()
  }

  /// A bundle of versions, given by position; the last one decides.
  private func source(_ positions: [Int]) throws -> ModelSource {
    let versions = positions.map { ModelDocument.Version(name: "V\($0 + 1)", model: models[$0]) }
    let document = try ModelDocument(versions: versions, currentVersion: versions.last?.name)
    return try ModelSource.read(Array(document.json().text.utf8), path: folder("V.json"))
  }

  private func xcode(_ from: Int, _ to: Int, _ policies: [String: String] = [:]) throws -> PosixPath {
    var file = XcodeMappingFile(from: models[from], to: models[to])
    file.policies = policies
    return PosixPath(try file.write(to: folder("V\(from + 1)to\(to + 1).xcmappingmodel")))
  }

  private func compiled(_ from: VersionHashes, _ to: VersionHashes) throws -> PosixPath {
    PosixPath(try folder.write(MappingModelFile(from: from, to: to).bytes, to: "compiled.cdm"))
  }

  private func verdict(
    _ versions: [Int], _ mappings: [PosixPath], opening: OpeningWay? = nil
  ) throws -> ModelVerdict {
    let options = CandidateOptions(
      models: [try source(versions)], opening: opening, mappings: try MappingSources(mappings))
    let diagnosis = try diagnose(path: store, options: DiagnosisOptions(candidates: options))
    let deciding = diagnosis.models.first(where: \.isDeciding)
    return try #require(deciding)
  }

  @Test func aHopThatHasOneMigratesByIt() throws {
    let without = try verdict([0, 1], [])
    #expect(without.verdict == .needsCustomStage && without.failure?.code == 134140)
    for path in try [xcode(0, 1, ["Note": "NotePolicy"]), compiled(models[0].versionHashes, models[1].versionHashes)] {
      let verdict = try verdict([0, 1], [path])
      #expect(verdict.verdict == .migrates && verdict.basis == .documented)
      #expect(verdict.mappings.map(\.path) == [path.description])
      #expect(verdict.openings[.manual]?.verdict == .migrates)
      #expect(verdict.openings[.none]?.failure?.code == 134100)
      #expect(verdict.losses == [] && verdict.atRisk == [] && verdict.obstacles == [])
      #expect(verdict.readings.contains { $0.contains("expressions make of the rows is not known") })
      let named = verdict.readings.contains { $0.contains("code ('NotePolicy')") }
      #expect(named == path.description.hasSuffix(".xcmappingmodel"))
    }
  }

  /// A required property without value blocks an inferred migration; what a mapping model does with the row is not
  /// known.
  @Test func rowsDoNotBlockIt() throws {
    let source = try ModelNotation.model(["Note: title String; count I32", "Gone: x String?"])
    let document = try ModelDocument(
      versions: [.init(name: "V1", model: models[0]), .init(name: "V2", model: source)], currentVersion: "V2")
    let bundle = try ModelSource.read(Array(document.json().text.utf8), path: folder("V.json"))
    let mapping = try folder.write(
      MappingModelFile(from: models[0].versionHashes, to: source.versionHashes).bytes, to: "1to2.cdm")
    for (paths, expected) in [([], Verdict.blockedByData), ([PosixPath(mapping)], .migrates)] {
      let options = CandidateOptions(models: [bundle], mappings: try MappingSources(paths))
      #expect(try diagnose(path: store, options: DiagnosisOptions(candidates: options)).verdict == expected)
    }
  }

  @Test func oneOfAnotherVersionIsNotUsedAndSaid() throws {
    let elsewhere = try verdict([0, 1], [xcode(1, 2)])
    #expect(elsewhere.failure?.code == 134140)
    let none = "the one mapping model found does not fit; if the app has another: --mapping"
    let given = "the mapping model '\(folder("V2to3.xcmappingmodel"))' is out of date: it leads to another "
    #expect(elsewhere.readings.count == 2 && elsewhere.readings.first?.hasPrefix(given) == true)
    #expect(elsewhere.readings.last == none)
    let stray = try verdict([0, 1], [xcode(0, 2)])
    #expect(stray.failure?.code == 134140)
    #expect(
      stray.readings == [
        "the mapping model '\(folder("V1to3.xcmappingmodel"))' is out of date: it leads to another 'V2': 'Note' has changed "
          + "since", none,
      ])
  }

  /// A compiled mapping model is only certain if the entities it leaves out are equal in both versions.
  @Test func aCompiledOneThatLeavesEntitiesOutIsAssumedToApply() throws {
    func only(_ hashes: VersionHashes, _ name: String) -> VersionHashes {
      VersionHashes(hashes.byEntity.filter { $0.key == name })
    }
    let sure = try verdict(
      [0, 1], [compiled(only(models[0].versionHashes, "Note"), only(models[1].versionHashes, "Note"))])
    #expect(sure.verdict == .migrates && sure.basis == .documented)
    let same = try verdict(
      [0, 1], [compiled(only(models[0].versionHashes, "Gone"), only(models[1].versionHashes, "Gone"))])
    #expect(same.verdict == .migrates && same.basis == .assumed)
  }

  /// Core Data takes a single step; if no mapping model covers it, an app may migrate from version to version.
  @Test func aChainIsForAppsThatGoStepByStep() throws {
    let chain = try [xcode(0, 1), xcode(1, 2, ["Note": "Second"])]
    let automatic = try verdict([0, 1, 2], chain)
    #expect(automatic.verdict == .needsCustomStage && automatic.failure?.code == 134140)
    #expect(automatic.hops.map(\.verdict.verdict) == [.migrates, .migrates])
    #expect(automatic.hops.map { $0.verdict.mappings.map(\.path) } == chain.map { [$0.description] })
    #expect(automatic.readings.contains { $0.contains("in 2 steps: --opening manual judges that") })
    let manual = try verdict([0, 1, 2], chain, opening: .manual)
    #expect(manual.verdict == .migrates && manual.basis == .assumed)
    #expect(manual.openings[.manual]?.steps.map(\.description) == ["V1>V2", "V2>V3"])
    #expect(try verdict([0, 1, 2], [chain[0]], opening: .manual).failure?.code == 134140)
  }

  /// After a mapping model the rows may have changed, so the verdict on an inferred step after it is assumed.
  @Test func whatComesAfterAMappingModelIsAssumed() throws {
    let chain = try [xcode(0, 1), xcode(1, 2)]
    let verdict = try verdict([0, 1, 2, 3], chain, opening: .manual)
    #expect(verdict.hops.map(\.verdict.basis) == [.documented, .documented, .assumed])
    #expect(verdict.verdict == .migrates && verdict.basis == .assumed)
  }

  @Test func findsThoseInAndBesideABundle() throws {
    // The folder above is looked through, too.
    let bundle = folder("App/App.xcdatamodeld")
    for (position, model) in models.prefix(2).enumerated() {
      let version = "\(bundle)/V\(position + 1).xcdatamodel"
      try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
      try XcodeModelWriter(model).text.write(toFile: version + "/contents", atomically: true, encoding: .utf8)
    }
    let inside = XcodeMappingFile(from: models[0], to: models[1])
    try inside.write(to: bundle + "/in.xcmappingmodel")
    try folder.write(
      MappingModelFile(from: models[0].versionHashes, to: models[1].versionHashes).bytes, to: "App/beside.cdm")
    try folder.write(Array("no plist".utf8), to: "App/broken.cdm")
    var found = MappingSources()
    found.addFound(around: try ModelSource.read(bundle))
    #expect(found.mappings.map(\.path) == [bundle + "/in.xcmappingmodel", folder("App/beside.cdm")])
    #expect(
      found.problems == [
        "a mapping model is left out: cannot read '\(folder("App/broken.cdm"))': neither a binary nor an XML property list "
          + "(at byte 0)"
      ])
    // For a single version, mapping models beside its bundle are found too.
    var alone = MappingSources()
    alone.addFound(around: try ModelSource.read(bundle + "/V1.xcdatamodel"))
    #expect(Set(alone.mappings.map(\.path)) == Set(found.mappings.map(\.path)))
  }
}
