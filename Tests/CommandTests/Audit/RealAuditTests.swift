import Foundation
import TestSupport
import Testing

/// An audit of all real stores gives each line what the catalogue and the table of findings have for it, and the right
/// totals.
@Suite(.needsSharedData) struct RealAuditTests {
  @Test func everyRealStoreHasTheLineItShouldHave() throws {
    let run = try AuditRun([SharedData.path("corpus-real"), "--integrity", "--examples", "0"])
    let lines = try run.outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(RealLine.self, from: Data($0.utf8))
    }
    #expect(lines.count == 65)
    #expect(run.status == 1)
    for entry in Catalogue.real {
      let line = try #require(lines.first { $0.path.contains("/\(entry.slug)/") }, "\(entry.slug)")
      let own = entry.entities.filter { $0.z_ent < 16001 && $0.rows > 0 }
      #expect(line.status == "audited", "\(entry.slug)")
      #expect(line.store.uuid == entry.store_uuid, "\(entry.slug)")
      #expect(line.store.frameworkVersion == entry.framework_version, "\(entry.slug)")
      #expect(line.store.versionIdentifiers == entry.version_identifiers, "\(entry.slug)")
      #expect(
        Set((line.entities ?? []).map { "\($0.name) \($0.rows)" }) == Set(own.map { "\($0.name) \($0.rows)" }),
        "\(entry.slug)")
      #expect(line.rows == own.reduce(0) { $0 + $1.rows }, "\(entry.slug)")
    }
    let expected = try String(contentsOfFile: Project.path("Tests/Expectations/real-findings.txt"), encoding: .utf8)
      .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    let found = Catalogue.withoutLostLogs(lines.flatMap(\.findingLines).sorted())
    #expect(found == Catalogue.withoutLostLogs(expected.sorted()))
    try compareSummary(with: lines, run.outcome.output)
  }

  private func compareSummary(with lines: [RealLine], _ output: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(output.utf8), to: "lines.jsonl")
    let run = try AuditRun(["--merge", file, "--summary", "--format", "json"])
    let summary = try JSONDecoder().decode(RealSummary.self, from: Data(run.outcome.output.utf8))
    #expect(summary.stores == 65)
    #expect(summary.statuses == ["audited": 65])
    #expect(summary.verdicts == Dictionary(grouping: lines, by: \.verdict).mapValues(\.count))
    #expect(summary.rows == Catalogue.real.flatMap(\.entities).filter { $0.z_ent < 16001 }.reduce(0) { $0 + $1.rows })
    #expect(
      Dictionary(uniqueKeysWithValues: summary.frameworkVersions.map { ($0.version, $0.stores) })
        == Dictionary(grouping: Catalogue.real, by: \.framework_version).mapValues { Int64($0.count) })
    #expect(summary.versions.reduce(0) { $0 + $1.stores } == 65)
    #expect(run.status == 1)
  }
}

private struct RealLine: Decodable {
  struct Store: Decodable {
    var uuid: String?
    var frameworkVersion: Int64?
    var versionIdentifiers: [String]
  }

  struct Rows: Decodable {
    var name: String
    var rows: Int64
  }

  struct Finding: Decodable {
    var id: String
    var severity: String
    var entity: String?
    var table: String?
    var property: String?
    var count: Int64
    var entities: [String: Int64]?
  }

  var path: String
  var status: String
  var verdict: String
  var store: Store
  var rows: Int64
  var entities: [Rows]?
  var findings: [Finding]?

  /// As in the table: the store's folder, check, severity, place, count.
  var findingLines: [String] {
    let slug = path.split(separator: "/").dropLast().last ?? ""
    return (findings ?? []).map { finding in
      let several = finding.entities?.sorted { $0.key < $1.key } ?? []
      let names = several.count == 1 ? several[0].key : several.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      let place =
        finding.entities == nil
        ? [finding.entity ?? finding.table, finding.property].compactMap(\.self).joined(separator: ".") : names
      return "\(slug) \(finding.id) \(finding.severity) \(place) \(finding.count)"
    }
  }
}

private struct RealSummary: Decodable {
  struct Framework: Decodable {
    var version: Int64
    var stores: Int64
  }

  struct Version: Decodable { var stores: Int64 }

  var stores: Int
  var statuses: [String: Int]
  var verdicts: [String: Int]
  var rows: Int64
  var frameworkVersions: [Framework]
  var versions: [Version]
}
