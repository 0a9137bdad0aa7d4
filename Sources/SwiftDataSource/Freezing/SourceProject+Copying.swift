import StoreDataModel
import StoreSwiftDataSchemas

extension SourceProject {
  /// Copies a schema, and derives the copy to compare it with the schema.
  ///
  /// - Parameters:
  ///   - schema: the whole name of the schema.
  ///   - name: the name of the copy.
  ///   - identifier: the copy's version: "3.0.0".
  /// - Returns: nil if there is no such schema.
  package func copy(_ schema: String, as name: String, identifier: String) -> SourceCopy? {
    guard let found = reading.schemas.first(where: { $0.name == schema }) else { return nil }
    return onLargeStacks([found]) { copy($0, as: name, identifier: identifier) }.first
  }

  private func copy(_ found: SourceSchema, as name: String, identifier: String) -> SourceCopy {
    var copier = SchemaCopier(found, in: names, as: name, identifier: identifier)
    copier.make()
    var copy = copier.copy
    guard copy.obstacles.isEmpty else { return copy }
    let imports = copy.modules.map { "import \($0)\n" }.joined()
    let again = SourceProject(texts: ["Copy.swift": imports + copy.text]).reading
    let derived = again.schemas.first { $0.name == name }
    let entities = Dictionary((derived?.entities ?? []).map { ($0.name, $0) }) { first, _ in first }
    for entity in found.entities {
      guard let other = entities[entity.name], other.isCopy(of: entity) else {
        copy.differing.append(entity.name)
        continue
      }
      guard entity.certainty != .derived else { continue }
      copy.unchecked.append(entity.name)
      copy.notes += entity.reasons.map { reason in
        SourceProblem(
          "\([entity.name, reason.property].compactMap(\.self).joined(separator: ".")): \(reason.message)",
          at: reason.place ?? entity.place)
      }
      let rules = entity.openWords.joined(separator: "; ")
      let open = entity.propertiesWithSeveralReadings
      for property in open {
        let own = entity.openRules.filter { entity.openProperties[$0]?.contains(property) ?? false }
        copy.notes.append(
          SourceProblem(
            "\(entity.name).\(property): it has several readings: "
              + (own.isEmpty ? rules : own.map(\.rawValue).joined(separator: "; ")),
            at: entity.propertyPlaces[property] ?? entity.place))
      }
      if open.isEmpty, !rules.isEmpty {
        copy.notes.append(SourceProblem("\(entity.name): it has several readings: \(rules)", at: entity.place))
      }
    }
    copy.differing += entities.keys.filter { name in !found.entities.contains { $0.name == name } }.sorted()
    return copy
  }
}

extension SourceEntity {
  /// The properties in which the readings differ, sorted.
  fileprivate var propertiesWithSeveralReadings: [String] {
    guard let first = variants.first?.entity else { return [] }
    return first.properties.filter { property in
      variants.contains { $0.frameworks.isCurrent && $0.entity.property(named: property.name) != property }
    }.map(\.name)
  }

  /// Whether it is derived as the other is: the same readings with the same hashes, and as much known.
  fileprivate func isCopy(of other: SourceEntity) -> Bool {
    certainty == other.certainty && Set(variants.map(\.hash)) == Set(other.variants.map(\.hash))
      && haveEqualProperties(variants.first?.entity, other.variants.first?.entity)
      && variants.first?.entity.uniquenessConstraints == other.variants.first?.entity.uniquenessConstraints
  }

  /// Equal but for initial values that are no literals, whose types may have other names and whose constants are
  /// replaced by their values: there only that there is one.
  private func haveEqualProperties(_ copy: Entity?, _ original: Entity?) -> Bool {
    guard let copy, let original, copy.properties.count == original.properties.count else { return false }
    return zip(copy.properties, original.properties).allSatisfy { copied, original in
      guard var attribute = copied.attribute, let known = original.attribute,
        case .object? = known.defaultValue, attribute.defaultValue != nil
      else { return copied == original }
      attribute.defaultValue = known.defaultValue
      var copied = copied
      copied.kind = .attribute(attribute)
      return copied == original
    }
  }
}
