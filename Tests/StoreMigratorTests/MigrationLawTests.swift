import StoreCoreData
import StoreDataModel
import StoreDiagnosis
import StoreFindings
import StoreGenerator
import StoreModels
import StorePublishing
import StoreRows
import StoreSQLite
import Synchronization
import TestSupport
import Testing

@testable import StoreMigrator

/// A store of a random model, migrated to a random change of it, equals the same objects written into a fresh store of the
/// changed model.
@Suite struct MigrationLawTests {
  @Test(arguments: Self.seeds)
  func equalsAFreshStore(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var maker = ModelMaker()
    let source = try maker.model(&random)
    let data = ObjectsMade(source, &random)
    let target = try maker.changed(source, &random)
    let folder = try TemporaryFolder()
    try data.write(to: folder("Old.sqlite"), source, keepsHistory: seed % 3 == 0)
    try data.write(to: folder("Fresh.sqlite"), target, keepsHistory: seed % 3 == 0)
    let old = try Store(path: folder("Old.sqlite"))
    let candidates = CandidateOptions(models: try [("old", source), ("new", target)].map(modelSource))
    let run = MigrationRun(candidates, allowsAssumed: true, now: 700_000_000)
    let diagnosis = try diagnose(Examination(store: old, options: DiagnosisOptions(candidates: candidates)))
    let (verdict, before) = (diagnosis.deciding, diagnosis.findings)
    do {
      let performed = try migrate(old, to: OutputTarget(PosixPath(folder("New.sqlite"))), run: run)
      #expect(["migrates", "opens"].contains(verdict?.verdict.rawValue))
      let (new, fresh) = (try Store(path: folder("New.sqlite")), try Store(path: folder("Fresh.sqlite")))
      var options = ComparisonOptions()
      options.pairing = .key
      var changes: [String] = []
      _ = try compareStores(new, fresh, options: options) { change in
        changes.append("\(change.kind) \(change.entity) \(change.keyBefore ?? 0) \(change.values)")
      }
      #expect(changes == [], "seed \(seed)")
      #expect(try places(new) == places(fresh), "seed \(seed)")
      let cookies = try [old, new].map { Int64(try #require(cookie($0).first)) ?? 0 }
      #expect(cookies[1] - cookies[0] == Int64(performed.hops.reduce(0) { $0 + $1.plan.schemaChanges }))
      #expect(new.layout.unexplained == [])
      // An old name in Z_PRIMARYKEY is what Core Data leaves after a rename.
      let found = Set(performed.findings?.filter { $0.severity >= .warning }.map(\.id) ?? []).subtracting(["SD206"])
      #expect(found.subtracting(before.map(\.id)) == [], "seed \(seed)")
      // What was migrated opens, and there is nothing more to do.
      #expect(try planMigration(of: new, run).hops.isEmpty)
      count(performed.hops.isEmpty ? "opens" : "performed")
      // A fresh store has the later names in Z_PRIMARYKEY, which stay there.
      for store in [new, fresh] { count(try wayBack(store, candidates, "seed \(seed)")) }
    } catch is MigrationNotPossible {
      #expect(verdict?.verdict.rawValue != "migrates", "seed \(seed)")
      count(verdict?.verdict.rawValue ?? "no verdict")
    } catch is MigrationRefused {
      count("refused")
      #expect(FileSystem.kind(of: PosixPath(folder("New.sqlite"))) == nil)
    }
  }

  /// Back to the version before, across the same renames: what is performed is as it was judged, and keeps objects.
  private func wayBack(_ store: Store, _ candidates: CandidateOptions, _ comment: Comment) throws -> String {
    let back = CandidateOptions(models: candidates.models.reversed())
    do {
      let performed = try rehearse(store, run: MigrationRun(back, allowsAssumed: true, now: 700_000_000))
      #expect(performed.comparison?.entities.allSatisfy { $0.removed == 0 && $0.added == 0 } != false, comment)
      return performed.hops.isEmpty ? "back: opens" : "back: performed"
    } catch is MigrationNotPossible {
      return "back: not possible"
    } catch is MigrationRefused {
      return "back: refused"
    }
  }

  private static let counts = Mutex<[String: Int]>([:])
  private static let seeds = LongRuns.seeds(40, whole: 2000)

  /// Counts what became of pairs, and prints it after the last: a law that is asked of few of them says little.
  private func count(_ outcome: String) {
    let counts = Self.counts.withLock { counts in
      counts[outcome, default: 0] += 1
      return counts
    }
    let pairs = counts.filter { !$0.key.hasPrefix("back") }.values.reduce(0, +)
    let ways = counts.values.reduce(0, +) - pairs
    guard pairs == Self.seeds.count, ways == 2 * ((counts["performed"] ?? 0) + (counts["opens"] ?? 0)) else { return }
    print("random pairs: " + counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
  }

  /// Each table with its columns, in alphabetical order, entity numbers, and the highest keys.
  private func places(_ store: Store) throws -> [String] {
    store.shape.tables.values.map { "\($0.name): \($0.columns.map { "\($0.name) \($0.declaredType)" }.sorted())" }
      .sorted()
      + store.entityMap.rows.filter { !$0.id.isInternal }.map {
        "\($0.id) \(number($0.name)) \($0.parent?.number ?? 0)"
      }
  }
}

func modelSource(_ version: (name: String, model: Model)) throws -> ModelSource {
  let document = try ModelDocument(versions: [.init(name: version.name, model: version.model)])
  return try ModelSource.read(Array(document.json().text.utf8), path: "\(version.name).json")
}

/// Names hold a number that a renamed entity or property keeps: `E3` becomes `E3x`, `p12` becomes `p12x`.
private func number(_ name: String) -> String { name.filter(\.isNumber) }

struct ModelMaker {
  private var count = 0

  private mutating func next(_ prefix: String) -> String {
    count += 1
    return prefix + String(count)
  }

  mutating func model(_ random: inout SeededGenerator) throws -> Model {
    var entities: [Entity] = []
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      var entity = Entity(name: next(["E", "A", "Z"][Int.random(in: 0..<3, using: &random)]))
      if !entities.isEmpty, Int.random(in: 0..<3, using: &random) == 0 {
        entity.parent = entities[Int.random(in: 0..<entities.count, using: &random)].name
      }
      for _ in 0..<Int.random(in: 0...4, using: &random) { entity.properties.append(attribute(&random, isNew: false)) }
      entities.append(entity)
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) { relate(&entities, &random) }
    index(&entities, &random)
    return try Model(entities: entities)
  }

  private mutating func attribute(_ random: inout SeededGenerator, isNew: Bool) -> Property {
    let types: [AttributeType] = [
      .integer16, .integer32, .integer64, .string, .double, .date, .boolean, .uuid, .decimal,
    ]
    var attribute = Attribute(type: types[Int.random(in: 0..<types.count, using: &random)])
    if isNew, Int.random(in: 0..<2, using: &random) == 0 {
      switch attribute.type {
      case .integer16, .integer32, .integer64: attribute.defaultValue = .integer(-3)
      case .string: attribute.defaultValue = .string("it's")
      case .double: attribute.defaultValue = .real(0.5)
      case .boolean: attribute.defaultValue = .boolean(true)
      default: break
      }
    }
    return Property(
      name: next("p"), isOptional: attribute.defaultValue == nil || !isNew, kind: .attribute(attribute))
  }

  private mutating func relate(_ entities: inout [Entity], _ random: inout SeededGenerator) {
    let one = Int.random(in: 0..<entities.count, using: &random)
    let other = Int.random(in: 0..<entities.count, using: &random)
    let (name, inverse) = (next("r"), next("r"))
    let kind = Int.random(in: 0..<5, using: &random)
    func property(_ name: String, _ destination: Int, _ inverse: String?, many: Bool, ordered: Bool = false) -> Property
    {
      Property(
        name: name, isOptional: true,
        kind: .relationship(
          Relationship(
            destination: entities[destination].name, inverse: inverse, maximumCount: many ? 0 : 1, isOrdered: ordered)))
    }
    switch kind {
    case 0: entities[one].properties.append(property(name, other, nil, many: false))
    case 1: entities[one].properties.append(property(name, other, nil, many: true))
    default:
      // One to one, one to many, many to many.
      let ordered = Int.random(in: 0..<2, using: &random) == 0 && kind > 2
      entities[one].properties.append(property(name, other, inverse, many: kind > 2, ordered: ordered))
      entities[other].properties.append(property(inverse, one, name, many: kind == 4))
    }
  }

  private func index(_ entities: inout [Entity], _ random: inout SeededGenerator) {
    for position in entities.indices {
      let own = entities[position].properties.filter { $0.attribute != nil }.map(\.name)
      entities[position].indexes = []
      guard let first = own.first, Int.random(in: 0..<2, using: &random) == 0 else { continue }
      entities[position].indexes = [FetchIndex(name: "byFirst", elements: [.init(first)])]
    }
  }

  // MARK: Changes

  mutating func changed(_ model: Model, _ random: inout SeededGenerator) throws -> Model {
    var entities = model.entities
    for _ in 0..<Int.random(in: 1...4, using: &random) { change(&entities, &random) }
    index(&entities, &random)
    return try Model(entities: entities)
  }

  private mutating func change(_ entities: inout [Entity], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0..<entities.count, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: entities[place].properties.append(attribute(&random, isNew: true))
    case 2:
      if let position = entities[place].properties.firstIndex(where: { $0.attribute != nil }) {
        entities[place].properties.remove(at: position)
      }
    case 3:
      guard let position = entities[place].properties.firstIndex(where: { $0.attribute != nil }) else { return }
      let old = entities[place].properties[position].name
      guard !old.hasSuffix("x"), entities[place].properties[position].attribute?.defaultValue == nil else { return }
      entities[place].properties[position].name += "x"
      entities[place].properties[position].renamingIdentifier = old
    case 4: rename(place, &entities)
    case 5:
      var new = Entity(name: next(["B", "Y"][Int.random(in: 0..<2, using: &random)]))
      new.properties = [attribute(&random, isNew: true)]
      entities.append(new)
    case 6: remove(place, &entities)
    case 7: relate(&entities, &random)
    case 8: removeRelationship(place, &entities)
    default: entities[place].parent = nil
    }
  }

  private func rename(_ place: Int, _ entities: inout [Entity]) {
    let old = entities[place].name
    guard !old.hasSuffix("x"), entities[place].renamingIdentifier == nil else { return }
    entities[place].name += "x"
    entities[place].renamingIdentifier = old
    for position in entities.indices {
      if entities[position].parent == old { entities[position].parent = old + "x" }
      for index in entities[position].properties.indices {
        guard case .relationship(var relationship) = entities[position].properties[index].kind,
          relationship.destination == old
        else { continue }
        relationship.destination = old + "x"
        entities[position].properties[index].kind = .relationship(relationship)
      }
    }
  }

  /// Removes an entity that nothing leads to and nothing inherits from.
  private func remove(_ place: Int, _ entities: inout [Entity]) {
    let name = entities[place].name
    let isUsed = entities.contains { entity in
      entity.parent == name || entity.properties.contains { $0.relationship?.destination == name }
    }
    guard !isUsed, entities.count > 1, !entities[place].properties.contains(where: { $0.relationship != nil }) else {
      return
    }
    entities.remove(at: place)
  }

  /// Removes both sides.
  private func removeRelationship(_ place: Int, _ entities: inout [Entity]) {
    guard let position = entities[place].properties.firstIndex(where: { $0.relationship != nil }) else { return }
    let property = entities[place].properties.remove(at: position)
    guard let relationship = property.relationship, let inverse = relationship.inverse,
      let other = entities.firstIndex(where: { $0.name == relationship.destination })
    else { return }
    entities[other].properties.removeAll { $0.name == inverse }
  }
}

/// Objects of a model with their values and links, to be written for any version of it.
private struct ObjectsMade {
  var objects: [(entity: String, key: Int64, values: [String: StoredValue])] = []
  var links: [(from: (entity: String, key: Int64), name: String, to: (entity: String, key: Int64))] = []
  let source: Model

