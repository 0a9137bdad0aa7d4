import StoreDataModel
import StoreGenerator
import TestSupport
import Testing

/// What `docs/format/version-hash.md` lists as not entering the hash never changes it, and what it lists as entering
/// always does.
@Suite struct HashedChangesTests {
  @Test func whatIsNotHashedMovesNothing() throws {
    for seed in LongRuns.seeds(200, whole: 10_000) {
      var random = SeededGenerator(seed: seed &+ 1_000_000)
      let model = try RandomModel.make(seed: seed)
      var entities = model.entities
      for index in entities.indices {
        entities[index].changeWhatIsNotHashed(&random)
        for property in entities[index].properties.indices {
          entities[index].properties[property].changeWhatIsNotHashed(&random)
        }
        entities[index].properties.shuffle(using: &random)
        entities[index].properties.append(.attribute("transient\(index)", .string, transient: true))
      }
      let changed = try Model(
        entities: entities.shuffled(using: &random), configurations: ["Other": []], versionIdentifiers: ["other"],
        fetchRequests: [FetchRequest(name: "other")])
      #expect(changed != model, "seed \(seed)")
      #expect(changed.versionHashes == model.versionHashes, "seed \(seed)")
    }
  }

  /// The name of an inverse enters the hash, on both sides, unless a relationship is its own inverse.
  @Test func anInverseMovesBothSides() throws {
    func hashes(_ inverse: String?, _ back: String?, own: String? = nil) throws -> [VersionHash?] {
      let model = try Model(entities: [
        Entity(name: "A", properties: [.toOne("b", "B", inverse: inverse), .toOne("own", "A", inverse: own)]),
        Entity(name: "B", properties: [.toOne("a", "A", inverse: back), .toOne("other", "A")]),
      ])
      return ["A", "B"].map { model.versionHashes.byEntity[$0] }
    }
    let (without, with) = (try hashes(nil, nil), try hashes("a", "b"))
    #expect(without[0] != with[0] && without[1] != with[1])
    #expect(try hashes(nil, nil, own: "own") == without)
  }

  /// One change at a time: it moves the hash of its entity and of all that inherit, and of no other.
  @Test func whatIsHashedMovesTheHash() throws {
    var made: [HashedChange: Int] = [:]
    for seed in LongRuns.seeds(400, whole: 20_000) {
      var random = SeededGenerator(seed: seed &+ 2_000_000)
      let model = try RandomModel.make(seed: seed)
      let position = Int.random(in: 0..<model.entities.count, using: &random)
      let change = random.one(of: HashedChange.allCases)
      var entities = model.entities
      guard entities[position].make(change, &random) else { continue }
      let name = entities[position].name
      // A descendant that declares a property again is hashed with its own; the parent's hash changes its hash all the
      // same.
      let changed = try Model(entities: entities)
      for entity in model.entities {
        let moved = changed.versionHashes.byEntity[entity.name] != model.versionHashes.byEntity[entity.name]
        #expect(
          moved == model.entity(entity.name, isKindOf: name), "seed \(seed), \(change) of \(name): \(entity.name)")
      }
      made[change, default: 0] += 1
    }
    #expect(HashedChange.allCases.filter { made[$0] == nil } == [])
  }
}

/// The changes of a model that enter its hashes.
enum HashedChange: CaseIterable {
  case abstract, entityModifier, constraint, addedAttribute, removedAttribute, madeTransient, optional, propertyModifier
  case attributeType, externalStorage, keptAfterDeletion, derivation, destination, minimum, maximum, ordered
}

extension Entity {
  fileprivate mutating func changeWhatIsNotHashed(_ random: inout SeededGenerator) {
    className = (className ?? "") + "Other"
    renamingIdentifier = "Former"
    userInfo["k"] = "other"
    sourceFields["syncable"] = "other"
    indexes = random.chance(2) ? [] : [FetchIndex(name: "other", elements: [])]
    compoundIndexes.append(["other"])
  }

