import Foundation
import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreGenerator
import StoreMigrator
import StoreModels
import StoreRepair
import StoreRows
import StoreSQLite
import StoreSwiftCode
import TestSupport
import Testing

/// The Swift of a stage, run on sample objects, leaves what `migrate` makes of a store with the same objects: the two follow
/// one list of steps.
@Suite struct StageLawTests {
  private static let old = [
    "Folder: name String?; rank I64?; notes ->>Note?~folder",
    "Note: title String?; body String?; n I64?; small I16?; size Double?; done Bool?; at Date?; place String?; "
      + "folder ->Folder?~notes; tags ->>Tag?~notes; links ->>Link?~note",
    "Tag: name String?; notes ->>Note?~tags; links ->>Link?~tag",
    "Link: weight I64?=5; label String?; note ->Note?~links; tag ->Tag?~links",
  ]
  private static let new = [
    "Folder: name String?; rank I64?; notes ->>Note?~folder",
    "Note: title String?; headline String?; n I64?; small I16?; size Double?; stars I64?=3; mark String?; at Date?; "
      + "folder ->Folder?~notes; tags ->>Tag?~notes; links ->>Link?~note",
    "Tag: name String?; notes ->>Note?~tags; links ->>Link?~tag",
    "Link: weight I64?=5; label String?; note ->Note?~links; tag ->Tag?~links",
  ]

  /// Every kind of step, in the forms that the guides show, each alone; then all of a side together.
  private static let documented = [
    "willMigrate:\n  junctions: [{from: Note.tags, entity: Link, source: note, destination: tag}]\n",
    "didMigrate:\n  junctions: [{from: Tag.notes, entity: Link, source: tag, destination: note}]\n",
    // What is asked for the objects that are made comes after them, and their ends tell values.
    "willMigrate:\n  backfill:\n    - {entity: Link, attribute: label, from: note.title}\n"
      + "  junctions: [{from: Note.tags, entity: Link, source: note, destination: tag}]\n",
    "didMigrate:\n  junctions: [{from: Note.tags, entity: Link, source: note, destination: tag}]\n"
      + "  backfill:\n    - {entity: Link, attribute: label, expression: \"note.title || '-' || tag.name\"}\n"
      + "    - {entity: Note, attribute: title, value: none}\n",
    "willMigrate:\n  backfill: [{entity: Note, attribute: title, value: Untitled}]\n",
    "willMigrate:\n  backfill: [{entity: Note, attribute: n, generate: sequence}]\n",
    "willMigrate:\n  backfill: [{entity: Note, attribute: title, group: [folder, n], value: x}]\n",
    "willMigrate:\n  relink: [{entity: Note, relationship: folder, match: {place: name}, compare: casefolded}]\n",
    "willMigrate:\n  dedupe: [{entity: Note, by: [title], keep: {newest: at}, others: delete}]\n",
    "willMigrate:\n  dedupe: [{entity: Folder, by: [name], compare: trimmed, keep: last, others: merge}]\n",
    "willMigrate:\n  dedupe: [{entity: Tag, by: [name], others: merge}]\n",
    "didMigrate:\n  backfill: [{entity: Note, attribute: mark, from: was.body}]\n",
    "didMigrate:\n  backfill: [{entity: Note, attribute: stars, expression: \"case when was.done then 5 else 1 end\"}]\n",
    "didMigrate:\n  backfill: [{entity: Note, attribute: headline, expression: \"upper(was.folder.name)\", value: none}]\n",
    "willMigrate:\n  relink: [{entity: Note, relationship: folder, match: {place: name}}]\n"
      + "  dedupe: [{entity: Note, by: [title, folder], nulls: equal, others: merge}]\n"
      + "  junctions: [{from: Note.tags, entity: Link, source: note, destination: tag}]\n"
      + "  backfill:\n    - {entity: Link, attribute: label, from: tag.name}\n"
      + "    - {entity: Note, attribute: body, expression: \"trim(title)\"}\n"
      + "didMigrate:\n  backfill:\n    - {entity: Note, attribute: headline, expression: \"was.body || '!'\"}\n"
      + "    - {entity: Link, attribute: weight, expression: \"note.n\"}\n",
  ]

