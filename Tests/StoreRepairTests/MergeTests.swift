import Foundation
import StoreCoreData
import StoreDataModel
import StorePublishing
import StoreSQLite
import StoreWriting
import TestSupport
import Testing

@testable import StoreDiagnosis
@testable import StoreRepair

/// Two stores of one model become one: an oracle of plain objects says what has to come out.
@Suite struct MergeTests {
  /// Objects by what tells them: their entity and a value of their own. Links are sets of those.
  private struct World: Equatable {
    var objects: [String: Plain] = [:]

    struct Plain: Equatable {
      var entity: String
      var attributes: [String: String]
      var links: [String: Set<String>]
    }

    init(_ graph: ObjectGraph) {
      func name(_ node: Node) -> String {
        let attributes = graph.objects[node]?.attributes ?? [:]
        return "\(node.root) \(attributes["uid"] ?? attributes["name"] ?? "?")"
      }
      for (node, object) in graph.objects {
        let plain = Plain(
          entity: object.entity, attributes: object.attributes, links: object.links.mapValues { Set($0.map(name)) })
        #expect(objects.updateValue(plain, forKey: name(node)) == nil, "two objects are \(name(node))")
      }
    }

    /// What a merge has to give.
    func taking(_ old: World, newest: Bool, keep: Recipe.MergedStore.Side) -> World {
      var result = self
      for (name, theirs) in old.objects {
        guard let ours = objects[name] else {
          result.objects[name] = theirs
          result.objects[name]?.links = [:]
          continue
        }
        let isNote = name.hasPrefix("Note")
        let takes =
          isNote && newest ? (ours.attributes["modified"] ?? "") < (theirs.attributes["modified"] ?? "") : keep == .old
        if takes { result.objects[name]?.attributes = theirs.attributes }
      }
      for (name, theirs) in old.objects {
        for tag in theirs.links["tags"] ?? [] { result.link(name, "tags", tag, "notes") }
        if let folder = theirs.links["folder"]?.first, result.objects[name]?.links["folder"] == nil {
          result.link(name, "folder", folder, "notes")
        }
        // One-to-one: a partner that one has stays; a pair of which both are in both stores is the newer store's.
        if let summary = theirs.links["summary"]?.first, objects[name] == nil || objects[summary] == nil,
          result.objects[name]?.links["summary"] == nil, result.objects[summary]?.links["note"] == nil
        {
          result.link(name, "summary", summary, "note")
        }
      }
      return result
    }

    private mutating func link(_ one: String, _ way: String, _ other: String, _ back: String) {
      objects[one]?.links[way, default: []].insert(other)
      objects[other]?.links[back, default: []].insert(one)
    }

    var lines: Set<String> {
      Set(
        objects.map { name, object in
          let values = object.attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
          let links = object.links.sorted { $0.key < $1.key }.map { "\($0.key)->\($0.value.sorted())" }
          return "\(object.entity) \(name): " + (values + links).joined(separator: " ")
        })
    }
  }

  private static func model() throws -> Model {
    try ModelNotation.model([
      "Folder unique(name): name String; color String?; notes ->>Note?~folder ordered",
      "Note: uid String; title String?; modified I64?; folder ->Folder?~notes; tags ->>Tag?~notes ordered; "
        + "summary ->Summary?~note",
      "Task<Note: done Bool?", "Tag: name String; notes ->>Note?~tags",
      "Summary: uid String; text String?; note ->Note?~summary",
    ])
  }

  private static let by = ["Note": ["uid"], "Tag": ["name"], "Summary": ["uid"]]

  /// Some of the same few objects, under other keys, with their own values and links.
  private func make(_ path: String, uuid: String, _ random: inout SeededGenerator) throws {
    let writer = try StoreWriter(
      creating: path, StoreDescription(model: Self.model(), uuid: uuid, usesWAL: Bool.random(using: &random)))
    func some(_ count: Int) -> [Int] {
      (0..<count).filter { _ in Int.random(in: 0..<3, using: &random) > 0 }.shuffled(using: &random)
    }
    func word() -> StoredValue { [.null, "a", "b", "c"].randomElement(using: &random) ?? .null }
    let folders = try some(4).map { try writer.insert("Folder", ["name": .text("folder \($0)"), "color": word()]) }
    let tags = try some(6).map { try writer.insert("Tag", ["name": .text("tag \($0)")]) }
    let summaries = try some(8).map { try writer.insert("Summary", ["uid": .text("s\($0)"), "text": word()]) }
    var free = summaries.shuffled(using: &random)[...]
    for number in some(14) {
      let entity = number % 3 == 0 ? "Task" : "Note"
      var values: [String: StoredValue] = ["uid": .text("n\(number)"), "title": word()]
      if number % 4 > 0 { values["modified"] = .integer(.random(in: 1...3, using: &random)) }
      if entity == "Task" { values["done"] = .integer(.random(in: 0...1, using: &random)) }
      let note = try writer.insert(entity, values)
      if let folder = folders.randomElement(using: &random), Bool.random(using: &random) {
        try writer.link(note, "folder", to: folder)
      }
      for tag in tags where Int.random(in: 0..<3, using: &random) == 0 { try writer.link(note, "tags", to: tag) }
      if Bool.random(using: &random), let summary = free.popFirst() { try writer.link(note, "summary", to: summary) }
    }
    try writer.finish()
  }

