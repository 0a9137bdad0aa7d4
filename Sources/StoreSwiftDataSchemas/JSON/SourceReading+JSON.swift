import StoreJSON

/// A reading as the JSON that passes between `storedoctor-swiftdata` and `storedoctor`.
///
/// ```json
/// {
///   "schema": "storedoctor.swiftdata/1", "fileCount": 3, "parsedFileCount": 1,
///   "schemas": [{"name": "SchemaV1", "origin": "versioned", "identifier": {"stated": "1.0.0"}, "entities": [...]}]
/// }
/// ```
extension SourceReading {
  /// The name and version of the form.
  package static let schema = "storedoctor.swiftdata/1"

  /// The reading as JSON; what is empty is left out.
  package var json: JSONValue {
    .object([
      ("schema", .string(Self.schema)), ("fileCount", .integer(Int64(fileCount))),
      ("parsedFileCount", .integer(Int64(parsedFileCount))), ("schemas", .list(schemas.map(\.json))),
      ("plans", .list(plans.map(\.json))), ("containers", .list(containers.map(\.json))),
      ("problems", .list(problems.map(\.json))),
    ])
  }

  /// Reads the JSON of a child.
  ///
  /// - Parameter last: the reading whose entities are meant by numbers.
  /// - Throws: ``JSON/JSONError`` with the place of what is not as ``schema`` says.
  package init(_ bytes: [UInt8], after last: SourceReading? = nil) throws(JSONError) {
    try self.init(JSONPlace(try JSONValue(bytes)), after: last)
  }

  /// - Throws: `JSONError`.
  package init(_ place: JSONPlace, after last: SourceReading?) throws(JSONError) {
    let members = try place.members([
      "schema", "fileCount", "parsedFileCount", "schemas", "plans", "containers", "problems",
    ])
    let schema = try members.required("schema")
    guard try schema.string() == Self.schema else {
      throw schema.error(
        "'\(Self.schema)' is expected; storedoctor and storedoctor-swiftdata are of different versions")
    }
    self.init(
      fileCount: try members.required("fileCount").integer(),
      parsedFileCount: try members.required("parsedFileCount").integer())
    let known = last?.entities ?? []
    for place in try members.elements("schemas") { schemas.append(try SourceSchema(place, known: known)) }
    for place in try members.elements("plans") { plans.append(try SourcePlan(place)) }
    for place in try members.elements("containers") { containers.append(try SourceContainer(place)) }
    for place in try members.elements("problems") { problems.append(try SourceProblem(place)) }
  }
}

extension JSONValue {
  /// A list that is left out when empty.
  static func list(_ values: [JSONValue]) -> JSONValue? { values.isEmpty ? nil : .array(values) }
}

extension SourcePlace {
  var json: JSONValue {
    .object([
      ("file", .string(file)), ("line", .integer(Int64(line))), ("column", .integer(Int64(column))),
      ("offset", .integer(Int64(offset))), ("length", .integer(Int64(length))),
    ])
  }

  init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["file", "line", "column", "offset", "length"])
    self.init(
      file: try members.required("file").string(), line: try members.required("line").integer(),
      column: try members.required("column").integer(), offset: try members.required("offset").integer(),
      length: try members.required("length").integer())
  }
}

extension JSONMembers {
  func place() throws(JSONError) -> SourcePlace { try SourcePlace(required("place")) }

  func optionalPlace() throws(JSONError) -> SourcePlace? {
    guard let place = self["place"] else { return nil }
    return try SourcePlace(place)
  }

  /// One of the texts of an enum.
  func word<Word: RawRepresentable>(_ name: String) throws(JSONError) -> Word where Word.RawValue == String {
    try required(name).word()
  }

  func words<Word: RawRepresentable>(_ name: String) throws(JSONError) -> [Word] where Word.RawValue == String {
    var words: [Word] = []
    for place in try elements(name) { words.append(try place.word()) }
    return words
  }
}

extension JSONPlace {
  fileprivate func word<Word: RawRepresentable>() throws(JSONError) -> Word where Word.RawValue == String {
    let text = try string()
    guard let word = Word(rawValue: text) else { throw error("'\(text)' is not known") }
    return word
  }
}

extension SourceProblem {
  var json: JSONValue { .object([("message", .string(message)), ("place", place?.json)]) }

  init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["message", "place"])
    self.init(try members.required("message").string(), at: try members.optionalPlace())
  }
}