  /// Makes the change; returns false if the entity has nothing to change in this way.
  fileprivate mutating func make(_ change: HashedChange, _ random: inout SeededGenerator) -> Bool {
    switch change {
    case .abstract: isAbstract.toggle()
    case .entityModifier: versionHashModifier = (versionHashModifier ?? "") + "9"
    case .constraint: uniquenessConstraints.append(["other"])
    case .addedAttribute: properties.append(.attribute("other", .string))
    case .removedAttribute:
      return changeOne(&random, where: { $0.attribute != nil }) { _, entity, index in
        entity.properties.remove(at: index)
      }
    case .madeTransient:
      return changeOne(&random, where: { $0.attribute != nil }) { _, entity, index in
        entity.properties[index].isTransient = true
      }
    case .optional:
      return changeOne(&random, where: \.hasBaseHash) { _, entity, index in entity.properties[index].isOptional.toggle()
      }
    case .propertyModifier:
      return changeOne(&random, where: \.hasBaseHash) { _, entity, index in
        entity.properties[index].versionHashModifier = (entity.properties[index].versionHashModifier ?? "") + "9"
      }
    case .attributeType: return changeAttribute(&random) { $0.type = AttributeType(rawValue: $0.type.rawValue + 1) }
    case .externalStorage: return changeAttribute(&random) { $0.allowsExternalStorage.toggle() }
    case .keptAfterDeletion: return changeAttribute(&random) { $0.preservesValueInHistory.toggle() }
    case .derivation: return changeAttribute(&random) { $0.derivation = Derivation(expression: .keyPath("other.path")) }
    case .destination:
      let destinations = Set(properties.compactMap(\.relationship).filter { $0.inverse == nil }.map(\.destination))
      guard !destinations.isEmpty, !destinations.contains(name) else { return false }
      let own = name
      return changeRelationship(&random, where: { $0.inverse == nil }) { $0.destination = own }
    case .minimum: return changeRelationship(&random) { $0.minimumCount += 5 }
    case .maximum: return changeRelationship(&random) { $0.maximumCount = $0.maximumCount == 77 ? 78 : 77 }
    case .ordered: return changeRelationship(&random) { $0.isOrdered.toggle() }
    }
    return true
  }

  private mutating func changeOne(
    _ random: inout SeededGenerator, where isFit: (Property) -> Bool,
    _ change: (inout SeededGenerator, inout Entity, Int) -> Void
  ) -> Bool {
    let fitting = properties.indices.filter { !properties[$0].isTransient && isFit(properties[$0]) }
    guard !fitting.isEmpty else { return false }
    change(&random, &self, random.one(of: fitting))
    return true
  }

  private mutating func changeAttribute(
    _ random: inout SeededGenerator, _ change: (inout Attribute) -> Void
  ) -> Bool {
    changeOne(&random, where: { $0.hasBaseHash && $0.attribute != nil }) { _, entity, index in
      guard var attribute = entity.properties[index].attribute else { return }
      change(&attribute)
      entity.properties[index].kind = .attribute(attribute)
    }
  }

  private mutating func changeRelationship(
    _ random: inout SeededGenerator, where isFit: (Relationship) -> Bool = { _ in true },
    _ change: (inout Relationship) -> Void
  ) -> Bool {
    changeOne(&random, where: { $0.relationship.map(isFit) ?? false }) { _, entity, index in
      guard var relationship = entity.properties[index].relationship else { return }
      change(&relationship)
      entity.properties[index].kind = .relationship(relationship)
    }
  }
}

extension Property {
  /// Whether the property's own name, flags and modifier are hashed: not those of derived, composite and fetched ones.
  fileprivate var hasBaseHash: Bool {
    relationship != nil || attribute.map { $0.derivation == nil && $0.elements == nil } ?? false
  }

  fileprivate mutating func changeWhatIsNotHashed(_ random: inout SeededGenerator) {
    renamingIdentifier = "former"
    userInfo["k"] = "other"
    sourceFields["syncable"] = "other"
    switch kind {
    case .attribute(var attribute):
      attribute.isIndexed.toggle()
      attribute.valueClassName = "Other"
      attribute.valueTransformerName = "Other"
      attribute.defaultValue = random.chance(2) ? nil : .string("other")
      attribute.validationPredicates.append(.constant(true))
      attribute.validationTexts = ValidationTexts(pattern: "other")
      attribute.locationComponents = ["a", "b"]
      kind = .attribute(attribute)
    case .relationship(var relationship):
      relationship.deleteRule = relationship.deleteRule == .deny ? .cascade : .deny
      kind = .relationship(relationship)
    case .fetched: kind = .fetched(FetchedProperty(entityName: nil, predicate: .text("other")))
    }
  }
}