  private func graph(_ path: String) throws -> ObjectGraph {
    let store = try Store(path: path)
    return try ObjectGraph(store, store.connection)
  }

  @Test(arguments: LongRuns.seeds(24, whole: 200)) func everythingIsInTheResultOnce(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let (old, new) = (folder("Old.sqlite"), folder("New.sqlite"))
    try make(old, uuid: "00000000-0000-4000-8000-00000000000A", &random)
    try make(new, uuid: "00000000-0000-4000-8000-00000000000B", &random)
    let newest = seed % 2 == 0
    let keep: Recipe.MergedStore.Side = seed % 4 < 2 ? .new : .old
    var recipe = Recipe()
    recipe.merge = [
      .init(from: old, by: Self.by, newest: newest ? ["Note": "modified"] : [:], keep: keep)
    ]
    let (before, other) = try (graph(new), graph(old))
    let (ours, theirs) = try (contents(of: new), contents(of: old))
    let wanted = World(before).taking(World(other), newest: newest, keep: keep)
    let allowance = RepairAllowance(lossy: true)
    let outcome = try repair(
      recipe, of: Store(path: new), to: OutputTarget(PosixPath(folder("Merged.sqlite"))), allowance: allowance)
    let after = try graph(folder("Merged.sqlite"))
    let (missing, more) = (wanted.lines.subtracting(World(after).lines), World(after).lines.subtracting(wanted.lines))
    #expect(missing.isEmpty && more.isEmpty, "seed \(seed)\nwanted: \(missing.sorted())\ngot: \(more.sorted())")
    #expect(outcome.plan.obstacles.isEmpty, "seed \(seed): \(outcome.plan.obstacles)")
    #expect(try contents(of: old) == theirs && contents(of: new) == ours, "seed \(seed): a source was written")
    // Objects of the store keep their keys and the order of what they lead to.
    for (node, object) in before.objects {
      for (name, links) in object.links {
        let now = after.objects[node]?.links[name] ?? []
        #expect(now.filter(links.contains) == links, "seed \(seed): \(node).\(name)")
      }
    }
    // Nothing is violated that was not before, and a second time there is nothing to do.
    let merged = try Store(path: folder("Merged.sqlite"))
    let findings = try diagnose(Examination(store: merged)).findings.filter { $0.severity >= .warning }
    #expect(findings.isEmpty, "seed \(seed): \(findings.map(\.message))")
    let again = try planRepair(recipe, of: merged)
    #expect(again.operations.isEmpty && again.obstacles.isEmpty, "seed \(seed): \(again.operations.map(\.summary))")
  }

