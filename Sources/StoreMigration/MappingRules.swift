import StoreDataModel

/// What a mapping model asks of the rows, as far as its expressions say it: each required property of its objects gets a
/// value. Core Data saves the objects it makes, and saving one without such a value fails (1570).
///
/// Only what the rows of the source entity show is asked: a value or a link that stands there, the first link of a key path,
/// or none at all. What stands in other objects is not asked, nor anything where a condition chooses objects or code gives
/// values; `migrate` looks at what it has written.
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
      let path = value.ownPath
      if path.count > 1, let first = path.first, isStoredToOne(first, of: from) {
        return rule(
          .noNulls([from], property: first),
          words:
            "the mapping model gives \(place), the value of \(path.joined(separator: ".")), and there is no \(first)")
      }
      guard path.count == 1, let past = path.first, let old = source.property(past, of: from), !old.isTransient,
        old.attribute != nil, old.attribute?.elements == nil
      else { return nil }
      return rule(
        .noNulls([from], property: past), words: "the mapping model gives \(place), the value of \(past), which is NULL"
      )
    } + linkRules(of: entity, from: from, to: to)
  }

  private func isStoredToOne(_ name: String, of entity: String) -> Bool {
    guard let property = source.property(name, of: entity), let relationship = property.relationship else {
      return false
    }
    return !relationship.isToMany && !property.isTransient
  }

  // MARK: Links

  /// Each required to-one gets a link, from its own side or from that of its inverse.
  private func linkRules(of entity: MappingModel.EntityMapping, from: String, to: String) -> [RowRule] {
    guard let stated = entity.relationships else { return [] }
    return target.properties(of: to).sorted { $0.key < $1.key }.compactMap { name, inherited in
      let property = inherited.property
      guard let relationship = property.relationship, !relationship.isToMany, !property.isOptional,
        !property.isTransient, let others = linksOfOtherSide(relationship)
      else { return nil }
      let place = "\(to).\(name), which is required"
      guard let own = stated.first(where: { $0.name == name })?.value else {
        return others.isEmpty ? rule(.noRows([from]), words: "the mapping model gives \(place), no link") : nil
      }
      guard let path = own.linkPath, path.count == 1, let past = path.first, isStoredToOne(past, of: from),
        let old = source.property(past, of: from)?.relationship, others.allSatisfy({ $0 == [old.inverse ?? ""] })
      else { return nil }
      return rule(
        .noNulls([from], property: past),
        words: "the mapping model gives \(place), the link of \(past), and there is none")
    }
  }

  /// The paths by which the inverse of a relationship gets its links; nil where code or an expression of another form may give
  /// any.
  private func linksOfOtherSide(_ relationship: Relationship) -> [[String]]? {
    guard let inverse = relationship.inverse else { return [] }
    var paths: [[String]] = []
    for other in mapping.entityMappings {
      guard let to = other.destination?.entity, target.entity(to, isKindOf: relationship.destination) else { continue }
      guard other.policyClassName == nil, let stated = other.relationships else { return nil }
      guard let value = stated.first(where: { $0.name == inverse })?.value else { continue }
      guard let path = value.linkPath else { return nil }
      paths.append(path)
    }
    return paths
  }

  private func rule(_ condition: RowCondition, words: String) -> RowRule {
    RowRule(
      condition: condition, consequence: .blocks(.missingAtSave), gradeWhenMet: .a, gradeWhenViolated: .c, words: words)
  }
}

extension Expression {
  /// The names of the key path of the source object whose value it is; empty for any other expression.
  fileprivate var ownPath: [String] {
    let path: String
    switch self {
    case .path(of: .variable("source"), let text), .path(of: .evaluatedObject, let text), .keyPath(let text):
      path = text
    case .function("valueForKey:", operand: .variable("source")?, let arguments),
      .function("valueForKeyPath:", operand: .variable("source")?, let arguments):
      guard arguments.count == 1, case .constant(.string(let text)) = arguments[0] else { return [] }
      path = text
    default: return []
    }
    return path.contains("@") ? [] : path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// The names of the relationships of the source object whose objects' successors it asks the manager for; nil for any other
  /// expression.
  fileprivate var linkPath: [String]? {
    guard
      case .function(MappingModel.instancesOfRelationship, operand: .variable("manager")?, let arguments) = self,
      arguments.count == 2, case let path = arguments[1].ownPath, !path.isEmpty
    else { return nil }
    return path
  }
}
