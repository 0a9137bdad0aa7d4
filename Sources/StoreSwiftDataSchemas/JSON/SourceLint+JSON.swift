import StoreJSON

/// The results of the checks, as the JSON that `storedoctor-swiftdata lint` prints in a line of its own behind that of
/// the reading.
extension SourceLint {
  /// The name and version of the form.
  package static let schema = "storedoctor.swiftdata-lint/1"

  /// The findings as JSON; what is empty is left out.
  package var json: JSONValue {
    .object([
      ("schema", .string(Self.schema)), ("findings", .list(findings.map(\.json))),
      ("silenced", .list(silenced.map { .object(["finding": $0.finding.json, "reason": .string($0.reason)]) })),
      ("skipped", .list(skipped.map(\.json))),
      ("digests", digests.isEmpty ? nil : .object(digests.mapValues(JSONValue.string))),
      ("silences", .list(silences.map(\.json))),
    ])
  }

  /// Reads the JSON of a child.
  ///
  /// - Throws: ``JSON/JSONError`` with the place of what is not as ``schema`` says.
  package init(_ bytes: [UInt8]) throws(JSONError) {
    let place = JSONPlace(try JSONValue(bytes))
    let members = try place.members(["schema", "findings", "silenced", "skipped", "digests", "silences"])
    let schema = try members.required("schema")
    guard try schema.string() == Self.schema else {
      throw schema.error(
        "'\(Self.schema)' is expected; storedoctor and storedoctor-swiftdata are of different versions")
    }
    self.init(digests: try members.texts("digests"))
    for place in try members.elements("findings") { findings.append(try SourceFinding(place)) }
    for place in try members.elements("silenced") {
      let members = try place.members(["finding", "reason"])
      silenced.append(
        Silenced(try SourceFinding(members.required("finding")), reason: try members.required("reason").string()))
    }
    for place in try members.elements("skipped") { skipped.append(try Skipped(place)) }
    for place in try members.elements("silences") { silences.append(try Silence(place)) }
  }
}

extension SourceLint.Silence {
  var json: JSONValue {
    .object([
      ("file", .string(file)), ("first", .integer(Int64(lines.lowerBound))),
      ("last", .integer(Int64(lines.upperBound))),
      ("checks", .strings(checks)), ("reason", .string(reason)),
    ])
  }

  init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["file", "first", "last", "checks", "reason"])
    let first = try members.required("first").integer(as: Int.self)
    let last = try members.required("last").integer(as: Int.self)
    guard first <= last else { throw place.error("a comment's first line is expected before its last") }
    self.init(
      file: try members.required("file").string(), lines: first...last, checks: try members.strings("checks"),
      reason: try members.required("reason").string())
  }
}

extension SourceLint.Skipped {
  var json: JSONValue {
    .object([
      ("check", .string(check)), ("reason", .string(reason)), ("place", place?.json),
      ("undecided", .whenTrue(isUndecided)),
    ])
  }

  init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["check", "reason", "place", "undecided"])
    self.init(
      check: try members.required("check").string(), reason: try members.required("reason").string(),
      place: try members.optionalPlace(), isUndecided: try members.flag("undecided"))
  }
}

extension SourceFinding {
  var json: JSONValue {
    .object([
      ("check", .string(check)), ("severity", .string(severity.rawValue)), ("place", place.json),
      ("schema", .optional(schema)), ("entity", .optional(entity)), ("property", .optional(property)),
      ("message", .string(message)), ("notes", .list(notes.map(\.json))), ("fix", fix?.json),
      ("excerpt", .optional(excerpt)),
    ])
  }

  init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members([
      "check", "severity", "place", "schema", "entity", "property", "message", "notes", "fix", "excerpt",
    ])
    self.init(
      check: try members.required("check").string(), severity: try members.word("severity"),
      place: try members.place(), schema: try members.string("schema"),
      entity: try members.string("entity"), property: try members.string("property"),
      message: try members.required("message").string(),
      fix: try members["fix"].map { place throws(JSONError) in try Fix(place) }, excerpt: try members.string("excerpt"))
    for place in try members.elements("notes") { notes.append(try Note(place)) }
  }
}

extension SourceFinding.Note {
  fileprivate var json: JSONValue { .object([("message", .string(message)), ("place", place?.json)]) }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["message", "place"])
    self.init(try members.required("message").string(), at: try members.optionalPlace())
  }
}

extension SourceFinding.Fix {
  fileprivate var json: JSONValue {
    .object([
      ("summary", .string(summary)), ("edits", .array(edits.map(\.json))), ("certain", .bool(isCertain)),
    ])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["summary", "edits", "certain"])
    self.init(
      try members.required("summary").string(), edits: [], isCertain: try members.flag("certain"))
    for place in try members.elements("edits") { edits.append(try SourceFinding.Edit(place)) }
  }
}

extension SourceFinding.Edit {
  fileprivate var json: JSONValue {
    .object([
      ("file", .string(file)), ("offset", .integer(Int64(offset))), ("length", .integer(Int64(length))),
      ("replacement", .string(replacement)),
    ])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["file", "offset", "length", "replacement"])
    self.init(
      file: try members.required("file").string(), offset: try members.required("offset").integer(),
      length: try members.required("length").integer(), replacement: try members.required("replacement").string())
  }
}
