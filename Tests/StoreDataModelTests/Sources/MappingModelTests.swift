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

  /// The keys and classes of eight compiled mapping models of two projects.
  @Test func readsTheCompiledForm() throws {
    for (condition, transforms) in [("TRUEPREDICATE", false), ("stars > 3", false), ("TRUEPREDICATE", true)] {
      let mapping = try MappingModel.read(compiled(condition: condition, hasTransforms: transforms), path: "1to2.cdm")
      let entity = try #require(mapping.entityMappings.first)
      #expect(entity.name == "NoteToNote" && entity.source?.entity == "Note" && entity.destination?.entity == "Note")
      #expect(entity.policyClassName == nil && entity.filter == (condition == "TRUEPREDICATE" ? nil : condition))
      #expect(
        entity.attributes == [
          .init(
            "headline",
            transforms
              ? .other(className: "an expression that cannot be read") : .path(of: .variable("source"), "title")),
          .init("stars", nil),
        ])
      #expect(
        entity.relationships == [
          .init(
            "folder",
            .function(
              "destinationInstancesForEntityMappingNamed:sourceInstances:", operand: .variable("manager"),
              [.constant(.string("FolderToFolder")), .path(of: .variable("source"), "folder")]))
        ])
    }
  }

  private func compiled(condition: String, hasTransforms: Bool) -> [UInt8] {
    var builder = KeyedArchiveBuilder()
    func object(_ name: String, _ fields: [(String, KeyedArchiveBuilder.Field)]) -> KeyedArchiveBuilder.ID {
      builder.object([name, "NSObject"], fields: fields)
    }
    func text(_ text: String) -> KeyedArchiveBuilder.Field { .reference(builder.string(text)) }
    func variable(_ name: String) -> KeyedArchiveBuilder.Field {
      .reference(object("NSVariableExpression", [("NSVariable", text(name)), ("NSExpressionType", .integer(2))]))
    }
    func constant(_ value: String) -> KeyedArchiveBuilder.ID {
      object("NSConstantValueExpression", [("NSConstantValue", text(value)), ("NSExpressionType", .integer(0))])
    }
    func path(_ names: String, of name: String) -> KeyedArchiveBuilder.ID {
      let last = object(
        "NSKeyPathSpecifierExpression", [("NSKeyPath", text(names)), ("NSExpressionType", .integer(10))])
      return object(
        "NSKeyPathExpression",
        [
          ("NSOperand", variable(name)), ("NSSelectorName", text("valueForKeyPath:")),
          ("NSArguments", .reference(builder.array([last]))), ("NSExpressionType", .integer(4)),
        ])
    }
    func function(_ selector: String, _ arguments: [KeyedArchiveBuilder.ID]) -> KeyedArchiveBuilder.ID {
      object(
        "NSFunctionExpression",
        [
          ("NSOperand", variable("manager")), ("NSSelectorName", text(selector)),
          ("NSArguments", .reference(builder.array(arguments))), ("NSExpressionType", .integer(4)),
        ])
    }
    let null = KeyedArchiveBuilder.Field.reference(KeyedArchiveBuilder.null)
    func property(_ name: String, _ value: KeyedArchiveBuilder.Field, transforms: KeyedArchiveBuilder.Field? = nil)
      -> KeyedArchiveBuilder.ID
    {
      object(
        "NSPropertyMapping",
        [
          ("NSDestinationPropertyName", text(name)), ("NSValueExpression", value),
          ("NSPropertyTransforms", transforms ?? null), ("NSUserInfo", null),
        ])
    }
    let fetch = object(
      "NSFetchRequestExpression",
      [
        (
          "NSFRExpression",
          .reference(
            function("fetchRequestForSourceEntityNamed:predicateString:", [constant("Note"), constant(condition)]))
        ), ("NSMOCExpression", .reference(path("sourceContext", of: "manager"))), ("NSCountOnlyFlag", .boolean(false)),
        ("NSExpressionType", .integer(50)),
      ])
    let headline = property(
      "headline", .reference(path("title", of: "source")),
      transforms: hasTransforms ? .reference(builder.array([])) : nil)
    let links = function(
      "destinationInstancesForEntityMappingNamed:sourceInstances:",
      [constant("FolderToFolder"), path("folder", of: "source")])
    let hash = builder.data(Array(0..<32))
    let mapping = object(
      "NSEntityMapping",
      [
        ("NSMappingName", text("NoteToNote")), ("NSMappingType", .integer(5)), ("NSSourceEntityName", text("Note")),
        ("NSSourceEntityVersionHash", .reference(hash)), ("NSDestinationEntityName", text("Note")),
        ("NSDestinationEntityVersionHash", .reference(hash)), ("NSEntityMigrationPolicyClassName", null),
        ("NSSourceExpression", .reference(fetch)), ("NSUserInfo", null),
        ("NSAttributeMappings", .reference(builder.array([headline, property("stars", null)]))),
        ("NSRelationshipMappings", .reference(builder.array([property("folder", .reference(links))]))),
      ])
    let root = object("NSMappingModel", [("NSEntityMappings", .reference(builder.array([mapping])))])
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
