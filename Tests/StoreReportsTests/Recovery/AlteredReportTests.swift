import Foundation
import StoreJSON
import StoreRecovery
import StoreReports
import StoreSQLite
import TestSupport
import Testing

/// A law: of reports about stores of apps and made ones each field is altered once, and every alteration is found.
@Suite struct AlteredReportTests {
  /// Alterations of one report in a plain run.
  private static let some = 20

  private static let realStores = [
    "energy--artsypartner-1.3.5-686cb9", "wire-ios-data-model--store1-28-fdb0ab",
    "wire-ios-data-model--store2-8-346184", "plaso--notestore-2ba38b", "magicalrecord--recipes-89a906",
  ]

  /// What is done to a store of notes before it is searched.
  private static let deeds = [
    "DELETE FROM ZNOTE WHERE Z_PK IN (2, 5, 9)",
    "UPDATE ZNOTE SET ZTITLE = ZTITLE || ' again', Z_OPT = Z_OPT + 1; DELETE FROM ZNOTE WHERE Z_PK = 3",
    "DELETE FROM ZNOTE; DELETE FROM ZTAG",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 40 WHERE Z_NAME = 'Note'; DELETE FROM ZNOTE WHERE Z_PK > 10",
    "DELETE FROM ZATTACHMENT; DELETE FROM Z_3TAGS; DROP TABLE ZTAG",
  ]

  @Test(.needsSharedData, arguments: realStores) func ofAStoreOfAnApp(slug: String) throws {
    let entry = try #require(Catalogue.real.first { $0.slug == slug })
    try expectEveryAlterationIsFound(PosixPath(entry.path), name: slug)
  }

  @Test(arguments: deeds) func ofAMadeStore(deed: String) throws {
    let (workshop, folder) = (try TemporaryFolder(), try TemporaryFolder())
    let origin = try workshop.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: origin, create: false)
    try writer.execute("PRAGMA journal_mode=WAL; PRAGMA secure_delete=0; PRAGMA wal_autocheckpoint=0; \(deed)")
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE); DELETE FROM ZNOTE WHERE Z_PK = 7")
    let store = folder("Notes.sqlite")
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: origin + suffix, toPath: store + suffix) }
    try expectEveryAlterationIsFound(PosixPath(store), name: deed)
  }

  /// Each leaf once: changed, taken out, or taken out with the element of the list that it is in; as it is left by who alters
  /// it, and with the checksum made anew where the search itself decides.
  private func expectEveryAlterationIsFound(_ store: PosixPath, name: String) throws {
    let verifier = ReportVerifier(store)
    let report = try JSONValue(Array(recover(store).json.text.utf8))
    #expect(try verifier.verify(report).differences == [])
    let leaves = report.leaves
    let step = LongRuns.areWanted ? 1 : max(1, leaves.count / Self.some)
    // Words, the program's version and the folder of the evidence are those of the run; the checksum alone holds them.
    let ofTheRun: Set<JSONValue.Step> = [.member("checksum"), .member("notes"), .member("reading"), .member("tool")]
    var (altered, sealed) = (0, 0)
    for (index, leaf) in leaves.enumerated() where index % step == 0 {
      guard let document = Self.altered(report, at: leaf, kind: index / step % 3), document != report else { continue }
      altered += 1
      #expect(Self.isFound(document, by: verifier), "\(name): \(leaf)")
      guard let first = leaf.first, !ofTheRun.contains(first), leaf.last != .member("schema"), first != .member("files")
      else { continue }
      sealed += 1
      #expect(Self.isFound(document.sealed, by: verifier), "\(name), with a new checksum: \(leaf)")
    }
    #expect(altered >= min(Self.some, leaves.count))
    print("\(name): \(altered) of \(leaves.count) fields altered, \(sealed) with a new checksum")
    try expectEveryAlteredLineIsFound(store, name: name)
  }

  /// The same of JSON lines, each of which is a document of its own: what is in them is compared, and has no checksum.
  private func expectEveryAlteredLineIsFound(_ store: PosixPath, name: String) throws {
    let verifier = ReportVerifier(store)
    let lines = try recover(store).rows.map { try JSONValue(Array(Recovery.line($0).utf8)) }
    func isFound(_ lines: [JSONValue]) -> Bool {
      let text = lines.map { $0.lineText + "\n" }.joined()
      guard let result = try? verifier.verify(Array(text.utf8)) else { return true }
      return !result.differences.isEmpty
    }
    #expect(!isFound(lines), "\(name)")
    let places = lines.enumerated().flatMap { number, line in line.leaves.map { (number, $0) } }
    let step = LongRuns.areWanted ? 1 : max(1, places.count / Self.some)
    var altered = 0
    for (index, (number, leaf)) in places.enumerated() where index % step == 0 {
      var others = lines
      guard let line = Self.altered(lines[number], at: leaf, kind: index / step % 3), line != lines[number] else {
        continue
      }
      others[number] = line
      altered += 1
      #expect(isFound(others), "\(name), line \(number + 1): \(leaf)")
    }
    #expect(altered >= min(Self.some, places.count))
    print("\(name): \(altered) of \(places.count) fields of lines altered")
  }

  private static func altered(_ report: JSONValue, at leaf: JSONValue.Place, kind: Int) -> JSONValue? {
    guard kind > 0 else { return report.changed(at: leaf) { $0.another } }
    var place = leaf
    if kind == 2, let element = leaf.lastIndex(where: { if case .element = $0 { true } else { false } }) {
      place = Array(leaf[...element])
    }
    return report.changed(at: place) { _ in nil }
  }

  /// Whether it differs, or is no report any more.
  private static func isFound(_ document: JSONValue, by verifier: ReportVerifier) -> Bool {
    guard let result = try? verifier.verify(document) else { return true }
    return !result.differences.isEmpty
  }
}
