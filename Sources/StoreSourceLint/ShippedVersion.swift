import StoreWords
import StoreDataModel
import StoreSwiftDataSchemas

/// A version as it was shipped, known from a pin, a store or a tag.
struct ShippedVersion {
  /// Where the hashes come from: "its pin".
  var witness: String
  var hashes: [String: VersionHash]
  /// The hashed text of each entity, by its name; entities for which it is not known are left out.
  var texts: [String: HashedText]
  /// Entities whose hashes are not known, with the reason: "price: Money is not known".
  var unknown: [String: String] = [:]
  /// Entities that a pin leaves out, with the reason: nobody asked for them.
  var unpinned: [String: String] = [:]
  /// Entities that can be read in the same ways as now: whichever holds, nothing was edited.
  var asNow: Set<String> = []
  /// A release that had the version as the last of its plan, and as it is now; nil where there is none, or another
  /// release had it so and otherwise.
  var asInUse: String?
  /// Whether it may leave out others too.
  var mayHaveMore = false
  /// The properties of the entities, by their names.
  var properties: [String: PropertyNames]
  /// Why it may have had more entities; nil where all are known.
  var listProblem: String?

  init(_ witness: String, hashes: [String: VersionHash], texts: [String: HashedText]) {
    self.witness = witness
    self.hashes = hashes
    self.texts = texts
    properties = texts.mapValues { PropertyNames(sure: Set($0.properties.keys)) }
  }

  /// - Parameter model: a model that is known to have the hashes.
  init(_ witness: String, hashes: [String: VersionHash], model: Model?) {
    let texts = (model?.entities ?? []).compactMap { entity in
      model?.hashedText(of: entity.name).map { (entity.name, $0) }
    }
    self.init(witness, hashes: hashes, texts: Dictionary(texts) { first, _ in first })
  }
}

/// The properties of an entity, as far as that is known: whatever else is open, one more or less is a difference.
struct PropertyNames: Equatable {
  /// Those that it surely has.
  var sure: Set<String>
  /// Others that it may have.
  var possible: Set<String> = []

  /// Whether one of the two surely has a property that the other surely lacks.
  func surelyDiffer(from other: Self) -> Bool {
    !sure.subtracting(other.sure).subtracting(other.possible).isEmpty
      || !other.sure.subtracting(sure).subtracting(possible).isEmpty
  }
}

extension SourceEntity {
  /// Nil where other classes may bring properties too.
  var propertyNames: PropertyNames? {
    guard variants.first?.entity.parent == nil, !reasons.contains(where: { $0.property == nil }) else { return nil }
    let open = Set(reasons.compactMap(\.property))
    let sure = Set(variants.flatMap { $0.entity.properties.filter { !$0.isTransient }.map(\.name) }).subtracting(open)
    // One that only some readings have, or none, may be there.
    let all = variants.reduce(sure) { names, variant in
      names.intersection(variant.entity.properties.map(\.name))
    }
    return PropertyNames(sure: all, possible: Set(propertyPlaces.keys).union(sure).union(open).subtracting(all))
  }
}

/// A property that differs from the shipped version.
struct MovedProperty {
  var entity: String
  var name: String
  /// The hashed text before; nil if the property was not there.
  var before: HashedText.Property?
  /// The hashed text now; nil if the property is gone.
  var now: HashedText.Property?

  /// "Note.body is new"
  var words: String {
    let words =
      if before == nil {
        "is new"
      } else if now == nil {
        "is gone"
      } else {
        "is another: it was \(before?.text ?? "")"
      }
    return "\(entity).\(name) \(words)"
  }
}

extension ShippedVersion {
  /// The properties of some entities that differ from the shipped version, as far as known.
  func moved(to version: SourceSchema, of entities: [String]) -> [MovedProperty] {
    guard let model = try? version.model() else { return [] }
    var moved: [MovedProperty] = []
    for name in entities {
      guard let before = texts[name]?.properties, let now = model.hashedText(of: name)?.properties else { continue }
      let open = possible(name, in: version)
      for property in Set(before.keys).union(now.keys).sorted(by: codeUnitsPrecede)
      where before[property] != now[property] && !open.contains(property) {
        moved.append(MovedProperty(entity: name, name: property, before: before[property], now: now[property]))
      }
    }
    return moved
  }
}

extension ShippedVersion {
  /// Properties of an entity that are open on either side.
  private func possible(_ entity: String, in version: SourceSchema) -> Set<String> {
    let now = version.entities.first { $0.name == entity }?.propertyNames?.possible ?? []
    return now.union(properties[entity]?.possible ?? [])
  }

  /// Entities that are new or gone, and what is hashed of others besides their properties and is not as it was: "Note is
  /// now unique [id]".
  func movedEntities(to version: SourceSchema, of entities: [String]) -> [(entity: String, words: String)] {
    guard let model = try? version.model() else { return [] }
    let own = Set(version.entities.map(\.name))
    return entities.compactMap { name in
      if !own.contains(name) { return (name, "\(name) is gone") }
      if hashes[name] == nil, unknown[name] == nil { return (name, "\(name) is new") }
      guard let before = texts[name]?.entity, let now = model.hashedText(of: name)?.entity, before != now else {
        return nil
      }
      let words =
        now.isEmpty ? "is no longer \(before)" : "is now \(now)" + (before.isEmpty ? "" : ", and was \(before)")
      return (name, "\(name) \(words)")
    }
  }
}

