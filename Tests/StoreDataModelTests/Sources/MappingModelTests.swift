import StoreDataModel
import Foundation
import StorePropertyLists
import TestSupport
import Testing

@Suite struct MappingModelTests {
  @Test(arguments: [true, false]) func readsTheHashesOfBothSides(hasPrefix: Bool) throws {
    let old = try #require(VersionHash(Array(0..<32)))
    let new = try #require(VersionHash(Array(1..<33)))
    let file = MappingModelFile([("Post", old, new), ("Tag", nil, new)], hasPrefix: hasPrefix)
    let mapping = try MappingModel.read(file.bytes, path: "V1to2.cdm")
    #expect(mapping.entityMappings.map(\.name) == ["PostToPost", "TagToTag"])
    #expect(mapping.sourceHashes.byEntity == ["Post": old])
    #expect(mapping.destinationHashes.byEntity == ["Post": new, "Tag": new])
  }

  private func archive(_ hash: [UInt8]) -> [UInt8] {
    var builder = KeyedArchiveBuilder()
    let mapping = builder.object(
      ["NSEntityMapping", "NSObject"],
      fields: [
        ("NSName", .reference(builder.string("PostToPost"))),
        ("NSSourceEntityName", .reference(builder.string("Post"))),
        ("NSSourceEntityVersionHash", .reference(builder.data(hash))),
      ])
    let list = builder.array([mapping])
    let root = builder.object(["NSMappingModel", "NSObject"], fields: [("NSEntityMappings", .reference(list))])
    return builder.binary(root: root)
  }

  @Test func refusesOtherThings() throws {
    var builder = KeyedArchiveBuilder()
    let model = try Model(entities: [])
    let root = builder.object(["NSMappingModel", "NSObject"], fields: [])
    let unlike = builder.binary(root: root)
    for (bytes, message) in [
      (ModelArchive.archive(model), "the archive holds a 'NSManagedObjectModel', not a mapping model"),
      (unlike, "a mapping model without a list under 'NSEntityMappings': its form is another than assumed"),
      (archive([1]), "PostToPost: the hash of source entity 'Post' is not 32 bytes"),
      ([1, 2, 3], "neither a binary nor an XML property list (at byte 0)"),
    ] {
      #expect {
        try MappingModel.read(bytes, path: "x.cdm")
      } throws: {
        "\($0)" == "cannot read 'x.cdm': \(message)"
      }
    }
  }

  /// Ten thousand mappings that share one large name or one large hash: reading stops at the budget.
  @Test func sharedValuesDoNotMultiply() throws {
    for isName in [true, false] {
      var builder = KeyedArchiveBuilder()
      let large = isName ? builder.string(String(repeating: "x", count: 1 << 20)) : builder.string("Post")
      let hash = builder.data(isName ? Array(0..<32) : Array(repeating: 0, count: 32))
      let mapping = builder.object(
        ["NSEntityMapping", "NSObject"],
        fields: [("NSSourceEntityName", .reference(large)), ("NSSourceEntityVersionHash", .reference(hash))])
      let list = builder.array(Array(repeating: mapping, count: isName ? 10_000 : 10_001))
      let root = builder.object(["NSMappingModel", "NSObject"], fields: [("NSEntityMappings", .reference(list))])
      #expect {
        try MappingModel.read(builder.binary(root: root), path: "x.cdm")
      } throws: {
        "\($0)".contains(isName ? "expands beyond all bounds" : "10001 mappings, more than 10000")
      }
    }
  }

  @Test func readsTheFuzzersSeed() throws {
    let seed = try Data(contentsOf: URL(fileURLWithPath: Project.path("Fuzz/seeds/model/mapping-model")))
    let mapping = try MappingModel.read(Array(seed.dropFirst()), path: "seed.cdm")
    #expect(mapping.sourceHashes.names == ["Post"])
  }

  @Test func survivesInjuries() throws {
    let hash = try #require(VersionHash(Array(0..<32)))
    let whole = MappingModelFile([("Post", hash, hash), ("Tag", hash, nil)]).bytes
    #expect(try MappingModel.read(whole, path: "x.cdm").entityMappings.count == 2)
    for seed in LongRuns.seeds(500, whole: 50_000) {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let mapping = try? MappingModel.read(bytes, path: "x.cdm") else { continue }
      #expect(mapping.entityMappings.count <= 256, "seed \(seed)")
    }
  }
}
