import StoreAudit
import StoreDiagnosis
import StoreFindings
import StoreCoreData
import Foundation
import StoreSQLite
import StoreTestSupport
import TestSupport
import Testing

/// For each check, a sick store with exactly the findings listed in its file, and a healthy store with none.
@Suite struct CheckFixtureTests {
  @Test(arguments: Fixture.readable)
  func findsExactlyWhatIsListed(_ fixture: Fixture) throws {
    let folder = try TemporaryFolder()
    let path = try fixture.build(in: folder)
    let before = try FolderContents(folder.path)
    let diagnosis = try diagnose(path: path, options: try fixture.options)
    #expect(diagnosis.findings.map(\.line) == fixture.finds)
    #expect(diagnosis.skipReasons == fixture.skips)
    #expect(try FolderContents(folder.path) == before, "not a byte of the store's folder changes")
    if fixture.kind == "sick" {
      #expect(diagnosis.findings.contains { $0.id == fixture.check }, "a sick store has to show its check")
    }
  }

  /// A single store that cannot be read is a failure; in an audit it has a line with a finding.
  @Test(arguments: Fixture.all)
  func anAuditFindsTheSame(_ fixture: Fixture) throws {
    let folder = try TemporaryFolder()
    let path = try fixture.build(in: folder)
    var options = try fixture.options
    options.integrity = .full
    let audited = try StoreAuditor(AuditSettings(diagnosis: options, toolVersion: "1"))
      .audit(AuditItem(PosixPath(path), .store(wasNamed: true)))
    #expect(audited.findings.map(\.line) == fixture.finds)
    #expect((audited.status == .audited) == !(fixture.check == "SD101" && fixture.kind == "sick"))
  }

  /// An auditor keeps results about models from one store to the next, and nothing about the stores.
  @Test func anAuditorSaysOfAStoreWhatItSaysOfItAlone() throws {
    let folders = try Fixture.all.map { _ in try TemporaryFolder() }
    let items = try zip(Fixture.all, folders).map { fixture, folder in
      AuditItem(PosixPath(try fixture.build(in: folder)), .store(wasNamed: true))
    }
    let settings = AuditSettings(diagnosis: DiagnosisOptions(), toolVersion: "1")
    let auditor = StoreAuditor(settings)
    for item in items + items.reversed() {
      let (among, alone) = try (auditor.audit(item), StoreAuditor(settings).audit(item))
      #expect(among.content?.diagnosis == alone.content?.diagnosis && among.findings == alone.findings, "\(item)")
      #expect(among.content?.checksum == alone.content?.checksum && among.status == alone.status, "\(item)")
    }
    withExtendedLifetime(folders) {}
  }

  @Test(arguments: ["Notes.sqlite", "Shapes.sqlite", "Club.sqlite", "Shop.sqlite"])
  func theBundledStoresAreHealthy(_ name: String) throws {
    let diagnosis = try diagnose(path: Project.path("corpus/\(name)"))
    #expect(diagnosis.verdict == .healthy)
    #expect(diagnosis.findings.map(\.line) == [])
    #expect(diagnosis.skipped == [])
  }

  /// In a join table as well. A key with a fraction leads to the row with its integer part.
  @Test func aKeyOfALinkThatIsNoIntegerIsFound() throws {
    let folder = try TemporaryFolder()
    let path = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    let connection = try Connection(writing: path, create: false)
    try connection.execute("UPDATE Z_3TAGS SET Z_5TAGS = Z_5TAGS + 0.5 WHERE Z_3NOTES = 3 AND Z_5TAGS = 3")
    connection.close()
    #expect(try diagnose(path: path).findings.map(\.line) == ["SD503 warning Note.tags 1 [3]"])
  }

  @Test func aFingerprintDoesNotMoveWithTheRows() throws {
    let fixture = try #require(Fixture.all.first { $0.check == "SD404" && $0.kind == "sick" })
    let folder = try TemporaryFolder()
    let path = try fixture.build(in: folder)
    let before = try diagnose(path: path).findings
    try fixture.run("DELETE FROM Z_3TAGS WHERE Z_3NOTES = 1", on: path)
    let after = try diagnose(path: path).findings
    #expect(before.map(\.count) == [4] && after.map(\.count) != [4])
    #expect(before.map(\.fingerprint) == after.map(\.fingerprint))
    #expect(before.map(\.fingerprint) == ["75c760e8c15f8998"])
  }
}