/// How a version differs from what was shipped, entity by entity: one that is not known hides no other.
struct Differences: Equatable {
  /// The entities that surely differ, sorted.
  var entities: [String] = []
  /// Why others are not known to be equal: "Note: price: Money is not known"; sorted by their names.
  var unknown: [String] = []

  /// The parts that are not compared, since a pin leaves them out, with the reason.
  var unpinned: [String] = []

  /// Of the equal ones, those that are equal in one of several readings of the source, with the open rule.
  var readings: [String] = []

  /// Whether the version is what was shipped, in a reading of its source.
  var areNone: Bool { entities.isEmpty && unknown.isEmpty }

  /// "Note and Tag differ", or what is not known.
  var words: String {
    guard let first = entities.first else { return unknownWords ?? "equal" }
    let more = entities.count > 5 ? " and \(entities.count - 5) more" : ""
    return entities.count == 1 ? "\(first) differs" : "\(entities.prefix(5).joined(separator: ", "))\(more) differ"
  }

  /// "it is equal only if it is read in one of several ways (Note: AttributedString)"; nil where no open rule matters.
  var readingWords: String? {
    guard let reading = readings.first else { return nil }
    let more = readings.count > 1 ? "; and \(readings.count - 1) more" : ""
    return "it is equal only if it is read in one of several ways (\(reading)\(more))"
  }

  /// The first reasons; nil where everything is known.
  var unknownWords: String? {
    guard !unknown.isEmpty else { return nil }
    let more = unknown.count > 3 ? "; and of \(unknown.count - 3) more" : ""
    return unknown.prefix(3).joined(separator: "; ") + more
  }
}

extension SourceSchema {
  /// How it differs from a version that was shipped.
  func differences(from shipped: ShippedVersion) -> Differences {
    var pinned = self
    pinned.entities.removeAll { entity in
      shipped.unpinned[entity.name] != nil || (shipped.mayHaveMore && shipped.hashes[entity.name] == nil)
    }
    var differences = pinned.differences(
      from: shipped.hashes, unknown: shipped.unknown, properties: shipped.properties, listProblem: shipped.listProblem,
      asNow: shipped.asNow)
    for (name, reason) in shipped.unpinned.sorted(by: { codeUnitsPrecede($0.key, $1.key) }) {
      if listProblem == nil, !entities.contains(where: { $0.name == name }) { differences.entities.append(name) }
      differences.unpinned.append("\(name): \(reason)")
    }
    differences.entities.sort(by: codeUnitsPrecede)
    return differences
  }

  /// How it differs from hashes of entities.
  ///
  /// Compares with a list of hashes. If one reading of an open rule has the hash, the rule is decided; if none has
  /// it, it is unknown whether the entity differs.
  ///
  /// - Parameters:
  ///   - unknown: other entities that were shipped, with the reasons why their hashes are not known.
  ///   - properties: the properties of entities that were shipped.
  ///   - listProblem: why still others may have been shipped.
  ///   - asNow: entities that could be read in the same ways.
  func differences(
    from hashes: [String: VersionHash], unknown: [String: String] = [:],
    properties: [String: PropertyNames] = [:], listProblem shippedProblem: String? = nil,
    asNow: Set<String> = []
  ) -> Differences {
    var differences = Differences()
    let own = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    for name in Set(own.keys).union(hashes.keys).union(unknown.keys).sorted(by: codeUnitsPrecede) {
      guard let entity = own[name] else {
        // It may be in the list all the same.
        if let listProblem {
          differences.unknown.append("\(name): \(listProblem)")
        } else {
          differences.entities.append(name)
        }
        continue
      }
      if let names = properties[name], entity.propertyNames?.surelyDiffer(from: names) ?? false {
        differences.entities.append(name)
      } else if let reason = unknown[name] {
        differences.unknown.append("\(name): \(reason)")
      } else if let hash = hashes[name] {
        switch entity.reasonNotComparable(with: hash) {
        case nil where !entity.variants.contains(where: { $0.hash == hash }): differences.entities.append(name)
        case nil:
          if let rule = entity.openWords.first, !asNow.contains(name) { differences.readings.append(rule) }
        case let reason?: differences.unknown.append("\(name): \(reason)")
        }
      } else if let shippedProblem {
        differences.unknown.append("\(name): \(shippedProblem)")
      } else {
        differences.entities.append(name)
      }
    }
    return differences
  }

  /// How many entities are not surely equal; those that surely differ count most.
  func distance(to hashes: [String: VersionHash]) -> (Int, Int) {
    let differences = differences(from: hashes)
    return (differences.entities.count, differences.unknown.count)
  }
}

extension SourceEntity {
  /// Why it is not known whether its hash is this one; nil where it is.
  fileprivate func reasonNotComparable(with hash: VersionHash) -> String? {
    if variants.contains(where: { $0.hash == hash }) { return nil }
    return reasonUnknown
  }

  /// Why its hash is not known: a property, or an open rule; nil where it is.
  var reasonUnknown: String? {
    if let reason = reasons.first {
      return [reason.property, reason.message].compactMap(\.self).joined(separator: ": ")
    }
    return openWords.first.map { "it rests on an open rule (\($0))" }
  }
}
