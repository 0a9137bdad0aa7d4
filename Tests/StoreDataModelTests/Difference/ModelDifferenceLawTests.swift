import StoreDataModel
import TestSupport
import Testing

/// For every pair of models, the hashes are equal exactly if no change enters them, and equal models have no changes.
@Suite struct ModelDifferenceLawTests {
  private func check(_ old: Model, _ new: Model, _ comment: @autoclosure () -> String) {
    let difference = ModelDifference(from: old, to: new)
    #expect(difference.hashesAreEqual == (old.versionHashes == new.versionHashes), "\(comment())")
    if old == new {
      let compared = difference.changes.filter(\.kind.isCompared)
      #expect(compared.isEmpty, "\(comment())")
    }
  }

  @Test(.needsSharedData) func holdsBetweenAllVersionsOfARealModel() throws {
    let models = try VersionHashVector.files().map { (name: $0.split(separator: "/").last ?? "", file: $0) }
      .map { (name: String($0.name), model: try VersionHashVector(file: $0.file).makeModel()) }
    var pairs = 0
    for old in models {
      // The first part of a file's name is the project, whose models are mostly versions of one another.
      let project = models.filter { old.name.split(separator: "-")[0] == $0.name.split(separator: "-")[0] }
      let position = project.firstIndex { $0.name == old.name } ?? 0
      for new in LongRuns.areWanted ? project : Array(project.dropFirst(position).prefix(3)) {
        check(old.model, new.model, "\(old.name) to \(new.name)")
        pairs += 1
      }
    }
    #expect(pairs > 100)
  }

  @Test func holdsForTheMigrationCases() throws {
    let cases = MigrationCase.all.filter { $0.source != nil }
    #expect(cases.count > 90)
    for migration in cases {
      let (old, new) = (try ModelNotation.model(migration.source ?? []), try migration.targetModel())
      check(old, new, migration.id)
      #expect(ModelDifference(from: old, to: new).hashesAreEqual == migration.hashes_equal, "\(migration.id)")
    }
  }

  // Seed 4784: two entities swap names and properties, and a child follows one of them.
  @Test(arguments: Array(LongRuns.seeds(60, whole: 20_000)) + [4784]) func holdsForRandomModels(_ seed: UInt64) throws {
    let model = try RandomModel.make(seed: seed)
    check(model, model, "seed \(seed), the model with itself")
    check(model, try RandomModel.make(seed: seed &+ 1), "seed \(seed) and the next")
    var random = SeededGenerator(seed: seed)
    for step in 0..<8 {
      var entities = model.entities
      for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&entities, &random) }
      guard let changed = try? Model(entities: entities, configurations: model.configurations) else { continue }
      check(model, changed, "seed \(seed), step \(step)")
      check(changed, model, "seed \(seed), step \(step) backwards")
    }
  }

  /// Makes one small change of any kind. The result may be an invalid model, which the caller skips.
  private func mutate(_ entities: inout [Entity], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0..<entities.count, using: &random)
    let other = random.one(of: entities)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: entities[place].isAbstract.toggle()
    case 1: entities[place].parent = random.chance(2) ? nil : other.name
    case 2: (entities[place].renamingIdentifier, entities[place].name) = (entities[place].name, "New")
    case 3: entities[place].renamingIdentifier = other.name
    case 4: entities[place].uniquenessConstraints = [other.properties.map(\.name)]
    case 5: if entities.count > 1 { entities.remove(at: place) }
    case 6:
      // Two entities swap their properties, and perhaps get each other's name as renaming identifier.
      let second = Int.random(in: 0..<entities.count, using: &random)
      (entities[place].properties, entities[second].properties) = (
        entities[second].properties, entities[place].properties
      )
      if random.chance(2) {
        entities[place].renamingIdentifier = entities[second].name
        entities[second].renamingIdentifier = entities[place].name
      }
    case 7: entities[place].versionHashModifier = random.one(of: [nil, "a", "ab"])
    default: mutateProperty(of: &entities[place], other, &random)
    }
  }

  private func mutateProperty(of entity: inout Entity, _ other: Entity, _ random: inout SeededGenerator) {
    guard !entity.properties.isEmpty else { return }
    let place = Int.random(in: 0..<entity.properties.count, using: &random)
    var property = entity.properties[place]
    switch Int.random(in: 0..<8, using: &random) {
    case 0: property.isOptional.toggle()
    case 1: property.isTransient.toggle()
    case 2: (property.renamingIdentifier, property.name) = (property.name, property.name + "X")
    case 3: property.renamingIdentifier = random.one(of: entity.properties).name
    case 4: if let taken = other.properties.first { property = taken }
    case 5: property.kind = random.one(of: entity.properties).kind
    case 6:
      // Two properties swap their names, perhaps with renaming identifiers.
      let second = Int.random(in: 0..<entity.properties.count, using: &random)
      let name = property.name
      property.name = entity.properties[second].name
      entity.properties[second].name = name
      if random.chance(2) {
        property.renamingIdentifier = name
        entity.properties[second].renamingIdentifier = property.name
      }
    default: property.versionHashModifier = random.one(of: [nil, "x"])
    }
    entity.properties[place] = property
  }
}

extension ModelChange.Kind {
  /// Whether `==` of models compares this.
  fileprivate var isCompared: Bool {
    switch self {
    case .fetchRequestAdded, .fetchRequestRemoved, .fetchRequestChanged, .userInfo: false
    default: true
    }
  }
}
