import StoreScanning
import StoreWords
import StoreYAML

extension RecipeReader {
  // MARK: Dedupe

  mutating func dedupe(_ node: YAMLNode) -> Recipe.Dedupe? {
    guard let members = members(node, names: ["entity", "by", "compare", "nulls", "keep", "others"]) else { return nil }
    let entity = required(members, name: "entity", in: node).flatMap { name($0) }
    let by = required(members, name: "by", in: node).flatMap { names($0) }
    let compare = members["compare"].flatMap { word($0, as: KeyComparison.self) }
    let nulls = members["nulls"].flatMap { word($0, as: Recipe.Dedupe.Nulls.self) }
    let keep = members["keep"].flatMap { self.keep($0) }
    let others = members["others"].flatMap { self.others($0) }
    guard let entity, let by else { return nil }
    return Recipe.Dedupe(
      entity: entity, by: by, compare: compare ?? .exact, nulls: nulls ?? .distinct, keep: keep ?? .first,
      others: others ?? .merge, line: line(node))
  }

  private mutating func keep(_ node: YAMLNode) -> Recipe.Dedupe.Keep? {
    switch node.content {
    case .text("first", _): return .first
    case .text("last", _): return .last
    case .text("most-complete", _): return .mostComplete
    case .text("most-linked", _): return .mostLinked
    case .text(let word, _) where ["newest", "oldest"].contains(word):
      // Without a line it is an option's.
      let form = node.line == 0 ? "\(word):updatedAt" : "{\(word): updatedAt}"
      mistake("the attribute it goes by is missing; write \(form)", line: node.line)
    case .text, .list:
      mistakenWord(
        node, words: ["first", "last", "most-complete", "most-linked", "{newest: attribute}", "{oldest: attribute}"])
    case .map:
      guard let members = members(node, names: ["newest", "oldest"]) else { return nil }
      guard members.count == 1, let member = members.first else {
        mistake("{newest: attribute} or {oldest: attribute} is expected", line: node.line)
        return nil
      }
      return name(member.value).map { member.key == "newest" ? .newest($0) : .oldest($0) }
    }
    return nil
  }

  private mutating func others(_ node: YAMLNode) -> Recipe.Dedupe.Others? {
    switch node.content {
    case .text("merge", _): return .merge
    case .text("delete", _): return .delete
    case .text, .list: mistakenWord(node, words: ["merge", "delete", "{rename: \"{name} ({n})\"}"])
    case .map:
      guard let members = members(node, names: ["rename"]), let template = required(members, name: "rename", in: node),
        let text = attempt({ () throws(YAMLError) in try template.text() })
      else { return nil }
      do throws(NameTemplate.Mistake) {
        return .rename(try NameTemplate(text))
      } catch {
        mistake(error.description, line: template.line)
      }
    }
    return nil
  }

  // MARK: Backfill

  mutating func backfill(_ node: YAMLNode) -> Recipe.Backfill? {
    let sources = ["from", "group", "expression", "value", "generate"]
    guard let members = members(node, names: ["entity", "attribute"] + sources) else { return nil }
    let entity = required(members, name: "entity", in: node).flatMap { name($0) }
    let attribute = required(members, name: "attribute", in: node).flatMap { name($0) }
    let given = sources.compactMap { key in members[key].map { (key, $0) } }
    if given.isEmpty {
      mistake("it does not say where a value comes from; \(sources.joined(separator: ", ")) do", line: node.line)
    }
    let read = given.compactMap { source($0, in: $1) }
    guard let entity, let attribute else { return nil }
    return Recipe.Backfill(entity: entity, attribute: attribute, sources: read, line: line(node))
  }

  private mutating func source(_ key: String, in node: YAMLNode) -> Recipe.Backfill.Source? {
    switch key {
    case "from": name(node).map { .from($0) }
    case "group": names(node).map { .group($0) }
    case "expression": expression(node).map { .expression($0) }
    case "value": constant(node).map { .value($0) }
    case _: word(node).map { .generate($0) }
    }
  }

  private mutating func expression(_ node: YAMLNode) -> RecipeExpression? {
    guard let text = attempt({ () throws(YAMLError) in try node.text() }) else { return nil }
    do throws(ExpressionError) {
      return try RecipeExpression(text)
    } catch {
      mistake(error.description, line: node.line)
      return nil
    }
  }

