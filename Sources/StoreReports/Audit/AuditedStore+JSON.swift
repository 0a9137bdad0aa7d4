import StoreDataModel
import StoreFindings
import StoreAudit
import StoreDiagnosis
import StoreMigration
import StoreJSON
import StoreSQLite
import StoreText

extension AuditedStore {
  /// A line of `storedoctor.audit/2`, with its line feed. What there is nothing to say of is left out.
  package var line: String { json.lineText }

  private var json: JSONValue {
    let path = item.shown
    let within = item.id == nil || item.within.isEmpty ? nil : PosixPath(bytes: item.within)
    return .object([
      ("schema", .string(AuditLine.schema)), ("tool", .object(["version": .string(toolVersion)])),
      ("run", .string(run)), ("id", .optional(item.id)), ("path", .string(path.description)),
      ("pathBytes", path.isText ? nil : .string(base64(path.bytes))),
      ("within", .optional(within?.description)),
      ("withinBytes", within.flatMap { $0.isText ? nil : .string(base64($0.bytes)) }),
      ("status", .string(status.rawValue)),
      ("problem", problem?.json), ("severity", .optional(severity?.rawValue)), ("bytes", .optional(bytes)),
      ("stamp", .optional(stamp)), ("container", .optional(item.container)), ("device", .optional(item.device)),
      ("findings", findings.isEmpty ? nil : .array(findings.map(\.json))),
      ("savable", savable?.json),
      ("known", known > 0 ? .integer(Int64(known)) : nil), ("plan", repair?.plan),
      ("output", copy?.result ?? repair?.result),
      ("rehearsal", rehearsal?.json), ("milliseconds", .optional(milliseconds)),
    ]).adding(content?.members(path) ?? [])
  }
}

extension AuditedStore.Content {
  fileprivate func members(_ path: PosixPath) -> [(String, JSONValue?)] {
    let entities = (diagnosis.population ?? []).filter { $0.rows > 0 }
    let muted = diagnosis.config?.muted.reduce(0) { $0 + $1.findings.count } ?? 0
    return [
      ("store", store(path)), ("version", .optional(version)), ("verdict", .string(diagnosis.verdict.rawValue)),
      ("deciding", diagnosis.deciding?.decision),
      ("atRisk", diagnosis.deciding?.risks),
      ("models", diagnosis.models.isEmpty ? nil : .array(diagnosis.models.map(\.answer))),
      ("skipped", diagnosis.skipped.isEmpty ? nil : .array(diagnosis.skipped.map(\.json))),
      ("muted", muted > 0 ? .integer(Int64(muted)) : nil), ("config", diagnosis.config?.json),
      ("scope", diagnosis.scope?.json),
      ("rows", .optional(diagnosis.population.map { $0.reduce(0) { $0 + $1.rows } })),
      ("entities", entities.isEmpty ? nil : .array(entities.map(\.json))),
    ]
  }

  /// As in a diagnosis, with the path of the line: one out of an archive was read elsewhere.
  private func store(_ path: PosixPath) -> JSONValue {
    var store = diagnosis.store
    store.path = path.description
    store.pathBytes = path.isText ? nil : path.bytes
    return store.json
  }
}

extension AuditLine.Rehearsal {
  var json: JSONValue {
    .object([
      ("outcome", .string(outcome.rawValue)), ("reasons", reasons.isEmpty ? nil : .strings(reasons)),
      ("assumed", assumed.isEmpty ? nil : .strings(assumed)), ("kept", .optional(kept)), ("lost", .optional(lost)),
      ("lostValues", .optional(lostValues)), ("output", .optional(output)),
    ])
  }
}

extension EntityPopulation {
  fileprivate var json: JSONValue { .object(["name": .string(entity), "rows": .integer(rows)]) }
}

extension ModelVerdict {
  fileprivate var decision: JSONValue {
    .object([
      ("version", .string(name)), ("code", .optional(failure?.code.map(Int64.init))),
      ("basis", .string(basis.rawValue)),
    ])
  }

  /// Rules that are passed but deserve a look; nil for none.
  fileprivate var risks: JSONValue? {
    passing.isEmpty ? nil : .array(passing.map(\.risk))
  }

  fileprivate var answer: JSONValue {
    .object([
      ("version", .string(name)), ("verdict", .string(verdict.rawValue)),
      ("code", .optional(failure?.code.map(Int64.init))),
    ])
  }
}

extension MigrationOutcome.JudgedRule {
  /// A rule as in a diagnosis, without keys of rows.
  fileprivate var risk: JSONValue {
    let (entities, properties) = rule.condition.subject
    return .object([
      ("entity", .optional(change?.place.entity ?? entities.first)),
      ("property", .optional(change?.place.property ?? properties.first)), ("consequence", .string(rule.name)),
      ("code", .optional(rule.code)), ("message", .string(rule.words)),
      ("rows", .integer(violations.reduce(0) { $0 + $1.count })),
    ])
  }
}

extension AuditProblem {
  fileprivate var json: JSONValue {
    .object([
      ("kind", .string(kind.rawValue)), ("message", .string(message)), ("stage", .optional(stage?.name)),
      ("signal", .optional(signal.map(Int64.init))),
    ])
  }
}

extension AuditedStore.Repair {
  fileprivate var plan: JSONValue {
    .object([
      (
        "operations",
        .array(
          operations.map { count in
            .object([
              "repair": .string(count.repair), "operations": .integer(Int64(count.operations)),
              "changes": .integer(Int64(count.changes)),
            ])
          })
      ), ("obstacles", .nonEmpty(obstacles + [failure].compactMap(\.self))),
    ])
  }

  fileprivate var result: JSONValue? {
    guard isToBeWritten else { return nil }
    let outcome = if failure != nil { "failed" } else if output == nil { "nothing-to-do" } else { "written" }
    return .object([
      ("outcome", .string(outcome)),
      ("path", .optional(output)), ("message", .optional(failure)),
    ])
  }
}

extension AuditedStore.Copy {
  fileprivate var result: JSONValue {
    .object([
      ("outcome", .string(output == nil ? "failed" : "written")), ("path", .optional(output)),
      ("message", .optional(failure)), ("anonymized", .bool(true)), ("replacedValues", .optional(replacedValues)),
    ])
  }
}

extension JSONValue {
  func adding(_ members: [(String, JSONValue?)]) -> JSONValue {
    guard case .object(let own) = self else { return self }
    let added = members.compactMap { name, value in value.map { (name, $0) } }
    return .object(own.merging(added) { $1 })
  }
}