  /// The same with subentities and ordered lists, which SwiftData does not have.
  private static let oldLists = [
    "Folder: name String?; notes ->>Note?~folder ordered; tags ->>Tag?~folders ordered; links ->>Link?~folder",
    "Note: title String?; body String?; n I64?; size Double?; at Date?; folder ->Folder?~notes",
    "Memo<Note: mood String?; place String?",
    "Tag: name String?; folders ->>Folder?~tags; links ->>Link?~tag",
    "Link: weight I64?=5; label String?; folder ->Folder?~links; tag ->Tag?~links",
  ]
  private static let newLists = [
    "Folder: name String?; notes ->>Note?~folder ordered; tags ->>Tag?~folders ordered; links ->>Link?~folder",
    "Note: title String?; headline String?; n I64?; size Double?; stars I64?=3; at Date?; folder ->Folder?~notes",
    "Memo<Note: mood String?; mark String?",
    "Tag: name String?; folders ->>Folder?~tags; links ->>Link?~tag",
    "Link: weight I64?=5; label String?; folder ->Folder?~links; tag ->Tag?~links",
  ]

  private static let documentedLists = [
    "willMigrate:\n  junctions: [{from: Folder.tags, entity: Link, source: folder, destination: tag}]\n",
    "didMigrate:\n  junctions: [{from: Tag.folders, entity: Link, source: tag, destination: folder}]\n",
    "willMigrate:\n  backfill: [{entity: Note, attribute: title, value: Untitled}]\n",
    "willMigrate:\n  backfill: [{entity: Memo, attribute: mood, from: title, value: none}]\n",
    "willMigrate:\n  relink: [{entity: Note, relationship: folder, match: {title: name}, compare: casefolded}]\n",
    "willMigrate:\n  dedupe: [{entity: Note, by: [title], keep: last, others: delete}]\n",
    "willMigrate:\n  dedupe: [{entity: Folder, by: [name], others: merge}]\n",
    "didMigrate:\n  backfill: [{entity: Memo, attribute: mark, from: was.place}]\n",
    "didMigrate:\n  backfill: [{entity: Note, attribute: headline, expression: \"was.body || '!'\"}]\n",
  ]

  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"))
  func theSwiftLeavesWhatMigrateLeaves() throws {
    try hold(Self.old, Self.new, documented: Self.documented) { RecipeMaker.recipe(&$0) }
  }

  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"))
  func theSwiftOfSwiftDataLeavesWhatMigrateLeaves() throws {
    try hold(Self.old, Self.new, documented: Self.documented, isSwiftData: true) { RecipeMaker.recipe(&$0) }
  }

  @Test(.enabled(if: SwiftCompiler.isPresent, "skipped: no swiftc"), arguments: [false, true])
  func subentitiesAndOrderedListsAreFollowed(_ isSwiftData: Bool) throws {
    // SwiftData's arrays have no order.
    let (old, new) =
      isSwiftData
      ? (
        Self.oldLists.map { $0.replacing(" ordered", with: "") },
        Self.newLists.map { $0.replacing(" ordered", with: "") }
      )
      : (Self.oldLists, Self.newLists)
    try hold(old, new, documented: Self.documentedLists, isSwiftData: isSwiftData, hasLists: true) {
      RecipeMaker.recipeOfLists(&$0)
    }
  }

