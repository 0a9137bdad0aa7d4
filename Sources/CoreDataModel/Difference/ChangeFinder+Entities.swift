/// What differs in an entity apart from its properties.
extension ChangeFinder {
  func entityChanges(from old: Entity, to new: Entity) -> [ModelChange.Kind] {
    var kinds: [ModelChange.Kind] = []
    if old.name != new.name { kinds.append(.entityRenamed) }
    if changesParent(from: old.parent, to: new.parent) { kinds.append(.parent(from: old.parent, to: new.parent)) }
    if old.isAbstract != new.isAbstract { kinds.append(.abstract(new.isAbstract)) }
    if old.versionHashModifier != new.versionHashModifier {
      kinds.append(.entityModifier(from: old.versionHashModifier, to: new.versionHashModifier))
    }
    kinds += constraintChanges(from: old, to: new)
    if old.className != new.className { kinds.append(.className(from: old.className, to: new.className)) }
    kinds += indexChanges(from: old, to: new)
    if old.name == new.name && old.renamingIdentifier != new.renamingIdentifier {
      kinds.append(.renamingIdentifier(from: old.renamingIdentifier, to: new.renamingIdentifier))
    }
    if old.userInfo != new.userInfo { kinds.append(.userInfo) }
    return kinds
  }

  /// A parent that is only called something else is a change of the parent, unless another entity has its old name now:
  /// then the child may be all that moves a hash.
  private func changesParent(from old: String?, to new: String?) -> Bool {
    guard let old, let new else { return (old == nil) != (new == nil) }
    return entities.destinations[old] != new || (old != new && destination.entity(named: old) != nil)
  }

  private func constraintChanges(from old: Entity, to new: Entity) -> [ModelChange.Kind] {
    var (removed, added) = (old.uniquenessConstraints, new.uniquenessConstraints)
    guard removed != added else { return [] }
    for constraint in old.uniquenessConstraints {
      guard let same = added.firstIndex(of: constraint), let own = removed.firstIndex(of: constraint) else { continue }
      added.remove(at: same)
      removed.remove(at: own)
    }
    let newNames = effectiveMatch(source, old.name, destination, new.name).destinations
    var kinds: [ModelChange.Kind] = []
    for constraint in removed {
      let names = constraint.map { newNames[$0] ?? $0 }.sorted(by: codeUnitsPrecede)
      if let same = added.firstIndex(where: { $0.sorted(by: codeUnitsPrecede) == names }) {
        kinds.append(.constraintChanged(from: constraint, to: added.remove(at: same)))
      } else {
        kinds.append(.constraintRemoved(constraint))
      }
    }
    return kinds + added.map { .constraintAdded($0) }
  }

  private func indexChanges(from old: Entity, to new: Entity) -> [ModelChange.Kind] {
    var kinds: [ModelChange.Kind] = []
    let before = Dictionary(grouping: old.indexes, by: \.name)
    let after = Dictionary(grouping: new.indexes, by: \.name)
    for name in Self.names(before.keys, after.keys) {
      switch (before[name], after[name]) {
      case (nil, _): kinds.append(.indexAdded(name))
      case (_, nil): kinds.append(.indexRemoved(name))
      case (let before?, let after?): if before != after { kinds.append(.indexChanged(name)) }
      }
    }
    if old.compoundIndexes != new.compoundIndexes { kinds.append(.compoundIndexes) }
    return kinds
  }
}
