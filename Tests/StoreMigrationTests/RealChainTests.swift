import StoreMigration
import StoreDataModel
import StoreCoreData
import TestSupport
import Testing

/// Versions of real models that were released one after another: a step without a mapping model must be inferable.
@Suite struct RealChainTests {
  /// Consecutive among the versions at hand. Apps migrated through the versions between as well, so this asks for more.
  @Test(
    .needsSharedData,
    arguments: [
      ["1-27", "1-28", "2-8", "2-24-1", "2-45-0", "2-66-0", "2-88-0", "2-101-0"].map {
        "wire-ios-data-model--store\($0)-"
      },
      ["v1", "v2", "v4"].map { "browserserviceskit--bookmarks-\($0)-" },
      ["dc6686", "800ba1", "7ca272", "8a0831", "28b88a", "182916"].map { "osxphotos--photos-\($0)" },
      ["coredataplus--samplemodel-v1-", "coredataplus--samplemodel-v2-"],
      ["coredatamigrationrevis--coredatamigration-example-1-", "coredatamigrationrevis--coredatamigration-example-3-"],
    ])
  func chainsOfStoresAreInferable(_ chain: [String]) throws {
    let models = try chain.map { try Self.model($0) }
    for (old, new) in zip(models.indices, models.indices.dropFirst()) {
      let inference = MigrationInference(ModelDifference(from: models[old], to: models[new]))
      #expect(!inference.difference.hashesAreEqual, "\(chain[old])")
      #expect(inference.isInferable, "\(chain[old]) to \(chain[new]): \(Self.obstacles(inference))")
    }
  }

  /// Steps of the Photos library that were one lightweight migration according to the store's own history.
  @Test(
    .needsSharedData,
    arguments: [
      ("test-10.15.4", "test-10.16.0.1"), ("test-13.0.0", "test-14.0.0"), ("test-14.0.0", "test-15.0.0-dev-preview"),
      ("test-15.0.0-dev-preview", "test-15.1.0-beta"), ("test-13.0.0", "test-15.4.1"), ("test-15.4.1", "test-26.1"),
      ("test-12.0.1", "test-13.0.0"),
    ])
  func stepsOfPhotosAreInferable(_ old: String, _ new: String) throws {
    let models = try [old, new].map {
      try VersionHashVector(file: SharedData.path("vectors/osxphotos-\($0)-photos.json")).makeModel()
    }
    let inference = MigrationInference(ModelDifference(from: models[0], to: models[1]))
    #expect(inference.isInferable, "\(Self.obstacles(inference))")
  }

  /// A pair that needed a mapping model, since String became Date.
  @Test(.needsSharedData) func aPairWithAMappingModelIsNot() throws {
    let models = try ["1.2.0", "2.0.1"].map {
      try VersionHashVector(file: SharedData.path("vectors/xcservercd-xcservercoredata-\($0).json")).makeModel()
    }
    let isInferable = MigrationInference(ModelDifference(from: models[0], to: models[1])).isInferable
    #expect(!isInferable)
  }

  private static func model(_ slug: String) throws -> Model {
    let entry = try #require(Catalogue.real.first { $0.slug.hasPrefix(slug) })
    return try #require(Store(path: entry.path).modelCache.model)
  }

  private static func obstacles(_ inference: MigrationInference) -> String {
    inference.judged.filter { change, effect in
      if case .impossible = effect.inference { change.entersHash } else { false }
    }.map { "\($0.change.place.entity ?? "").\($0.change.place.property ?? "") \($0.change.kind)" }
      .joined(separator: "; ")
  }
}