  private func hold(
    _ old: [String], _ new: [String], documented: [String], isSwiftData: Bool = false, hasLists: Bool = false,
    recipe make: (inout SeededGenerator) -> String
  ) throws {
    let models = (old: try ModelNotation.model(old), new: try ModelNotation.model(new))
    var (stages, expected, calls): ([RecipeStage], [[String]], [String]) = ([], [], [])
    let made = LongRuns.seeds(hasLists ? 100 : 200, whole: 1000).map { seed in
      var random = SeededGenerator(seed: seed)
      return (seed, make(&random))
    }
    let recipes = documented.enumerated().map { (UInt64($0), $1) } + made
    var changed = 0
    for (number, (seed, yaml)) in recipes.enumerated() {
      var random = SeededGenerator(seed: seed &+ 7_000)
      let objects = hasLists ? SampleObjects(lists: &random) : SampleObjects(&random)
      let recipe = try StageRecipe(reading: Array(("version: 1\n" + yaml).utf8))
      let stage = RecipeStage(
        from: "A\(number)", to: "B\(number)", source: models.old, destination: models.new, recipe: recipe,
        path: "stage.yaml")
      let lines = try objects.migrated(models.old, models.new, recipe: recipe)
      if lines != (try objects.migrated(models.old, models.new, recipe: StageRecipe())) { changed += 1 }
      stages.append(stage)
      expected.append(lines)
      calls.append(
        isSwiftData
          ? "run(Plan.a\(number)ToB\(number), from: (old, oldClasses), to: (new, newClasses)) { context in\n\(objects.swift)\n}"
          : "run(a\(number)ToB\(number)(), from: old, to: new) { context in\n\(objects.swift)\n}")
    }
    // Recipes that change nothing say nothing of the law.
    #expect(changed * 2 > recipes.count)
    let code = StageCode(stages, for: isSwiftData ? .swiftData(plan: nil, versions: [:]) : .coreData)
    #expect(code.omissions.map(\.description) == [])
    let program =
      RunningCoreData.text + "\n" + (isSwiftData ? Self.classes(models, of: recipes.count) : "")
      + code.text.replacing("import CoreData", with: "").replacing("import SwiftData", with: "")
      + "\nlet old: Schema = " + Self.schema(models.old) + "\nlet new: Schema = " + Self.schema(models.new) + "\n"
      + calls.joined(separator: "\n")
    let found = try SwiftCompiler.output(ofProgram: program).split(separator: "--\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: "\n").map(String.init) }
    #expect(found.count == recipes.count + 1)
    for (number, (found, expected)) in zip(found, expected).enumerated() where found != expected {
      let lacking = expected.filter { !found.contains($0) }.map { "migrate: \($0)" }
      let others = found.filter { !expected.contains($0) }.map { "Swift: \($0)" }
      Issue.record("\(number): \(recipes[number].1)\n\((lacking + others).prefix(6).joined(separator: "\n"))")
    }
  }

  /// The classes of both versions, under the names of all stages' versions.
  private static func classes(_ models: (old: Model, new: Model), of count: Int) -> String {
    let last = "B\(count - 1)"
    return RunningSwiftData.text + "\n"
      + RunningSwiftData.classes(models.old, version: "OldVersion", table: "oldClasses")
      + RunningSwiftData.classes(models.new, version: "NewVersion", table: "newClasses")
      + (0..<count).map { "typealias A\($0) = OldVersion\ntypealias B\($0) = NewVersion\n" }.joined()
      + "typealias Plan = \(last)MigrationPlan\n"
  }

  /// A model as the stand-in takes it.
  private static func schema(_ model: Model) -> String {
    func literal(_ text: String?) -> String { text.map(SwiftDataTypes.literal) ?? "nil" }
    let entities = model.entities.map { entity in
      let properties = model.properties(of: entity.name).values.map(\.property).sorted { $0.name < $1.name }.map {
        property in
        var parts: [String] = []
        if let relationship = property.relationship {
          parts = [
            "destination: \(literal(relationship.destination))", "inverse: \(literal(relationship.inverse))",
            "isToMany: \(relationship.isToMany)", "isOrdered: \(relationship.isOrdered)",
          ]
        } else if let attribute = property.attribute {
          parts = ["type: \(literal(SampleObjects.kind(attribute.type)))"]
          if case .integer(let number)? = attribute.defaultValue { parts.append("standard: Int64(\(number))") }
        }
        return "\(literal(property.name)): Property(\(parts.joined(separator: ", ")))"
      }
      let parent = entity.parent.map { "\"\": Property(destination: \(literal($0)))" }
      return "\(literal(entity.name)): [\((properties + [parent].compactMap(\.self)).joined(separator: ", "))]"
    }
    return "[\(entities.joined(separator: ",\n"))]"
  }
}

/// Random recipes for the two models.
private enum RecipeMaker {
  static func recipe(_ random: inout SeededGenerator) -> String {
    var text = ""
    for side in ["willMigrate", "didMigrate"] where Int.random(in: 0..<4, using: &random) > 0 {
      var sections: [String: [String]] = [:]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let (section, item) = Self.item(side == "willMigrate", &random)
        if sections[section]?.contains(item) != true { sections[section, default: []].append(item) }
      }
      text += "\(side):\n"
      // The order in the file means nothing.
      for (section, items) in sections.sorted(by: { $0.key < $1.key }).shuffled(using: &random) {
        text += "  \(section):\n" + items.map { "    - {\($0)}\n" }.joined()
      }
    }
    return text.isEmpty ? "willMigrate:\n  backfill:\n    - {entity: Note, attribute: n, value: 4}\n" : text
  }

