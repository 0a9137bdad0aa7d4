import StoreDataModel
import TestSupport

/// What Core Data does with a store of one model and these rows when it is opened with another, by automatic lightweight
/// migration: a plain function of two models and rows. It knows what is documented and what real stores show, and uses
/// none of the program's rules, so that a mistake in those is not repeated here.
enum MigrationOracle {
  enum Expected: Equatable {
    case opens
    case notInferable
    /// Rows stop it: 134110.
    case blocked
    case migrates
    /// Nobody has seen it, or one report says so: whatever is said of it has to be marked as assumed.
    case notKnown(String)
  }

  static func expected(_ old: Model, _ new: Model, _ rows: MadeRows) -> Expected {
    guard old.versionHashes != new.versionHashes else { return .opens }
    var case_ = Case(old: old, new: new, rows: rows)
    case_.judge()
    if case_.isRefused { return .notInferable }
    if case_.isBlocked { return case_.unknownInference.map(Expected.notKnown) ?? .blocked }
    if let unknown = case_.unknownInference ?? case_.unknown { return .notKnown(unknown) }
    return .migrates
  }

  /// Pairs names by "renaming identifier if set, else name"; nil where two claim one.
  ///
  /// - Returns: destination to source, and the names that only look equal.
  static func pairs(
    _ old: [(name: String, identifier: String?)], _ new: [(name: String, identifier: String?)]
  ) -> (pairs: [String: String], doubtful: Set<String>)? {
    func canonical(_ item: (name: String, identifier: String?)) -> String { item.identifier ?? item.name }
    guard Set(old.map(canonical)).count == old.count, Set(new.map(canonical)).count == new.count else { return nil }
    var pairs: [String: String] = [:]
    for item in new {
      pairs[item.name] = old.first { canonical($0) == canonical(item) }?.name
    }
    let free = Set(old.map(\.name)).subtracting(pairs.values)
    return (pairs, Set(new.map(\.name).filter { pairs[$0] == nil && free.contains($0) }))
  }

  static func pairs(_ old: [String: InheritedProperty], _ new: [String: InheritedProperty]) -> (
    pairs: [String: String], doubtful: Set<String>
  )? {
    pairs(
      old.values.map { ($0.property.name, $0.property.renamingIdentifier) },
      new.values.map { ($0.property.name, $0.property.renamingIdentifier) })
  }
}

private struct Case {
  let old: Model
  let new: Model
  let rows: MadeRows
  var isRefused = false
  var isBlocked = false
  /// Why it is not known whether a mapping is inferred.
  var unknownInference: String?
  /// Why anything else is not known.
  var unknown: String?
  /// Entities of the destination to those of the source.
  private var entities: [String: String] = [:]

  init(old: Model, new: Model, rows: MadeRows) {
    (self.old, self.new, self.rows) = (old, new, rows)
  }

  mutating func judge() {
    guard
      let (pairs, doubtful) = MigrationOracle.pairs(
        old.entities.map { ($0.name, $0.renamingIdentifier) }, new.entities.map { ($0.name, $0.renamingIdentifier) }),
      doubtful.isEmpty
    else {
      unknownInference = "names of entities"
      return
    }
    entities = pairs
    for entity in new.entities {
      judgeHierarchy(entity)
      guard let past = entities[entity.name] else { continue }
      judgeProperties(entity, past)
      judgeConstraints(entity, past)
      if entity.isAbstract, old.entity(named: past)?.isAbstract == false {
        if !rows.objects(of: [past]).isEmpty { unknown = "\(entity.name) with rows becomes abstract" }
      }
    }
    for link in rows.links where leavesAnEnd(link) {
      unknown = "\(link.from.entity).\(link.name): one end of a link goes"
    }
  }

  /// Whether one end of a link goes and the link stands in a key of a row that stays. Links of join tables that lead nowhere
  /// were seen to pass; links that stand in the row that goes are of no account.
  private func leavesAnEnd(_ link: MadeRows.Link) -> Bool {
    guard let own = old.property(link.name, of: link.from.entity)?.relationship else { return false }
    let inverse = own.inverse.flatMap { old.property($0, of: link.to.entity)?.relationship }
    let (from, to) = (stays(link.from.entity), stays(link.to.entity))
    guard from != to else { return false }
    if from {
      return !own.isToMany && isKept(link.name, of: link.from.entity) && leads(own, to: link.to.entity)
    }
    guard let name = own.inverse, let inverse else {
      // The links of a to-many without inverse stand in the rows it leads to.
      guard own.isToMany else { return false }
      let declarer = old.topmostDeclarer(of: link.name, in: link.from.entity) ?? link.from.entity
      return old.entities.contains { old.entity($0.name, isKindOf: declarer) && isKept(link.name, of: $0.name) }
    }
    return !inverse.isToMany && isKept(name, of: link.to.entity) && leads(inverse, to: link.from.entity)
  }

  private func stays(_ entity: String) -> Bool { entities.values.contains(entity) }

