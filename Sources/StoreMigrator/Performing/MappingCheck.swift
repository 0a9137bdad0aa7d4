import StoreCoreData
import StoreDataModel
import StoreRows

/// What a step by a mapping model has to leave of each object, read before it, and held against the result after it.
///
/// The statements of the step are not asked: values and links are read by model from both, as `rows` shows them.
struct MappingCheck {
  /// One entity mapping.
  private struct Part {
    var source: String
    var destination: String
    /// The attributes that keep a value, by their names before and after.
    var attributes: [(old: String, new: String)]
    var links: [Links]
    /// By the new key, what tells the values and links of the object.
    var expected: [Int64: Int] = [:]
  }

  /// A relationship, by its names before and after, and the entity mappings whose objects it leads to.
  private struct Links {
    var old: String
    var new: String
    var ends: [Int]
  }

  private var parts: [Part] = []

  /// - Parameters:
  ///   - store: the store before the step.
  ///   - keys: the new key for each old one, by entity mapping.
  init(of store: Store, _ mapped: MappedModel, keys: [[Int64: Int64]]) throws {
    parts = mapped.entities.map { entity in
      Part(
        source: entity.source, destination: entity.destination, attributes: mapped.keptAttributes(of: entity),
        links: mapped.keptLinks(of: entity).map { Links(old: $0.old, new: $0.new, ends: $0.ends) })
    }
    for index in parts.indices where keys.indices.contains(index) && !keys[index].isEmpty {
      let part = parts[index]
      var expected: [Int64: Int] = [:]
      try Self.read(store, part.source, part.attributes.map(\.old), part.links.map(\.old)) { key, row in
        guard let new = keys[index][key] else { return }
        expected[new] = Self.digest(row, attributes: part.attributes.count, links: part.links.count) { link, end in
          part.links[link].ends.compactMap { keys.indices.contains($0) ? keys[$0][end] : nil }
        }
      }
      parts[index].expected = expected
    }
  }

  /// - Throws: `MigrationNotAsJudged` where an object is not there, or has other values or links.
  func verify(in result: Store) throws {
    for part in parts where !part.expected.isEmpty {
      var seen = 0
      try Self.read(result, part.destination, part.attributes.map(\.new), part.links.map(\.new)) { key, row in
        guard let expected = part.expected[key] else { return }
        seen += 1
        let found = Self.digest(row, attributes: part.attributes.count, links: part.links.count) { _, end in [end] }
        guard found != expected else { return }
        throw MigrationNotAsJudged(
          reason: "\(part.destination) \(key) has other values or links than the \(part.source) that it was")
      }
      guard seen == part.expected.count else {
        throw MigrationNotAsJudged(
          reason: "of \(part.expected.count) objects of \(part.source) \(seen) became \(part.destination)")
      }
    }
  }

  private static func read(
    _ store: Store, _ entity: String, _ attributes: [String], _ links: [String],
    body: (Int64, Rows.Row) throws -> Void
  ) throws {
    var query = RowQuery(entity: store.layout.name(ofModelEntity: entity))
    (query.columns, query.includesSubentities, query.readsBinary) = (attributes + links, false, true)
    try Rows(query, of: store).forEach { try body($0.key, $0) }
  }

  /// One number for all values and links of an object, its ends under the keys that `translated` gives them.
  private static func digest(
    _ row: Rows.Row, attributes: Int, links: Int, translated: (_ link: Int, _ end: Int64) -> [Int64]
  ) -> Int {
    var hasher = Hasher()
    for column in 0..<attributes { row.value(column).hash(into: &hasher) }
    for link in 0..<links {
      let ends: [Int64] =
        switch row.value(attributes + link) {
        case .key(let key): translated(link, key)
        case .keys(let keys): keys.flatMap { translated(link, $0) }
        default: []
        }
      hasher.combine(ends.sorted())
    }
    return hasher.finalize()
  }
}

extension MappedModel {
  /// The attributes of an entity mapping that keep their values as they are stored, by their names before and after.
  fileprivate func keptAttributes(of entity: MappedEntity) -> [(old: String, new: String)] {
    entity.values.compactMap { name, value in
      guard case .path(let path, then: nil) = value, path.count == 1,
        let old = source.property(path[0], of: entity.source)?.attribute,
        let new = target.property(name, of: entity.destination)?.attribute, old.type == new.type, new.type != .composite
      else { return nil }
      return (path[0], name)
    }.sorted { $0.1 < $1.1 }
  }

  /// The relationships of an entity mapping that keep their links, and the entity mappings whose objects they lead to.
  ///
  /// Not those whose inverse is filled in another way, and not those that lead to one object from both sides, whose two keys
  /// may disagree in the store.
  fileprivate func keptLinks(of entity: MappedEntity) -> [(old: String, new: String, ends: [Int])] {
    entity.links.compactMap { name, links in
      guard links.mapping == nil, links.path.count == 1, let past = links.path.first,
        let old = source.property(past, of: entity.source)?.relationship,
        let new = target.property(name, of: entity.destination)?.relationship,
        isFilledLikewise(new, past: old, named: past)
      else { return nil }
      let ends = entities.indices.filter {
        source.entity(entities[$0].source, isKindOf: old.destination)
          && target.entity(entities[$0].destination, isKindOf: new.destination)
      }
      return (past, name, ends)
    }
  }

  private func isFilledLikewise(_ new: Relationship, past: Relationship, named name: String) -> Bool {
    guard let inverse = new.inverse else { return past.inverse == nil }
    guard let other = target.property(inverse, of: new.destination)?.relationship, other.isToMany || new.isToMany else {
      return false
    }
    let pastInverse = past.inverse.flatMap { source.property($0, of: past.destination)?.relationship }
    guard pastInverse.map({ $0.isToMany || past.isToMany }) ?? false else { return false }
    return entities.allSatisfy { entity in
      guard target.entity(entity.destination, isKindOf: new.destination),
        let links = entity.links.first(where: { $0.relationship == inverse })?.links
      else { return true }
      return links == MappedLinks(path: [past.inverse ?? ""], mapping: nil)
    }
  }
}
