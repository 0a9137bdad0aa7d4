import StoreDataModel
import Foundation
import Testing

/// A vector file as its README describes it.
package struct VersionHashVector: Decodable {
  private var model: VectorModel
  /// Entity name to 64 hex digits.
  package var hashes: [String: String]
  /// Base64, where the file had one.
  package var digest: String?
  /// Base64, where the file had one.
  package var checksum: String?

  /// Reads a vector.
  package init(file: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
  }

  /// The model it describes.
  package func makeModel() throws -> Model { try model.model() }

  /// All vectors, sorted by folder and name.
  package static func files() throws -> [String] {
    try ["vectors", "vectors/no-licence"].map(SharedData.path).flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
        .sorted().map { folder + "/" + $0 }
    }
  }
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
          derivation: expression.map { Derivation(expression: Self.expression($0)) },
          elements: try elements?.map { try $0.property() }))
    }
  }

  /// The hashed text: `count:(pages)` or a key path.
  private static func expression(_ text: String) -> StoreDataModel.Expression {
    guard text.hasPrefix("count:("), text.hasSuffix(")") else { return .keyPath(text) }
    return .function("count:", operand: nil, [.keyPath(String(text.dropFirst(7).dropLast()))])
  }
}
