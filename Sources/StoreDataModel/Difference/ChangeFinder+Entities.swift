import StoreWords
/// Finds the differences of an entity itself, without its properties.
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

  /// A renamed parent is not a change of the child, unless another entity now has the parent's old name: then only the
  /// child's hash may change.
  private func changesParent(from old: String?, to new: String?) -> Bool {
    guard let old, let new else { return (old == nil) != (new == nil) }
    return entities.destinations[old] != new || (old != new && destination.entity(named: old) != nil)
  }

  private func constraintChanges(from old: Entity, to new: Entity) -> [ModelChange.Kind] {
    guard old.uniquenessConstraints != new.uniquenessConstraints else { return [] }
    let removed = old.uniquenessConstraints.without(new.uniquenessConstraints)
    let added = new.uniquenessConstraints.without(old.uniquenessConstraints)
    let matcher = PropertyMatcher(source: source, destination: destination, entities: entities)
    let newNames = matcher.effective(old.name, new.name).destinations
    // The same properties in another order or under new names count as a changed constraint.
    var successors = Dictionary(grouping: added.reversed()) { $0.sorted(by: codeUnitsPrecede) }
    var kinds: [ModelChange.Kind] = []
    var succeeded: [[String]] = []
    for constraint in removed {
      let names = constraint.map { newNames[$0] ?? $0 }.sorted(by: codeUnitsPrecede)
      if let successor = successors[names]?.popLast() {
        kinds.append(.constraintChanged(from: constraint, to: successor))
        succeeded.append(successor)
      } else {
        kinds.append(.constraintRemoved(constraint))
      }
    }
    return kinds + added.without(succeeded).map { .constraintAdded($0) }
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

extension [[String]] {
  /// The lists that occur here more often than in `others`.
  fileprivate func without(_ others: Self) -> Self {
    var counts = Dictionary(others.map { ($0, 1) }, uniquingKeysWith: +)
    return filter { list in
      guard let count = counts[list], count > 0 else { return true }
      counts[list] = count - 1
      return false
    }
  }
}
