import StoreFindings
import StoreJSON

extension AuditLine {
  /// The schema of a line.
  package static let schema = "storedoctor.audit/2"

  /// Reads a line, with or without the line feed.
  ///
  /// Unknown members are ignored, so that later versions may add some.
  ///
  /// - Throws: `JSONError` with the column.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, _ detail: Detail) throws(JSONError) {
    var cursor = JSONCursor(bytes)
    var line = AuditLine(toolVersion: "", run: "", path: "", status: .audited)
    var head = Head()
    var members = try cursor.object()
    while let name = try cursor.nextMember(in: &members) {
      if try head.read(name, from: &cursor, into: &line) { continue }
      if try line.readFacts(name, from: &cursor, detail: detail) { continue }
      try cursor.skip()
    }
    try cursor.end()
    try head.check(cursor)
    self = line
  }

  /// Reads a line from an array.
  package init(_ bytes: [UInt8], _ detail: Detail = .whole) throws(JSONError) {
    var result: Result<AuditLine, JSONError>?
    bytes.withUnsafeBufferPointer { bytes in
      result = Result { () throws(JSONError) in try AuditLine(bytes, detail) }
    }
    guard let line = try result?.get() else { throw JSONError(place: "", message: "no line") }
    self = line
  }

  /// The members that every line has.
  private struct Head {
    var schema: String?
    var run: String?
    var path: String?
    var status: AuditStatus?

    mutating func read(
      _ name: JSONCursor.Name, from cursor: inout JSONCursor, into line: inout AuditLine
    ) throws(JSONError) -> Bool {
      switch name {
      case "schema": schema = try cursor.string()
      case "run":
        line.run = try cursor.string()
        run = line.run
      case "path":
        line.path = try cursor.string()
        path = line.path
      case "status":
        line.status = try cursor.choice()
        status = line.status
      case "tool": line.toolVersion = try cursor.text(of: "version")
      case _: return false
      }
      return true
    }

    func check(_ cursor: JSONCursor) throws(JSONError) {
      guard let schema else { throw missing("schema") }
      guard schema == AuditLine.schema else {
        throw JSONError(
          place: "", message: "a line of '\(AuditLine.schema)' is expected, this is '\(schema)'; audit the stores again"
        )
      }
      if run == nil { throw missing("run") }
      if path == nil { throw missing("path") }
      if status == nil { throw missing("status") }
    }

    private func missing(_ name: String) -> JSONError { JSONError(place: "", message: "'\(name)' is missing") }
  }

  /// Reads the member if it is one that not every line has.
  private mutating func readFacts(
    _ name: JSONCursor.Name, from cursor: inout JSONCursor, detail: Detail
  ) throws(JSONError) -> Bool {
    switch name {
    case "pathBytes": pathBytes = try cursor.base64()
    case "id": id = try cursor.string()
    case "severity": severity = try cursor.choice() as Severity
    case "version": version = try cursor.string()
    case "verdict": verdict = try cursor.choice() as Verdict
    case "output": output = try cursor.output()
    case "rehearsal": rehearsal = try cursor.rehearsal()
    case "store": store = try cursor.storeFacts()
    case _ where detail == .standing: return false
    case "within": within = Array(try cursor.string().utf8)
    // This comes after `within` in lines of this program, and corrects it.
    case "withinBytes": within = try cursor.base64()
    case "problem": problem = try cursor.problem()
    case "bytes": bytes = try cursor.count()
    case "rows": rows = try cursor.count()
    case "entities": entities = try cursor.entities()
    case "deciding": deciding = try cursor.deciding()
    case "models" where detail == .whole: models = try cursor.candidates()
    case "atRisk": atRisk = try cursor.risks()
    case "findings": findings = try cursor.findings(detail)
    case "savable": savable = try cursor.savable()
    case "skipped" where detail == .whole:
      skipped = try cursor.skippedChecks()
      skippedCount = Int64(skipped.count)
    case "skipped": skippedCount = try cursor.lengthOfList()
    case "scope": leftOut = try cursor.leftOut()
    case "config": config = try cursor.text(of: "path")
    case "known": known = try cursor.count()
    case "muted": muted = try cursor.count()
    case "plan": plan = try cursor.plan()
    case "stamp": stamp = try cursor.string()
    case "container": container = try cursor.string()
    case "device": device = try cursor.string()
    case "milliseconds": milliseconds = try cursor.count()
    case _: return false
    }
    return true
  }
}
