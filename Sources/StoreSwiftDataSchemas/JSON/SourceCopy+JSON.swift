import StoreJSON

extension SourceCopy {
  /// The name and version of the form.
  package static let schema = "storedoctor.swiftdata-copy/1"

  /// The copy as JSON; what is empty is left out.
  package var json: JSONValue {
    func texts(_ values: [String]) -> JSONValue? { .list(values.map { .string($0) }) }
    return .object([
      ("schema", .string(Self.schema)), ("text", .string(text)), ("modules", texts(modules)), ("files", texts(files)),
      ("obstacles", .list(obstacles.map(\.json))), ("notes", .list(notes.map(\.json))),
      ("unchecked", texts(unchecked)), ("differing", texts(differing)),
    ])
  }

  /// Reads the JSON of a child.
  ///
  /// - Throws: ``JSON/JSONError`` with the place of what is not as ``schema`` says.
  package init(_ bytes: [UInt8]) throws(JSONError) {
    let members = try JSONPlace(try JSONValue(bytes)).members([
      "schema", "text", "modules", "files", "obstacles", "notes", "unchecked", "differing",
    ])
    let schema = try members.required("schema")
    guard try schema.string() == Self.schema else {
      throw schema.error(
        "'\(Self.schema)' is expected; storedoctor and storedoctor-swiftdata are of different versions")
    }
    text = try members.required("text").string()
    for place in try members.elements("modules") { modules.append(try place.string()) }
    for place in try members.elements("files") { files.append(try place.string()) }
    for place in try members.elements("obstacles") { obstacles.append(try SourceProblem(place)) }
    for place in try members.elements("notes") { notes.append(try SourceProblem(place)) }
    for place in try members.elements("unchecked") { unchecked.append(try place.string()) }
    for place in try members.elements("differing") { differing.append(try place.string()) }
  }
}
