extension Model {
  /// The model with what Xcode's compiler of models adds to the source.
  ///
  /// An attribute for which there is a fetch index of exactly it, ascending and binary, is marked as indexed and gets a
  /// second index with its own name, before all others; an index of several such elements is a compound index too. So it is
  /// in all real stores whose source is public (`docs/format/store-layout.md`); SwiftData's models are not compiled.
  package var compiled: Model {
    guard entities.contains(where: { $0.isFromEditor && !$0.indexes.isEmpty }) else { return self }
    let compiled = entities.map { $0.isFromEditor ? $0.compiled(in: self) : $0 }
    // What is valid before is so after, since names and relationships stay.
    guard
      var model = try? Model(
        entities: compiled, configurations: configurations, versionIdentifiers: versionIdentifiers,
        fetchRequests: fetchRequests, keepsFaults: true)
    else { return self }
    model.origin = origin
    return model
  }
}

extension Entity {
  fileprivate func compiled(in model: Model) -> Entity {
    var entity = self
    let plain = indexes.filter { index in
      index.partialPredicate == nil
        && index.elements.allSatisfy { $0.isAscending && $0.kind == .binary && $0.expression == nil }
    }
    var marked: [String] = []
    for index in plain {
      let names = index.elements.map(\.propertyName)
      guard names.count == 1 else {
        if names.count > 1, !compoundIndexes.contains(names) { entity.compoundIndexes.append(names) }
        continue
      }
      guard let name = names.first, !marked.contains(name), !indexes.contains(where: { $0.name == name }),
        model.property(name, of: self.name)?.attribute != nil
      else { continue }
      marked.append(name)
    }
    for position in properties.indices where marked.contains(properties[position].name) {
      guard case .attribute(var attribute) = properties[position].kind else { continue }
      attribute.isIndexed = true
      entity.properties[position].kind = .attribute(attribute)
    }
    entity.indexes = marked.map { FetchIndex(name: $0, elements: [FetchIndex.Element($0)]) } + indexes
    return entity
  }
}
