import StoreWords
import StoreYAML

/// Reads a document into a recipe. It continues after a mistake, so that all are found at once.
///
/// The recipe is not to be used if there are mistakes.
struct RecipeReader {
  private(set) var mistakes: [RecipeMistake] = []

  // MARK: The document

  mutating func recipe(_ document: YAMLNode?) -> Recipe {
    guard let document else {
      mistake("it is empty; 'version: 1' is expected, and what is to be repaired")
      return Recipe()
    }
    // The contents of an unknown version cannot be judged.
    guard knowsVersion(of: document) else { return Recipe() }
    return parts(document, others: ["version"])
  }

  /// A recipe for each side of a stage.
  mutating func stage(_ document: YAMLNode?) -> StageRecipe {
    guard let document, case .map(let entries) = document.content,
      entries.contains(where: { ["willMigrate", "didMigrate"].contains($0.name) })
    else { return StageRecipe(willMigrate: recipe(document)) }
    guard knowsVersion(of: document), let members = members(document, names: ["version", "willMigrate", "didMigrate"])
    else {
      return StageRecipe()
    }
    var stage = StageRecipe()
    if let side = members["willMigrate"] { stage.willMigrate = parts(side, others: []) }
    if let side = members["didMigrate"] { stage.didMigrate = parts(side, others: []) }
    return stage
  }

  private mutating func parts(_ node: YAMLNode, others: [String]) -> Recipe {
    var recipe = Recipe()
    let names =
      others + [
        "dedupe", "backfill", "relink", "junctions", "restore", "merge", "dangling", "wrongEntity", "inverses",
        "structure", "trimHistory", "compact",
      ]
    guard let members = members(node, names: names) else { return recipe }
    recipe.dedupe = items(members["dedupe"]) { $0.dedupe($1) }
    recipe.backfill = items(members["backfill"]) { $0.backfill($1) }
    recipe.relink = items(members["relink"]) { $0.relink($1) }
    recipe.junctions = items(members["junctions"]) { $0.junction($1) }
    recipe.restore = items(members["restore"]) { $0.restore($1) }
    recipe.merge = items(members["merge"]) { $0.mergedStore($1) }
    recipe.inverses = items(members["inverses"]) { $0.inverse($1) }
    recipe.structure = Set(items(members["structure"]) { $0.word($1) })
    recipe.dangling = members["dangling"].flatMap { word($0) }
    recipe.wrongEntity = members["wrongEntity"].flatMap { word($0) }
    recipe.trimHistory = members["trimHistory"].flatMap { historyTrim($0) }
    recipe.compact = members["compact"].flatMap { flag($0) } ?? false
    return recipe
  }

  private mutating func knowsVersion(of document: YAMLNode) -> Bool {
    guard case .map(let members) = document.content else { return true }
    guard let version = members.first(where: { $0.name == "version" })?.value else {
      mistake("'version: 1' is missing")
      return true
    }
    guard let number = attempt({ () throws(YAMLError) in try version.count() }) else { return true }
    if number != 1 {
      mistake("version \(number) is not known here; this storedoctor knows version 1", line: version.line)
    }
    return number == 1
  }

  // MARK: Mistakes

  /// Notes a mistake. Line 0 stands for none, as in JSON.
  mutating func mistake(_ message: String, line: Int? = nil) {
    mistakes.append(RecipeMistake(line: line == 0 ? nil : line, message))
  }

  /// The result of `read`; nil, and a mistake, where it throws.
  mutating func attempt<Value>(_ read: () throws(YAMLError) -> Value) -> Value? {
    do throws(YAMLError) {
      return try read()
    } catch {
      mistake(error.message, line: error.line)
      return nil
    }
  }

  // MARK: Values

  /// The members of a map; other names than these are mistakes.
  mutating func members(_ node: YAMLNode, names: [String]) -> [String: YAMLNode]? {
    guard let entries = attempt({ () throws(YAMLError) in try node.entries() }) else { return nil }
    var members: [String: YAMLNode] = [:]
    for entry in entries {
      if names.contains(entry.name) {
        members[entry.name] = entry.value
      } else {
        let known = "the keys here are \(names.joined(separator: ", "))"
        mistake("unknown key \(quoted(entry.name)); \(known)\(didYouMean(entry.name, among: names))", line: entry.line)
      }
    }
    return members
  }

  /// A member that is required.
  mutating func required(_ members: [String: YAMLNode], name: String, in node: YAMLNode) -> YAMLNode? {
    if members[name] == nil { mistake("'\(name)' is missing", line: node.line) }
    return members[name]
  }

  /// The items of a section; none where it is absent.
  mutating func items<Item>(
    _ node: YAMLNode?, read: (inout RecipeReader, YAMLNode) -> Item?
  ) -> [Item] {
    guard let node, let elements = attempt({ () throws(YAMLError) in try node.elements() }) else { return [] }
    guard elements.count <= Recipe.Limits.items else {
      mistake("\(elements.count) items; more than \(Recipe.Limits.items) are not taken", line: node.line)
      return []
    }
    return elements.compactMap { read(&self, $0) }
  }

  /// A name, or a path of names with dots between.
  mutating func name(_ node: YAMLNode) -> String? {
    guard let name = attempt({ () throws(YAMLError) in try node.text() }) else { return nil }
    guard name.utf8.count <= Recipe.Limits.nameLength else {
      mistake("a name of more than \(Recipe.Limits.nameLength) bytes", line: node.line)
      return nil
    }
    guard name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty }) else {
      mistake(
        "a name, or names with a dot between as in folder.name, is expected in place of \(quoted(name))",
        line: node.line)
      return nil
    }
    return name
  }

  /// A list of names, at least one and none repeated.
  mutating func names(_ node: YAMLNode) -> [String]? {
    guard let elements = attempt({ () throws(YAMLError) in try node.elements() }) else { return nil }
    guard (1...Recipe.Limits.names).contains(elements.count) else {
      mistake("1 to \(Recipe.Limits.names) names are expected", line: node.line)
      return nil
    }
    var names: [String] = []
    for element in elements {
      guard let name = name(element) else { continue }
      if names.contains(name) { mistake("\(quoted(name)) occurs twice", line: element.line) }
      names.append(name)
    }
    return names
  }

  /// One of an enumeration's words.
  mutating func word<Word: RawRepresentable & CaseIterable>(
    _ node: YAMLNode, as type: Word.Type = Word.self
  ) -> Word? where Word.RawValue == String {
    let words = Word.allCases.map(\.rawValue)
    guard case .text(let text, _) = node.content, let word = Word(rawValue: text) else {
      mistakenWord(node, words: words)
      return nil
    }
    return word
  }

  /// Notes that one of these words is expected.
  mutating func mistakenWord(_ node: YAMLNode, words: [String]) {
    let expected =
      words.count == 1 ? "'\(words[0])' is expected" : "one of \(words.joined(separator: ", ")) is expected"
    guard case .text(let text, _) = node.content, !text.isEmpty else { return mistake(expected, line: node.line) }
    mistake("\(expected) in place of \(quoted(text))\(didYouMean(text, among: words))", line: node.line)
  }

  /// The line of an item that begins at this node; nil without a file.
  func line(_ node: YAMLNode) -> Int? { node.line == 0 ? nil : node.line }
}
