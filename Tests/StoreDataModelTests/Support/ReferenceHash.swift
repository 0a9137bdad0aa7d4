import StoreDataModel
import StoreDigests

/// The rules of `docs/format/version-hash.md`, implemented a second time in the simplest way. Each rule can be left out
/// or changed, to show that some entity's hash depends on it.
enum Ablation: CaseIterable {
  case inheritedPropertiesLeftOut, superentityLeftOut, transientKept, abstractByteLeftOut, abstractByteAlwaysZero
  case entityModifierLeftOut, propertyModifierLeftOut, uniquenessLeftOut, constraintsNotSorted
  case constraintNamesSorted, constraintNamesJoinedWithNothing, ownInverseKept, destinationLeftOut
  case minimumBeforeMaximum, orderedMarkLeftOut, orderedMarkOfOneByte, externalStorageLeftOut, keptLeftOut
  case derivedWithOwnHash, compositeWithOwnHash, compositeInModelOrder, namesSortedWithoutCase, flagsOfOneByte
  case typeOfTwoBytes
}

struct ReferenceHash {
  let model: Model
  var without: Ablation?

  init(_ model: Model, without: Ablation? = nil) {
    self.model = model
    self.without = without
  }

  func hash(of entity: Entity) -> [UInt8] {
    var bytes = Array(entity.name.utf8)
    if without != .abstractByteLeftOut {
      bytes.append(entity.isAbstract && without != .abstractByteAlwaysZero ? 1 : 0)
    }
    if let parent = entity.parent.flatMap(model.entity), without != .superentityLeftOut { bytes += hash(of: parent) }
    let all = model.properties(of: entity.name).values.filter { without == .transientKept || !$0.property.isTransient }
    let counted =
      without == .inheritedPropertiesLeftOut
      ? all.filter { entity.property(named: $0.property.name) != nil } : Array(all)
    for each in counted.sorted(by: { precedes($0.property.name, $1.property.name) }) { bytes += hash(of: each) }
    if without != .entityModifierLeftOut { bytes += (entity.versionHashModifier ?? "").utf8 }
    return Digests.sha256(bytes + constraints(of: entity))
  }

  private func precedes(_ left: String, _ right: String) -> Bool {
    without == .namesSortedWithoutCase
      ? left.lowercased() < right.lowercased() : left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private func constraints(of entity: Entity) -> [UInt8] {
    if without == .uniquenessLeftOut { return [] }
    let separator = without == .constraintNamesJoinedWithNothing ? "" : "."
    let texts = entity.uniquenessConstraints.map { names in
      (without == .constraintNamesSorted ? names.sorted() : names).joined(separator: separator)
    }
    return (without == .constraintsNotSorted ? texts : texts.sorted()).flatMap { Array($0.utf8) }
  }

  private func hash(of each: InheritedProperty) -> [UInt8] {
    switch each.property.kind {
    case .attribute(let attribute): hash(of: attribute, each.property)
    case .relationship(let relationship): hash(of: relationship, each)
    case .fetched: base(each.property)
    }
  }

  private func base(_ property: Property) -> [UInt8] {
    let flags: UInt8 = (property.isOptional ? 1 : 0) | (property.isTransient ? 2 : 0) | (property.isReadOnly ? 4 : 0)
    let modifier = without == .propertyModifierLeftOut ? "" : property.versionHashModifier ?? ""
    return Digests.sha256(property.name.utf8 + (without == .flagsOfOneByte ? [flags] : [flags, 0]) + modifier.utf8)
  }

  private func hash(of attribute: Attribute, _ property: Property) -> [UInt8] {
    if let derivation = attribute.derivation {
      let own = without == .derivedWithOwnHash ? base(property) : []
      let filter = derivation.filter?.description ?? ""
      return Digests.sha256(own + derivation.expression.description.utf8 + filter.utf8)
    }
    if let elements = attribute.elements {
      let own = without == .compositeWithOwnHash ? base(property) : []
      let leaves = leaves(of: elements).filter { !$0.isTransient }
      let ordered = without == .compositeInModelOrder ? leaves : leaves.sorted { precedes($0.name, $1.name) }
      return Digests.sha256(
        own + ordered.flatMap { element in element.attribute.map { hash(of: $0, element) } ?? [] })
    }
    let size = without == .typeOfTwoBytes ? 2 : 4
    var bytes = base(property) + littleEndian(attribute.type.rawValue).prefix(size)
    if attribute.allowsExternalStorage && without != .externalStorageLeftOut { bytes.append(1) }
    if attribute.preservesValueInHistory && without != .keptLeftOut { bytes.append(1) }
    return Digests.sha256(bytes)
  }

  private func leaves(of elements: [Property]) -> [Property] {
    elements.flatMap { element in element.attribute?.elements.map(leaves) ?? [element] }
  }

  private func hash(of relationship: Relationship, _ each: InheritedProperty) -> [UInt8] {
    var bytes = base(each.property)
    if without != .destinationLeftOut { bytes += relationship.destination.utf8 }
    let isOwn = relationship.inverse == each.property.name && relationship.destination == each.topmostDeclarer
    if let inverse = relationship.inverse, !isOwn || without == .ownInverseKept { bytes += inverse.utf8 }
    let counts = [relationship.maximumCount, relationship.minimumCount]
    for count in without == .minimumBeforeMaximum ? counts.reversed() : counts { bytes += littleEndian(count) }
    if relationship.isOrdered && without != .orderedMarkLeftOut {
      bytes += without == .orderedMarkOfOneByte ? [1] : [1, 0]
    }
    return Digests.sha256(bytes)
  }

  private func littleEndian(_ value: Int32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
