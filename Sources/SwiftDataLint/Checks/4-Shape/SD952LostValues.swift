import StoreSourceChecks
import StoreDataModel
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let goneAndBack = LintCheck(.goneAndBack) { subject, say in
    for plan in subject.plans {
      for removal in subject.removals(in: plan) where subject.transient(removal) == nil {
        guard let back = removal.back, let lacking = removal.pair.to.entity(named: removal.entity) else { continue }
        let (from, name) = (removal.pair.from, removal.property.name)
        let (before, after) = (
          subject.member(name, of: removal.sourceEntity, in: from),
          subject.member(name, of: back.entity, in: back.version)
        )
        say.add(
          at: lacking.place, schema: removal.pair.to.name, entity: removal.entity, property: name,
          message:
            "\(removal.entity) of \(removal.pair.to.name) has no \(name), which \(from.name) and \(back.version.name) have: its "
            + "values are dropped between",
          notes: [
            .init("\(name) of \(from.name)", at: before?.stored.place),
            .init(
              "\(name) of \(back.version.name), for which rows of \(from.name) have no value then",
              at: after?.stored.place),
          ])
      }
    }
  }

  static let madeTransient = LintCheck(.madeTransient) { subject, say in
    for plan in subject.plans {
      for removal in subject.removals(in: plan) {
        guard let place = subject.transient(removal) else { continue }
        let (from, name) = (removal.pair.from, removal.property.name)
        let before = subject.member(name, of: removal.sourceEntity, in: from)
        say.add(
          at: place, schema: removal.pair.to.name, entity: removal.entity, property: name,
          message:
            "\(removal.entity).\(name) is @Transient in \(removal.pair.to.name) and stored in \(from.name): its column goes, with "
            + "the values of all rows", notes: [.init("\(name) of \(from.name)", at: before?.stored.place)])
      }
    }
  }
}

/// A property that the next version of a plan does not store, though it has the entity.
private struct Removal {
  let pair: Neighbours
  /// The entity in the version that has the property.
  let sourceEntity: String
  /// The entity in the version that lacks it.
  let entity: String
  let property: Property
  /// The first later version that has such a property anew, with what it calls the entity.
  let back: (version: LintVersion, entity: String)?
}

extension LintSubject {
  /// Properties that go from one version to the next and that no `willMigrate` reads before.
  fileprivate func removals(in plan: LintPlan) -> [Removal] {
    plan.neighbours.enumerated().flatMap { position, pair in
      pair.difference.changes.compactMap { change -> Removal? in
        guard case .removed = change.kind, let entity = change.place.sourceEntity,
          let name = change.place.sourceProperty, let next = pair.difference.destinationEntity(of: entity),
          let property = pair.difference.source.property(name, of: entity), pair.to.surelyLacks(name, of: next),
          !isRead(name, before: plan.stage(from: pair.from, to: pair.to))
        else { return nil }
        return Removal(
          pair: pair, sourceEntity: entity, entity: next, property: property,
          back: plan.neighbours[(position + 1)...].version(with: property, of: next, after: pair.to))
      }
    }
  }

  /// Whether `willMigrate` names the property, as a stage does that carries its values; one that cannot be read may.
  private func isRead(_ property: String, before stage: StageDeclaration?) -> Bool {
    guard let stage, stage.willMigrate != nil else { return false }
    guard let body = body(.willMigrate, of: stage) else { return true }
    return body.mentioned[property] != nil || body.keyPathNames.contains(property)
  }

  /// Where the class of the version that does not store a property declares it `@Transient`; nil where it does not.
  fileprivate func transient(_ removal: Removal) -> SourcePlace? {
    guard let id = removal.pair.to.entity(named: removal.entity).flatMap(classID),
      let variable = names[id].declaration?.members.variables.first(where: {
        $0.name == removal.property.name && !$0.isStatic && $0.attribute("Transient") != nil
      })
    else { return nil }
    return place(variable.nameSpan, in: names[id].file)
  }
}

extension LintVersion {
  /// Whether everything is known that could make an entity have a property all the same.
  fileprivate func surelyLacks(_ property: String, of name: String) -> Bool {
    guard schema.listProblem == nil, let entity = entity(named: name) else { return false }
    return !entity.reasons.contains { $0.property == nil || $0.property == property }
  }
}

extension ArraySlice where Element == Neighbours {
  /// The first version in a row without gaps that adds a property of the same name and type to an entity.
  fileprivate func version(
    with property: Property, of entity: String, after first: LintVersion
  ) -> (version: LintVersion, entity: String)? {
    var (last, name) = (first, entity)
    for pair in self {
      guard pair.from.id == last.id, let next = pair.difference.destinationEntity(of: name) else { return nil }
      if let found = pair.difference.destination.property(property.name, of: next) {
        let isAlike = found.kindName == property.kindName && found.attribute?.type == property.attribute?.type
        // A property that was renamed to this name has values of its own.
        return isAlike && pair.difference.sourceProperties(of: next)[property.name] == nil ? (pair.to, next) : nil
      }
      (last, name) = (pair.to, next)
    }
    return nil
  }
}