  /// Whether the relationship leads to an entity that stays, of which the one that goes is a subentity.
  private func leads(_ relationship: Relationship, to goes: String) -> Bool {
    relationship.destination != goes && stays(relationship.destination)
  }

  private func isKept(_ property: String, of entity: String) -> Bool {
    guard let now = entities.first(where: { $0.value == entity })?.key else { return false }
    return MigrationOracle.pairs(old.properties(of: entity), new.properties(of: now))?.pairs.values.contains(property)
      ?? false
  }

  // MARK: Entities

  private mutating func judgeHierarchy(_ entity: Entity) {
    guard let past = entities[entity.name] else {
      // A new entity above several hierarchies.
      let below = new.entities.filter { new.entity($0.name, isKindOf: entity.name) }
      let roots = Set(below.compactMap { entities[$0.name] }.compactMap { old.root(of: $0)?.name })
      if roots.count > 1 { isRefused = true }
      return
    }
    let before = old.entity(named: past)?.parent
    let parent = entity.parent.flatMap { entities[$0] }
    guard before != parent || (entity.parent != nil && parent == nil) else { return }
    guard let newParent = entity.parent else { return }
    let joins = new.root(of: newParent).flatMap { entities[$0.name] }.flatMap { old.root(of: $0)?.name }
    if joins != nil, joins != old.root(of: past)?.name { unknownInference = "\(entity.name) joins another hierarchy" }
    let family = new.entities.filter { new.entity($0.name, isKindOf: entity.name) }.compactMap { entities[$0.name] }
    if !rows.objects(of: family).isEmpty { unknown = "\(entity.name) with rows gets another parent" }
  }

  // MARK: Properties

  private mutating func judgeProperties(_ entity: Entity, _ past: String) {
    let (before, after) = (old.properties(of: past), new.properties(of: entity.name))
    guard let (pairs, doubtful) = MigrationOracle.pairs(before, after) else {
      unknownInference = "names of properties of \(entity.name)"
      return
    }
    let own = rows.objects(of: [past])
    for (name, inherited) in after {
      let property = inherited.property
      if doubtful.contains(name), let former = before[name]?.property {
        unknown = "\(entity.name).\(name) is paired by its name alone"
        if former.attribute?.type != property.attribute?.type {
          unknownInference = "\(entity.name).\(name), paired by its name alone, has another type"
        }
      }
      if let former = pairs[name].flatMap({ before[$0]?.property }) {
        judge(property, since: former, in: entity.name, own: own)
      } else if !doubtful.contains(name) {
        judgeNew(property, of: entity.name, own: own)
      }
    }
  }

  private mutating func judgeNew(_ property: Property, of entity: String, own: [MadeRows.Object]) {
    guard !property.isTransient else { return }
    switch property.kind {
    case .fetched: break
    case .attribute(let attribute):
      if attribute.derivation != nil {
        if !own.isEmpty { unknown = "the value of the derived \(entity).\(property.name)" }
      } else if attribute.elements != nil {
        unknown = "the composite \(entity).\(property.name)"
      } else if !property.isOptional, attribute.defaultValue == nil {
        missing(own, "\(entity).\(property.name)")
      }
    case .relationship(let relationship):
      if !property.isOptional, !relationship.isToMany { missing(own, "\(entity).\(property.name)") }
    }
  }

  private mutating func missing(_ own: [MadeRows.Object], _ place: String) {
    if own.isEmpty { unknown = unknown ?? "\(place) is required, and no row needs it" } else { isBlocked = true }
  }

  private mutating func judge(
    _ property: Property, since former: Property, in entity: String, own: [MadeRows.Object]
  ) {
    let place = "\(entity).\(property.name)"
    switch (former.kind, property.kind) {
    case (.attribute(let before), .attribute(let after)):
      guard !property.isTransient || !former.isTransient else { return }
      guard property.isTransient == former.isTransient else { return unknown = "\(place) becomes transient or stored" }
      if before.derivation != after.derivation { unknownInference = "the derivation of \(place)" }
      if before.elements != after.elements { unknown = "the elements of \(place)" }
      if before.allowsExternalStorage != after.allowsExternalStorage { unknown = "external storage of \(place)" }
      if before.type != after.type { judgeType(from: before.type, to: after.type, place) }
      guard after.derivation == nil, after.elements == nil, former.isOptional, !property.isOptional,
        own.contains(where: { rows.isNull(former.name, of: $0) })
      else { return }
      if after.defaultValue == nil { isBlocked = true } else { unknown = "NULLs where \(place) has a default" }
    case (.relationship(let before), .relationship(let after)):
      if property.isTransient, former.isTransient { return }
      guard !property.isTransient, !former.isTransient else { return unknown = "\(place) is transient" }
      judge(after, since: before, property: property, former: former, own: own, place: place)
    case (.fetched, .fetched): break
    case (_, .attribute), (_, .relationship), (_, .fetched): unknownInference = "\(place) is of another kind"
    }
  }

