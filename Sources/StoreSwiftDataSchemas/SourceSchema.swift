import StoreDataModel

/// A set of classes that SwiftData makes one model of.
package struct SourceSchema: Sendable, Equatable {
  /// Where the list of classes stands.
  package enum Origin: String, Sendable {
    /// A type that conforms to `VersionedSchema`.
    case versioned
    /// `ModelContainer(for:)`, `.modelContainer(for:)`, `Schema([…])`
    case container
    /// All `@Model` classes outside versions; a container for them was not found.
    case liveClasses = "live classes"
  }

  /// The version identifier that a schema states.
  package enum Identifier: Sendable, Hashable {
    /// `Schema.Version(2, 0, 0)` is "2.0.0".
    case stated(String)
    /// Nothing is said, and SwiftData writes "1.0.0" (measured in three stores).
    case left
    /// It is said in a way that is not read: why.
    case unknown(String)

    /// The content of `NSStoreModelVersionIdentifiers`; nil where it is unknown.
    package var text: String? {
      switch self {
      case .stated(let text): text
      case .left: "1.0.0"
      case .unknown: nil
      }
    }
  }

  /// The type's name with those it is nested in: `SchemaV2`; of a container file and line: "NotesApp.swift:12".
  package var name: String
  /// The type's name, or the call.
  package var place: SourcePlace
  /// Where the list stands.
  package var origin: Origin
  /// The version identifier that it states.
  package var identifier: Identifier
  /// Why the list of classes could not be read whole; nil when it was. Then entities may be missing.
  package var listProblem: String?
  /// Whether it is that two classes fit.
  package var isListDoubtful = false
  /// The entities, sorted by name (code units).
  package var entities: [SourceEntity]

  /// A schema.
  package init(
    name: String, place: SourcePlace, origin: Origin, identifier: Identifier, listProblem: String? = nil,
    entities: [SourceEntity] = []
  ) {
    self.name = name
    self.place = place
    self.origin = origin
    self.identifier = identifier
    self.listProblem = listProblem
    self.entities = entities
  }

  /// Whether the whole model rests on proven rules: only then do different hashes prove that the models differ.
  package var isDerived: Bool { listProblem == nil && entities.allSatisfy { $0.certainty == .derived } }

  /// The entities whose hash is not known, which must not be compared.
  package var incompleteEntities: [String] { entities.filter { $0.certainty == .incomplete }.map(\.name) }

  /// The schema as a model.
  ///
  /// - Parameter choices: which variant of an entity is meant, by its position; the first where nothing is said. Inverses
  ///   that do not lead back in the variants chosen are left out.
  /// - Throws: `ModelError` if the classes contradict one another in a way that no model can have.
  package func model(choosing choices: [String: Int] = [:]) throws(ModelError) -> Model {
    let chosen = entities.map { entity -> Entity in
      let position = choices[entity.name] ?? 0
      return entity.variants.indices.contains(position) ? entity.variants[position].entity : entity.variants[0].entity
    }
    return try Model(entities: chosen.sound, versionIdentifiers: identifier.text.map { [$0] } ?? [])
  }
}

extension [Entity] {
  /// Without parents and relationships whose other end is missing, which a `Model` refuses.
  fileprivate var sound: [Entity] {
    let byName = Dictionary(map { ($0.name, $0) }) { first, _ in first }
    return map { entity in
      var entity = entity
      if let parent = entity.parent, byName[parent] == nil { entity.parent = nil }
      entity.properties = entity.properties.compactMap { $0.sound(in: entity.name, byName) }
      return entity
    }
  }
}

extension Property {
  fileprivate func sound(in entity: String, _ entities: [String: Entity]) -> Property? {
    guard var relationship else { return self }
    guard let destination = entities[relationship.destination] else { return nil }
    guard let inverse = relationship.inverse else { return self }
    let back = destination.property(named: inverse)?.relationship
    if back?.inverse == name, back?.destination == entity { return self }
    relationship.inverse = nil
    var property = self
    property.kind = .relationship(relationship)
    return property
  }
}