/// Rules for all checks in the registry.
@Suite struct CheckRegistryTests {
  @Test func idsAndNamesAreUniqueAndInOrder() {
    #expect(Check.all.map(\.id) == Set(Check.all.map(\.id)).sorted())
    #expect(Set(Check.all.map(\.name)).count == Check.all.count)
  }

  @Test(arguments: Check.all)
  func isCalledWhatTheDesignCallsIt(_ check: Check) throws {
    // Ids, names and severities are permanent: scripts and baselines contain them.
    #expect(permanent[check.id] == "\(check.name) \(check.severity.rawValue)")
  }

  @Test(arguments: Check.all)
  func isExplainedUnderFourHeadings(_ check: Check) {
    let headings = check.explanation.split(separator: "\n").filter { $0.hasPrefix("#") }
    #expect(
      headings == ["## What it looks for", "## Why it matters", "## Example", "## What can be done"])
    #expect(check.summary.hasSuffix(".") && !check.summary.contains("\n"))
    for line in check.explanation.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
  }

  @Test(arguments: Check.all)
  func hasASickAndAHealthyStore(_ check: Check) {
    #expect(Fixture.all.filter { $0.check == check.id }.map(\.kind).sorted() == ["healthy", "sick"])
  }

  @Test func nothingLiesAmongTheFixturesThatIsNone() {
    #expect(Set(Fixture.all.map(\.check)).subtracting(Check.all.map(\.id)) == [])
  }
}

/// The ids, names and severities of checks, which must never change.
private let permanent = [
  "SD101": "unreadable-file error",
  "SD102": "corrupt-page error",
  "SD103": "corrupt-index error",
  "SD104": "unmerged-wal note",
  "SD105": "foreign-wal error",
  "SD106": "hot-journal warning",
  "SD107": "lost-wal-suspected warning",
  "SD108": "unread-table warning",
  "SD201": "missing-metadata error",
  "SD202": "digest-mismatch warning",
  "SD203": "checksum-mismatch warning",
  "SD204": "model-cache-unreadable warning",
  "SD205": "model-cache-differs warning",
  "SD206": "entity-map-differs warning",
  "SD207": "high-water-too-low warning",
  "SD208": "high-water-on-subentity note",
  "SD209": "unknown-entity-number error",
  "SD210": "entity-in-wrong-table error",
  "SD211": "invalid-lock-counter warning",
  "SD212": "abstract-entity-row warning",
  "SD213": "repeated-key error",
  "SD214": "several-metadata-rows warning",
  "SD215": "missing-store-uuid warning",
  "SD301": "missing-table error",
  "SD302": "missing-column error",
  "SD303": "unexpected-column note",
  "SD304": "missing-join-table error",
  "SD305": "missing-unique-index warning",
  "SD306": "column-type-differs warning",
  "SD307": "foreign-object error",
  "SD401": "dangling-reference error",
  "SD402": "wrong-entity-reference error",
  "SD403": "companion-mismatch error",
  "SD404": "orphaned-join-row error",
  "SD405": "unmirrored-self-link warning",
  "SD406": "one-sided-inverse note",
  "SD407": "missing-required-relationship warning",
  "SD408": "count-out-of-bounds warning",
  "SD409": "broken-order-key warning",
  "SD410": "orphaned-object note",
  "SD411": "parent-loop warning",
  "SD501": "missing-required-value warning",
  "SD502": "duplicate-key error",
  "SD503": "wrong-storage-class warning",
  "SD504": "value-out-of-range warning",
  "SD505": "invalid-uuid warning",
  "SD506": "unreadable-archive warning",
  "SD507": "validation-violated warning",
  "SD508": "invalid-text warning",
  "SD509": "refused-class error",
  "SD510": "refused-contents warning",
  "SD511": "insecure-archive note",
  "SD512": "class-of-another-module note",
  "SD601": "missing-external-file warning",
  "SD602": "orphaned-external-file note",
  "SD603": "malformed-external-reference error",
  "SD701": "dangling-history warning",
  "SD702": "oversized-history note",
  "SD703": "mirrored-store note",
  "SD704": "cloudkit-model-rule warning",
  "SD705": "suspected-recreation warning",
  "SD706": "record-without-object note",
  "SD707": "object-without-record note",
  "SD801": "incompatible-model error",
  "SD802": "newer-than-known error",
  "SD803": "edited-version error",
  "SD804": "merged-model note",
  "SD805": "not-lightweight error",
  "SD806": "data-blocks-migration error",
  "SD807": "duplicate-version-checksum error",
  "SD808": "unknown-to-plan error",
  "SD809": "migration-loses-data warning",
  "SD810": "foreign-model error",
]