  private static func one(_ list: [String], _ random: inout SeededGenerator) -> String {
    list.randomElement(using: &random) ?? ""
  }

  private static func item(_ isBefore: Bool, _ random: inout SeededGenerator) -> (section: String, item: String) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      return ("junctions", "from: Note.tags, entity: Link, source: note, destination: tag")
    case 1: return isBefore ? ("relink", relink(&random)) : ("backfill", backfill(isBefore, &random))
    case 2, 3: return ("dedupe", dedupe(&random))
    case 4:
      let source = one(["from: note.title", "from: tag.name", "expression: \"text(weight) || tag.name\""], &random)
      return ("backfill", "entity: Link, attribute: label, \(source)")
    default: return ("backfill", backfill(isBefore, &random))
    }
  }

  /// For the models with subentities and ordered lists.
  static func recipeOfLists(_ random: inout SeededGenerator) -> String {
    var text = ""
    for side in ["willMigrate", "didMigrate"] where Int.random(in: 0..<4, using: &random) > 0 {
      var sections: [String: [String]] = [:]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let (section, item) = itemOfLists(side == "willMigrate", &random)
        if sections[section]?.contains(item) != true { sections[section, default: []].append(item) }
      }
      text += "\(side):\n"
      for (section, items) in sections.sorted(by: { $0.key < $1.key }).shuffled(using: &random) {
        text += "  \(section):\n" + items.map { "    - {\($0)}\n" }.joined()
      }
    }
    return text.isEmpty ? "willMigrate:\n  backfill:\n    - {entity: Note, attribute: n, value: 4}\n" : text
  }

  private static func itemOfLists(
    _ isBefore: Bool, _ random: inout SeededGenerator
  ) -> (section: String, item: String) {
    let entity = one(["Note", "Memo"], &random)
    let compare = one(["exact", "trimmed", "casefolded", "normalized"], &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      return (
        "junctions",
        one(
          [
            "from: Folder.tags, entity: Link, source: folder, destination: tag",
            "from: Tag.folders, entity: Link, source: tag, destination: folder",
          ], &random)
      )
    case 1, 2:
      guard isBefore else { return backfillOfLists(false, &random) }
      return (
        "relink",
        "entity: \(entity), relationship: folder, match: {\(one(["title: name", "body: name"], &random))}, compare: \(compare)"
      )
    case 3:
      return (
        "dedupe",
        "entity: \(entity), by: [\(one(["title", "n", "folder"], &random))], compare: \(compare), keep: "
          + one(["first", "last", "{newest: at}", "{oldest: n}"], &random) + ", others: delete"
      )
    case 4:
      return (
        "dedupe",
        "entity: Folder, by: [name], compare: \(compare), keep: \(one(["first", "last"], &random)), others: "
          + one(["merge", "delete"], &random)
      )
    case 5:
      return ("backfill", "entity: Link, attribute: label, \(one(["from: folder.name", "from: tag.name"], &random))")
    default: return backfillOfLists(isBefore, &random)
    }
  }

  private static func backfillOfLists(
    _ isBefore: Bool, _ random: inout SeededGenerator
  ) -> (section: String, item: String) {
    let texts =
      ["value: none", "from: folder.name", "expression: \"trim(title) || '.'\"", "group: [folder], value: g"]
      + (isBefore ? [] : ["from: was.body", "from: was.folder.name"])
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let attribute = isBefore ? one(["title", "body"], &random) : one(["title", "headline"], &random)
      let entity = one(["Note", "Memo"], &random)
      return ("backfill", "entity: \(entity), attribute: \(attribute), \(one(texts, &random))")
    case 1:
      let own = isBefore ? ["from: place"] : ["from: was.place", "expression: \"upper(was.mood)\""]
      return (
        "backfill",
        "entity: Memo, attribute: \(isBefore ? "mood" : one(["mood", "mark"], &random)), \(one(texts + own, &random))"
      )
    case 2:
      return ("backfill", "entity: Note, attribute: size, \(one(["value: 0.5", "expression: \"n / 2\""], &random))")
    default:
      let entity = one(["Note", "Memo"], &random)
      let attribute = isBefore ? "n" : one(["n", "stars"], &random)
      return (
        "backfill",
        "entity: \(entity), attribute: \(attribute), "
          + one(["value: 7", "generate: sequence", "expression: \"length(title) + 1\""], &random)
      )
    }
  }

  private static func relink(_ random: inout SeededGenerator) -> String {
    "entity: Note, relationship: folder, match: {\(one(["place: name", "n: rank"], &random))}, compare: "
      + one(["exact", "trimmed", "casefolded", "normalized"], &random)
  }

  private static func dedupe(_ random: inout SeededGenerator) -> String {
    let (entity, by) =
      [
        ("Note", "[title]"), ("Note", "[title, n]"), ("Note", "[folder]"), ("Folder", "[name]"), ("Tag", "[name]"),
        ("Note", "[size]"),
      ].randomElement(using: &random) ?? ("", "")
    let keeps = entity == "Note" ? ["first", "last", "{newest: at}", "{oldest: n}"] : ["first", "last"]
    return "entity: \(entity), by: \(by), compare: \(one(["exact", "trimmed", "casefolded", "normalized"], &random)), "
      + "nulls: \(one(["distinct", "equal"], &random)), keep: \(one(keeps, &random)), "
      + "others: \(one(["merge", "delete"], &random))"
  }

  private static func backfill(_ isBefore: Bool, _ random: inout SeededGenerator) -> String {
    let texts =
      [
        "value: none", "from: folder.name", "expression: \"trim(title) || '.'\"", "expression: \"text(n * 2)\"",
        "expression: \"case when size > 1 then 'big' when n is null then folder.name end\"",
        "group: [folder], value: g",
      ]
      + (isBefore ? ["from: place"] : ["from: was.body", "expression: \"lower(was.place)\"", "from: was.folder.name"])
    let numbers =
      ["value: 7", "generate: sequence", "expression: \"length(title) + 1\"", "expression: \"integer(size)\""]
      + (isBefore
        ? []
        : ["expression: \"unix(was.at)\"", "expression: \"case when was.done then 1 when was.small > 1 then 2 end\""])
    let texted = isBefore ? ["title", "body", "place"] : ["title", "headline", "mark"]
    let counted = isBefore ? ["n", "small"] : ["n", "small", "stars"]
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1:
      let attribute = one(texted, &random)
      return "entity: Note, attribute: \(attribute), \(one(texts.filter { $0 != "from: \(attribute)" }, &random))"
    case 2, 3: return "entity: Note, attribute: \(one(counted, &random)), \(one(numbers, &random))"
    default:
      return "entity: Note, attribute: size, "
        + one(["value: 0.5", "expression: \"n / 2\"", "expression: \"round(julian(at), 1)\""], &random)
    }
  }
}

