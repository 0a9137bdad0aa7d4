import StoreCoreData
import StoreDataModel
import StoreRepair
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
    /// Relationships whose links may be more than one side says, each with the links that have to be there, by new keys.
    var stated: [(new: String, expected: [Int64: [Int64]])] = []
  }

  /// A relationship, by its names before and after, and the entity mappings whose objects it leads to.
  private struct Links {
    var old: String
    var new: String
    var ends: [Int]
  }

  private var parts: [Part] = []
  /// Whether recipes may have removed objects.
  private let allowsMissing: Bool

  /// - Parameters:
  ///   - store: the store before the step.
  ///   - keys: the new key for each old one, by entity mapping.
  ///   - written: where recipes follow, what they may write: attributes alone are looked at then, and none of these.
  init(of store: Store, _ mapped: MappedModel, keys: [[Int64: Int64]], besides written: WrittenByRecipes? = nil) throws
  {
    allowsMissing = written?.removesObjects ?? false
    parts = mapped.entities.map { entity in
      Part(
        source: entity.source, destination: entity.destination,
        attributes: mapped.keptAttributes(of: entity).filter {
          written?.contains($0.new, of: entity.destination, in: mapped.target) != true
        },
        links: written != nil
          ? [] : mapped.keptLinks(of: entity).map { Links(old: $0.old, new: $0.new, ends: $0.ends) })
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
      guard written == nil else { continue }
      let entity = mapped.entities[index]
      for (name, links) in entity.links where !part.links.contains(where: { $0.new == name }) {
        let ends = mapped.ends(of: links, to: name, of: entity)
        var expected: [Int64: [Int64]] = [:]
        for (key, found) in try Self.ends(of: links.path, of: entity.source, in: store, mapped.source) {
          guard let new = keys[index][key] else { continue }
          let translated = found.flatMap { end in ends.compactMap { keys.indices.contains($0) ? keys[$0][end] : nil } }
          if !translated.isEmpty { expected[new] = translated }
        }
        if !expected.isEmpty { parts[index].stated.append((name, expected)) }
      }
    }
  }

  /// The objects that relationships lead to, one after the other, by the key of the first.
  private static func ends(
    of path: [String], of entity: String, in store: Store, _ model: Model
  ) throws -> [Int64: Set<Int64>] {
    var ends: [Int64: Set<Int64>]?
    var entity = entity
    for name in path {
      var step: [Int64: Set<Int64>] = [:]
      try read(store, entity, [], [name], withSubentities: ends != nil) { key, row in
        let found = row.keys(0)
        if !found.isEmpty { step[key] = Set(found) }
      }
      ends = ends.map { $0.mapValues { $0.reduce(into: []) { $0.formUnion(step[$1] ?? []) } } } ?? step
      guard let next = model.property(name, of: entity)?.relationship?.destination else { return [:] }
      entity = next
    }
    return ends ?? [:]
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
      guard seen == part.expected.count || allowsMissing else {
        throw MigrationNotAsJudged(
          reason: "of \(part.expected.count) objects of \(part.source) \(seen) became \(part.destination)")
      }
      try verifyStated(part, in: result)
    }
  }

  /// - Throws: `MigrationNotAsJudged` where a link that the mapping model states is not there.
  private func verifyStated(_ part: Part, in result: Store) throws {
    guard !part.stated.isEmpty else { return }
    try Self.read(result, part.destination, [], part.stated.map(\.new)) { key, row in
      for (place, stated) in part.stated.enumerated() {
        guard let expected = stated.expected[key], !Set(row.keys(place)).isSuperset(of: expected) else { continue }
        throw MigrationNotAsJudged(
          reason: "\(part.destination) \(key) lacks links in \(stated.new) that the \(part.source) had that it was")
      }
    }
  }

  private static func read(
    _ store: Store, _ entity: String, _ attributes: [String], _ links: [String], withSubentities: Bool = false,
    body: (Int64, Rows.Row) throws -> Void
  ) throws {
    var query = RowQuery(entity: store.layout.name(ofModelEntity: entity))
    (query.columns, query.includesSubentities, query.readsBinary) = (attributes + links, withSubentities, true)
    try Rows(query, of: store).forEach { try body($0.key, $0) }
  }

  /// One number for all values and links of an object, its ends under the keys that `translated` gives them.
  private static func digest(
    _ row: Rows.Row, attributes: Int, links: Int, translated: (_ link: Int, _ end: Int64) -> [Int64]
  ) -> Int {
    var hasher = Hasher()
    for column in 0..<attributes { row.value(column).hash(into: &hasher) }
    for link in 0..<links {
      hasher.combine(row.keys(attributes + link).flatMap { translated(link, $0) }.sorted())
    }
    return hasher.finalize()
  }
}

/// What recipes in the place of policies may write.
struct WrittenByRecipes {
  private var attributes: Set<[String]> = []
  private var entities: Set<String> = []
  /// Whether they remove objects.
  private(set) var removesObjects = false

  init(_ recipes: [Recipe]) {
    for recipe in recipes {
      for item in recipe.backfill {
        attributes.insert([item.entity, String(item.attribute.prefix { $0 != "." })])
      }
      entities.formUnion(recipe.dedupe.map(\.entity))
      if !recipe.dedupe.isEmpty || recipe.dangling != nil { removesObjects = true }
    }
  }

  /// Whether they may write an attribute of objects of an entity.
  func contains(_ attribute: String, of entity: String, in model: Model) -> Bool {
    let names =
      [entity] + model.ancestors(of: entity).map(\.name)
      + model.entities.map(\.name).filter {
        model.entity($0, isKindOf: entity)
      }
    return names.contains { entities.contains($0) || attributes.contains([$0, attribute]) }
  }
}

extension Rows.Row {
  /// The keys of the objects that a relationship leads to.
  fileprivate func keys(_ column: Int) -> [Int64] {
    switch value(column) {
    case .key(let key): [key]
    case .keys(let keys): Array(keys)
    default: []
    }
  }
}

extension MappedModel {
  /// The attributes of an entity mapping that keep values as they are stored, by the path before and the name after.
  fileprivate func keptAttributes(of entity: MappedEntity) -> [(old: String, new: String)] {
    entity.values.compactMap { name, value in
      guard case .path(let path, then: nil) = value, let old = attribute(at: path, of: entity.source),
        let new = target.property(name, of: entity.destination)?.attribute, old.type == new.type, new.type != .composite
      else { return nil }
      return (path.joined(separator: "."), name)
    }.sorted { $0.1 < $1.1 }
  }

  /// The entity mappings whose objects a relationship leads to.
  fileprivate func ends(of links: MappedLinks, to name: String, of entity: MappedEntity) -> [Int] {
    guard let end = end(of: links.path, of: entity.source),
      let new = target.property(name, of: entity.destination)?.relationship
    else { return [] }
    return entities.indices.filter { place in
      let other = entities[place]
      return (links.mapping.map { $0 == other.name } ?? source.entity(other.source, isKindOf: end))
        && target.entity(other.destination, isKindOf: new.destination)
    }
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
