import StoreDiagnosis
import StoreFindings
import StoreScanning
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// A `.storedoctor.yaml` is read completely, or refused with the line of the mistake.
@Suite struct ConfigurationTests {
  @Test func readsEveryKey() throws {
    let read = try configuration(
      """
      version: 1
      severities: {SD406: error, high-water-too-low: note}
      skips:
        - {check: orphaned-object, reason: drafts}
        - {check: SD501, entity: Note, reason: "old: ones"}
        - {check: SD501, entity: Note.size.width, reason: older}
      models: [Notes.momd, ../V1.mom, /models/V2.mom, "Notes.xcdatamodeld#Notes 2"]
      defaults:
        fail-on: never
        examples: 0
        opening: staged
        integrity: false
        unique: ["Trip.name,start", Note.title]
        cloudkit: true
        entity: [Note, "on"]
      """)
    var expected = Configuration(path: PosixPath("../a/.storedoctor.yaml"))
    expected.severities = ["SD406": .error, "SD207": .note]
    expected.mutes = [
      .init(check: "SD410", reason: "drafts"), .init(check: "SD501", entity: "Note", reason: "old: ones"),
      .init(check: "SD501", entity: "Note", property: "size.width", reason: "older"),
    ]
    expected.models = ["../a/Notes.momd", "../a/../V1.mom", "/models/V2.mom", "../a/Notes.xcdatamodeld#Notes 2"]
      .map { PosixPath($0) }
    expected.defaults.failOn = .never
    expected.defaults.examples = 0
    expected.defaults.opening = .staged
    expected.defaults.integrity = false
    expected.defaults.unique = [
      UniqueKey(entity: "Trip", properties: ["name", "start"]), UniqueKey(entity: "Note", properties: ["title"]),
    ]
    expected.defaults.cloudKit = true
    expected.defaults.entities = ["Note", "on"]
    #expect(read == expected)
    #expect(try configuration("# nothing\n") == Configuration(path: PosixPath("../a/.storedoctor.yaml")))
  }

  @Test(arguments: [
    ("skip: []", 1, "unknown key 'skip'; the keys here are version, severities, skips, models, defaults"),
    ("version: 2", 1, "the version known here is 1"), ("version: one", 1, "a whole number"),
    ("severities:\n  SD999: error", 2, "there is no check 'SD999'"),
    ("severities:\n  dangling-referense: error", 2, "did you mean 'dangling-reference'?"),
    ("severities:\n  SD401: fatal", 2, "one of note, warning, error is expected"),
    ("severities:\n  SD401: off", 2, "'off' is no severity; a check is muted under 'skips', with a reason"),
    ("severities:\n  SD401: note\n  dangling-reference: note", 3, "check SD401 occurs twice"),
    ("severities: [SD401]", 1, "keys with values are expected"), ("severities:", 1, "keys with values are expected"),
    ("skips:\n  - check: SD401", 2, "a skip gives a 'reason'"),
    ("skips:\n  - check: SD401\n    reason: ''", 3, "a text is expected"),
    ("skips:\n  - check: SD401\n    reason:", 3, "a text is expected"),
    ("skips:\n  - reason: x", 2, "a skip names a 'check'"), ("skips: SD401", 1, "a list is expected"),
    ("skips: [SD401]", 1, "keys with values are expected"),
    ("skips: [{check: SD401, reason: x, entity: .a}]", 1, "an entity, or an entity and a property"),
    ("skips: [{check: SD401, reason: x, entity: a.}]", 1, "an entity, or an entity and a property"),
    ("skips: [{check: SD401, reason: x, table: a}]", 1, "unknown key 'table'"),
    ("models: Notes.momd", 1, "a list is expected"), ("models: [[a]]", 1, "a text is expected"),
    ("defaults: {format: json}", 1, "unknown key 'format'"), ("defaults: {fail-on: all}", 1, "one of error, warning"),
    ("defaults: {examples: -1}", 1, "a whole number from 0 on"), ("defaults: {examples: 1.5}", 1, "a whole number"),
    ("defaults: {examples: 99999999999999999999}", 1, "a whole number"), ("defaults: {examples: \"5\"}", 1, "a whole"),
    ("defaults: {integrity: no}", 1, "true or false"), ("defaults: {cloudkit: 'true'}", 1, "true or false"),
    ("defaults: {unique: [Trip]}", 1, "as in Trip.name,startDate"),
    ("defaults: {opening: none}", 1, "one of automatic"),
    ("defaults:\n  - a", 2, "keys with values are expected"), ("- a", 1, "keys with values are expected"),
    ("a: &a [1]\nb: *a", 1, "anchors (&name) and aliases (*name) are not taken"),
  ])
  func refusesWithTheLine(text: String, line: Int, message: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try configuration(text) }
    #expect(error?.line == line, "\(error.map { $0.description } ?? "")")
    #expect(error?.message.contains(message) == true, "\(error.map { $0.description } ?? "")")
  }

  @Test func aFileTooLargeOrAbsentIsRefused() throws {
    let folder = try TemporaryFolder()
    let large = try folder.write(Array(repeating: UInt8(ascii: "#"), count: 300_000), to: "large.yaml")
    #expect(throws: ConfigurationError.self) { try Configuration(PosixPath(large)) }
    #expect(throws: ConfigurationError.self) { try Configuration(PosixPath(folder.path)) }
    #expect(throws: ConfigurationError.self) { try Configuration(PosixPath("/dev/zero")) }
    let error = #expect(throws: ConfigurationError.self) { try Configuration(PosixPath(folder("none.yaml"))) }
    #expect(error?.message == "no such file")
  }

  private func configuration(_ text: String) throws -> Configuration {
    try Configuration(Array(text.utf8), path: PosixPath("../a/.storedoctor.yaml"))
  }
}
