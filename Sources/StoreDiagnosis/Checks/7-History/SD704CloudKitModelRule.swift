import StoreWords
import StoreFindings
import StoreScanning
import StoreDataModel
import StoreCoreData

extension Check {
  static let cloudKitModelRule = Check(
    .cloudkitModelRule, "cloudkit-model-rule", .warning,
    summary: "The model breaks a rule of CloudKit's mirroring.",
    explanation: """
      ## What it looks for
      In a mirrored store, or in any with `--cloudkit`: attributes that are required and have no default, of an undefined
      type or an object id; relationships that are required, ordered, without inverse, or with the delete rule Deny;
      uniqueness constraints.

      ## Why it matters
      A container that mirrors refuses to load the store: 134060, "CloudKit integration requires that all attributes be
      optional, or have a default value set", and the like.

      ## Example
      `Note.title` is required and has no default.

      ## What can be done
      Make the attribute optional or give it a default at its declaration, the relationship optional and unordered with
      an inverse, and look for duplicates in code instead of with a constraint.
      """,
    lookAtSubject: { check, subject in
      let scan = subject.scan
      guard scan.store.isMirrored || subject.options.judgesAsMirrored else { return { [] } }
      guard let model = scan.store.model else {
        scan.skip("without a model nobody knows what mirroring would refuse")
        return { [] }
      }
      return {
        model.entities.flatMap { entity in
          let name = scan.map.entity(named: entity.name)?.name ?? entity.name
          return brokenRules(entity).map { property, words in
            broken(check, entity: name, property: property, words: words)
          }
        }
      }
    })
}

private func broken(_ check: Check, entity: String, property: String, words: String) -> Finding {
  Finding(
    id: check.id, name: check.name, severity: check.severity, entity: entity, table: nil, property: property, count: 1,
    examples: [], message: "\(quoted("\(entity).\(property)")) \(words), which CloudKit does not take",
    blocks: [134060],
    remedies: [], basis: .documented)
}

/// The rules an entity breaks, by property, or by the properties of a constraint.
private func brokenRules(_ entity: Entity) -> [(property: String, words: String)] {
  var words: [String: [String]] = [:]
  for property in entity.properties { words[property.name] = brokenRules(property) }
  for constraint in entity.uniquenessConstraints {
    words[constraint.joined(separator: ","), default: []].append("has to be unique")
  }
  return words.filter { !$0.value.isEmpty }.map { ($0.key, $0.value.joined(separator: " and ")) }
}

/// The rules a property breaks ("Creating a Core Data model for CloudKit").
private func brokenRules(_ property: Property) -> [String] {
  guard !property.isTransient else { return [] }
  let broken: [(Bool, String)] =
    switch property.kind {
    case .attribute(let attribute):
      [
        (!property.isOptional && attribute.defaultValue == nil, "is required and has no default"),
        (attribute.type == .undefined || attribute.type == .objectID, "is of type \(attribute.type.name)"),
      ]
    case .relationship(let relationship):
      [
        (!property.isOptional, "is required"), (relationship.inverse == nil, "has no inverse"),
        (relationship.isToMany && relationship.isOrdered, "is ordered"),
        (relationship.deleteRule == .deny, "has the delete rule Deny"),
      ]
    case .fetched: []
    }
  return broken.filter(\.0).map(\.1)
}
