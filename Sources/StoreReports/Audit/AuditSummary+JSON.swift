import StoreAudit
import StoreFindings
import StoreJSON
import StoreText

/// The JSON form of a summary, `storedoctor.audit-summary/2`; its schema is `docs/schemas/audit-summary.json`.
extension AuditSummary: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    .object([
      ("schema", .string("storedoctor.audit-summary/2")), ("tool", .object(["version": .string(toolVersion)])),
      ("lines", .integer(lines)), ("stores", .integer(stores)),
      ("statuses", .counts(AuditStatus.allCases.map { ($0.rawValue, self[$0]) })),
      ("severities", .counts(Severity.allCases.map { ($0.rawValue, self[$0]) })),
      ("verdicts", .counts(Verdict.allCases.map { ($0.rawValue, self[$0]) })),
      ("known", .integer(known)), ("muted", .integer(muted)),
      ("leftOut", leftOut > 0 ? .integer(leftOut) : nil), ("incomplete", incomplete > 0 ? .integer(incomplete) : nil),
      ("notWhole", notWhole > 0 ? .integer(notWhole) : nil), ("touched", touched > 0 ? .integer(touched) : nil),
      ("savable", savable.json),
      ("configs", configs.isEmpty ? nil : .strings(configs)),
      ("versions", .array(versions.map(\.json))), ("causes", .array(causes.map(\.json))),
      ("losing", losing > 0 ? .integer(losing) : nil),
      ("atRisk", atRisk.isEmpty ? nil : .array(atRisk.map(\.json))),
      ("findings", .array(findings.map(\.json))), ("entities", .array(entities.map(\.json))), ("sizes", sizes.json),
      ("rows", .integer(rows)),
      (
        "frameworkVersions",
        .array(
          frameworkVersions.map { .object(["version": .integer($0.version), "stores": .integer($0.stores)]) })
      ),
      ("problems", .array(problems.map(\.json))), ("repairs", repairs?.json),
      ("rehearsals", rehearsals?.json), ("gate", gate?.json),
      ("timings", timings?.json), ("runs", .array(runs.map { $0.json("run", countKey: "lines") })),
      ("toolVersions", .array(toolVersions.map { $0.json("version", countKey: "lines") })), ("others", others.json),
    ])
  }
}

extension JSONValue {
  /// An object of the counts that are not 0.
  fileprivate static func counts(_ counts: [(String, Int64)]) -> JSONValue {
    .object(counts.map { ($0, $1 == 0 ? nil : .integer($1)) })
  }
}

extension SavableCount {
  /// Nil where no store is damaged.
  fileprivate var json: JSONValue? {
    guard stores > 0 else { return nil }
    return .object([
      ("stores", .integer(stores)), ("objects", .integer(objects)), ("doubtful", .integer(doubtful)),
      ("lostKeys", .integer(lostKeys)), ("mayLoseMore", mayLoseMore > 0 ? .integer(mayLoseMore) : nil),
    ])
  }
}

extension AuditSummary.VersionUse: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("label", .string(label)), ("candidate", .whenTrue(isCandidate)), ("stores", .integer(stores)),
      ("bytes", .integer(bytes)), ("verdicts", .counts(verdicts.map { ($0.key.rawValue, $0.value) })),
      ("losing", losing > 0 ? .integer(losing) : nil),
    ])
  }
}

extension AuditSummary.FoundAt: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("id", .string(check)), ("name", .string(name)), ("owner", .optional(owner)), ("property", .optional(property)),
      ("code", .optional(code)), ("severity", .string(severity.rawValue)), ("stores", .integer(stores)),
      ("rows", .integer(rows)), ("examples", .array(examples.map(\.json))),
    ])
  }
}

extension AuditSummary.RiskAt: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("owner", .optional(owner)), ("property", .optional(property)),
      ("consequence", .string(isLoss ? "loses" : "atRisk")), ("message", .string(message)),
      ("stores", .integer(stores)), ("rows", .integer(rows)), ("examples", .array(examples.map(\.json))),
    ])
  }
}

extension AuditSummary.EntityUse: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("stores", .integer(stores)), ("rows", .integer(rows)),
      ("medianAbout", .integer(median)), ("most", .integer(most)),
    ])
  }
}

extension AuditSummary.ProblemUse: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("kind", .string(kind)), ("stores", .integer(stores)), ("examples", .array(examples.map(\.json))),
      ("signals", signals.isEmpty ? nil : .array(signals.map { $0.json("signal", countKey: "stores") })),
    ])
  }
}

extension AuditSummary.Named {
  fileprivate func json(_ nameKey: String, countKey: String) -> JSONValue {
    .object([nameKey: .string(name), countKey: .integer(count)])
  }
}

extension AuditSummary.Others {
  /// Nil where no names were dropped.
  fileprivate var json: JSONValue? {
    let counts = [
      ("versions", versions), ("causes", causes), ("findings", findings), ("atRisk", atRisk), ("entities", entities),
      ("frameworkVersions", frameworkVersions), ("problems", problems),
    ]
    return counts.allSatisfy { $0.1 == 0 } ? nil : .counts(counts)
  }
}

extension AuditSummary.Repairs: JSONRepresentable {
  var json: JSONValue {
    .object([
      (
        "repairs",
        .array(
          repairs.map {
            .object([
              "repair": .string($0.repair), "stores": .integer($0.stores), "changes": .integer($0.changes),
            ])
          })
      ),
      ("obstacles", .integer(obstacles)), ("outputs", .array(outputs.map { $0.json("outcome", countKey: "stores") })),
    ])
  }
}

extension AuditSummary.Rehearsals: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("outcomes", .counts(AuditLine.Rehearsal.Outcome.allCases.map { ($0.rawValue, outcomes[$0] ?? 0) })),
      ("kept", .integer(kept)), ("lost", .integer(lost)), ("lostValues", .integer(lostValues)),
      ("losing", .integer(losing)),
      (
        "obstacles",
        .array(
          obstacles.map { obstacle in
            .object([
              ("outcome", .string(obstacle.outcome.rawValue)), ("reason", .string(obstacle.reason)),
              ("stores", .integer(obstacle.stores)), ("examples", .array(obstacle.examples.map(\.json))),
            ])
          })
      ), ("assumed", .array(assumed.map { $0.json("sentence", countKey: "stores") })),
    ])
  }
}

extension AuditSummary.Timings: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("milliseconds", .integer(milliseconds)),
      (
        "slowest",
        .array(
          slowest.map { slow in
            .object([("store", slow.store.json), ("milliseconds", .integer(slow.milliseconds))])
          })
      ),
    ])
  }
}

extension SizeHistogram: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("stores", .integer(count)), ("total", .integer(total)), ("largest", .integer(largest)),
      (
        "histogram",
        .array(
          classes.map {
            .object([
              "from": .integer($0.from), "through": .integer($0.through), "stores": .integer($0.stores),
            ])
          })
      ),
    ])
  }
}

extension AuditExample: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("path", .string(path)), ("pathBytes", .optional(pathBytes.map(base64))), ("id", .optional(id)),
    ])
  }
}

extension AuditGate.Outcome: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("passed", isPassed.map(JSONValue.bool) ?? .null),
      (
        "demands",
        .array(
          demands.map { demand in
            .object([
              ("option", .string(demand.option)), ("met", demand.isMet.map(JSONValue.bool) ?? .null),
              ("sentence", .string(demand.sentence)), ("examples", .array(demand.examples.map(\.json))),
            ])
          })
      ),
    ])
  }
}
