import StoreJSON

/// Predicates and expressions are objects whose one leading member gives their kind:
/// `{"comparison": {"left": {"self": true}, "operator": ">=", "right": {"constant": {"integer": 1}}}}`.
extension Predicate {
  private static let compounds: [(String, Compound)] = [("and", .and), ("or", .or), ("not", .not)]

  var json: JSONValue {
    switch self {
    case .comparison(let comparison): .object(["comparison": comparison.json])
    case .compound(let kind, let parts): .object([Self.name(of: kind): .array(parts.map(\.json))])
    case .constant(let value): .object(["constant": .bool(value)])
    case .text(let text): .object(["text": .string(text)])
    case .other(let className): .object(["class": .string(className)])
    }
  }

  private static func name(of kind: Compound) -> String {
    switch kind {
    case .and: "and"
    case .or: "or"
    case .not: "not"
    }
  }

  init(_ place: JSONPlace) throws(JSONError) {
    let (name, member) = try place.choice(["comparison", "and", "or", "not", "constant", "text", "class"])
    switch name {
    case "comparison": self = .comparison(try Comparison(member))
    case "constant": self = .constant(try member.bool())
    case "text": self = .text(try member.string())
    case "class": self = .other(className: try member.string())
    case let name:
      let kind = Self.compounds.first { $0.0 == name }?.1 ?? .and
      var parts: [Predicate] = []
      for place in try member.elements() { parts.append(try Predicate(place)) }
      self = .compound(kind, parts)
    }
  }
}

extension Predicate.Comparison {
  fileprivate var json: JSONValue {
    .object([
      ("left", left.json), ("operator", .string(`operator`.format)), ("right", right.json),
      ("modifier", modifier == 0 ? nil : .integer(Int64(modifier))),
      ("options", options == 0 ? nil : .integer(Int64(options))),
    ])
  }

  fileprivate init(_ place: JSONPlace) throws(JSONError) {
    let members = try place.members(["left", "operator", "right", "modifier", "options"])
    let name = try members.required("operator")
    let text = try name.string()
    guard let kind = Predicate.Operator.allCases.first(where: { $0.format == text }) else {
      throw name.error("'\(text)' is no operator of predicates")
    }
    self.init(
      try Expression(members.required("left")), kind, try Expression(members.required("right")),
      modifier: try Self.bits(members["modifier"]), options: try Self.bits(members["options"]))
  }

  private static func bits(_ place: JSONPlace?) throws(JSONError) -> Int {
    guard let place else { return 0 }
    return try place.integer()
  }
}

extension Expression {
  private static let leading: Set<String> = [
    "self", "keyPath", "path", "variable", "constant", "function", "aggregate", "text", "class",
  ]

  var json: JSONValue {
    switch self {
    case .evaluatedObject: .object(["self": .bool(true)])
    case .keyPath(let path): .object(["keyPath": .string(path)])
    case .path(let base, let path): .object(["path": .string(path), "of": base.json])
    case .variable(let name): .object(["variable": .string(name)])
    case .constant(let constant): .object(["constant": constant.json])
    case .function(let selector, let operand, let arguments):
      .object([
        ("function", .string(selector)), ("operand", operand?.json),
        ("arguments", arguments.isEmpty ? nil : .array(arguments.map(\.json))),
      ])
    case .aggregate(let parts): .object(["aggregate": .array(parts.map(\.json))])
    case .text(let text): .object(["text": .string(text)])
    case .other(let className): .object(["class": .string(className)])
    }
  }

  init(_ place: JSONPlace) throws(JSONError) {
    let (name, member) = try place.choice(Self.leading, with: ["path": ["of"], "function": ["operand", "arguments"]])
    switch name {
    case "self":
      guard try member.bool() else { throw member.error("'true' is expected") }
      self = .evaluatedObject
    case "keyPath": self = .keyPath(try member.string())
    case "path":
      self = .path(of: try Expression(place.members(["path", "of"]).required("of")), try member.string())
    case "variable": self = .variable(try member.string())
    case "constant": self = .constant(try Constant(member))
    case "function":
      let members = try place.members(["function", "operand", "arguments"])
      var operand: Expression?
      if let place = members["operand"] { operand = try Expression(place) }
      self = .function(try member.string(), operand: operand, try Self.list(members.elements("arguments")))
    case "aggregate": self = .aggregate(try Self.list(member.elements()))
    case "class": self = .other(className: try member.string())
    case _: self = .text(try member.string())
    }
  }

  private static func list(_ places: [JSONPlace]) throws(JSONError) -> [Expression] {
    var result: [Expression] = []
    for place in places { result.append(try Expression(place)) }
    return result
  }
}

extension JSONPlace {
  /// The one member of an object that is among `names` and gives the kind of the object. Besides it only the members
  /// that `others` lists for it are allowed.
  func choice(
    _ names: Set<String>, with others: [String: Set<String>] = [:]
  ) throws(JSONError) -> (name: String, place: JSONPlace) {
    let all = try members(others.values.reduce(names) { $0.union($1) })
    let found = all.names.filter(names.contains)
    guard found.count == 1, let name = found.first, let place = all[name] else {
      throw error("one of \(names.sorted().map { "'\($0)'" }.joined(separator: ", ")) is expected")
    }
    _ = try members((others[name] ?? []).union([name]))
    return (name, place)
  }
}
