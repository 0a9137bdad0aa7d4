import StoreFindings
import StoreJSON
import StoreSQLite
import StoreText

/// Known problems that an audit hides: `storedoctor.baseline/1`, one line of JSON for each store.
///
///     {"id": "phones/1/Notes.sqlite", "known": ["3f9c01ab22d4e5f6 note"], "schema": "storedoctor.baseline/1"}
///     {"id": "*", "known": ["77aa01ab22d4e5f6"], "schema": "storedoctor.baseline/1"}
///
/// A finding is known by its fingerprint, which is made of check and place and not of rows, as long as it is no worse
/// than recorded; without a severity in the entry, however bad it is. Entries of the id `*` apply to every store; a
/// store whose own id is `*` is distinguished by `idBytes`.
package struct AuditBaseline: Sendable, Equatable {
  private var known: [[UInt8]: Set<String>] = [:]
  private var everywhere: Set<String> = []

  /// The schema of a line.
  package static let schema = "storedoctor.baseline/1"
  private static let every = Array("*".utf8)

  /// Reads a baseline. Several lines with one id are combined.
  ///
  /// - Throws: `FileError`, `AuditLineError`.
  package init(reading path: PosixPath) throws {
    try forEachAuditLine(in: path) { line in
      do throws(JSONError) {
        try add(line.bytes)
      } catch {
        throw AuditLineError(file: path.description, line: line.number, message: error.description)
      }
    }
  }

  /// The known entries for the store with this key (`AuditLine.key`): fingerprints, most of them with a severity.
  package func entries(of key: [UInt8]) -> Set<String> { everywhere.union(known[key] ?? []) }

  private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    var cursor = JSONCursor(bytes)
    var (schema, id): (String?, [UInt8]?)
    var idBytes: [UInt8]?
    var fingerprints: [String] = []
    var members = try cursor.object()
    while let name = try cursor.nextMember(in: &members) {
      switch name {
      case "schema": schema = try cursor.string()
      case "id": id = Array(try cursor.string().utf8)
      case "idBytes": idBytes = try cursor.base64()
      case "known": fingerprints = try cursor.fingerprints()
      case _: try cursor.skip()
      }
    }
    try cursor.end()
    guard schema == Self.schema else {
      throw JSONError(place: "", message: "a line of '\(Self.schema)' is expected; make one with '--write-baseline'")
    }
    guard let key = idBytes ?? id else { throw JSONError(place: "", message: "'id' is missing") }
    if idBytes == nil, key == Self.every {
      everywhere.formUnion(fingerprints)
    } else {
      known[key, default: []].formUnion(fingerprints)
    }
  }

  /// The line that would make all findings of a store known, with a line feed; nil where there are none.
  ///
  /// - Parameter before: the baseline that hid findings from the line; what it hides for this store stays known.
  package static func text(for line: AuditLine, before: AuditBaseline? = nil) -> String? {
    let key = line.key
    let hidden = line.known > 0 ? before?.known[key] ?? [] : []
    let fingerprints = hidden.union(line.findings.map { "\($0.fingerprint) \($0.severity.rawValue)" })
    guard !fingerprints.isEmpty, line.status.isStore else { return nil }
    let saysAll = key != every && String(validating: key, as: UTF8.self) != nil
    return JSONValue.object([
      ("schema", .string(schema)), ("id", .string(String(decoding: key, as: UTF8.self))),
      ("idBytes", saysAll ? nil : .string(base64(key))), ("known", .strings(fingerprints.sorted())),
    ]).lineText
  }
}

extension JSONCursor {
  fileprivate mutating func fingerprints() throws(JSONError) -> [String] {
    var fingerprints: [String] = []
    var elements = try list()
    while try nextElement(in: &elements) {
      let start = offset
      let text = try string()
      let parts = text.split(separator: " ", omittingEmptySubsequences: false)
      let isHex = parts[0].utf8.allSatisfy { digit in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
      }
      let isSeverity = parts.count == 1 || parts.count == 2 && Severity(rawValue: String(parts[1])) != nil
      guard parts[0].utf8.count == 16, isHex, isSeverity else {
        throw error("16 hex digits are expected, and a severity after a space", at: start)
      }
      fingerprints.append(text)
    }
    return fingerprints
  }
}

extension Finding {
  /// Whether the entries hide this finding: recorded with the same or a worse severity.
  func isKnown(in entries: Set<String>) -> Bool {
    guard !entries.isEmpty else { return false }
    let fingerprint = fingerprint
    return entries.contains(fingerprint)
      || Severity.allCases.contains { $0 >= severity && entries.contains("\(fingerprint) \($0.rawValue)") }
  }
}
