import StoreAudit
import Foundation
import StoreJSON

/// The lines of a small fleet, some with names that could break the format they are shown in.
enum AuditSample {
  /// Names that would act on a page, a terminal or a table, or mislead a reader, if they were not escaped.
  static let hostileNames = [
    "<script>document.title='x'</script>", "\"'><img src=x onerror=alert(1)>", "\"\u{301} onmouseover=alert(1) x=\"",
    "<\u{301}b>", "{{title}}{{{answer}}}", "evil\u{202E}gnp\u{2066}.sqlite", "\u{1B}[31mred\u{7}\n\r\tx\u{0}",
    "=HYPERLINK(\"http://x\")", "&lt;b&gt;&amp;#60;", "]]><!-- --><![CDATA[",
    String(repeating: "very-long-", count: 60),
    "日本語 ストア 🗂️.sqlite", "-- ,;\"", "@x", "e\u{301}", "é",
  ]

  static let lines: [String] =
    (0..<12).map { store("fleet/\($0)/Notes.sqlite", "opens", version: "Notes 3", rows: $0) }
    + (0..<5).map { store("fleet/2\($0)/Notes.sqlite", "migrates", version: "Notes 2", rows: 40 + $0) }
    + (0..<3).map {
      store(
        "fleet/3\($0)/Notes.sqlite", "blocked-by-data", version: "Notes", code: 134110, rows: 100,
        [finding("SD806", "data-blocks-migration", "error", "Note", "title", rows: $0 + 1), incompatible])
    }
    + [
      store("fleet/40/Notes.sqlite", "unknown-version", code: 134100, rows: 7, [incompatible]),
      problem("fleet/50/Notes.sqlite", "unreadable", "truncated"),
      problem("fleet/51/Notes.sqlite", "crashed", "crashed", signal: 11),
      problem("fleet/link", "not-followed", "link"), problem("fleet/Cache.db", "no-store", "no-store"),
    ]
    + hostileNames.enumerated().map { number, name in
      store(
        name, "migrates", version: number % 2 == 0 ? nil : name, rows: 1, entity: name,
        [finding("SD401", "dangling-reference", "warning", name, name, rows: 2)], id: number % 3 == 0 ? name : nil)
    }

  static func read(_ lines: [String] = lines) throws -> [AuditLine] {
    try lines.map { try AuditLine(Array($0.utf8), .whole) }
  }

  static func summary(_ lines: [String] = lines, gate: AuditGate? = nil) throws -> AuditSummary {
    var (summary, gate) = (AuditSummary(), gate)
    for line in try read(lines) {
      summary.add(line)
      gate?.add(line)
    }
    summary.gate = gate?.outcome
    return summary
  }

  static func store(
    _ path: String, _ verdict: String, version: String? = nil, code: Int? = nil, rows: Int, entity: String = "Note",
    _ findings: [JSONValue] = [], id: String? = nil
  ) -> String {
    line(
      path, "audited",
      [
        ("id", .optional(id)), ("bytes", .integer(Int64(rows) * 4096 + 4096)), ("rows", .integer(Int64(rows))),
        ("entities", .array([.object(["name": .string(entity), "rows": .integer(Int64(rows))])])),
        ("verdict", .string(verdict)), ("version", .optional(version)), ("findings", .array(findings)),
        ("severity", findings.isEmpty ? nil : .string(verdict == "migrates" ? "warning" : "error")),
        (
          "deciding",
          .object([
            ("version", .string("Notes 3")), ("basis", .string("observed")), ("code", code.map { .integer(Int64($0)) }),
          ])
        ),
        ("atRisk", verdict == "migrates" ? .array([loss(of: entity)]) : nil),
        ("models", .array([.object(["version": .string("Notes 3"), "verdict": .string(verdict)])])),
        (
          "store",
          .object([
            "frameworkVersion": .integer(1344), "versionIdentifiers": .array([.string("1")]),
            "modelSource": .string("cache"), "checksum": .string("3f9c01ab22d4"),
          ])
        ), ("skipped", .array([])),
      ])
  }

  private static func loss(of entity: String) -> JSONValue {
    .object([
      ("entity", .string(entity)), ("property", .string("body")), ("consequence", .string("loses")),
      ("message", .string("lost")), ("rows", .integer(3)),
    ])
  }

  static func problem(_ path: String, _ status: String, _ kind: String, signal: Int? = nil) -> String {
    let isStore = !["no-store", "not-followed"].contains(status)
    let unreadable = finding("SD101", "unreadable-file", "error", nil, nil, rows: 1)
    return line(
      path, status,
      [
        (
          "problem",
          .object([
            ("kind", .string(kind)), ("message", .string("it is \(kind)")),
            ("signal", signal.map { .integer(Int64($0)) }),
          ])
        ), ("severity", isStore ? .string("error") : nil), ("findings", isStore ? .array([unreadable]) : nil),
      ])
  }

  static func finding(
    _ id: String, _ name: String, _ severity: String, _ entity: String?, _ property: String?, rows: Int
  ) -> JSONValue {
    .object([
      ("id", .string(id)), ("name", .string(name)), ("severity", .string(severity)), ("entity", .optional(entity)),
      ("property", .optional(property)), ("count", .integer(Int64(rows))), ("message", .string("\(rows) rows <b>")),
      ("examples", .array([.object(["primaryKey": .integer(7)])])), ("blocks", .array([.integer(1570)])),
      ("remedies", .array([])), ("basis", .string("observed")), ("fingerprint", .string("0011223344556677")),
    ])
  }

  private static let incompatible = finding("SD801", "incompatible-model", "error", nil, nil, rows: 1)

  private static func line(_ path: String, _ status: String, _ members: [(String, JSONValue?)]) -> String {
    let head: [(String, JSONValue?)] = [
      ("schema", .string("storedoctor.audit/1")), ("tool", .object(["version": .string("0.1.0")])),
      ("run", .string("0123456789abcdef")), ("path", .string(path)), ("status", .string(status)),
    ]
    return JSONValue.object(head + members).lineText
  }
}
