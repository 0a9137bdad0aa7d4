import StoreJSON

extension SourcePlan {
  var json: JSONValue {
    .object([
      ("name", .string(name)), ("place", place.json), ("schemas", .strings(schemaNames)),
      ("schemasProblem", .optional(schemasProblem)), ("stages", .list(stages.map(\.json))),
      ("stagesProblem", .optional(stagesProblem)),
    ])
  }

  init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["name", "place", "schemas", "schemasProblem", "stages", "stagesProblem"])
    self.init(
      name: try members.required("name").string(), place: try members.place(),
      schemaNames: try members.strings("schemas"), schemasProblem: try members.string("schemasProblem"),
      stagesProblem: try members.string("stagesProblem"))
    for place in try members.elements("stages") { stages.append(try Stage(place)) }
  }
}

extension SourcePlan.Stage {
  fileprivate var json: JSONValue {
    .object([
      ("name", .optional(name)), ("place", place.json), ("kind", .string(kind.rawValue)),
      ("from", .string(fromVersion)),
      ("to", .string(toVersion)), ("willMigrate", .whenTrue(willMigrate)), ("didMigrate", .whenTrue(didMigrate)),
      ("listed", .whenTrue(isListed)),
    ])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["name", "place", "kind", "from", "to", "willMigrate", "didMigrate", "listed"])
    self.init(
      name: try members.string("name"), place: try members.place(), kind: try members.word("kind"),
      fromVersion: try members.required("from").string(), toVersion: try members.required("to").string(),
      willMigrate: try members.flag("willMigrate"), didMigrate: try members.flag("didMigrate"),
      isListed: try members.flag("listed"))
  }
}

extension SourceContainer {
  var json: JSONValue {
    .object([
      ("place", place.json), ("schema", .optional(schemaName)), ("plan", .optional(planName)),
      ("temporary", .bool(isTemporary)), ("ofApp", .whenTrue(isOfApp)), ("problem", .optional(problem)),
    ])
  }

  init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["place", "schema", "plan", "temporary", "ofApp", "problem"])
    self.init(
      place: try members.place(), schemaName: try members.string("schema"), planName: try members.string("plan"),
      isTemporary: try members.required("temporary").bool(), isOfApp: try members.flag("ofApp"),
      problem: try members.string("problem"))
  }
}