  init(_ model: Model, _ random: inout SeededGenerator) {
    source = model
    var keys: [String: Int64] = [:]
    for entity in model.entities {
      let root = model.root(of: entity.name)?.name ?? entity.name
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        keys[root, default: 0] += 1
        var values: [String: StoredValue] = [:]
        for (name, inherited) in model.properties(of: entity.name).sorted(by: { $0.key < $1.key }) {
          guard let type = inherited.property.attribute?.type else { continue }
          values[name] = Self.value(type, &random)
        }
        objects.append((entity.name, keys[root] ?? 0, values))
      }
    }
    link(&random)
  }

  private static func value(_ type: AttributeType, _ random: inout SeededGenerator) -> StoredValue {
    guard Int.random(in: 0..<4, using: &random) > 0 else { return .null }
    let number = Int64.random(in: 0...30_000, using: &random)
    return switch type {
    case .integer16, .integer32, .integer64, .decimal: .integer(number)
    case .boolean: .integer(number % 2)
    case .string: .text("text \(number)")
    case .double: .real(Double(number) + 0.5)
    case .date: .date(Double(number) + 0.25)
    case .uuid: .blob((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) })
    default: .null
    }
  }

  /// Each object of the many side gets at most one link of a relationship to one.
  private mutating func link(_ random: inout SeededGenerator) {
    var taken: Set<String> = []
    for object in objects {
      for (name, inherited) in source.properties(of: object.entity).sorted(by: { $0.key < $1.key }) {
        guard let relationship = inherited.property.relationship else { continue }
        let inverse = relationship.inverse.flatMap { source.property($0, of: relationship.destination)?.relationship }
        // Of two sides the one with the lower number makes the links.
        if let other = relationship.inverse, (Int(number(other)) ?? 0) < (Int(number(name)) ?? 0) { continue }
        let ends = objects.filter { source.entity($0.entity, isKindOf: relationship.destination) }
        for _ in 0..<(relationship.isToMany ? 2 : 1) {
          guard !ends.isEmpty, Int.random(in: 0..<3, using: &random) > 0 else { continue }
          let end = ends[Int.random(in: 0..<ends.count, using: &random)]
          let root = source.root(of: end.entity)?.name ?? ""
          let pair = "\(name) \(source.root(of: object.entity)?.name ?? "") \(object.key) \(root) \(end.key)"
          guard taken.insert(pair).inserted else { continue }
          if inverse?.isToMany != true, !taken.insert("\(name) to \(root) \(end.key)").inserted { continue }
          links.append(((object.entity, object.key), name, (end.entity, end.key)))
        }
      }
    }
  }

  func write(to path: String, _ model: Model, keepsHistory: Bool) throws {
    let store = try StoreWriter(
      creating: path, StoreDescription(model: model, keepsHistory: keepsHistory, usesWAL: false))
    func renamed(_ entity: String) -> String? { model.entities.first { number($0.name) == number(entity) }?.name }
    func property(_ name: String, of entity: String) -> String? {
      model.properties(of: entity).keys.first { number($0) == number(name) }
    }
    for object in objects {
      guard let entity = renamed(object.entity) else { continue }
      var values: [String: StoredValue] = [:]
      for (name, value) in object.values { if let new = property(name, of: entity) { values[new] = value } }
      let old = Set(source.properties(of: object.entity).keys.map(number))
      for (name, inherited) in model.properties(of: entity) where !old.contains(number(name)) {
        switch inherited.property.attribute?.defaultValue {
        case .integer(let value): values[name] = .integer(value)
        case .string(let value): values[name] = .text(value)
        case .real(let value): values[name] = .real(value)
        case .boolean(let value): values[name] = .integer(value ? 1 : 0)
        default: break
        }
      }
      try store.insert(entity, values, key: object.key)
    }
    for link in links {
      guard let from = renamed(link.from.entity), let to = renamed(link.to.entity),
        let name = property(link.name, of: from),
        let destination = model.property(name, of: from)?.relationship?.destination,
        model.entity(to, isKindOf: destination)
      else { continue }
      try store.link(.init(entity: from, key: link.from.key), name, to: .init(entity: to, key: link.to.key))
    }
    try store.finish()
  }
}
