import StoreDataModel
import StoreGenerator
import TestSupport

/// A model for random graphs, with requests for deduplication.
struct GraphModel: Sendable {
  var name: String
  var model: Model
  /// The entities to deduplicate, the properties to compare, and the attribute that decides which is newest.
  var requests: [(entity: String, by: [String], newest: String)]

  static func all() throws -> [GraphModel] {
    [
      GraphModel(
        name: "trips", model: try TripModel.model(),
        requests: [
          ("Trip", ["name"], "updatedAt"), ("Trip", ["name", "country"], "updatedAt"),
          ("Cruise", ["name"], "updatedAt"),
          ("Tag", ["name"], "name"), ("Note", ["text"], "text"), ("Note", ["text", "question"], "text"),
          ("Photo", ["data"], "data"), ("Ticket", ["number"], "number"), ("Country", ["name"], "name"),
        ]),
      GraphModel(
        name: "people", model: try people(),
        requests: [
          ("Person", ["name"], "age"), ("Person", ["name", "boss"], "age"), ("Teacher", ["name"], "age"),
          ("House", ["street"], "street"), ("Person", ["house"], "age"),
        ]),
      GraphModel(
        name: "files", model: try files(),
        requests: [
          ("Item", ["name"], "size"), ("Item", ["name", "parent"], "size"), ("Folder", ["name", "parent"], "size"),
          ("Document", ["name"], "size"), ("Version", ["label"], "label"),
        ]),
    ]
  }

  /// One-to-one and ordered relationships among people, and required relationships to houses with minimum and maximum
  /// counts.
  private static func people() throws -> Model {
    try Model(entities: [
      Entity(
        name: "House",
        properties: [
          .attribute("street", .string),
          .toMany("people", "Person", inverse: "house", count: 1...4, ordered: true, deleteRule: .deny),
        ]),
      Entity(
        name: "Person",
        properties: [
          .attribute("age", .integer16), .toOne("boss", "Person", inverse: "reports"),
          .toMany("followers", "Person", inverse: "follows", ordered: true),
          .toMany("follows", "Person", inverse: "followers", ordered: true),
          .toMany("friends", "Person", inverse: "friends"), .toOne("hero", "Person"),
          .toOne("house", "House", inverse: "people", optional: false),
          .toOne("mentee", "Person", inverse: "mentor", deleteRule: .cascade),
          .toOne("mentor", "Person", inverse: "mentee"), .attribute("name", .string),
          .toMany("reports", "Person", inverse: "boss", ordered: true, deleteRule: .cascade),
          .toOne("spouse", "Person", inverse: "spouse"),
        ]),
      Entity(name: "Pupil", parent: "Person", properties: [.attribute("school", .string)]),
      Entity(
        name: "Teacher", parent: "Person",
        properties: [.attribute("school", .integer16), .toOne("room", "Room", inverse: "teacher", optional: false)]),
      Entity(
        name: "Room",
        properties: [.attribute("number", .integer16), .toOne("teacher", "Teacher", inverse: "room")]),
    ])
  }

  /// Folders within folders, an abstract root, versions without an inverse, and minimum and maximum counts on both
  /// sides.
  private static func files() throws -> Model {
    try Model(entities: [
      Entity(
        name: "Item", isAbstract: true,
        properties: [
          .toMany("labels", "Label", inverse: "items", count: 0...3, ordered: true), .attribute("name", .string),
          .toOne("parent", "Folder", inverse: "items"), .attribute("size", .integer32),
        ]),
      Entity(
        name: "Folder", parent: "Item",
        properties: [
          .toMany("items", "Item", inverse: "parent", ordered: true, deleteRule: .cascade),
          .toOne("cover", "Document", inverse: "covers"), .attribute("kind", .string),
        ]),
      Entity(
        name: "Document", parent: "Item",
        properties: [
          .toMany("covers", "Folder", inverse: "cover"), .attribute("kind", .integer16),
          .toMany("versions", "Version", count: 0...3, deleteRule: .cascade),
          .toOne("draft", "Version", deleteRule: .noAction),
        ]),
      Entity(
        name: "Label",
        properties: [.toMany("items", "Item", inverse: "labels", count: 1...(.max), ordered: true)]),
      Entity(name: "Version", properties: [.attribute("label", .string), .toOne("original", "Document")]),
    ])
  }
}

extension GraphModel {
  /// Writes a random graph: a few objects of each entity with few different values, linked as each relationship allows.
  func fill(_ store: StoreWriter, _ random: inout SeededGenerator) throws {
    var keys: [String: [ObjectKey]] = [:]
    for entity in model.entities where !entity.isAbstract {
      for _ in 0..<Int.random(in: 2...6, using: &random) {
        let key = try store.insert(entity.name, values(of: entity.name, &random))
        for ancestor in [entity] + model.ancestors(of: entity.name) { keys[ancestor.name, default: []].append(key) }
      }
    }
    for entity in model.entities {
      for property in entity.properties where model.topmostDeclarer(of: property.name, in: entity.name) == entity.name {
        guard let relationship = property.relationship else { continue }
        try link(
          keys[entity.name] ?? [], property.name, relationship, to: keys[relationship.destination] ?? [], store,
          &random)
      }
    }
  }

  private func values(of entity: String, _ random: inout SeededGenerator) -> [String: StoredValue] {
    var values: [String: StoredValue] = [:]
    for (name, inherited) in model.properties(of: entity).sorted(by: { $0.key < $1.key }) {
      guard let attribute = inherited.property.attribute else { continue }
      let leaves = attribute.elements.map { $0.map { ("\(name).\($0.name)", $0.attribute) } } ?? [(name, attribute)]
      for (leaf, attribute) in leaves where Int.random(in: 0..<4, using: &random) > 0 {
        let number = Int64.random(in: 1...3, using: &random)
        switch attribute?.type {
        case .string?: values[leaf] = .text(["a", "b", "c"][Int(number) - 1])
        case .binary?: values[leaf] = .blob([1, UInt8(number)])
        case .date?: values[leaf] = .date(Double(number))
        default: values[leaf] = .integer(number)
        }
      }
    }
    return values
  }

  private func link(
    _ owners: [ObjectKey], _ name: String, _ relationship: Relationship, to others: [ObjectKey], _ store: StoreWriter,
    _ random: inout SeededGenerator
  ) throws {
    let inverse = relationship.inverse.flatMap { model.property($0, of: relationship.destination)?.relationship }
    let pairs = owners.flatMap { owner in others.map { (owner, $0) } }.shuffled(using: &random)
    if relationship.isToMany, let inverse, !inverse.isToMany { return }
    var used: Set<[ObjectKey]> = []
    var linked: Set<ObjectKey> = []
    var taken: Set<ObjectKey> = []
    for (owner, other) in pairs where Int.random(in: 0..<3, using: &random) == 0 {
      switch (relationship.isToMany, inverse?.isToMany) {
      case (false, true?), (false, nil): guard linked.insert(owner).inserted else { continue }
      case (true, nil): guard linked.insert(other).inserted else { continue }
      case (true, _):
        // Relationship and inverse are linked once, for the one whose name comes first.
        guard let back = relationship.inverse, name <= back else { return }
        if name == back, used.contains([other, owner]) { continue }
        guard used.insert([owner, other]).inserted else { continue }
      case (false, false?):
        guard let back = relationship.inverse, name <= back else { return }
        guard !linked.contains(owner), !taken.contains(other) else { continue }
        linked.insert(owner)
        taken.insert(other)
        if name == back { (linked, taken) = (linked.union([other]), taken.union([owner])) }
      }
      try store.link(owner, name, to: other)
    }
  }
}
