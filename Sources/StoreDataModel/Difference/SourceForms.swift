/// Detects changes that only mean that two sources express the same thing differently, so that stores do not differ.
///
/// | change | only a different form if |
/// | --- | --- |
/// | class of an entity or value | one model states no such class at all: the model caches of some apps do not |
/// | index, index mark, compound index | the other side has an index of the same elements in any form |
/// | default of a decimal | one side holds it as an object that is not decoded |
/// | default of a collection | one side is a store's object, the other the type as Swift source writes it |
///
/// Frameworks from 836 on make an index `X` for an attribute `X` marked as indexed, and `A_B` for a compound index of
/// `A` and `B` (`store-format.md` §8): a model cache has both, Xcode's XML only the mark.
struct SourceForms {
  private let source: IndexedThings
  private let destination: IndexedThings
  private let statesClasses: Bool
  private let statesValueClasses: Bool

  init(_ source: Model, _ destination: Model) {
    self.source = IndexedThings(source)
    self.destination = IndexedThings(destination)
    statesClasses = source.stated.classes && destination.stated.classes
    statesValueClasses = source.stated.valueClasses && destination.stated.valueClasses
  }

  /// Whether a change is only a different form.
  func isOfForm(_ kind: ModelChange.Kind, at place: ModelChange.Place) -> Bool {
    switch kind {
    case .className: return !statesClasses
    case .valueClass: return !statesValueClasses
    case .defaultValue(.object("NSDecimalNumber")?, .decimal?), .defaultValue(.decimal?, .object("NSDecimalNumber")?):
      return true
    case .defaultValue(.object(let old)?, .object(let new)?):
      return [old, new].contains { $0.hasPrefix("NS") } && [old, new].contains { $0.hasPrefix("[") }
    default: return isOfForm(index: kind, place)
    }
  }

  private func isOfForm(index kind: ModelChange.Kind, _ place: ModelChange.Place) -> Bool {
    guard let old = place.sourceEntity, let new = place.destinationEntity else { return false }
    func isInSource(_ things: [String]) -> Bool { source.has(things, in: old) }
    func isInDestination(_ things: [String]) -> Bool { destination.has(things, in: new) }
    return switch kind {
    case .indexAdded(let name): isInSource(destination.things(ofIndex: name, of: new))
    case .indexRemoved(let name): isInDestination(source.things(ofIndex: name, of: old))
    case .indexChanged(let name):
      isInSource(destination.things(ofIndex: name, of: new)) && isInDestination(source.things(ofIndex: name, of: old))
    case .compoundIndexes:
      isInSource(destination.compoundThings(of: new)) && isInDestination(source.compoundThings(of: old))
    case .indexedMark(true): isInSource([FetchIndex.thing(of: [place.sourceProperty ?? ""])])
    case .indexedMark(false): isInDestination([FetchIndex.thing(of: [place.destinationProperty ?? ""])])
    default: false
    }
  }
}

/// The content of a model's indexes, independent of their form and name, as comparable text.
private struct IndexedThings {
  private let model: Model
  private let things: [String: Set<String>]

  init(_ model: Model) {
    self.model = model
    things = model.indexedThings
  }

  func things(ofIndex name: String, of entity: String) -> [String] {
    model.entity(named: entity)?.indexes.filter { $0.name == name }.map(\.thing) ?? []
  }

  func compoundThings(of entity: String) -> [String] {
    model.entity(named: entity)?.compoundIndexes.map(FetchIndex.thing) ?? []
  }

  /// Whether an entity or an ancestor has an index of each; a model cache may list those of ancestors again.
  func has(_ wanted: [String], in entity: String) -> Bool {
    let places = [entity] + model.ancestors(of: entity).map(\.name)
    return wanted.allSatisfy { thing in places.contains { things[$0]?.contains(thing) == true } }
  }
}

extension Model {
  /// Whether any class is stated.
  fileprivate var stated: (classes: Bool, valueClasses: Bool) {
    derived.value(.statedClasses, weight: { _ in 1 }) {
      (
        entities.contains { $0.className != nil },
        entities.contains { $0.properties.contains { $0.attribute?.valueClassName != nil } }
      )
    }
  }

  /// For each entity that has any, the content of its indexes.
  fileprivate var indexedThings: [String: Set<String>] {
    derived.value(.indexedThings, weight: \.count) {
      var things: [String: Set<String>] = [:]
      for entity in entities {
        let marked = entity.properties.filter { $0.attribute?.isIndexed == true }.map {
          FetchIndex.thing(of: [$0.name])
        }
        let all = marked + entity.indexes.map(\.thing) + entity.compoundIndexes.map(FetchIndex.thing)
        if !all.isEmpty { things[entity.name] = Set(all) }
      }
      return things
    }
  }
}

extension FetchIndex {
  /// The content of the index, as text.
  fileprivate var thing: String {
    let parts = elements.map { element in
      "\(element.expression.map { "= \($0)" } ?? element.propertyName) \(element.isAscending) \(element.kind.rawValue)"
    }
    return (parts + (partialPredicate.map { ["where \($0)"] } ?? [])).joined(separator: "\n")
  }

  /// The content of an index mark or compound index on these properties, as text.
  fileprivate static func thing(of properties: [String]) -> String {
    FetchIndex(name: "", elements: properties.map { Element($0) }).thing
  }
}
