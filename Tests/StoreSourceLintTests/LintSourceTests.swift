@testable import StoreDiagnosis
@testable import StoreFindings
@testable import StoreModels
@testable import StoreSourceChecks
@testable import StoreSourceLint
import StoreDataModel
import StoreCoreData
import StorePlatform
import StoreSQLite
import StoreSwiftDataSchemas
import TestSupport
import Testing

/// `lintSource`, with a shell script in place of the program that reads Swift.
@Suite struct LintSourceTests {
  private let folder = try? TemporaryFolder()

  private func program(_ lint: SourceLint) throws -> SwiftDataProgram {
    let folder = try #require(folder)
    try folder.write(Array((SourceReading().json.lineText + lint.json.lineText).utf8), to: "answer")
    return SwiftDataProgram(try folder.writeScript("cat '\(folder("answer"))'", to: "child.sh"))
  }

  private func finding(_ check: String, _ entity: String? = nil, _ severity: SourceFinding.Severity = .error)
    -> SourceFinding
  {
    SourceFinding(
      check: check, severity: severity, place: SourcePlace(file: "A.swift", line: 1, column: 1, offset: 0, length: 1),
      entity: entity, message: "m")
  }

  @Test func findingsOfChecksThatAreNotWantedAreNotShown() throws {
    let lint = SourceLint(
      findings: [finding("SD903"), finding("SD945")], skipped: [.init(check: "SD902", reason: "unknown")])
    let report = try lintSource(["Models"], with: [.liveClass], by: program(lint))
    #expect(report.findings.map(\.check) == ["SD903"])
    #expect(report.skipped == [])
    #expect(report.worstSeverity == .error)
  }

