import StoreDigests
import StoreJSON
import StoreRecovery
import StoreSQLite
import StoreText

extension Recovery {
  /// The results for a case file: JSON-LD by CASE 1.4 and UCO 1.4.
  ///
  ///     Bundle ─ InvestigativeAction ─ instrument ConfiguredTool
  ///                                  ─ object     File (hashes)
  ///                                  ─ result     ProvenanceRecord ─ RecoveredObject, one for each result
  ///     TableField, one for each value   ─ Contained_Within ─► RecoveredObject
  ///     RecoveredObject ─ Contained_Within, DataRangeFacet ─► File
  ///
  /// A result of which no byte is left, such as a gap in the keys, is an ObservableObject.
  package func caseJSON(_ run: RecoveryRun) -> JSONValue {
    var graph = CaseGraph(run)
    for row in rows { graph.add(row) }
    return graph.document(self)
  }
}

/// The objects of a document, in order.
private struct CaseGraph {
  private let run: RecoveryRun
  private var objects: [JSONValue] = []
  private var identifiers: [String] = []
  private var taken: Set<String> = []
  private var rows: [String] = []
  private var files: [String: String] = [:]
  private let seed: String

  init(_ run: RecoveryRun) {
    self.run = run
    seed = run.files.map { $0.role + $0.sha256 }.joined(separator: " ")
    for file in run.files { add(file) }
  }

  private static let context: [(String, JSONValue?)] = [
    ("case-investigation", .string("https://ontology.caseontology.org/case/investigation/")),
    ("kb", .string("http://example.org/kb/")), ("xsd", .string("http://www.w3.org/2001/XMLSchema#")),
    ("uco-action", .string("https://ontology.unifiedcyberontology.org/uco/action/")),
    ("uco-configuration", .string("https://ontology.unifiedcyberontology.org/uco/configuration/")),
    ("uco-core", .string("https://ontology.unifiedcyberontology.org/uco/core/")),
    ("uco-observable", .string("https://ontology.unifiedcyberontology.org/uco/observable/")),
    ("uco-tool", .string("https://ontology.unifiedcyberontology.org/uco/tool/")),
    ("uco-types", .string("https://ontology.unifiedcyberontology.org/uco/types/")),
  ]

  // MARK: Names

  /// The same for the same thing in the same files, so that documents of several runs can be put together (RFC 9562, version
  /// 5: a name, by SHA-1).
  private mutating func name(_ kind: String, words: String) -> String {
    var number = 1
    while true {
      let text = number == 1 ? words : "\(words) \(number)"
      let identifier = "kb:\(kind)-\(uuid(of: "\(kind) \(text)"))"
      if taken.insert(identifier).inserted { return identifier }
      number += 1
    }
  }

