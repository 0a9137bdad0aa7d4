import StoreAudit
import StoreDiagnosis
import StoreFindings
import Foundation
import StoreReports
import TestSupport
import Testing

/// Lines in the formats of other programs, read back by independent readers.
@Suite struct AuditWriterTests {
  private func written(_ writer: some AuditLineWriter, _ lines: [String] = AuditSample.lines) throws -> String {
    var writer = writer
    return try writer.begin() + AuditSample.read(lines).map { writer.line($0) }.joined()
      + writer.end(AuditGate(failOn: .never).outcome)
  }

  @Test func csvHasARowForEachLine() throws {
    let text = try written(AuditCSV(), Array(AuditSample.lines[17...22]))
    #expect(
      text
        == """
        path,pathBytes,id,status,severity,verdict,version,code,versionIdentifiers,checksum,frameworkVersion,bytes,rows,\
        errors,warnings,notes,known,muted,findings,problem,message,milliseconds,rehearsal,kept,lost,lostValues,complete,container,device,accessTimes
        fleet/30/Notes.sqlite,,,audited,error,blocked-by-data,Notes,134110,1,P5wBqyLUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,1344,413696,100,2,0,0,0,0,\
        "SD806 Note.title (1); SD801 (1)",,,,,,,,,,,
        fleet/31/Notes.sqlite,,,audited,error,blocked-by-data,Notes,134110,1,P5wBqyLUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,1344,413696,100,2,0,0,0,0,\
        "SD806 Note.title (2); SD801 (1)",,,,,,,,,,,
        fleet/32/Notes.sqlite,,,audited,error,blocked-by-data,Notes,134110,1,P5wBqyLUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,1344,413696,100,2,0,0,0,0,\
        "SD806 Note.title (3); SD801 (1)",,,,,,,,,,,
        fleet/40/Notes.sqlite,,,audited,error,unknown-version,,134100,1,P5wBqyLUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=,1344,32768,7,1,0,0,0,0,SD801 (1),,,,,,,,,,,
        fleet/50/Notes.sqlite,,,unreadable,error,,,,,,,,,1,0,0,0,0,SD101 (1),truncated,it is truncated,,,,,,,,,
        fleet/51/Notes.sqlite,,,crashed,error,,,,,,,,,1,0,0,0,0,SD101 (1),crashed,it is crashed,,,,,,,,,

        """.replacing("\n", with: "\r\n"))
  }

  @Test(.enabled(if: Python.isPresent, "needs python3")) func csvKeepsEveryPathAndNoFormula() throws {
    let paths = try Python.run(
      """
      import base64, csv, io, json, sys
      rows = list(csv.DictReader(io.StringIO(sys.stdin.buffer.read().decode(), newline='')))
      for row in rows:
          for cell in row.values(): assert cell[:1] not in ('=', '+', '-', '@', '\\t', '\\r') and cell.isprintable(), cell
      print(json.dumps([base64.b64decode(row['pathBytes']).decode() or row['path'] for row in rows]))
      """, input: Array(try written(AuditCSV()).utf8))
    let found = try JSONDecoder().decode([String].self, from: Data(paths))
    #expect(try found.map { Array($0.utf8) } == AuditSample.read().map { Array($0.path.utf8) })
  }

  @Test func sarifIsOneRunOfAllStores() throws {
    let text = try written(AuditSARIF())
    let schema = try JSONSchema(
      String(contentsOfFile: Project.path("Tests/Expectations/sarif-2.1.0-used.json"), encoding: .utf8))
    let isListed = Check.all.contains { $0.id == "SD101" }
    #expect(
      schema.violations(in: try JSONTree(text)).map(\.description)
        == (isListed ? [] : [7, 8].map { "/runs/0/results/\($0): required: no 'ruleIndex'" }))
    let results = try #require(try JSONTree(text)["runs"]?.list?.first?["results"]?.list)
    #expect(results.count == 3 * 2 + 1 + 2 + AuditSample.hostileNames.count)
    #expect(results.prefix(3).map { $0["ruleId"]?.string } == ["SD806", "SD801", "SD806"])
    #expect(!text.unicodeScalars.contains("\u{202E}"))
    #expect(schema.violations(in: try JSONTree(written(AuditSARIF(), []))).map(\.description) == [])
  }

  @Test(.enabled(if: Python.isPresent, "needs python3")) func jUnitHasASuiteForEachLine() throws {
    let summary = try Python.run(
      """
      import sys, xml.etree.ElementTree as tree
      suites = tree.parse(sys.stdin).getroot().findall('testsuite')
      print(len(suites))
      for suite in suites[15:25]:
          cases = suite.findall('testcase')
          assert int(suite.get('tests')) == len(cases)
          print(suite.get('name'), suite.get('failures'), suite.get('skipped'), [case.get('name') for case in cases])
      print(suites[25].find('system-out').text)
      """, input: Array(try written(AuditJUnit { $0 >= .error }).utf8))
    #expect(
      String(decoding: summary, as: UTF8.self) == """
        \(AuditSample.lines.count)
        fleet/23/Notes.sqlite 0 0 ['migrates']
        fleet/24/Notes.sqlite 0 0 ['migrates']
        fleet/30/Notes.sqlite 2 0 ['SD806 data-blocks-migration Note.title', 'SD801 incompatible-model']
        fleet/31/Notes.sqlite 2 0 ['SD806 data-blocks-migration Note.title', 'SD801 incompatible-model']
        fleet/32/Notes.sqlite 2 0 ['SD806 data-blocks-migration Note.title', 'SD801 incompatible-model']
        fleet/40/Notes.sqlite 1 0 ['SD801 incompatible-model']
        fleet/50/Notes.sqlite 1 0 ['SD101 unreadable-file']
        fleet/51/Notes.sqlite 1 0 ['SD101 unreadable-file']
        fleet/link 0 1 ['not-followed']
        fleet/Cache.db 0 1 ['no-store']
        warning: <script>document.title='x'</script>.<script>document.title='x'</script>: 2 rows <b>

        """)
  }

  /// A damaged store fails even if all its findings are muted.
  @Test func jUnitFailsAStoreForItsVerdictAlone() throws {
    var line = try AuditSample.read()[0]
    (line.verdict, line.severity) = (.damaged, .error)
    #expect(AuditJUnit { $0 >= .error }.line(line).contains("message=\"the store is damaged\""))
    #expect(AuditJUnit { _ in false }.line(line).contains("failures=\"0\""))
  }
}
