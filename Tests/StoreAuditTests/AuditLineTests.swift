@testable import StoreAudit
@testable import StoreFindings
import Foundation
import StoreSQLite
import TestSupport
import Testing

@Suite struct AuditLineTests {
  static let full = """
    {"atRisk":[{"code":1560,"consequence":"loses","entity":"Note","message":"lost","property":"body","rows":4}],\
    "bytes":4096,"deciding":{"basis":"observed","code":134110,"version":"V3"},"entities":[{"name":"Note","rows":12},\
    {"name":"Tag","rows":0}],"findings":[{"basis":"assumed","blocks":[1570],"count":3,"entity":"Note","examples":\
    [{"key":9,"primaryKey":7,"why":"x"}],"fingerprint":"0011223344556677","id":"SD806","message":"3 rows","name":\
    "data-blocks-migration","property":"title","remedies":[{"recipe":"dangling: nullify","safe":true}],"severity":\
    "error","table":"ZNOTE"}],"id":"7","known":1,"later":[{}],"milliseconds":12,"models":[{"code":134110,"verdict":\
    "blocked-by-data","version":"V3"}],"muted":2,"output":{"outcome":"written","path":"o"},"path":"a/b.sqlite",\
    "pathBytes":"Yf8=","plan":{"obstacles":[{}, 1],"operations":[{"changes":3,"repair":"backfill"}]},"problem":\
    {"kind":"changed","message":"m","signal":11,"stage":"reading"},"rows":12,"run":"0123456789abcdef","schema":\
    "storedoctor.audit/2","severity":"error","config":{"muted":[],"path":"c.yaml"},"scope":{"entities":["Note"],"leftOut":{"error":1,"note":0,"warning":2}},"within":"/b","skipped":[{"check":"SD407","reason":"no model"}],"status":"audited",\
    "store":{"checksum":"c==","frameworkVersion":1344,"digest":"ab","modelSource":"cache","uuid":"U",\
    "versionIdentifiers":["1","2"]},"tool":{"version":"0.1.0"},"verdict":"blocked-by-data","version":"V1"}
    """

  private let least =
    #"{"path":"p","run":"r","schema":"storedoctor.audit/2","status":"no-store","tool":{"version":"1"}}"#

  private var expected: AuditLine {
    var line = AuditLine(toolVersion: "0.1.0", run: "0123456789abcdef", path: "a/b.sqlite", status: .audited)
    line.pathBytes = [0x61, 0xFF]
    line.id = "7"
    line.problem = .init(kind: "changed", message: "m", stage: "reading", signal: 11)
    line.severity = .error
    (line.bytes, line.rows, line.known, line.muted, line.milliseconds) = (4096, 12, 1, 2, 12)
    line.entities = [.init(name: "Note", rows: 12), .init(name: "Tag", rows: 0)]
    line.store = .init(
      uuid: "U", frameworkVersion: 1344, versionIdentifiers: ["1", "2"], modelSource: "cache", digest: "ab",
      checksum: "c==")
    (line.version, line.verdict) = ("V1", .blockedByData)
    line.deciding = .init(version: "V3", code: 134110, basis: "observed")
    line.models = [.init(version: "V3", verdict: .blockedByData, code: 134110)]
    line.atRisk = [.init(entity: "Note", property: "body", isLoss: true, message: "lost", rows: 4)]
    line.findings = [
      Finding(
        id: "SD806", name: "data-blocks-migration", severity: .error, entity: "Note", table: "ZNOTE", property: "title",
        count: 3, examples: [.init(7, ["key": .number(9), "why": "x"])], message: "3 rows", blocks: [1570],
        remedies: [.init("dangling: nullify", isSafe: true)], basis: .assumed)
    ]
    line.skipped = [.init(check: "SD407", reason: "no model")]
    (line.skippedCount, line.leftOut, line.config, line.within) = (1, 3, "c.yaml", Array("/b".utf8))
    line.plan = .init(operations: [.init(repair: "backfill", changes: 3)], obstacles: 2)
    line.output = .init(path: "o", outcome: "written")
    return line
  }

  @Test func readsEveryMember() throws {
    #expect(try AuditLine(Array(Self.full.utf8)) == expected)
    #expect(try AuditLine(Array(least.utf8)) == AuditLine(toolVersion: "1", run: "r", path: "p", status: .noStore))
  }