  @Test func theConfigurationMovesAndMutes() throws {
    let text = """
      severities: {SD903: note, SD924: error}
      skips: [{check: SD945, entity: Note, reason: known}]
      """
    let lint = SourceLint(findings: [
      finding("SD903"), finding("SD924", nil, .warning), finding("SD945", "Note", .warning),
      finding("SD945", "Tag", .warning),
    ])
    let configuration = try Configuration(Array(text.utf8), path: PosixPath("x.yaml"))
    let report = try lintSource(["Models"], configuration: configuration, by: program(lint))
    #expect(
      report.findings.map { "\($0.check) \($0.severity.rawValue)" } == ["SD903 note", "SD924 error", "SD945 warning"])
    #expect(report.config?.muted.map(\.findings.count) == [1])
    #expect(report.findings.last?.entity == "Tag")
  }

  @Test func withoutStoresTheirChecksAreNotPassed() throws {
    let report = try lintSource(["Models"], by: program(SourceLint()))
    #expect(report.skipped.map(\.check) == ["SD908", "SD909"])
    #expect(report.skipped.first?.reason == "nothing that was shipped is given: --store, --pins, --git")
  }

  // MARK: What was shipped

  private func reading(_ property: String, identifier: String = "1.0.0", reason: String? = nil) -> SourceReading {
    let place = SourcePlace(file: "A.swift", line: 7, column: 3, offset: 0, length: 1)
    let entity = Entity(
      name: "Note", properties: [Property(name: property, kind: .attribute(Attribute(type: .string)))])
    let hash = (try? Model(entities: [entity]))?.versionHashes.byEntity["Note"]
    let source = SourceEntity(
      className: "V1.Note", place: place, isListed: true,
      variants: [.init(entity: entity, hash: reason == nil ? hash : nil)],
      reasons: reason.map { [.init(property: "price", $0)] } ?? [], propertyPlaces: [property: place])
    let schema = SourceSchema(
      name: "V1", place: place, origin: .versioned, identifier: .stated(identifier), entities: [source])
    return SourceReading(
      schemas: [schema], plans: [SourcePlan(name: "Plan", place: place, schemaNames: ["V1"])])
  }

  private func pins(_ property: String) throws -> ModelPins {
    ModelPins(versions: [.init(name: "V1", model: try reading(property).schemas[0].model())])
  }

  @Test func aVersionThatMovedFromItsPinIsNamedWithItsProperties() throws {
    let lint = try ShippedVersions(stores: [], pins: pins("text")).lint(of: reading("body"))
    #expect(
      lint.findings.map { "\($0.check) \($0.place.line): \($0.message)" } == [
        "SD909 7: V1 is no longer as it was shipped: Note differs, against its pin"
      ])
    #expect(lint.findings.first?.notes.map(\.message) == ["Note.body is new", "Note.text is gone"])
    #expect(try ShippedVersions(stores: [], pins: pins("text")).lint(of: reading("text")) == SourceLint())
  }

  @Test func aStoreAtHandIsOneThatTestsMayOpen() throws {
    let program = try program(SourceLint(findings: [finding("SD996", nil, .note)]))
    #expect(try lintSource(["Models"], by: program).findings.map(\.check) == ["SD996"])
    let store = PosixPath(Project.path("corpus/Notes.sqlite"))
    #expect(try lintSource(["Models"], stores: [store], by: program).findings == [])
  }

  @Test func whatIsNotDerivedIsNotJudged() throws {
    let lint = try ShippedVersions(stores: [], pins: pins("text")).lint(
      of: reading("text", reason: "Money is not known"))
    #expect(lint.findings.isEmpty)
    #expect(
      lint.skipped.map(\.reason) == [
        "whether V1 is as shipped, by its pin, is not known: Note: price: Money is not known"
      ])
  }

  /// Entity by entity: one that is not known hides no other.
  @Test func whatIsNotKnownCostsItselfAlone() throws {
    var schema = reading("body").schemas[0]
    var bill = reading("text", reason: "Money is not known").schemas[0].entities[0]
    bill.variants[0].entity.name = "Bill"
    schema.entities.append(bill)
    let hash = try #require(VersionHash([UInt8](repeating: 7, count: 32)))
    let both = schema.differences(from: ["Note": hash, "Bill": hash])
    #expect(both == Differences(entities: ["Note"], unknown: ["Bill: price: Money is not known"]))
    #expect(both.words == "Note differs")
    // What was not known of the release, and what the release surely had not.
    #expect(
      schema.differences(from: ["Note": hash], unknown: ["Bill": "its type"])
        == Differences(entities: ["Note"], unknown: ["Bill: its type"]))
    #expect(schema.differences(from: ["Note": hash]) == Differences(entities: ["Bill", "Note"]))
    #expect(
      schema.differences(from: [:], listProblem: "a long list")
        == Differences(unknown: ["Bill: a long list", "Note: a long list"]))
  }

  @Test func aStoreOfNoVersionIsReported() throws {
    let store = PosixPath(Project.path("corpus/Notes.sqlite"))
    let lint = try ShippedVersions(stores: [store], pins: nil).lint(of: reading("text"))
    #expect(lint.findings.map(\.check) == ["SD908"])
    #expect(lint.findings.first?.message.hasPrefix("no version has the hashes of '") == true)
    let model = try #require(try Store(path: store.description).modelCache.model)
    var whole = reading("text")
    whole.schemas[0].entities = model.entities.map { entity in
      SourceEntity(
        className: entity.name, place: whole.plans[0].place, isListed: true,
        variants: [.init(entity: entity, hash: model.versionHashes.byEntity[entity.name])])
    }
    #expect(try ShippedVersions(stores: [store], pins: nil).lint(of: whole) == SourceLint())
  }

  /// A version that has no entity in common with the store is neither called nearest nor edited.
  @Test func aStoreOfSomethingElseIsReportedAsThat() throws {
    let store = PosixPath(Project.path("corpus/Shapes.sqlite"))
    let lint = try ShippedVersions(stores: [store], pins: nil).lint(of: reading("text"))
    #expect(lint.findings.map { "\($0.check) \($0.severity.rawValue) \($0.notes.count)" } == ["SD908 error 0"])
    #expect(lint.findings.first?.message.hasPrefix("no version has any entity of '\(store)'") == true)
  }

  @Test(arguments: [
    ("city: String, required; zip: String, required", "error", "zip is new and required"),
    ("city: String, required; zip: String, optional", "warning", "zip is new"),
    ("zip: String, optional", "warning", "zip is new; city is gone"),
    ("city: Integer 64, required", "warning", "city is another"),
  ])
  func membersOfAStructThatMovedAreNamed(now: String, severity: String, words: String) throws {
    let edited = try #require(
      EditedStruct(
        MovedProperty(
          entity: "Person", name: "home", before: .init("composite {city: String, required}"),
          now: .init("composite {\(now)}"))))
    #expect(edited.words == words)
    #expect((edited.required.isEmpty ? "warning" : "error") == severity)
    let plain = MovedProperty(
      entity: "Person", name: "home", before: .init("String, optional"), now: .init("composite {\(now)}"))
    #expect(EditedStruct(plain) == nil)
  }

  @Test func aCommentSilencesWhatStoresSay() throws {
    let silence = SourceLint.Silence(file: "A.swift", lines: 1...7, checks: ["SD909"], reason: "never shipped")
    var lint = try ShippedVersions(stores: [], pins: pins("text")).lint(of: reading("body"))
    lint.silences = [silence]
    lint.silence()
    #expect(lint.findings == [])
    #expect(lint.silenced.map(\.reason) == ["never shipped"])
  }

  // MARK: Fixes

  private func report(_ path: String, _ edits: [(Int, Int, String)], digest: String, certain: Bool = true)
    -> SourceReport
  {
    let findings = edits.map { edit in
      var finding = finding("SD995")
      finding.fix = .init(
        "write let", edits: [.init(file: path, offset: edit.0, length: edit.1, replacement: edit.2)], isCertain: certain
      )
      return finding
    }
    return SourceReport(
      paths: [path], reading: SourceReading(), findings: findings, silenced: [], skipped: [], config: nil, checks: [],
      digests: [path: digest])
  }

  private let text = "var a = 1\nvar b = 2\n"
  /// `printf 'var a = 1\nvar b = 2\n' | sha256sum`
  private let digest = "96dec91b25cb1f9be32551b07215347c68551b7bf92fe6a2bdfcba729121ba0e"

  @Test func fixesAreMadeInOneStepAndKeepTheMode() throws {
    let path = try #require(folder).write(Array(text.utf8), to: "A.swift")
    chmod(path, 0o600)
    let fixes = try SourceFixes(report(path, [(10, 3, "let"), (0, 3, "let"), (1, 1, "x")], digest: digest))
    // Of two fixes that overlap, the first is made.
    #expect(fixes.count == 2)
    #expect(try contents(of: path) == Array(text.utf8), "nothing is written unasked")
    try fixes.write()
    #expect(try contents(of: path) == Array("let a = 1\nlet b = 2\n".utf8))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(arguments: [(-1, 3), (18, 3), (0, Int.max)])
  func editsBeyondTheFileAreRefused(offset: Int, length: Int) throws {
    let path = try #require(folder).write(Array(text.utf8), to: "A.swift")
    #expect(throws: SourceFixError.self) { try SourceFixes(report(path, [(offset, length, "")], digest: digest)) }
  }

  @Test func aFileThatChangesBeforeItIsWrittenIsLeft() throws {
    let path = try #require(folder).write(Array(text.utf8), to: "A.swift")
    let fixes = try SourceFixes(report(path, [(0, 3, "let")], digest: digest))
    try #require(folder).write(Array("var c = 1\n".utf8), to: "A.swift")
    #expect(throws: SourceFixError.self) { try fixes.write() }
    #expect(try contents(of: path) == Array("var c = 1\n".utf8))
  }

  @Test func onlyCertainFixesAreMade() throws {
    let fixes = try SourceFixes(report("nowhere.swift", [(0, 3, "let")], digest: "", certain: false))
    #expect(fixes.count == 0)
    #expect(fixes.files.isEmpty)
  }

  @Test func aFileThatChangedIsLeft() throws {
    let path = try #require(folder).write(Array("var a = 1\n".utf8), to: "A.swift")
    #expect(throws: SourceFixError.self) { try SourceFixes(report(path, [(0, 3, "let")], digest: "00")) }
    #expect(try contents(of: path) == Array("var a = 1\n".utf8))
  }
}
