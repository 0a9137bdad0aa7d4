import StoreDataModel

/// What a mapping model asks of the rows, as far as its expressions say it: each required property of its objects gets a
/// value. Core Data saves the objects it makes, and saving one without such a value fails (1570).
///
/// Only what the rows of the source entity show is asked: a value that stands there, or none at all. Where a path leads
/// to other objects, a condition chooses objects, or code gives values, nothing is asked here; `migrate` looks at what it
/// has written.
struct MappingRules {
  let mapping: MappingModel
  let source: Model
  let target: Model

  var all: [RowRule] { mapping.entityMappings.flatMap(rules) }

  private func rules(of entity: MappingModel.EntityMapping) -> [RowRule] {
    guard entity.policyClassName == nil, entity.filter == nil, let from = entity.source?.entity,
      let to = entity.destination?.entity, source.entity(named: from) != nil, let attributes = entity.attributes
    else { return [] }
    let stated = Dictionary(attributes.map { ($0.name, $0.value) }) { first, _ in first }
    return target.properties(of: to).sorted { $0.key < $1.key }.compactMap { name, inherited in
      let property = inherited.property
      guard let attribute = property.attribute, !property.isOptional, !property.isTransient,
        attribute.derivation == nil, attribute.elements == nil
      else { return nil }
      let place = "\(to).\(name), which is required"
      guard let value = stated[name] ?? nil else {
        return attribute.defaultValue == nil
          ? rule(.noRows([from]), words: "the mapping model gives \(place), no value") : nil
      }
      if value == .constant(.null) {
        return rule(.noRows([from]), words: "the mapping model gives \(place), no value")
      }
      guard let past = value.ownProperty, let old = source.property(past, of: from), !old.isTransient,
        old.attribute != nil, old.attribute?.elements == nil
      else { return nil }
      return rule(
        .noNulls([from], property: past), words: "the mapping model gives \(place), the value of \(past), which is NULL"
      )
    }
  }

  private func rule(_ condition: RowCondition, words: String) -> RowRule {
    RowRule(
      condition: condition, consequence: .blocks(.missingAtSave), gradeWhenMet: .a, gradeWhenViolated: .c, words: words)
  }
}

extension Expression {
  /// The property of the source object whose value it is; nil for any other expression.
  fileprivate var ownProperty: String? {
    let path: String
    switch self {
    case .path(of: .variable("source"), let text), .path(of: .evaluatedObject, let text), .keyPath(let text):
      path = text
    case .function("valueForKey:", operand: .variable("source")?, let arguments),
      .function("valueForKeyPath:", operand: .variable("source")?, let arguments):
      guard arguments.count == 1, case .constant(.string(let text)) = arguments[0] else { return nil }
      path = text
    default: return nil
    }
    return path.contains(".") || path.contains("@") ? nil : path
  }
}
