import StoreSourceChecks
import StoreDataModel
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let changedType = LintCheck(.changedType) { subject, say in
    for pair in subject.plans.flatMap(\.neighbours) {
      for change in pair.difference.changes where pair.isKnown(change) {
        guard let words = change.kind.typeWords ?? pair.elementWords(change),
          let entity = change.place.destinationEntity,
          let property = change.place.destinationProperty
        else { continue }
        let member = subject.member(property, of: entity, in: pair.to)
        let before = subject.member(change.place.sourceProperty, of: change.place.sourceEntity, in: pair.from)
        say.add(
          at: member?.stored.place ?? pair.to.entity(named: entity)?.place ?? pair.to.schema.place,
          schema: pair.to.name, entity: entity, property: property,
          message: "\(entity).\(property) \(words) from \(pair.from.name) to \(pair.to.name) under one name",
          notes: [.init("in \(pair.from.name)", at: before?.stored.place)])
      }
    }
  }
}

extension Neighbours {
  /// Describes a struct's member, or an enum's raw value, with a changed type.
  fileprivate func elementWords(_ change: ModelChange) -> String? {
    guard case .elements(_, _, let changed) = change.kind,
      let old = from.attribute(change.place.sourceProperty, of: change.place.sourceEntity),
      let new = to.attribute(change.place.destinationProperty, of: change.place.destinationEntity)
    else { return nil }
    let words = new.elementTypes(changed, since: old)
    return words.isEmpty ? nil : "changes inside (\(words.joined(separator: ", ")))"
  }
}

extension LintVersion {
  fileprivate func attribute(_ property: String?, of name: String?) -> Attribute? {
    guard let property, let name else { return nil }
    return entity(named: name)?.variants.first?.entity.property(named: property)?.attribute
  }
}

extension ModelChange.Kind {
  /// Describes a changed type, where existing rows cannot be converted.
  fileprivate var typeWords: String? {
    switch self {
    case .type(let old, let new): "changes from \(old.name) to \(new.name)"
    case .propertyKind(.attribute, .relationship): "changes from an attribute to a relationship"
    case .propertyKind(.relationship, .attribute): "changes from a relationship to an attribute"
    case .maximumCount(let old, let new) where old != 1 && new == 1: "changes from to-many to to-one"
    default: nil
    }
  }
}
