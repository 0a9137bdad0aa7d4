import StoreWords
/// Version hashes as Core Data computes them, by the rules of `docs/format/version-hash.md`.
extension Model {
  /// The hash of every entity, with digest and checksum.
  package var versionHashes: VersionHashes { allHashes.entities }

  /// The property hashes that are part of an entity's hash, sorted by name (code units).
  func propertyHashes(of name: String) -> [(name: String, hash: VersionHash)] { allHashes.properties[name] ?? [] }

  private var allHashes: ModelHashes { derived.value(.hashes, weight: \.weight) { computedHashes } }

  private var computedHashes: ModelHashes {
    var computed: [String: VersionHash] = [:]
    var properties: [String: [HashedProperty]] = [:]
    // Ancestors first, because their hashes are needed; each property is hashed where it is declared.
    for entity in entitiesFromTheTop {
      let all = hashedProperties(of: entity, inherited: entity.parent.flatMap { properties[$0] } ?? [])
      properties[entity.name] = all
      computed[entity.name] = hash(of: entity, parent: entity.parent.flatMap { computed[$0] }, all)
    }
    return ModelHashes(
      entities: VersionHashes(computed),
      properties: properties.mapValues { $0.compactMap { name, hash in hash.map { (name, $0) } } })
  }

  /// A property with its hash; nil for a transient property, which is not hashed but may hide an inherited one.
  private typealias HashedProperty = (name: String, hash: VersionHash?)

  private func hash(of entity: Entity, parent: VersionHash?, _ properties: [HashedProperty]) -> VersionHash {
    var content = Array(entity.name.utf8)
    content.append(entity.isAbstract ? 1 : 0)
    content += parent?.bytes ?? []
    for property in properties { content += property.hash?.bytes ?? [] }
    content += Array((entity.versionHashModifier ?? "").utf8)
    // Each constraint becomes its property names joined by full stops, in the model's order. The results are sorted and
    // concatenated.
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
    content += constraints.sorted(by: codeUnitsPrecede).flatMap { Array($0.utf8) }
    return VersionHash(hashing: content)
  }

  /// All properties including inherited ones, sorted by name. A re-declared property occurs once, in its nearest form.
  private func hashedProperties(of entity: Entity, inherited: [HashedProperty]) -> [HashedProperty] {
    var all: [HashedProperty] = []
    all.reserveCapacity(inherited.count + entity.properties.count)
    var rest = inherited[...]
    for property in entity.properties {
      while let next = rest.first, codeUnitsPrecede(next.name, property.name) {
        all.append(next)
        rest.removeFirst()
      }
      if rest.first?.name == property.name { rest.removeFirst() }
      all.append((property.name, property.isTransient ? nil : hash(of: property, in: entity.name)))
    }
    return all + rest
  }

  private func hash(of property: Property, in entity: String) -> VersionHash {
    switch property.kind {
    case .attribute(let attribute): return attribute.hash(named: property)
    case .relationship(let relationship):
      let isOwnInverse =
        relationship.inverse == property.name
        && relationship.destination == topmostDeclarer(of: property.name, in: entity)
      return relationship.hash(named: property, isOwnInverse: isOwnInverse)
    case .fetched: return property.baseHash
    }
  }
}

extension Property {
  /// Name, two bytes of flags, modifier.
  var baseHash: VersionHash {
    let flags: UInt16 = (isOptional ? 1 : 0) | (isTransient ? 2 : 0) | (isReadOnly ? 4 : 0)
    return VersionHash(hashing: name.utf8 + flags.littleEndianBytes + (versionHashModifier ?? "").utf8)
  }
}

extension Attribute {
  func hash(named property: Property) -> VersionHash {
    if let derivation {
      // Neither the name, nor the type, nor the flags of the attribute are hashed.
      return VersionHash(
        hashing: Array(derivation.expression.description.utf8)
          + Array((derivation.filter?.description ?? "").utf8))
    }
    if let elements {
      // The hash of the concatenated hashes of its elements, sorted by name, without transient elements.
      let leaves = Self.leaves(of: elements)
        .filter { !$0.isTransient }
        .sorted { codeUnitsPrecede($0.name, $1.name) }
      return VersionHash(hashing: leaves.flatMap { $0.attribute?.hash(named: $0).bytes ?? [] })
    }
    var content = property.baseHash.bytes + type.rawValue.littleEndianBytes
    if allowsExternalStorage { content.append(1) }
    if preservesValueInHistory { content.append(1) }
    return VersionHash(hashing: content)
  }

  /// The elements, with nested composites replaced by their elements.
  package static func leaves(of elements: [Property]) -> [Property] {
    elements.flatMap { element in
      element.attribute?.elements.map(leaves) ?? [element]
    }
  }
}

extension Relationship {
  func hash(named property: Property, isOwnInverse: Bool) -> VersionHash {
    var content = property.baseHash.bytes + Array(destination.utf8)
    if let inverse, !isOwnInverse { content += Array(inverse.utf8) }
    content += maximumCount.littleEndianBytes
    content += minimumCount.littleEndianBytes
    if isOrdered { content += [1, 0] }
    return VersionHash(hashing: content)
  }
}

extension FixedWidthInteger {
  var littleEndianBytes: [UInt8] {
    withUnsafeBytes(of: littleEndian) { Array($0) }
  }
}