  private mutating func constant(_ node: YAMLNode) -> Recipe.Constant? {
    switch node.content {
    case .text(let text, isPlain: false): return Recipe.Constant(text)
    case .text(let text, isPlain: true):
      guard !["", "~", "null", "Null", "NULL"].contains(text) else {
        mistake("a value is expected; put the word in quotes to mean the text", line: node.line)
        return nil
      }
      return Recipe.Constant(text)
    case .list, .map:
      mistake("one value is expected: a text, a number, true or false", line: node.line)
      return nil
    }
  }

  // MARK: Relink

  mutating func relink(_ node: YAMLNode) -> Recipe.Relink? {
    guard let members = members(node, names: ["entity", "relationship", "match", "from", "compare", "separator"]) else {
      return nil
    }
    let entity = required(members, name: "entity", in: node).flatMap { name($0) }
    let relationship = required(members, name: "relationship", in: node).flatMap { name($0) }
    let source = relinkSource(members, in: node)
    let compare = members["compare"].flatMap { word($0, as: KeyComparison.self) }
    let separator = members["separator"].flatMap { node in attempt { () throws(YAMLError) in try node.text() } }
    guard let entity, let relationship, let source else { return nil }
    return Recipe.Relink(
      entity: entity, relationship: relationship, source: source, compare: compare ?? .exact, separator: separator,
      line: line(node))
  }

  private mutating func relinkSource(_ members: [String: YAMLNode], in node: YAMLNode) -> Recipe.Relink.Source? {
    switch (members["match"], members["from"]) {
    case (let match?, nil): return pairs(match).map { .match($0) }
    case (nil, .some(let from)):
      guard case .text("inverse", _) = from.content else {
        mistakenWord(from, words: ["inverse"])
        return nil
      }
      for key in ["separator", "compare"] {
        if let other = members[key] {
          mistake("'\(key)' belongs to 'match'; 'from: inverse' compares nothing", line: other.line)
        }
      }
      return .inverse
    case (.some, .some): mistake("'match' or 'from', not both", line: node.line)
    case (nil, nil):
      mistake("'match: {own attribute: attribute of the destination}' or 'from: inverse' is missing", line: node.line)
    }
    return nil
  }

  private mutating func pairs(_ node: YAMLNode) -> [Recipe.Relink.Pair]? {
    guard let entries = attempt({ () throws(YAMLError) in try node.entries() }) else { return nil }
    guard (1...Recipe.Limits.names).contains(entries.count) else {
      mistake("1 to \(Recipe.Limits.names) pairs of attributes are expected", line: node.line)
      return nil
    }
    let pairs = entries.compactMap { entry -> Recipe.Relink.Pair? in
      let own = name(YAMLNode(line: entry.line, .text(entry.name, isPlain: true)))
      guard let own, let destination = name(entry.value) else { return nil }
      return Recipe.Relink.Pair(own: own, destination: destination)
    }
    return pairs.sorted { $0.own.utf8.lexicographicallyPrecedes($1.own.utf8) }
  }

  // MARK: Junctions

  mutating func junction(_ node: YAMLNode) -> Recipe.Junction? {
    guard let members = members(node, names: ["from", "entity", "source", "destination"]) else { return nil }
    let from = required(members, name: "from", in: node).flatMap { name($0) }
    let entity = required(members, name: "entity", in: node).flatMap { name($0) }
    let source = required(members, name: "source", in: node).flatMap { name($0) }
    let destination = required(members, name: "destination", in: node).flatMap { name($0) }
    guard let from, let entity, let source, let destination else { return nil }
    return Recipe.Junction(
      from: from, entity: entity, source: source, destination: destination, line: line(node))
  }

  // MARK: Restore

  mutating func restore(_ node: YAMLNode) -> Recipe.Restore? {
    guard let members = members(node, names: ["from", "report", "entity", "keys", "related"]) else { return nil }
    let isReport = members["report"] != nil
    if isReport, members["from"] != nil {
      mistake("'from' names an older copy, and 'report' what was recovered: choose one", line: line(node))
    }
    let from = (members["report"] ?? required(members, name: "from", in: node)).flatMap { path($0) }
    let entity = members["entity"].flatMap { name($0) }
    let keys = members["keys"].map { self.keys($0) } ?? []
    let related = members["related"].flatMap { flag($0) } ?? false
    if members["entity"] == nil, let list = members["keys"] {
      mistake("'keys' are those of an entity, and 'entity' is missing", line: list.line)
    }
    if members["keys"] != nil, keys.isEmpty { return nil }
    guard let from else { return nil }
    return Recipe.Restore(
      from: from, isReport: isReport, entity: entity, keys: keys, related: related, line: line(node))
  }