/// Objects of the first version, for a store and for the stand-in.
private struct SampleObjects {
  private typealias Made = (entity: String, key: Int64, values: [(name: String, value: StoredValue)])
  private var objects: [Made] = []
  private var links: [(from: Int, name: String, to: Int)] = []

  init(_ random: inout SeededGenerator) {
    let texts = ["Milk", "milk", " Milk ", "Rent", "T\u{e9}", "Te\u{301}", ""]
    func text() -> StoredValue { texts.randomElement(using: &random).map { .text($0) } ?? .null }
    func maybe(_ value: StoredValue) -> StoredValue { Int.random(in: 0..<3, using: &random) == 0 ? .null : value }
    func number(_ numbers: [Int64]) -> StoredValue { .integer(numbers.randomElement(using: &random) ?? 0) }
    func keys(_ count: ClosedRange<Int>) -> [Int64] {
      Array((1...30).map { Int64($0) }.shuffled(using: &random).prefix(Int.random(in: count, using: &random))).sorted()
    }
    for key in keys(1...3) {
      objects.append(("Folder", key, [("name", maybe(text())), ("rank", maybe(number([1, 2, 3])))]))
    }
    for key in keys(1...3) { objects.append(("Tag", key, [("name", maybe(text()))])) }
    for key in keys(2...7) {
      objects.append(
        (
          "Note", key,
          [
            ("title", maybe(text())), ("body", maybe(text())), ("place", maybe(text())),
            ("n", maybe(number([1, 2, 3, -4]))), ("small", maybe(number([1, 30_000]))),
            ("size", maybe(.real([0.5, 1, 2.25].randomElement(using: &random) ?? 0))), ("done", maybe(number([0, 1]))),
            ("at", maybe(.real([0, 7.5e8, -100.25].randomElement(using: &random) ?? 0))),
          ]
        ))
    }
    let places = Dictionary(grouping: objects.indices) { objects[$0].entity }
    for note in places["Note"] ?? [] {
      if Bool.random(using: &random), let folder = places["Folder"]?.randomElement(using: &random) {
        links.append((note, "folder", folder))
      }
      for tag in places["Tag"] ?? [] where Int.random(in: 0..<3, using: &random) == 0 {
        links.append((note, "tags", tag))
      }
    }
    for key in keys(0...1) {
      objects.append(("Link", key, [("weight", .integer(2))]))
      if let note = places["Note"]?.first { links.append((objects.count - 1, "note", note)) }
      if let tag = places["Tag"]?.first { links.append((objects.count - 1, "tag", tag)) }
    }
  }