  @Test(arguments: LongRuns.seeds(4, whole: 40)) func aMergeInPlaceIsUndoneByteForByte(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 900)
    let folder = try TemporaryFolder()
    let (old, new) = (folder("Old.sqlite"), folder("New.sqlite"))
    try make(old, uuid: "00000000-0000-4000-8000-00000000000A", &random)
    try make(new, uuid: "00000000-0000-4000-8000-00000000000B", &random)
    var recipe = Recipe()
    recipe.merge = [.init(from: old, by: Self.by, keep: .old)]
    let (bytes, theirs) = try (contents(of: new), contents(of: old))
    let store = try Store(path: new)
    let plan = try planRepair(recipe, of: store)
    let outcome = try apply(
      plan, to: store, destination: .inPlace(journal: nil), allowance: RepairAllowance(lossy: true))
    #expect(try contents(of: new) != bytes)
    let undone = try undo(PosixPath(#require(outcome.journal)))
    #expect(undone.way == .bytes)
    #expect(try contents(of: new) == bytes && contents(of: old) == theirs, "seed \(seed)")
  }

  /// Copies of one store that both went on: the same key is the same object.
  @Test func copiesOfOneStoreArePairedByKey() throws {
    let folder = try TemporaryFolder()
    let writer = try StoreWriter(
      creating: folder("New.sqlite"), StoreDescription(model: ModelNotation.model(["A: x String?"]), usesWAL: false))
    for text in ["one", "two", "three", "four"] { _ = try writer.insert("A", ["x": .text(text)]) }
    try writer.finish()
    _ = try folder.write(contents(of: folder("New.sqlite")), to: "Old.sqlite")
    for (name, sql) in [
      ("Old", "UPDATE ZA SET ZX = 'else' WHERE Z_PK = 1"), ("New", "DELETE FROM ZA WHERE Z_PK IN (2, 4)"),
    ] {
      let connection = try Connection(writing: folder("\(name).sqlite"), create: false)
      try connection.execute(sql)
      connection.close()
    }
    var recipe = Recipe()
    recipe.merge = [.init(from: folder("Old.sqlite"))]
    // Without a rule nothing is decided.
    let undecided = try planRepair(recipe, of: Store(path: folder("New.sqlite")))
    #expect(undecided.operations.isEmpty)
    #expect(
      undecided.refusals.map(\.message).contains {
        $0.hasPrefix("1 object of 'A' that is in both stores has other values in each: say which counts")
      }, "\(undecided.refusals)")
    #expect(undecided.refusals.first?.keys == [1])
    recipe.merge[0].keep = .new
    _ = try repair(
      recipe, of: Store(path: folder("New.sqlite")), to: OutputTarget(PosixPath(folder("Merged.sqlite"))))
    let rows = try Store(path: folder("Merged.sqlite")).connection.prepare("SELECT Z_PK, ZX FROM ZA ORDER BY Z_PK")
    var found: [String] = []
    while try rows.step() { found.append("\(rows.int64(0)) \(rows.string(1) ?? "")") }
    #expect(found == ["1 one", "2 two", "3 three", "4 four"])
  }

  /// What is twice in one store is matched one by one, and what has no value there by all of its values.
  @Test func twinsAndMissingValuesAreMatchedOnce() throws {
    let folder = try TemporaryFolder()
    let model = try ModelNotation.model(["A: x String?; y String?"])
    for (name, uuid, rows) in [
      ("Old", "A", [("t", "1"), ("t", "1"), (nil, "p"), (nil, "q")] as [(String?, String)]),
      ("New", "B", [("t", "1"), (nil, "q"), (nil, "r")]),
    ] {
      let writer = try StoreWriter(
        creating: folder("\(name).sqlite"),
        StoreDescription(model: model, uuid: "00000000-0000-4000-8000-00000000000\(uuid)", usesWAL: false))
      for (x, y) in rows { _ = try writer.insert("A", ["x": x.map { .text($0) } ?? .null, "y": .text(y)]) }
      try writer.finish()
    }
    var recipe = Recipe()
    recipe.merge = [.init(from: folder("Old.sqlite"), by: ["A": ["x"]])]
    _ = try repair(
      recipe, of: Store(path: folder("New.sqlite")), to: OutputTarget(PosixPath(folder("Merged.sqlite"))))
    let merged = try Store(path: folder("Merged.sqlite"))
    let rows = try merged.connection.prepare("SELECT coalesce(ZX, '-') || ZY FROM ZA ORDER BY 1")
    var found: [String] = []
    while try rows.step() { found.append(rows.string(0) ?? "") }
    #expect(found == ["-p", "-q", "-r", "t1", "t1"])
    #expect(try planRepair(recipe, of: merged).operations.isEmpty)
  }

  @Test func whatTellsNothingIsRefused() throws {
    let folder = try TemporaryFolder()
    for (name, uuid, lines) in [
      ("Old", "A", ["A: x String?", "B unique(u): u String?"]),
      ("New", "B", ["A: x String?", "B unique(u): u String?"]),
      ("Later", "C", ["A: x String?; y I16?", "B unique(u): u String?"]),
    ] {
      let writer = try StoreWriter(
        creating: folder("\(name).sqlite"),
        StoreDescription(model: ModelNotation.model(lines), uuid: "00000000-0000-4000-8000-00000000000\(uuid)"))
      _ = try writer.insert("A", ["x": .text(name)])
      _ = try writer.insert("B", ["u": .text(name)])
      try writer.finish()
    }
    func refusal(_ name: String, by: [String: [String]] = [:]) throws -> String {
      var recipe = Recipe()
      recipe.merge = [.init(from: folder(name), by: by)]
      return try planRepair(recipe, of: Store(path: folder("New.sqlite"))).refusals.map(\.message).joined(
        separator: "\n")
    }
    #expect(try refusal("Old.sqlite").hasPrefix("nothing says which objects of 'A' are the same in both stores"))
    #expect(try refusal("Old.sqlite", by: ["A": ["x"]]) == "")
    #expect(try refusal("Later.sqlite").contains("is of another version of the model: bring both to one version first"))
    #expect(throws: RecipeMistakes.self) { try refusal("Old.sqlite", by: ["A": ["nothing"]]) }
  }
}
