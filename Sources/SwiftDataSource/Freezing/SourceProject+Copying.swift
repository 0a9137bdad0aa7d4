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
      if !entity.openRules.isEmpty {
        copy.notes.append(
          SourceProblem(
            "\(entity.name): it has several readings: \(entity.openRules.map(\.rawValue).joined(separator: "; "))",
            at: entity.place))
      }
    }
    copy.differing += entities.keys.filter { name in !found.entities.contains { $0.name == name } }.sorted()
    return copy
  }
}

extension SourceEntity {
  /// Whether it is derived as the other is: the same readings with the same hashes, and as much known.
  fileprivate func isCopy(of other: SourceEntity) -> Bool {
    certainty == other.certainty && Set(variants.map(\.hash)) == Set(other.variants.map(\.hash))
      && variants.first?.entity.properties == other.variants.first?.entity.properties
      && variants.first?.entity.uniquenessConstraints == other.variants.first?.entity.uniquenessConstraints
  }
}