  /// For the models with subentities and ordered lists.
  init(lists random: inout SeededGenerator) {
    let texts = ["Milk", "milk", " Milk ", "Rent", "T\u{e9}", ""]
    func text() -> StoredValue { texts.randomElement(using: &random).map { .text($0) } ?? .null }
    func maybe(_ value: StoredValue) -> StoredValue { Int.random(in: 0..<3, using: &random) == 0 ? .null : value }
    func keys(_ count: ClosedRange<Int>) -> [Int64] {
      Array((1...30).map { Int64($0) }.shuffled(using: &random).prefix(Int.random(in: count, using: &random))).sorted()
    }
    for key in keys(1...3) { objects.append(("Folder", key, [("name", maybe(text()))])) }
    for key in keys(1...4) { objects.append(("Tag", key, [("name", maybe(text()))])) }
    // The keys of subentities are those of one table.
    for key in keys(2...8) {
      let isMemo = Bool.random(using: &random)
      objects.append(
        (
          isMemo ? "Memo" : "Note", key,
          [
            ("title", maybe(text())), ("body", maybe(text())),
            ("n", maybe(.integer(Int64.random(in: 1...3, using: &random)))),
            ("size", maybe(.real(1.5))), ("at", maybe(.real([0, 7.5e8].randomElement(using: &random) ?? 0))),
          ] + (isMemo ? [("mood", maybe(text())), ("place", maybe(text()))] : [])
        ))
    }
    let places = Dictionary(grouping: objects.indices) { objects[$0].entity }
    for note in ((places["Note"] ?? []) + (places["Memo"] ?? [])).shuffled(using: &random)
    where Int.random(in: 0..<3, using: &random) > 0 {
      if let folder = places["Folder"]?.randomElement(using: &random) { links.append((folder, "notes", note)) }
    }
    for folder in places["Folder"] ?? [] {
      for tag in (places["Tag"] ?? []).shuffled(using: &random) where Bool.random(using: &random) {
        links.append((folder, "tags", tag))
      }
    }
  }