  private func uuid(of text: String) -> String {
    var stream = FileDigestStream()
    Array("storedoctor recover \(seed) \(text)".utf8).withUnsafeBytes { stream.update($0) }
    var bytes = Array(stream.digests.sha1.prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    return UUIDText.text(bytes).lowercased()
  }

  private static func reference(_ identifier: String) -> JSONValue { .object(["@id": .string(identifier)]) }

  private func typed(_ type: String, value: String) -> JSONValue {
    .object(["@type": .string("xsd:\(type)"), "@value": .string(value)])
  }

  private func moment(_ nanoseconds: Int64) -> JSONValue {
    typed("dateTime", value: timestamp(nanoseconds: nanoseconds))
  }

  /// - Returns: its name.
  @discardableResult
  private mutating func add(_ identifier: String, type: String, members: [(String, JSONValue?)]) -> String {
    objects.append(.object([("@id", .string(identifier)), ("@type", .string(type))] + members))
    identifiers.append(identifier)
    return identifier
  }

  private mutating func facet(_ type: String, of owner: String, members: [(String, JSONValue?)]) -> JSONValue {
    let words = "\(owner) \(type)"
    return .object(
      [("@id", .string(name("facet", words: words))), ("@type", .string("uco-observable:\(type)"))] + members)
  }

  // MARK: Files

  private mutating func add(_ file: RecoveryRun.File) {
    let identifier = name("file", words: file.role)
    let hashes = [("MD5", file.md5), ("SHA1", file.sha1), ("SHA256", file.sha256)].map { method, value in
      JSONValue.object([
        ("@id", .string(name("hash", words: "\(file.role) \(method)"))), ("@type", .string("uco-types:Hash")),
        ("uco-types:hashMethod", .string(method)),
        ("uco-types:hashValue", typed("hexBinary", value: value.uppercased())),
      ])
    }
    let fileFacet = facet(
      "FileFacet", of: identifier,
      members: [
        ("uco-observable:fileName", .string(file.path.split(separator: "/").last.map { String($0) } ?? file.path)),
        ("uco-observable:filePath", .string(file.path)), ("uco-observable:sizeInBytes", .integer(file.bytes)),
        ("uco-observable:modifiedTime", moment(file.modified)),
      ])
    let content = facet(
      "ContentDataFacet", of: identifier,
      members: [("uco-observable:sizeInBytes", .integer(file.bytes)), ("uco-observable:hash", .array(hashes))])
    files[file.role] = add(
      identifier, type: "uco-observable:File",
      members: [("uco-core:description", .string(file.role)), ("uco-core:hasFacet", .array([fileFacet, content]))])
  }

  // MARK: Results

  mutating func add(_ row: RecoveredRow) {
    let place = row.places.first.map { "\($0.file) \($0.start) \($0.end)" } ?? ""
    let words = "\(row.table ?? "") \(row.keyWords) \(row.kind.rawValue) \(place)"
    let identifier = name("row", words: words)
    let isFound = !row.places.isEmpty
    let status =
      if row.values.isEmpty {
        "unknown"
      } else if row.missing.isEmpty {
        "recovered"
      } else {
        "partially recovered"
      }
    let facets =
      isFound
      ? [
        facet(
          "RecoveredObjectFacet", of: identifier, members: [("uco-observable:contentRecoveredStatus", .string(status))])
      ] : []
    add(
      identifier, type: isFound ? "uco-observable:RecoveredObject" : "uco-observable:ObservableObject",
      members: [
        ("uco-core:name", .string("\(row.entity ?? row.table ?? "unknown table") \(row.keyWords)")),
        ("uco-core:description", .strings(Self.description(of: row))),
        ("uco-core:hasFacet", facets.isEmpty ? nil : .array(facets)),
      ])
    rows.append(identifier)
    addValues(row, of: identifier, words: words)
    for place in row.places { add(place, of: identifier, words: words) }
  }

  private static func description(of row: RecoveredRow) -> [String] {
    var lines = ["\(row.kind.rawValue), \(row.grade.rawValue)", "result \(row.citation.text)"]
    if let source = row.keySource { lines.append(source.words) }
    if let readWith = row.readWith { lines.append(row.readWithWords(readWith)) }
    lines += row.whenWords.map { [$0] } ?? []
    lines += row.witnesses.map(\.words)
    if !row.missing.isEmpty { lines.append("missing: " + row.missing.joined(separator: ", ")) }
    return lines
  }

  private mutating func addValues(_ row: RecoveredRow, of owner: String, words: String) {
    guard !row.values.isEmpty else { return }
    let fields = row.values.map { value in
      let identifier = name("field", words: "\(words) \(value.column)")
      let content = facet(
        "TableFieldFacet", of: identifier,
        members: [
          ("uco-observable:tableName", .optional(row.table)),
          ("uco-observable:recordRowID", row.key.map { .integer($0) }),
          ("uco-observable:recordFieldName", .string(value.column)),
          value.value.isNull
            ? ("uco-observable:recordFieldIsNull", .bool(true))
            : ("uco-observable:recordFieldValue", field(value.value)),
        ])
      return add(
        identifier, type: "uco-observable:TableField",
        members: [
          ("uco-core:name", .string(value.name)),
          // The value as a person reads it, where the type says more than the stored number.
          ("uco-core:description", value.type == .date || value.type == .uuid ? .string(value.words(upTo: 64)) : nil),
          ("uco-core:hasFacet", .array([content])),
        ])
    }
    relate(fields, to: owner, words: "\(words) fields", facet: nil)
  }

  private mutating func add(_ place: RecoveredRow.Place, of owner: String, words: String) {
    guard let file = files[place.file] else { return }
    let range = "\(words) in \(place.file) \(place.start) \(place.end)"
    let facet = facet(
      "DataRangeFacet", of: range,
      members: [
        ("uco-observable:rangeOffset", .integer(place.start)),
        ("uco-observable:rangeSize", .integer(place.end - place.start)),
        ("uco-observable:rangeOffsetType", .string("file")),
      ])
    relate([owner], to: file, words: range, facet: facet, description: place.words)
  }

  private mutating func relate(
    _ sources: [String], to target: String, words: String, facet: JSONValue?, description: String? = nil
  ) {
    add(
      name("relationship", words: words), type: "uco-observable:ObservableRelationship",
      members: [
        ("uco-core:source", .array(sources.map(Self.reference))), ("uco-core:target", Self.reference(target)),
        ("uco-core:kindOfRelationship", .string("Contained_Within")), ("uco-core:isDirectional", .bool(true)),
        ("uco-core:description", .optional(description)), ("uco-core:hasFacet", facet.map { .array([$0]) }),
      ])
  }

  /// "recordFieldValue [...] xsd:base64Binary, xsd:decimal, xsd:integer, xsd:string" (UCO 1.4).
  private func field(_ value: SQLiteValue) -> JSONValue {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): decimal(number).map { typed("decimal", value: $0) } ?? .string("\(number)")
    case .text(let bytes):
      String(validating: bytes, as: UTF8.self).map(JSONValue.string) ?? typed("base64Binary", value: base64(bytes))
    case .blob(let bytes): typed("base64Binary", value: base64(bytes))
    }
  }

  // MARK: The run

  mutating func document(_ recovery: Recovery) -> JSONValue {
    let entry = JSONValue.object([
      ("@id", .string(name("configuration-entry", words: "arguments"))),
      ("@type", .string("uco-configuration:ConfigurationEntry")),
      ("uco-configuration:itemName", .string("arguments")),
      ("uco-configuration:itemValue", .strings(run.arguments)),
    ])
    let configuration = JSONValue.object([
      ("@id", .string(name("configuration", words: run.arguments.joined(separator: " ")))),
      ("@type", .string("uco-configuration:Configuration")),
      ("uco-configuration:configurationEntry", .array([entry])),
    ])
    let tool = add(
      name("tool", words: toolVersion), type: "uco-tool:ConfiguredTool",
      members: [
        ("uco-core:name", .string("storedoctor")), ("uco-tool:version", .string(toolVersion)),
        ("uco-configuration:usesConfiguration", configuration),
      ])
    let record = add(
      name("provenance-record", words: "\(run.started)"), type: "case-investigation:ProvenanceRecord",
      members: [
        (
          "uco-core:description",
          .strings(
            [recovery.verdictLine]
              + [recovery.caseName.map { "case: \($0)" }, recovery.examiner.map { "examiner: \($0)" }]
              .compactMap(\.self) + recovery.notes)
        ),
        ("uco-core:object", .array((rows.isEmpty ? Array(files.values).sorted() : rows).map(Self.reference))),
      ])
    add(
      name("investigative-action", words: "\(run.started)"), type: "case-investigation:InvestigativeAction",
      members: [
        ("uco-core:name", .string("recover")), ("uco-action:startTime", moment(run.started)),
        ("uco-action:endTime", moment(run.ended)), ("uco-action:instrument", .array([Self.reference(tool)])),
        ("uco-action:object", .array(run.files.compactMap { files[$0.role] }.map(Self.reference))),
        ("uco-action:result", .array([Self.reference(record)])),
      ])
    let bundle = JSONValue.object([
      ("@id", .string(name("bundle", words: "\(run.started)"))), ("@type", .string("uco-core:Bundle")),
      ("uco-core:name", .string("storedoctor recover")), ("uco-core:object", .array(identifiers.map(Self.reference))),
    ])
    return .object([("@context", .object(Self.context)), ("@graph", .array([bundle] + objects))])
  }
}

/// A number without an exponent, as xsd:decimal is written; nil for what is no number.
func decimal(_ number: Double) -> String? {
  guard number.isFinite else { return nil }
  let parts = number.description.split(separator: "e")
  guard let digits = parts.first else { return nil }
  guard parts.count == 2, let exponent = Int(parts[1]) else { return String(digits) }
  let sign = digits.hasPrefix("-") ? "-" : ""
  let mantissa = digits.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
  let whole = mantissa.first.map { String($0) } ?? ""
  let fraction = mantissa.count > 1 ? String(mantissa[1]) : ""
  let all = whole + fraction
  let point = whole.count + exponent
  if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + all }
  let filled = all + String(repeating: "0", count: max(0, point - all.count))
  let rest = filled.dropFirst(point)
  return sign + filled.prefix(point) + "." + (rest.isEmpty ? "0" : rest)
}
