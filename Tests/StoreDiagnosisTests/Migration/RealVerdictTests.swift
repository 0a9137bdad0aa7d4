import StoreDiagnosis
import StoreFindings
import StoreMigration
import StoreModels
import Foundation
import StoreSQLite
import TestSupport
import Testing

/// Real stores opened with earlier and later models, compared with a table that was written before the code.
@Suite struct RealVerdictTests {
  struct Cell: Sendable, CustomTestStringConvertible {
    var store: String
    var target: String
    var expected: String
    var testDescription: String { "\(store) > \(target)" }
  }

  static let table: [Cell] = {
    let text =
      (try? String(contentsOfFile: Project.path("Tests/Expectations/real-verdicts.txt"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let words = line.split(separator: "#")[0].split(separator: " ").map(String.init)
      return Cell(store: words[0], target: words[1], expected: words.dropFirst(2).joined(separator: " "))
    }
  }()

  /// Each model is read once, since stores are in several cells.
  private static let models = Dictionary(
    uniqueKeysWithValues: Catalogue.real.map { entry in (entry.slug, Once { try readModel(PosixPath(entry.path)) }) })

  @Test(.needsSharedData, arguments: table) func isAsWrittenDown(_ cell: Cell) throws {
    let entries = try [cell.store, cell.target].map { slug in
      try #require(Catalogue.real.first { $0.slug.hasPrefix(slug) })
    }
    let models = try entries.map { try #require(Self.models[$0.slug]).get() }
    let diagnosis = try diagnose(
      path: entries[0].path, options: DiagnosisOptions(candidates: CandidateOptions(models: models)))
    let verdict = try #require(diagnosis.deciding)
    let blocking = diagnosis.findings.filter { $0.id == "SD806" && $0.severity == .error }
      .map { "\($0.entity ?? "").\($0.property ?? "") \($0.count)" }
    let words = [verdict.verdict.rawValue] + (verdict.failure?.code.map { [String($0)] } ?? [])
    #expect((words + [verdict.basis.rawValue] + blocking).joined(separator: " ") == cell.expected)
    #expect(diagnosis.models.first?.verdict == .opens, "a store opens with its own model")
    #expect(verdict.unanswered.isEmpty)
  }

  @Test func theTableGoesInBothDirections() {
    let pairs = Set(Self.table.map { [$0.store, $0.target] })
    #expect(pairs.count == Self.table.count && pairs.count >= 30)
    #expect(pairs.allSatisfy { pairs.contains($0.reversed()) })
  }
}
