import CoreDataModel
import Foundation
import TestSupport
import Testing

/// Real models with the hashes Apple's frameworks wrote for them.
@Suite struct VersionHashVectorTests {
  @Test(.needsSharedData) func equalsEveryVector() throws {
    var entities = 0
    for file in try vectorFiles() {
      let vector = try JSONDecoder().decode(Vector.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
      let hashes = try vector.model.model().versionHashes
      #expect(hashes.byEntity.mapValues(\.description) == vector.hashes, "\(file)")
      if let digest = vector.digest { #expect(Data(hashes.digest).base64EncodedString() == digest, "\(file)") }
      if let checksum = vector.checksum { #expect(Data(hashes.checksum).base64EncodedString() == checksum, "\(file)") }
      entities += hashes.byEntity.count
    }
    #expect(entities >= 1000)
  }

  private func vectorFiles() throws -> [String] {
    try ["vectors", "vectors/no-licence"].map(SharedData.path).flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
        .sorted().map { folder + "/" + $0 }
    }
  }
}

/// A vector file as its README describes it.
private struct Vector: Decodable {
  var model: VectorModel
  var hashes: [String: String]
  var digest: String?
  var checksum: String?
}

private struct VectorModel: Decodable {
  var entities: [VectorEntity]

  func model() throws -> Model { try Model(entities: entities.map { try $0.entity() }) }
}

private struct VectorEntity: Decodable {
  var name: String
  var `super`: String?
  var abstract: Bool?
  var modifier: String?
  var uniqueness: [[String]]?
  var properties: [VectorProperty]

  func entity() throws -> Entity {
    Entity(
      name: name, parent: `super`, isAbstract: abstract ?? false, properties: try properties.map { try $0.property() },
      uniquenessConstraints: uniqueness ?? [], versionHashModifier: modifier)
  }
}

private struct VectorProperty: Decodable {
  var name: String
  var kind: String
  var optional: Bool?
  var transient: Bool?
  var readOnly: Bool?
  var modifier: String?
  var type: Int32?
  var externalStorage: Bool?
  var preserveOnDeletion: Bool?
  var expression: String?
  var elements: [VectorProperty]?
  var destination: String?
  var inverse: String?
  var min: Int32?
  var max: Int32?
  var ordered: Bool?

  func property() throws -> Property {
    Property(
      name: name, isOptional: optional ?? false, isTransient: transient ?? false, isReadOnly: readOnly ?? false,
      versionHashModifier: modifier, kind: try propertyKind())
  }

  private func propertyKind() throws -> Property.Kind {
    switch kind {
    case "fetched": return .fetched(FetchedProperty())
    case "relationship":
      return .relationship(
        Relationship(
          destination: try #require(destination), inverse: inverse, minimumCount: min ?? 0, maximumCount: max ?? 0,
          isOrdered: ordered ?? false))
    default:
      return .attribute(
        Attribute(
          type: AttributeType(rawValue: type ?? 0), allowsExternalStorage: externalStorage ?? false,
          preservesValueInHistory: preserveOnDeletion ?? false,
          derivation: expression.map { Derivation(expression: .keyPath($0)) },
          elements: try elements?.map { try $0.property() }))
    }
  }
}