  static func kind(_ type: AttributeType) -> String {
    switch type {
    case .integer16, .integer32, .integer64: "integer"
    case .double, .float: "real"
    default: "other"
    }
  }

  /// Statements that make them in a context.
  var swift: String {
    var lines: [String] = []
    for (place, object) in objects.enumerated() {
      lines.append("let o\(place) = context.insert(\"\(object.entity)\", key: \(object.key))")
      for (name, value) in object.values {
        let literal: String? =
          switch value {
          case .text(let text): SwiftDataTypes.literal(text)
          case .integer(let number): name == "done" ? "\(number == 1)" : "Int64(\(number))"
          case .real(let number): name == "at" ? "Date(timeIntervalSinceReferenceDate: \(number))" : "\(number)"
          default: nil
          }
        lines.append("o\(place).setValue(\(literal ?? "nil"), forKey: \"\(name)\")")
      }
    }
    lines += links.map { "o\($0.from).link(\"\($0.name)\", o\($0.to))" }
    return lines.joined(separator: "\n") + (lines.isEmpty ? "" : "\n_ = o0")
  }

  /// What a store with them holds once it was migrated, a line for each object.
  func migrated(_ old: Model, _ new: Model, recipe: StageRecipe) throws -> [String] {
    let folder = try TemporaryFolder.inMemory()
    let writer = try StoreWriter(creating: folder("old.sqlite"), StoreDescription(model: old, usesWAL: false))
    let keys = try objects.map { object in
      try writer.insert(
        object.entity, Dictionary(object.values) { first, _ in first }, key: object.key)
    }
    for link in links { try writer.link(keys[link.from], link.name, to: keys[link.to]) }
    try writer.finish()
    let sources = try [("A", old), ("B", new)].map { name, model in
      let document = try ModelDocument(versions: [.init(name: name, model: model)])
      return try ModelSource.read(Array(document.json().text.utf8), path: "\(name).json")
    }
    let run = MigrationRun(
      CandidateOptions(models: sources, opening: .staged, stages: ["custom:A>B"]), allowsAssumed: true,
      stages: [StagePerformance(from: "A", to: "B", recipe: recipe)])
    var lines: [String] = []
    _ = try rehearse(Store(path: folder("old.sqlite")), run: run) { result in lines = try Self.lines(result, new) }
    return lines
  }

  private static func lines(_ store: Store, _ model: Model) throws -> [String] {
    var lines: [String] = []
    for entity in model.entities {
      let properties = model.properties(of: entity.name).values.map(\.property).sorted { $0.name < $1.name }
      var query = RowQuery(entity: entity.name)
      query.columns = properties.map(\.name)
      query.includesSubentities = false
      var own: [(key: Int64, line: String)] = []
      try Rows(query, of: store).forEach { row in
        let values = properties.enumerated().map { place, property in
          "\(property.name)=\(text(row.value(place), of: property))"
        }
        own.append((row.key, "\(entity.name) \(row.key) \(values.joined(separator: "|"))"))
      }
      lines += own.sorted { $0.key < $1.key }.map(\.line)
    }
    return lines
  }

  private static func text(_ value: RowValue, of property: Property) -> String {
    switch value {
    case .null, .absent: property.relationship == nil ? "nil" : ""
    case .boolean(let flag): "\(flag)"
    case .integer(let number): kind(property.attribute?.type ?? .string) == "real" ? "\(Double(number))" : "\(number)"
    case .real(let number), .decimal(let number), .date(let number): "\(number)"
    case .text(let bytes), .uri(let bytes): String(decoding: bytes, as: UTF8.self).debugDescription
    case .key(let key): "\(key)"
    case .keys(let keys):
      (property.relationship?.isOrdered == true ? Array(keys) : keys.sorted()).map { "\($0)" }.joined(separator: ",")
    default: "?"
    }
  }
}
