import StoreDigests
import StoreDataModel
import TestSupport
import Testing

/// Version hashes of real entities, which a plain clone can check without the shared data.
@Suite struct KnownHashTests {
  @Test(arguments: RealModel.all) func equalsWhatTheFrameworkStored(_ real: RealModel) throws {
    let hashes = try real.model().versionHashes.byEntity
    for (entity, hash) in real.hashes { #expect(hashes[entity]?.description == hash, "\(entity)") }
  }

  @Test func coversEveryKindOfEntity() throws {
    let entities = RealModel.all.flatMap(\.entities)
    #expect(RealModel.all.map(\.hashes.count).reduce(0, +) >= 20)
    let properties = entities.flatMap(\.properties)
    let attributes = properties.compactMap(\.attribute)
    let relationships = properties.compactMap(\.relationship)
    #expect(entities.contains { $0.isAbstract } && entities.contains { $0.parent != nil })
    #expect(entities.contains { $0.uniquenessConstraints.count > 1 })
    #expect(properties.contains { $0.isTransient && $0.attribute != nil })
    #expect(properties.contains { $0.isTransient && $0.relationship != nil })
    #expect(attributes.contains { $0.derivation != nil } && attributes.contains { ($0.elements?.count ?? 0) > 1 })
    #expect(attributes.contains { $0.allowsExternalStorage } && attributes.contains { $0.preservesValueInHistory })
    #expect(relationships.contains { $0.isOrdered } && relationships.contains { $0.maximumCount == -1 })
    #expect(relationships.contains { $0.minimumCount > 0 && $0.maximumCount > 1 })
  }

  @Test func agreesWithTheRulesWrittenASecondTime() throws {
    for seed in LongRuns.seeds(50, whole: 2_000) {
      let model = try RandomModel.make(seed: seed)
      let reference = ReferenceHash(model)
      for entity in model.entities {
        #expect(model.versionHashes.byEntity[entity.name]?.bytes == reference.hash(of: entity), "seed \(seed)")
      }
    }
  }

  /// For each rule there is an entity here whose hash is wrong without the rule.
  @Test(arguments: Ablation.allCases) func restsOnTheRule(_ ablation: Ablation) throws {
    var missed: [String] = []
    for real in RealModel.all {
      let model = try real.model()
      for entity in real.entities {
        let hash = real.hashes[entity.name]
        #expect(hash == hexadecimal(ReferenceHash(model).hash(of: entity)), "\(entity.name)")
        if hash != hexadecimal(ReferenceHash(model, without: ablation).hash(of: entity)) { missed.append(entity.name) }
      }
    }
    #expect(!missed.isEmpty)
  }
}
