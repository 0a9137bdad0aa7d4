import Foundation
import StoreCoreData
import StoreDiagnosis
import StoreSQLite
import TestSupport
import Testing

/// No complaint of SQLite's is lost: each line of `integrity_check` and `quick_check` is accounted for by a table, an index,
/// or the file as a whole, and each of these has a finding.
@Suite struct ComplaintLawTests {
  /// The lines of a check by themselves, on a connection of its own; nil where the file is not opened.
  private static func lines(_ path: String, _ pragma: String) -> [String]? {
    guard let connection = try? Connection(reading: DatabaseFiles(path: path)),
      let rows = try? connection.prepare("PRAGMA \(pragma)(\(IntegrityReport.mostComplaints))")
    else { return nil }
    var said: [String] = []
    do {
      while try rows.step() { said += (rows.string(0) ?? "").split(separator: "\n").map(String.init) }
    } catch {
      if said.isEmpty { said.append("\(error)") }
    }
    return Array(said.filter { $0 != "ok" && !$0.hasPrefix("*** in database") }.prefix(IntegrityReport.mostComplaints))
  }

  /// Holds the law for one store.
  ///
  /// - Returns: whether SQLite complained.
  @discardableResult
  static func hold(_ path: String, _ label: String) throws -> Bool {
    guard let store = try? Store(path: path) else { return false }
    var complained = false
    for (depth, pragma) in [(IntegrityReport.Depth.full, "integrity_check"), (.quick, "quick_check")] {
      let said = try #require(lines(path, pragma))
      let report = try store.integrity(depth)
      #expect(report.complaints.count == said.count, "\(label), \(pragma): \(said) \(report.complaints)")
      let accounted = report.trees.map(\.complaints).reduce(0, +) + report.otherComplaints
      #expect(accounted == said.count, "\(label), \(pragma): \(said)")
      guard !said.isEmpty else { continue }
      complained = true
      var options = DiagnosisOptions()
      options.integrity = depth
      let findings = try diagnose(path: path, options: options).findings.filter { $0.traits.contains(.pages) }
      for tree in report.trees where tree.complaints > 0 {
        #expect(
          findings.contains { $0.table == tree.table && ($0.message.contains(tree.name) || !tree.isIndex) },
          "\(label), \(tree.name): \(findings.map(\.message))")
      }
      if report.otherComplaints > 0 {
        #expect(findings.contains { $0.message.contains("of the file as a whole") }, "\(label): \(said)")
      }
    }
    return complained
  }

  @Test func everyComplaintAboutAChangedByteIsAccountedFor() throws {
    let folder = try TemporaryFolder()
    let whole = try folder.copyStore(Project.path("corpus/Notes.sqlite"), as: "whole.sqlite")
    try Connection(writing: whole, create: false).execute("PRAGMA journal_mode = delete")
    let bytes = try contents(of: whole)
    var complained = 0
    let count: UInt64 = LongRuns.areWanted ? 5000 : 150
    for seed in 0..<count {
      var random = SeededGenerator(seed: seed)
      var mutant = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        // Every fourth in the page of the schema, behind the header of the file.
        let page = seed % 4 == 0 ? 0 : Int.random(in: 1..<bytes.count / 4096, using: &random) * 4096
        let place = Int.random(in: 0..<(Bool.random(using: &random) ? 64 : 3900), using: &random)
        mutant[page + place + (page == 0 ? 100 : 0)] = UInt8.random(in: 0...255, using: &random)
      }
      if try Self.hold(folder.write(mutant, to: "mutant.sqlite"), "seed \(seed)") { complained += 1 }
    }
    print("\(complained) of \(count) stores with complaints, all accounted for")
    #expect(complained > count / 6)
  }

  /// What only an index, the list of free pages, or the schema's own page shows.
  @Test(arguments: [
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'ZTAG') WHERE name = 'ZNOTE_ZFOLDER_INDEX'",
    "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE type = 'index' AND name LIKE 'ZNOTE%'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'ZTITLE VARCHAR', 'ZTITLE VARCHAR NOT NULL') WHERE name = 'ZNOTE'; UPDATE ZNOTE SET ZTITLE = NULL",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'ZTITLE VARCHAR', 'ZTITLE VARCHAR CHECK (length(ZTITLE) < 2)') WHERE name = 'ZNOTE'",
  ])
  func complaintsWithoutAPageAreAccountedFor(_ sql: String) throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Project.path("corpus/Notes.sqlite"))
    try Connection(writing: store, create: false).execute(sql)
    try Self.hold(store, sql)
  }
}
