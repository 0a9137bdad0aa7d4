import StoreAudit
import StoreDiagnosis
import StoreExplanation
import StoreFindings
import StoreJSON
import StoreTriage

/// The JSON form of the front door's answer, `storedoctor.triage/1`; its schema is `docs/schemas/triage.json`.
extension Triage: JSONRepresentable {
  /// The whole document.
  package var json: JSONValue {
    var members: [(String, JSONValue?)] = [
      ("schema", .string("storedoctor.triage/1")), ("tool", .object(["version": .string(toolVersion)])),
      ("things", .array(things.map(\.json))), ("models", .array(models.map(\.json))),
      ("logs", .array(logs.map { .object([("name", .string($0.name)), ("explanation", $0.explanation.json)]) })),
      ("notes", .strings(notes)),
    ]
    switch answer {
    case .store(let diagnosis, _): members.append(("diagnosis", diagnosis.json))
    case .stores(let stores): members.append(("stores", stores.json))
    case .unreadable(let sentence): members.append(("unreadable", .string(sentence)))
    case .none: break
    }
    return .object(members)
  }
}

extension GivenThing: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("isPlace", .bool(isPlace)), ("stores", .strings(stores.map(\.description))),
      ("holdsModel", .bool(holdsModel)), ("isMapping", .bool(isMapping)), ("logs", .strings(logs.map(\.name))),
      ("writeAheadLog", .optional(writeAheadLog?.description)),
      ("leavesOutStores", leavesOutStores ? .bool(true) : nil),
      ("unreadable", unreadable.isEmpty ? nil : .strings(unreadable)), ("incomplete", .optional(incomplete)),
      ("problem", .optional(problem?.sentence)),
    ])
  }
}

extension Triage.FoundModel: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("path", .optional(source?.path)),
      ("versions", source.map { .strings($0.versions.map(\.name)) }),
      ("current", .optional((try? source?.decidingVersion())?.name)), ("problem", .optional(problem)),
    ])
  }
}

extension TriagedStores: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("count", .integer(Int64(count))),
      (
        "severities",
        .object(
          Severity.allCases.map { severity in (severity.rawValue, .integer(Int64(counts[severity] ?? 0))) })
      ),
      ("notWhole", .integer(Int64(notWhole))),
      ("touched", touched > 0 ? .integer(Int64(touched)) : nil), ("gravest", .array(gravest.map(\.json))),
      (
        "devices",
        devices.isEmpty
          ? nil
          : .array(devices.map { .object([("place", .string($0.place)), ("words", .string($0.words))]) })
      ),
      ("others", .array(others.map(\.json))), ("othersLeft", .integer(Int64(othersLeft))),
    ])
  }
}

extension TriagedStore: JSONRepresentable {
  var json: JSONValue {
    .object([
      ("path", .string(path)), ("severity", .optional(severity?.rawValue)), ("verdict", .string(verdict)),
      ("message", .optional(words)), ("more", .integer(Int64(more))), ("bytes", .optional(bytes)),
      ("container", .optional(container)),
      ("rows", .optional(population?.rows)), ("remarks", remarks.isEmpty ? nil : .strings(remarks)),
    ])
  }
}