  private mutating func judgeType(from before: AttributeType, to after: AttributeType, _ place: String) {
    let numeric: Set<AttributeType> = [.integer16, .integer32, .integer64, .decimal, .double, .float, .boolean]
    let integers: Set<AttributeType> = [.integer16, .integer32, .integer64]
    if numeric.contains(before), numeric.contains(after) {
      let seen: [[AttributeType]] = [
        [.integer16, .integer32], [.integer16, .integer64], [.integer32, .integer64], [.integer64, .decimal],
        [.integer64, .integer16], [.decimal, .double], [.boolean, .integer16],
      ]
      if !seen.contains([before, after]) { unknown = "\(place) is converted" }
      return
    }
    let isProved =
      integers.contains(before) && after == .string
      || before == .string && (integers.contains(after) || [.binary, .date].contains(after))
      || before == .integer16 && after == .binary
    if isProved { isRefused = true } else { unknownInference = "\(place) changes its type" }
  }

  private mutating func judge(
    _ after: Relationship, since before: Relationship, property: Property, former: Property, own: [MadeRows.Object],
    place: String
  ) {
    if entities[after.destination] != before.destination { unknownInference = "the destination of \(place)" }
    if before.isToMany, after.isToMany, hasConcrete(before.destination) {
      judgeInverse(after, since: before, place: place)
    }
    if before.minimumCount != after.minimumCount { unknown = "the number of links of \(place)" }
    let inverses = (
      before.inverse.flatMap { old.property($0, of: before.destination)?.relationship },
      after.inverse.flatMap { new.property($0, of: after.destination)?.relationship }
    )
    switch (before.isToMany, after.isToMany) {
    case (true, false): unknown = "\(place) leads to one object now"
    case (false, true):
      if inverses.1?.isToMany == true, !follows(after, since: before) { unknown = "\(place) is paired anew" }
      if inverses.1?.isToMany != true, inverses.0?.isToMany != false { unknown = "\(place) has no join table" }
      if inverses.0?.isOrdered == true { unknown = "the order at the other side of \(place)" }
    case (true, true), (false, false):
      // Real stores show it of a key that loses or gets its name, and of no join table.
      if inverses.0?.isToMany == true, inverses.1 == nil, before.isToMany, hasConcrete(before.destination) {
        unknown = "\(place) has lost its inverse"
      }
    }
    guard former.isOptional, !property.isOptional else { return }
    unknown = "\(place) becomes required"
  }

  /// That links follow when a key loses its name or gets one was seen; nothing else was.
  private mutating func judgeInverse(_ after: Relationship, since before: Relationship, place: String) {
    guard after.inverse != nil, !follows(after, since: before),
      let pairs = MigrationOracle.pairs(old.properties(of: before.destination), new.properties(of: after.destination))?
        .pairs
    else { return }
    let stays = before.inverse.map { pairs.values.contains($0) } ?? false
    // A key without inverse that gets one keeps the links in real stores.
    let wasThere = before.inverse != nil && after.inverse.map { pairs[$0] != nil } ?? false
    if stays || wasThere { unknown = "\(place) gets another inverse" }
  }

  /// Whether there can be an object that a relationship leads to.
  private func hasConcrete(_ entity: String) -> Bool {
    old.entities.contains { !$0.isAbstract && old.entity($0.name, isKindOf: entity) }
  }

  /// Whether the inverse is the former one, if under another name.
  private func follows(_ after: Relationship, since before: Relationship) -> Bool {
    let pairs = MigrationOracle.pairs(old.properties(of: before.destination), new.properties(of: after.destination))?
      .pairs
    return after.inverse.flatMap { pairs?[$0] } == before.inverse && (after.inverse == nil) == (before.inverse == nil)
  }

  // MARK: Constraints

  private mutating func judgeConstraints(_ entity: Entity, _ past: String) {
    let (before, after) = (old.properties(of: past), new.properties(of: entity.name))
    guard let (pairs, _) = MigrationOracle.pairs(before, after) else { return }
    let known = Set((old.entity(named: past)?.uniquenessConstraints ?? []).map(Set.init))
    for constraint in entity.uniquenessConstraints {
      let names = constraint.compactMap { pairs[$0] }
      if names.count == constraint.count, known.contains(Set(names)) { continue }
      let family = new.entities.filter { new.entity($0.name, isKindOf: entity.name) }.compactMap { entities[$0.name] }
      let own = rows.objects(of: family)
      guard names.count == constraint.count else {
        let isFilled = constraint.contains { pairs[$0] == nil && after[$0]?.property.attribute?.defaultValue != nil }
        if isFilled, own.count > 1 { unknown = "a constraint on a new default of \(entity.name)" }
        continue
      }
      if rows.areDuplicate(own, by: names) {
        isBlocked = true
      } else if own.count < rows.objects.count {
        // The index is on the root's table, with the rows of siblings.
        let root = new.root(of: entity.name)?.name ?? ""
        let table = new.entities.filter { new.root(of: $0.name)?.name == root }.compactMap { entities[$0.name] }
        if rows.areDuplicate(rows.objects(of: table), by: names) {
          unknown = "duplicates in the table of \(entity.name)"
        }
      }
    }
  }
}
