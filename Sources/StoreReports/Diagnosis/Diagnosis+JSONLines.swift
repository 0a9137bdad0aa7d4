import StoreDiagnosis
import StoreJSON

extension Diagnosis {
  /// JSON Lines: first the store with its verdict, then a line for each finding, for each that the configuration mutes, with
  /// the reason, and for each thing that was skipped, in `storedoctor.diagnosis/2`'s words, so that `grep` and line-wise tools can take a report apart.
  package var jsonLines: String {
    let members = json.members
    let head = members.filter { $0.key != "findings" && $0.key != "skipped" }
    var lines = JSONValue.object(head).lineText
    for finding in findings { lines += JSONValue.object(finding.json.members, kind: "finding").lineText }
    for muted in config?.muted ?? [] {
      for finding in muted.findings {
        let members = finding.json.members.merging(["reason": .string(muted.mute.reason)]) { member, _ in member }
        lines += JSONValue.object(members, kind: "muted").lineText
      }
    }
    for skipped in skipped { lines += JSONValue.object(skipped.json.members, kind: "skipped").lineText }
    return lines
  }
}

extension JSONValue {
  fileprivate var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }

  fileprivate static func object(_ members: [String: JSONValue], kind: String) -> JSONValue {
    .object(members.merging(["kind": .string(kind)]) { member, _ in member })
  }
}
