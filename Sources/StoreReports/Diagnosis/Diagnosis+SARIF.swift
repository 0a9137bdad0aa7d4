import StoreDiagnosis
import StoreFindings
import StoreJSON

// SARIF 2.1.0, the format of code-scanning services: https://docs.oasis-open.org/sarif/sarif/v2.1.0/
//
// A store has no lines. A finding's place is the file and, as a logical location, entity and property. A region is
// included because GitHub's code scanning requires a line, and the fingerprint under a second name because GitHub
// recognises alerts by that one
// (https://docs.github.com/en/code-security/reference/code-scanning/sarif-support-for-code-scanning).

extension Diagnosis {
  /// One run with all checks as rules, and a result for each finding.
  package var sarif: JSONValue {
    .object([
      ("$schema", .string(sarifSchema)), ("version", .string("2.1.0")),
      (
        "runs",
        .array([
          .object([
            ("tool", .object(["driver": sarifDriver])), ("results", .array(results)),
            ("artifacts", .array([.object(["location": location])])), ("invocations", .array([invocation])),
            ("columnKind", .string("utf16CodeUnits")),
          ])
        ])
      ),
    ])
  }

  /// The checks that could not be run.
  private var invocation: JSONValue {
    let notes = skipped.map { skipped in
      JSONValue.object([
        ("level", .string("note")),
        ("message", sarifMessage("\(skipped.check) could not look at everything: \(skipped.reason)")),
        ("associatedRule", .object(["id": .string(skipped.check)])),
      ])
    }
    let reading = store.reading.clausesOfDiagnosis.map { clause in
      JSONValue.object([("level", .string("note")), ("message", sarifMessage(clause))])
    }
    return .object([
      ("executionSuccessful", .bool(true)), ("toolExecutionNotifications", .array(reading + notes)),
      (
        "properties",
        .object([
          ("verdict", .string(verdict.rawValue)), ("config", config?.json), ("scope", scope?.json),
          ("reading", store.reading.json),
        ])
      ),
    ])
  }

  /// All results, including muted ones, which are marked as such. By 3.27.23, either all results of a run have a list
  /// of suppressions, or none has.
  private var results: [JSONValue] {
    guard let config else { return findings.map { result($0, suppressions: nil) } }
    let muted = config.muted.flatMap { muted in
      muted.findings.map { finding in
        result(
          finding,
          suppressions: [.object(["kind": .string("external"), "justification": .string(muted.mute.reason)])])
      }
    }
    return findings.map { result($0, suppressions: []) } + muted
  }

  private func result(_ finding: Finding, suppressions: [JSONValue]?) -> JSONValue {
    finding.sarifResult(in: pathInBytes, suppressions: suppressions)
  }

  private var location: JSONValue { sarifLocation(pathInBytes) }

  private var pathInBytes: [UInt8] { store.pathBytes ?? Array(store.path.utf8) }
}

/// The URL of the log's schema.
let sarifSchema = "https://json.schemastore.org/sarif-2.1.0.json"

/// The tool with all checks as rules.
var sarifDriver: JSONValue {
  .object([
    ("name", .string("storedoctor")), ("version", .string(toolVersion)), ("semanticVersion", .string(toolVersion)),
    ("rules", .array(Check.all.map(\.sarifRule))),
  ])
}

private func sarifLocation(_ path: [UInt8]) -> JSONValue {
  .object(["uri": .string(percentEncoded(pathBytes: path))])
}

extension Finding {
  /// The finding as a result in a store.
  func sarifResult(in path: [UInt8], suppressions: [JSONValue]?) -> JSONValue {
    let index = Check.all.firstIndex { $0.id == id }.map { JSONValue.integer(Int64($0)) }
    let place = JSONValue.object([
      (
        "physicalLocation",
        .object(["artifactLocation": sarifLocation(path), "region": .object(["startLine": .integer(1)])])
      ),
      ("logicalLocations", logicalLocation.map { .array([$0]) }),
    ])
    return .object([
      ("ruleId", .string(id)), ("ruleIndex", index), ("level", .string(severity.rawValue)),
      ("message", sarifMessage(sentence)), ("locations", .array([place])),
      (
        "partialFingerprints",
        .object(["storedoctor/1": .string(fingerprint), "primaryLocationLineHash": .string(fingerprint + ":1")])
      ),
      ("suppressions", suppressions.map(JSONValue.array)), ("properties", json),
    ])
  }

  /// The message as a sentence.
  fileprivate var sentence: String {
    let place = [entity ?? table, property].compactMap(\.self).joined(separator: ".")
    return (place.isEmpty ? "" : "\(place): ") + message + "."
  }

  fileprivate var logicalLocation: JSONValue? {
    guard let owner = entity ?? table else { return nil }
    return .object([
      ("fullyQualifiedName", .string([owner, property].compactMap(\.self).joined(separator: "."))),
      ("name", .string(property ?? owner)), ("kind", .string(property == nil ? "type" : "member")),
    ])
  }
}

extension Check {
  fileprivate var sarifRule: JSONValue {
    .object([
      ("id", .string(id)), ("name", .string(name)), ("shortDescription", sarifMessage(summary)),
      ("fullDescription", sarifMessage(summary)),
      ("help", .object(["text": .string(explanation), "markdown": .string(explanation)])),
      ("defaultConfiguration", .object(["level": .string(severity.rawValue)])),
    ])
  }
}

private func sarifMessage(_ text: String) -> JSONValue { .object(["text": .string(text)]) }

/// A path as a URI reference (RFC 3986): every byte that is not unreserved or `/` becomes `%XX`, also if the path is
/// not UTF-8.
package func percentEncoded(pathBytes: [UInt8]) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var result: [UInt8] = pathBytes.first == UInt8(ascii: "/") ? Array("file://".utf8) : []
  for byte in pathBytes {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "/"):
      result.append(byte)
    default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: result, as: UTF8.self)
}