  @Test func readsWhatAGateAsksAlone() throws {
    let whole = expected
    var standing = AuditLine(toolVersion: whole.toolVersion, run: whole.run, path: whole.path, status: whole.status)
    (standing.pathBytes, standing.id, standing.output) = (whole.pathBytes, whole.id, whole.output)
    (standing.severity, standing.verdict, standing.version) = (whole.severity, whole.verdict, whole.version)
    standing.store = whole.store
    #expect(try AuditLine(Array(Self.full.utf8), .standing) == standing)
  }

  @Test func leavesWordsOutWhereFactsAreEnough() throws {
    var facts = expected
    (facts.models, facts.skipped) = ([], [])
    (facts.findings[0].message, facts.findings[0].examples, facts.findings[0].remedies) = ("", [], [])
    facts.findings[0].basis = .observed
    #expect(try AuditLine(Array(Self.full.utf8), .facts) == facts)
  }

  @Test(arguments: [
    (#""run":"r","#, "", "'run' is missing"), (#""path":"p","#, "", "'path' is missing"),
    (#""schema":"storedoctor.audit/2","#, "", "'schema' is missing"),
    (
      "audit/2", "diagnosis/2",
      "a line of 'storedoctor.audit/2' is expected, this is 'storedoctor.diagnosis/2'; audit the stores again"
    ),
    (
      "audit/2", "audit/1",
      "a line of 'storedoctor.audit/2' is expected, this is 'storedoctor.audit/1'; audit the stores again"
    ),
    (
      "no-store", "lost",
      "column 63: 'lost' is none of audited, unreadable, timed-out, crashed, over-memory, no-store, not-followed"
    ),
    (#""p""#, #""p","bytes":-1"#, "column 21: a whole number from 0 on is expected"),
    (#""p""#, #""p","pathBytes":"Yf8""#, "column 25: base-64 is expected"),
    (#""p""#, #""p","findings":[{"id":"SD1"}]"#, "column 25: a finding needs 'id' and 'severity'"),
    (#""p""#, #""p","path":"q""#, "column 13: member 'path' occurs twice"),
    ("\"1\"}}", "\"1\"}", "column 96: ',' or '}' is expected"),
  ])
  func saysWhatIsWrongWithALine(_ part: String, _ other: String, _ message: String) {
    let line = least.replacing(part, with: other, maxReplacements: 1)
    #expect(performing: { try AuditLine(Array(line.utf8)) }, throws: { "\($0)" == message })
  }

  /// A damaged line is accepted only if another JSON reader accepts it; a truncated line is never accepted.
  @Test func anyInjuryGivesALineOrAnError() {
    let bytes = Array(Self.full.utf8)
    var accepted = 0
    for place in bytes.indices {
      for byte in [0x00, 0x22, 0x5B, 0x7D, 0x2D, 0xC3] as [UInt8] {
        var injured = bytes
        injured[place] = byte
        guard (try? AuditLine(injured)) != nil else { continue }
        accepted += 1
        #expect((try? JSONSerialization.jsonObject(with: Data(injured))) != nil, "byte \(byte) at \(place)")
      }
      #expect(throws: (any Error).self, "cut at \(place)") { try AuditLine(Array(bytes[..<place])) }
    }
    #expect(accepted > 1000)
  }

  @Test func readsLinesOfAnyLengthFromAFile() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: 3 << 20)
    let text = "a\n\n \r\n\(long)\nlast"
    let path = PosixPath(try folder.write(Array(text.utf8), to: "lines"))
    var seen: [String] = []
    try forEachAuditLine(in: path) { line in
      seen.append("\(line.number) @\(line.offset) \(line.bytes.count) \(line.isTerminated)")
    }
    #expect(seen == ["1 @0 1 true", "4 @6 3145728 true", "5 @3145735 4 false"])
  }

  @Test func namesFileAndLine() throws {
    let folder = try TemporaryFolder()
    let path = PosixPath(try folder.write(Array("\(least)\n{\"path\":".utf8), to: "cut"))
    #expect(
      performing: { try forEachAuditLine(in: path, reading: .facts) { _ in } },
      throws: {
        "\($0)".hasSuffix(
          "cut': column 9: the document ends where a value is expected; it is cut off, finish the run with '--resume'"
            .replacing("the document ends where a value is expected", with: "a text is expected"))
      })
  }
}
