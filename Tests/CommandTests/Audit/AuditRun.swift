import Foundation
import TestSupport

/// One run of `storedoctor audit`, and what its lines say.
struct AuditRun {
  var outcome: Program.Outcome

  init(
    _ arguments: [String], as user: User = .current, environment: [String: String] = [:],
    limit: Double = Program.hanging
  ) throws {
    outcome = try Program.run(
      ["audit", "--no-config"] + arguments, as: user, environment: environment, limit: limit)
  }

  /// Takes the outcome of a run that was started by other means.
  init(_ outcome: Program.Outcome) { self.outcome = outcome }

  var status: Int32? { outcome.status }

  /// The members of a line that tests look at.
  struct Line: Decodable {
    struct Problem: Decodable {
      var kind: String
      var message: String
      var stage: String?
      var signal: Int?
    }

    struct Finding: Decodable {
      var id: String
      var entity: String?
      var property: String?
      var count: Int
    }

    struct Plan: Decodable {
      struct Operation: Decodable {
        var repair: String
        var operations: Int
        var changes: Int
      }

      var operations: [Operation]
    }

    struct Output: Decodable {
      var outcome: String
      var path: String?
      var message: String?
      var anonymized: Bool?
    }

    var path: String
    var id: String?
    var status: String
    var verdict: String?
    var version: String?
    var severity: String?
    var rows: Int?
    var container: String?
    var device: String?
    var known: Int?
    var muted: Int?
    var problem: Problem?
    var findings: [Finding]?
    var plan: Plan?
    var output: Output?
  }

  var lines: [Line] {
    get throws {
      try outcome.output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }
  }

  /// A row a line: path below `folder`, status, and the verdict or the kind of the problem with stage and signal.
  func table(below folder: String) throws -> String {
    try lines.map { line in
      let path = line.path.replacingOccurrences(of: folder + "/", with: "")
      let words = [
        line.problem?.kind ?? line.verdict, line.problem?.stage, line.problem?.signal.map { "signal \($0)" },
      ]
      return ([path, line.status] + words.compactMap(\.self)).joined(separator: "  ")
    }
    .joined(separator: "\n")
  }
}
