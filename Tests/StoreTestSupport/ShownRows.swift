import StoreMigration
import StoreDataModel
import TestSupport

/// Rows written down in a test, as in the migration cases: for each entity its rows, with "pk" and values by property
/// name.
package struct ShownRows: RowFacts {
  package var model: Model
  package var rows: [String: [[String: JSONTree]]]

  package init(model: Model, rows: [String: [[String: JSONTree]]]) {
    (self.model, self.rows) = (model, rows)
  }

  package func violations(of condition: RowCondition) -> [RowViolation]? {
    switch condition {
    case .noRows(let entities): matches(entities) { _ in true }
    case .atMostOneRow(let entities):
      entities.map { rows[$0]?.count ?? 0 }.reduce(0, +) > 1 ? matches(entities) { _ in true } : []
    case .noNulls(let entities, let property): matches(entities) { value($0, property) == .null }
    case .noValues(let entities, let property): matches(entities) { value($0, property) != .null }
    case .noDuplicates(let entity, let among, let properties, let nullsAreEqual):
      duplicates(entity, among, properties, nullsAreEqual)
    case .numericFits(let entities, let property, let type):
      matches(entities) { !fits(value($0, property), type) }
    case .atMostOneLink(let entities, let property): matches(entities) { links($0, entities, property) > 1 }
    case .linksWithin(let entities, let property, let destinations):
      matches(entities) { leads(value($0, property), to: destinations) == false }
    case .linkCount(let entities, let property, let minimum, let maximum):
      matches(entities) {
        let count = links($0, entities, property)
        return count < minimum || (maximum > 0 && count > maximum)
      }
    case .valid(let entities, let property, let validation):
      matches(entities) { row in
        guard let maximum = validation.attribute.validationTexts?.maximum.flatMap({ Double($0) }),
          let number = number(value(row, property))
        else { return false }
        return number > maximum
      }
    case .noDanglingKeys(let entities, let property):
      matches(entities) {
        guard let destination = model.property(property, of: entities[0])?.relationship?.destination else {
          return false
        }
        let family = model.entities.map(\.name).filter { model.entity($0, isKindOf: destination) }
        return leads(value($0, property), to: family) == false
      }
    case .noOrphanedLinks(let entities, let property): orphans(entities, property)
    }
  }

  private func matches(_ entities: [String], _ isMatch: ([String: JSONTree]) -> Bool) -> [RowViolation] {
    entities.compactMap { entity in
      let keys = (rows[entity] ?? []).filter(isMatch).map { key($0) }.sorted()
      return keys.isEmpty ? nil : RowViolation(entity: entity, count: Int64(keys.count), keys: keys)
    }
  }

  private func value(_ row: [String: JSONTree], _ property: String) -> JSONTree { row[property] ?? .null }

  private func key(_ row: [String: JSONTree]) -> Int64 {
    if case .integer(let key)? = row["pk"] { key } else { 0 }
  }

  private func number(_ value: JSONTree) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  private func fits(_ value: JSONTree, _ type: AttributeType) -> Bool {
    guard let number = number(value) else { return true }
    return switch type {
    case .boolean: number == 0 || number == 1
    case .integer16: Int16(exactly: number) != nil
    case .integer32: Int32(exactly: number) != nil
    case .integer64: Int64(exactly: number) != nil
    case .double: if case .integer(let whole) = value { Double(exactly: whole) != nil } else { true }
    case .float: if case .integer(let whole) = value { Float(exactly: whole) != nil } else { true }
    default: true
    }
  }

  private func duplicates(
    _ entity: String, _ among: [String], _ properties: [String], _ nullsAreEqual: Bool
  ) -> [RowViolation] {
    var groups: [[JSONTree]: [Int64]] = [:]
    for row in among.flatMap({ rows[$0] ?? [] }) {
      let values = properties.map { value(row, $0) }
      let counts = nullsAreEqual ? values.contains(where: { $0 != .null }) : !values.contains(.null)
      if counts { groups[values, default: []].append(key(row)) }
    }
    let keys = groups.values.filter { $0.count > 1 }.flatMap { $0 }.sorted()
    return keys.isEmpty ? [] : [RowViolation(entity: entity, count: Int64(keys.count), keys: keys)]
  }

  /// The number of rows on the other side that link to this one.
  private func links(_ row: [String: JSONTree], _ entities: [String], _ property: String) -> Int {
    guard let relationship = model.property(property, of: entities.first ?? "")?.relationship,
      let inverse = relationship.inverse
    else { return 0 }
    return (rows[relationship.destination] ?? []).filter { value($0, inverse) == row["pk"] }.count
  }

  private func leads(_ key: JSONTree, to entities: [String]) -> Bool? {
    guard case .integer(let key) = key else { return nil }
    return entities.contains { (rows[$0] ?? []).contains { self.key($0) == key } }
  }

  private func orphans(_ entities: [String], _ property: String) -> [RowViolation] {
    let links = (rows["joins"] ?? []).filter { link in entities.contains { link["rel"] == .string("\($0).\(property)") }
    }
    let keys = Set(entities.flatMap { rows[$0] ?? [] }.map { key($0) })
    let orphans = links.compactMap { link -> Int64? in
      guard case .integer(let from)? = link["from"], case .integer(let to)? = link["to"] else { return nil }
      return keys.contains(from) && keys.contains(to) ? nil : from
    }
    return orphans.isEmpty ? [] : [RowViolation(entity: entities[0], count: Int64(orphans.count), keys: orphans)]
  }
}
