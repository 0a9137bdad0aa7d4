import StoreDataModel

/// Finds classes that seem to be renamed between versions: those that share three of four properties, and small ones
/// that only grew.
struct RenamedClasses {
  let all: [ModelChange.Place]

  /// With more candidates in one version, a person would not recognise a renaming.
  private static let mostClasses = 100

  init(_ difference: ModelDifference) {
    let likely = difference.likelyRenames.map(\.place).filter { $0.destinationProperty == nil }
    let gone = difference.source.entities.filter { entity in
      difference.destinationEntity(of: entity.name) == nil && !likely.contains { $0.sourceEntity == entity.name }
    }
    let new = difference.destination.entities.filter { entity in
      difference.sourceEntity(of: entity.name) == nil && !likely.contains { $0.destinationEntity == entity.name }
    }
    guard !gone.isEmpty, gone.count <= Self.mostClasses, new.count <= Self.mostClasses else {
      all = likely
      return
    }
    let names = (difference.source.entities + difference.destination.entities).flatMap(\.properties).map(\.name)
    let uses = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    let pairs = new.flatMap { after in
      gone.filter { Self.isGrown($0, to: after, uses: uses) }
        .map { ModelChange.Place(sourceEntity: $0.name, destinationEntity: after.name) }
    }
    all =
      likely
      + pairs.filter { pair in
        pairs.count { $0.sourceEntity == pair.sourceEntity || $0.destinationEntity == pair.destinationEntity } == 1
      }
  }

  /// Types of properties with names that many classes share: `id`, `name`, `created`.
  private static let commonTypes: [AttributeType] = [.uuid, .string, .date]

  /// Whether a class has all properties of another and at most half as many more, including one that is specific enough
  /// and in no third class.
  private static func isGrown(_ old: Entity, to new: Entity, uses: [String: Int]) -> Bool {
    guard old.properties.count > 1, new.properties.count * 2 <= old.properties.count * 3,
      old.properties.contains(where: { property in
        uses[property.name] == 2 && property.attribute.map { !commonTypes.contains($0.type) } ?? false
      })
    else { return false }
    return old.properties.allSatisfy { property in
      new.properties.contains { other in
        other.name == property.name && other.kindName == property.kindName
          && other.attribute?.type == property.attribute?.type
      }
    }
  }
}
