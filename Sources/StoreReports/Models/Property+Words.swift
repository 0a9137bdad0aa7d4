import StoreMigration
import StoreDataModel

extension ModelDiffReport {
  /// The words of a change; for an added or removed property, with its description.
  func words(of change: ModelChange) -> ChangeWords {
    var words = change.words
    let difference = inference.difference
    switch change.kind {
    case .added:
      let entity = difference.destination.entity(named: change.place.destinationEntity ?? "")
      words.to = entity?.property(named: change.place.destinationProperty ?? "")?.words
      words.phrase += words.to.map { ", \($0)" } ?? ""
    case .removed:
      let entity = difference.source.entity(named: change.place.sourceEntity ?? "")
      words.from = entity?.property(named: change.place.sourceProperty ?? "")?.words
      words.phrase += words.from.map { ", \($0)" } ?? ""
    default: break
    }
    return words
  }
}

extension Property {
  /// "String, required", "to many Note, inverse folder".
  fileprivate var words: String {
    var parts: [String] = []
    switch kind {
    case .attribute(let attribute):
      parts.append(attribute.derivation == nil ? attribute.type.name : "derived \(attribute.type.name)")
      if let value = attribute.defaultValue { parts.append("default \(value.words)") }
      if attribute.allowsExternalStorage { parts.append("external storage") }
    case .relationship(let relationship):
      parts.append((relationship.isToMany ? "to many " : "to one ") + relationship.destination)
      if relationship.isOrdered { parts.append("ordered") }
      if let inverse = relationship.inverse { parts.append("inverse \(inverse)") }
    case .fetched(let fetched): parts.append(fetched.entityName ?? "any entity")
    }
    if kindName != .fetchedProperty { parts.append(isOptional ? "optional" : "required") }
    if isTransient && kindName != .fetchedProperty { parts.append("transient") }
    return parts.joined(separator: ", ")
  }
}