  // MARK: Merge

  mutating func mergedStore(_ node: YAMLNode) -> Recipe.MergedStore? {
    guard let members = members(node, names: ["from", "by", "newest", "keep"]) else { return nil }
    let from = required(members, name: "from", in: node).flatMap { path($0) }
    var item = Recipe.MergedStore(from: from ?? "", line: line(node))
    for (entity, value) in entries(members["by"]) { item.by[entity] = names(value) }
    for (entity, value) in entries(members["newest"]) { item.newest[entity] = name(value) }
    item.keep = members["keep"].flatMap { word($0) }
    return from == nil ? nil : item
  }

  /// The members of a map with names of entities.
  private mutating func entries(_ node: YAMLNode?) -> [(String, YAMLNode)] {
    guard let node, let entries = attempt({ () throws(YAMLError) in try node.entries() }) else { return [] }
    guard (1...Recipe.Limits.items).contains(entries.count) else {
      mistake("1 to \(Recipe.Limits.items) entities are expected", line: node.line)
      return []
    }
    return entries.compactMap { entry in
      name(YAMLNode(line: entry.line, .text(entry.name, isPlain: true))).map { ($0, entry.value) }
    }
  }

  private mutating func path(_ node: YAMLNode) -> String? {
    guard let path = attempt({ () throws(YAMLError) in try node.text() }) else { return nil }
    guard !path.isEmpty, path.utf8.count <= Recipe.Limits.pathLength, !path.utf8.contains(0) else {
      mistake("the path of a store is expected", line: node.line)
      return nil
    }
    return path
  }

  private mutating func keys(_ node: YAMLNode) -> [Int64] {
    guard let elements = attempt({ () throws(YAMLError) in try node.elements() }) else { return [] }
    guard (1...Recipe.Limits.keys).contains(elements.count) else {
      mistake("1 to \(Recipe.Limits.keys) keys are expected", line: node.line)
      return []
    }
    return elements.compactMap { element in
      guard let text = attempt({ () throws(YAMLError) in try element.text() }) else { return nil }
      guard let key = Int64(text) else {
        mistake("a key is a number, as in Z_PK; \(quoted(text)) is none", line: element.line)
        return nil
      }
      return key
    }
  }

  mutating func flag(_ node: YAMLNode) -> Bool? {
    switch node.content {
    case .text("true", _): return true
    case .text("false", _): return false
    case .text, .list, .map:
      mistakenWord(node, words: ["true", "false"])
      return nil
    }
  }

  // MARK: The file

  mutating func historyTrim(_ node: YAMLNode) -> Recipe.HistoryTrim? {
    guard let members = members(node, names: ["before", "keep"]) else { return nil }
    switch (members["before"], members["keep"]) {
    case (let before?, nil):
      guard let text = attempt({ () throws(YAMLError) in try before.text() }) else { return nil }
      guard let trim = Recipe.HistoryTrim(before: text) else {
        mistake(
          "'before' is a day or a moment in UTC, as 2026-03-01 or 2026-03-01T12:00:00Z, in place of \(quoted(text))",
          line: before.line)
        return nil
      }
      return trim
    case (nil, let keep?):
      guard let count = attempt({ () throws(YAMLError) in try keep.count() }) else { return nil }
      guard count > 0 else {
        mistake("'keep' is a number from 1 on: the newest transaction always stays", line: keep.line)
        return nil
      }
      return .keep(count)
    case (.some, .some): mistake("'before' or 'keep', not both", line: node.line)
    case (nil, nil): mistake("'before: 2026-03-01' or 'keep: 1000' is expected", line: node.line)
    }
    return nil
  }

  // MARK: Inverses

  mutating func inverse(_ node: YAMLNode) -> Recipe.Inverse? {
    guard let members = members(node, names: ["entity", "relationship", "from"]) else { return nil }
    let entity = required(members, name: "entity", in: node).flatMap { name($0) }
    let relationship = required(members, name: "relationship", in: node).flatMap { name($0) }
    let from = required(members, name: "from", in: node).flatMap { word($0, as: Recipe.Inverse.Side.self) }
    guard let entity, let relationship, let from else { return nil }
    return Recipe.Inverse(entity: entity, relationship: relationship, from: from, line: line(node))
  }
}
