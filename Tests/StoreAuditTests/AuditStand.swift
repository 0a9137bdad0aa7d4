@testable import StoreAudit
@testable import StoreFindings

extension AuditLine {
  /// A line for tests: "a.sqlite V1 opens", with the given changes.
  static func store(
    _ path: String, version: String? = nil, _ verdict: Verdict? = nil, severity: Severity? = nil,
    entities: [String: Int64] = [:], bytes: Int64? = nil, findings: [Finding] = []
  ) -> AuditLine {
    var line = AuditLine(toolVersion: "0.1.0", run: "0123456789abcdef", path: path, status: .audited)
    line.version = version
    line.verdict = verdict
    line.severity = severity ?? (verdict?.isError == true ? .error : findings.map(\.severity).max())
    line.entities = entities.sorted { $0.key < $1.key }.map { .init(name: $0.key, rows: $0.value) }
    line.rows = entities.values.reduce(0, +)
    line.bytes = bytes
    line.findings = findings
    return line
  }

  /// A line of an entry that could not be read.
  static func problem(_ path: String, _ status: AuditStatus, _ kind: String, signal: Int64? = nil) -> AuditLine {
    var line = AuditLine(toolVersion: "0.1.0", run: "0123456789abcdef", path: path, status: status)
    line.problem = .init(kind: kind, message: "it is \(kind)", stage: nil, signal: signal)
    line.severity = status.isStore ? .error : nil
    return line
  }
}

extension Finding {
  /// "SD806 Note.title" with a number of rows.
  static func made(
    _ id: String, _ severity: Severity = .error, _ entity: String? = nil, _ property: String? = nil, rows: Int64 = 1,
    blocks: [Int] = []
  ) -> Finding {
    Finding(
      id: id, name: "name-\(id)", severity: severity, entity: entity, table: nil, property: property, count: rows,
      examples: [], message: "", blocks: blocks, remedies: [], basis: .observed)
  }
}
