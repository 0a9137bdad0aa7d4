/// Finds the differences of a property, apart from its name and place.
extension Property {
  func changes(since old: Property) -> [ModelChange.Kind] {
    var kinds: [ModelChange.Kind] = []
    if kindName != old.kindName { kinds.append(.propertyKind(from: old.kindName, to: kindName)) }
    if isOptional != old.isOptional { kinds.append(.optional(isOptional)) }
    if isTransient != old.isTransient { kinds.append(.transient(isTransient)) }
    if isReadOnly != old.isReadOnly { kinds.append(.readOnly(isReadOnly)) }
    if versionHashModifier != old.versionHashModifier {
      kinds.append(.propertyModifier(from: old.versionHashModifier, to: versionHashModifier))
    }
    switch (old.kind, kind) {
    case (.attribute(let old), .attribute(let new)): kinds += new.changes(since: old)
    case (.relationship(let old), .relationship(let new)): kinds += new.changes(since: old)
    case (.fetched(let old), .fetched(let new)): if old != new { kinds.append(.fetchedRequest) }
    case (_, .attribute), (_, .relationship), (_, .fetched): break
    }
    if name == old.name && renamingIdentifier != old.renamingIdentifier {
      kinds.append(.renamingIdentifier(from: old.renamingIdentifier, to: renamingIdentifier))
    }
    if userInfo != old.userInfo { kinds.append(.userInfo) }
    return kinds
  }
}

extension Attribute {
  fileprivate func changes(since old: Attribute) -> [ModelChange.Kind] {
    var kinds: [ModelChange.Kind] = []
    if type != old.type { kinds.append(.type(from: old.type, to: type)) }
    if allowsExternalStorage != old.allowsExternalStorage { kinds.append(.externalStorage(allowsExternalStorage)) }
    if preservesValueInHistory != old.preservesValueInHistory {
      kinds.append(.preservesValueInHistory(preservesValueInHistory))
    }
    if derivation != old.derivation { kinds.append(.derivation(from: old.derivation, to: derivation)) }
    kinds += elementChanges(since: old)
    if defaultValue != old.defaultValue { kinds.append(.defaultValue(from: old.defaultValue, to: defaultValue)) }
    if validationPredicates != old.validationPredicates || validationTexts != old.validationTexts {
      kinds.append(.validation)
    }
    if valueClassName != old.valueClassName {
      kinds.append(.valueClass(from: old.valueClassName, to: valueClassName))
    }
    if valueTransformerName != old.valueTransformerName {
      kinds.append(.valueTransformer(from: old.valueTransformerName, to: valueTransformerName))
    }
    if isIndexed != old.isIndexed { kinds.append(.indexedMark(isIndexed)) }
    if locationComponents != old.locationComponents { kinds.append(.locationComponents) }
    return kinds
  }

  private func elementChanges(since old: Attribute) -> [ModelChange.Kind] {
    guard elements != old.elements, type == old.type else { return [] }
    let before = old.leavesByPath
    let after = leavesByPath
    let changed = ChangeFinder.names(before.keys, after.keys).filter { before[$0] != after[$0] }
    guard !changed.isEmpty || (elements == nil) != (old.elements == nil) else { return [] }
    return [
      .elements(
        added: changed.filter { before[$0] == nil }, removed: changed.filter { after[$0] == nil },
        changed: changed.filter { before[$0] != nil && after[$0] != nil })
    ]
  }

  private var leavesByPath: [String: [Property]] {
    var found: [String: [Property]] = [:]
    func collect(_ elements: [Property], under path: String) {
      for element in elements {
        let path = path + element.name
        if let inner = element.attribute?.elements {
          collect(inner, under: path + ".")
        } else {
          found[path, default: []].append(element)
        }
      }
    }
    collect(elements ?? [], under: "")
    return found
  }
}

extension Attribute {
  /// The element of a composite at a path ("home.street"); nil if there is none.
  package func element(_ path: String) -> Property? {
    var found: Property?
    var elements = elements ?? []
    for name in path.split(separator: ".") {
      guard let element = elements.first(where: { $0.name == name }) else { return nil }
      found = element
      elements = element.attribute?.elements ?? []
    }
    return found
  }

  /// The elements at these paths whose type differs from `old`: "w from Integer 64 to Double".
  package func elementTypes(_ paths: [String], since old: Attribute) -> [String] {
    paths.compactMap { path in
      guard let before = old.element(path)?.attribute?.type, let after = element(path)?.attribute?.type, before != after
      else { return nil }
      return "\(path) from \(before.name) to \(after.name)"
    }
  }
}

extension Relationship {
  fileprivate func changes(since old: Relationship) -> [ModelChange.Kind] {
    var kinds: [ModelChange.Kind] = []
    if destination != old.destination { kinds.append(.destination(from: old.destination, to: destination)) }
    if inverse != old.inverse { kinds.append(.inverse(from: old.inverse, to: inverse)) }
    if maximumCount != old.maximumCount { kinds.append(.maximumCount(from: old.maximumCount, to: maximumCount)) }
    if minimumCount != old.minimumCount { kinds.append(.minimumCount(from: old.minimumCount, to: minimumCount)) }
    if isOrdered != old.isOrdered { kinds.append(.ordered(isOrdered)) }
    if deleteRule != old.deleteRule { kinds.append(.deleteRule(from: old.deleteRule, to: deleteRule)) }
    return kinds
  }
}
