import StoreCoreData
import StoreDataModel
import StoreWords
import StoreWriting

extension SampleWriter {
  /// Parts the store does not have, or that differ from those of the app, one sentence each.
  func notKept(in store: StoreWriter) -> [String] {
    let orders = links.filter { $0.isSymmetric && $0.isOrdered }.map {
      "\($0.source.entity).\($0.source.name) is ordered and its own inverse: no store with one was seen, so the order is a "
        + "guess"
    }
    return orders + unknownRules() + maker.unsatisfied.map { "\($0): no value was found that its rules allow" }
      + entities.model.entities.flatMap { entity in entity.properties.flatMap { notKept(of: $0, in: entity.name) } }
      + store.indexesLeftOut.map { "the index \($0) is not made: its statement is not known" }
  }

  /// Parts of the store that it is to be like which it does not have.
  func notCounted() -> [String] {
    guard let shape = options.like else { return [] }
    let known = Set(entities.all.map(\.name))
    return shape.objects.sorted { codeUnitsPrecede($0.key, $1.key) }.filter { !known.contains($0.key) && $0.value > 0 }
      .map {
        "the \(counted(Int64($0.value), "object")) of \($0.key) are left out: the version has no such entity"
      } + shape.limits
  }

  /// Rules that values were not held against, each once.
  private func unknownRules() -> [String] {
    var seen: Set<String> = []
    var sentences: [String] = []
    for entity in entities.all {
      for leaf in entity.leaves {
        let name = leaf.path.split(separator: ".").first.map(String.init) ?? leaf.path
        let owner = entities.model.topmostDeclarer(of: name, in: entity.name) ?? entity.name
        for rule in leaf.rules.notEvaluated {
          let sentence = "\(owner).\(leaf.path) has a rule that values may break: \(rule)"
          if seen.insert(sentence).inserted { sentences.append(sentence) }
        }
      }
    }
    return sentences
  }

  private func notKept(of property: Property, in entity: String) -> [String] {
    guard let attribute = property.attribute, !property.isTransient else { return [] }
    let place = "\(entity).\(property.name)"
    var sentences: [String] = []
    if attribute.derivation != nil {
      sentences.append("\(place) is derived: its values, and the triggers that keep them, are not made")
    }
    if let name = attribute.unknownArchive {
      sentences.append("\(place) has a keyed archive of a list of texts: what '\(name)' writes is not known")
    }
    if let value = attribute.defaultValue, attribute.storedDefault == nil, attribute.elements == nil {
      sentences.append(
        "\(place) does not have its default: \(value.isUnreadable ? "it cannot be read" : "its class is not known")")
    }
    return sentences
  }
}

extension Attribute {
  /// The transformer or class of the app's own that decides what a transformable attribute holds; nil for others.
  fileprivate var unknownArchive: String? {
    guard type == .transformable else { return nil }
    if let name = valueTransformerName, !name.hasPrefix("NS") { return name }
    return valueClassName.flatMap { ArchivedSample(className: $0) == nil ? $0 : nil }
  }
}
