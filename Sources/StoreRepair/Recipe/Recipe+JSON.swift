import StoreJSON
import StoreYAML

extension Recipe {
  /// The recipe as a plan's file holds it: as in YAML, with all defaults written out.
  package var json: JSONValue {
    .object([
      ("version", .integer(1)), ("dedupe", Self.list(dedupe.map(\.json))),
      ("backfill", Self.list(backfill.map(\.json))), ("relink", Self.list(relink.map(\.json))),
      ("junctions", Self.list(junctions.map(\.json))),
      ("restore", Self.list(restore.map(\.json))),
      ("merge", Self.list(merge.map(\.json))),
      ("dangling", .optional(dangling?.rawValue)), ("wrongEntity", .optional(wrongEntity?.rawValue)),
      ("inverses", Self.list(inverses.map(\.json))),
      ("structure", .nonEmpty(Structure.allCases.filter(structure.contains).map(\.rawValue))),
      ("trimHistory", trimHistory?.json), ("compact", .whenTrue(compact)),
    ])
  }

  private static func list(_ items: [JSONValue]) -> JSONValue? { items.isEmpty ? nil : .array(items) }

  /// Reads what ``json`` writes; accepts everything a recipe in YAML may contain.
  ///
  /// - Throws: `RecipeMistakes`, without lines.
  package init(json: JSONValue) throws(RecipeMistakes) {
    guard let document = YAMLNode(json, depth: YAMLNode.Limits().depth) else {
      throw RecipeMistakes([RecipeMistake(line: nil, "nested too deep")])
    }
    try self.init(document)
  }
}

extension YAMLNode {
  /// JSON as the YAML reader would have it, without lines; nil where it is nested too deep.
  fileprivate init?(_ json: JSONValue, depth: Int) {
    guard depth > 0 else { return nil }
    switch json {
    case .null: self.init(line: 0, .text("null", isPlain: true))
    case .bool(let flag): self.init(line: 0, .text(flag ? "true" : "false", isPlain: true))
    case .integer(let number): self.init(line: 0, .text(String(number), isPlain: true))
    case .number(let number): self.init(line: 0, .text(String(number), isPlain: true))
    case .string(let text): self.init(line: 0, .text(text, isPlain: false))
    case .array(let elements):
      var nodes: [YAMLNode] = []
      for element in elements {
        guard let node = YAMLNode(element, depth: depth - 1) else { return nil }
        nodes.append(node)
      }
      self.init(line: 0, .list(nodes))
    case .object(let members):
      var nodes: [Member] = []
      for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        guard let node = YAMLNode(value, depth: depth - 1) else { return nil }
        nodes.append(Member(name: name, line: 0, value: node))
      }
      self.init(line: 0, .map(nodes))
    }
  }
}

extension Recipe.Dedupe {
  var json: JSONValue {
    .object([
      ("entity", .string(entity)), ("by", .strings(by)), ("compare", .string(compare.rawValue)),
      ("nulls", .string(nulls.rawValue)), ("keep", keep.json), ("others", others.json),
    ])
  }
}

extension Recipe.Dedupe.Keep {
  fileprivate var json: JSONValue {
    switch self {
    case .first: .string("first")
    case .last: .string("last")
    case .mostComplete: .string("most-complete")
    case .mostLinked: .string("most-linked")
    case .newest(let name): .object(["newest": .string(name)])
    case .oldest(let name): .object(["oldest": .string(name)])
    }
  }
}

extension Recipe.Dedupe.Others {
  fileprivate var json: JSONValue {
    switch self {
    case .merge: .string("merge")
    case .delete: .string("delete")
    case .rename(let template): .object(["rename": .string(template.description)])
    }
  }
}

extension Recipe.Backfill {
  var json: JSONValue {
    .object([("entity", .string(entity)), ("attribute", .string(attribute))] + sources.map(\.member))
  }
}

extension Recipe.Backfill.Source {
  fileprivate var member: (String, JSONValue?) {
    switch self {
    case .from(let path): ("from", .string(path))
    case .group(let names): ("group", .strings(names))
    case .expression(let expression): ("expression", .string(expression.source))
    case .value(let constant): ("value", .string(constant.text))
    case .generate(let generator): ("generate", .string(generator.rawValue))
    }
  }
}

extension Recipe.Relink {
  var json: JSONValue {
    let common: [(String, JSONValue?)] = [("entity", .string(entity)), ("relationship", .string(relationship))]
    switch source {
    case .inverse: return .object(common + [("from", .string("inverse"))])
    case .match(let pairs):
      let match = pairs.map { ($0.own, JSONValue.string($0.destination) as JSONValue?) }
      return .object(
        common + [
          ("match", .object(match)), ("compare", .string(compare.rawValue)), ("separator", .optional(separator)),
        ])
    }
  }
}

extension Recipe.Junction {
  var json: JSONValue {
    .object([
      "from": .string(from), "entity": .string(entity), "source": .string(source), "destination": .string(destination),
    ])
  }
}

extension Recipe.Restore {
  var json: JSONValue {
    .object([
      (isReport ? "report" : "from", .string(from)), ("entity", .optional(entity)),
      ("keys", keys.isEmpty ? nil : .array(keys.map(JSONValue.integer))), ("related", related ? .bool(true) : nil),
    ])
  }
}

extension Recipe.MergedStore {
  var json: JSONValue {
    func members<Value>(_ values: [String: Value], _ json: (Value) -> JSONValue) -> JSONValue? {
      values.isEmpty ? nil : .object(values.mapValues(json))
    }
    return .object([
      ("from", .string(from)), ("by", members(by) { .strings($0) }), ("newest", members(newest) { .string($0) }),
      ("keep", .optional(keep?.rawValue)),
    ])
  }
}

extension Recipe.HistoryTrim {
  var json: JSONValue {
    switch self {
    case .before(let text): .object(["before": .string(text)])
    case .keep(let count): .object(["keep": .integer(Int64(count))])
    }
  }
}

extension Recipe.Inverse {
  var json: JSONValue {
    .object(["entity": .string(entity), "relationship": .string(relationship), "from": .string(from.rawValue)])
  }
}
