import Foundation
import StoreJSON
import StoreRecovery
import StoreReports
import StoreSQLite
import TestSupport
import Testing

/// `recover --verify`: whoever changes one thing in a report of deleted objects is told.
@Suite struct ReportVerificationTests {
  /// Notes 2 and 3 deleted, one of them in the log alone; the title of note 4 changed.
  private func store(in folder: TemporaryFolder) throws -> PosixPath {
    let workshop = try TemporaryFolder()
    let origin = try workshop.copyStore(Project.path("corpus/Notes.sqlite"))
    let writer = try Connection(writing: origin, create: false)
    try writer.execute(
      """
      PRAGMA journal_mode=WAL; PRAGMA secure_delete=0; PRAGMA wal_autocheckpoint=0;
      DELETE FROM ZNOTE WHERE Z_PK = 2;
      UPDATE ZNOTE SET ZTITLE = 'A title that is a good deal longer than before', Z_OPT = 2 WHERE Z_PK = 4;
      PRAGMA wal_checkpoint(TRUNCATE);
      DELETE FROM ZNOTE WHERE Z_PK = 3;
      """)
    let store = folder("Notes.sqlite")
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: origin + suffix, toPath: store + suffix) }
    return PosixPath(store)
  }

  private func differences(_ document: JSONValue, _ store: PosixPath) -> [String]? {
    (try? verifyReport(Array(document.text.utf8), path: store))?.differences
  }

  /// Changed, and the report's own checksum as it was.
  @Test func everyChangedValueIsFound() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let report = try JSONValue(Array(recover(store).json.text.utf8))
    #expect(differences(report, store) == [])
    let places = report.leaves
    #expect(places.count > 300)
    for (index, place) in places.enumerated() where LongRuns.areWanted || index % 7 == 0 {
      guard let altered = report.changed(at: place, { $0.another }) else { continue }
      #expect(altered != report && differences(altered, store)?.isEmpty != true, "\(place)")
    }
  }

  /// Changed by someone who makes the checksum anew: the search itself says otherwise. Words, the program's version and the
  /// folder of the evidence are not the search's.
  @Test func whatIsReadAgainDecidesAndNotTheChecksum() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let report = try JSONValue(Array(recover(store).json.text.utf8))
    let outside: Set<JSONValue.Step> = [.member("checksum"), .member("notes"), .member("reading"), .member("tool")]
    let places = report.leaves.filter { $0.count > 0 && !outside.contains($0[0]) && $0.last != .member("schema") }
    for (index, place) in places.enumerated() where LongRuns.areWanted || index % 7 == 3 {
      guard let altered = report.changed(at: place, { $0.another })?.sealed else { continue }
      #expect(differences(altered, store)?.isEmpty != true, "\(place)")
    }
    guard case .object(let members) = report, case .array(let rows)? = members["rows"] else { return }
    for position in rows.indices {
      let row: JSONValue.Place = [.member("rows"), .element(position)]
      let removed = try #require(report.changed(at: row) { _ in nil }).sealed
      #expect(differences(removed, store)?.contains { $0.hasSuffix("is not in the report") } == true)
    }
    let invented = try #require(
      report.changed(at: [.member("rows")]) { list in
        guard case .array(let rows) = list, let first = rows.first else { return nil }
        return .array(rows + [first.changed(at: [.member("key")]) { _ in .integer(77) } ?? first])
      }
    ).sealed
    #expect(differences(invented, store)?.contains { $0.hasSuffix(" 77) is not what is read again") } == true)
  }

  /// A report of a part of the results is verified as that part.
  @Test func aChoiceIsVerifiedAsOne() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    var choice = Recovery.Choice()
    (choice.entities, choice.grade, choice.limit) = (["Note"], .shown, 1)
    var recovery = try recover(store)
    recovery.choose(choice)
    #expect(recovery.rows.count == 1)
    let report = try JSONValue(Array(recovery.json.text.utf8))
    #expect(differences(report, store) == [])
    let whole = try #require(report.changed(at: [.member("choice")]) { _ in nil }).sealed
    #expect(differences(whole, store)?.isEmpty == false)
  }

  /// What a search does not say is no part of a report, and what was not compared is named.
  @Test func whatIsAddedIsFoundAndWhatIsNotComparedIsSaid() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    guard case .object(var members) = try JSONValue(Array(recover(store).json.text.utf8)) else { return }
    members["conclusion"] = .string("the user deleted them")
    #expect(differences(JSONValue.object(members).sealed, store) == ["'conclusion' differs from what is read again"])
    members["conclusion"] = nil
    members["notes"] = .array([.string("nothing was left out")])
    let other = try verifyReport(Array(JSONValue.object(members).sealed.text.utf8), path: store)
    #expect(
      other.differences == [] && other.remarks.contains { $0.hasPrefix("'notes' ") && $0.hasSuffix("not compared") })
  }

  /// Evidence may be copied to another folder; that it was is said.
  @Test func anotherFolderIsARemark() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let report = Array(try recover(store).json.text.utf8)
    let copy = try TemporaryFolder()
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: store.description + suffix, toPath: copy("Notes.sqlite") + suffix)
    }
    let verification = try verifyReport(report, path: PosixPath(copy("Notes.sqlite")))
    #expect(verification.differences == [])
    #expect(verification.remarks.contains { $0.contains("and '\(copy("Notes.sqlite"))' was read") })
  }

  @Test func linesAreVerifiedOneByOne() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let lines = try recover(store).rows.map(Recovery.line)
    let whole = try verifyReport(Array((lines.joined()).utf8), path: store)
    #expect(whole.differences == [] && whole.results == lines.count)
    #expect(whole.remarks.contains { $0.contains("leave no trace") })
    let altered = lines.joined().replacingOccurrences(of: "\"grade\": \"shown\"", with: "\"grade\": \"proved\"")
    #expect(try !verifyReport(Array(altered.utf8), path: store).differences.isEmpty)
  }

  /// A document is compared in memory; one that is too large is refused with advice, and JSON lines of the same results are
  /// not.
  @Test func aReportThatIsTooLargeIsRefusedAndItsLinesAreNot() throws {
    let folder = try TemporaryFolder()
    let store = try store(in: folder)
    let recovery = try recover(store)
    let report = Array(recovery.json.text.utf8)
    #expect(try ReportVerifier(store, largest: report.count).verify(report).differences == [])
    let error = try #require(throws: ReportTooLarge.self) {
      try ReportVerifier(store, largest: report.count - 1).verify(report)
    }
    let words = error.description.filter { $0 != "," }
    #expect(words.hasPrefix("the report has \(report.count) bytes and up to \(report.count - 1) are compared; "))
    #expect(words.contains("--limit") && words.hasSuffix("or one of --format jsonl"))
    let lines = Array(recovery.rows.map(Recovery.line).joined().utf8)
    #expect(try ReportVerifier(store, largest: 1).verify(lines).differences == [])
  }

  /// What the command does not have to be told: 64 MiB.
  @Test func moreThan64MebibytesAreTooLarge() {
    let report = [UInt8](repeating: UInt8(ascii: " "), count: JSONValue.Limits().bytes + 1)
    #expect(JSONValue.Limits().bytes == 64 << 20)
    #expect(throws: ReportTooLarge.self) { try verifyReport(report, path: PosixPath("/dev/null")) }
  }
}
