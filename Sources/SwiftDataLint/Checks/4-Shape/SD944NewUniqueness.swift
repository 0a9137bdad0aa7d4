import StoreSourceChecks
import StoreDataModel
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let newUniqueness = LintCheck(.newUniqueness) { subject, say in
    for plan in subject.plans {
      for pair in plan.neighbours {
        let stage = plan.stage(from: pair.from, to: pair.to)
        for change in pair.difference.changes {
          guard case .constraintAdded(let names) = change.kind, change.place.sourceEntity != nil,
            let entity = change.place.destinationEntity, !subject.touches(entity, in: stage),
            // Rows that are unique by fewer properties are unique by more.
            !pair.isUnique(change.place.sourceEntity, by: names)
          else { continue }
          let source = pair.to.entity(named: entity)
          // NULL values are not duplicates of one another.
          let new = pair.newProperties(among: names, change)
          if new.contains(where: { $0.isOptional && $0.attribute?.defaultValue == nil }) { continue }
          let member = names.first.flatMap { subject.member($0, of: entity, in: pair.to) }
          let text = names.joined(separator: ", ")
          say.add(
            .warning, at: member?.stored.place ?? source?.place ?? pair.to.schema.place, schema: pair.to.name,
            entity: entity, property: names.count == 1 ? names[0] : nil,
            message: "\(entity) is unique by \(text) since \(pair.to.name), and "
              + (new.isEmpty
                ? (stage == nil ? "no stage removes" : "the stage from \(pair.from.name) does not remove")
                  + " duplicates"
                : "all rows of \(pair.from.name) get the same \(listed(new.map(\.name)))"),
            notes: [
              new.isEmpty
                ? .init("'storedoctor diagnose STORE --unique \(entity).\(names.joined(separator: ","))' counts them")
                : nil,
              stage.map { .init("the stage", at: $0.stage.place) },
            ].compactMap(\.self))
        }
      }
    }
  }
}

extension Neighbours {
  /// Those of the properties that the earlier version lacks.
  fileprivate func newProperties(among names: [String], _ change: ModelChange) -> [Property] {
    guard let old = change.place.sourceEntity.flatMap({ from.entity(named: $0)?.variants.first?.entity }),
      let new = change.place.destinationEntity.flatMap({ to.entity(named: $0)?.variants.first?.entity })
    else { return [] }
    return names.compactMap(new.property(named:)).filter { property in
      old.property(named: property.renamingIdentifier ?? property.name) == nil
        && old.property(named: property.name) == nil
    }
  }

  /// Whether the earlier version has a constraint on some of these properties.
  fileprivate func isUnique(_ entity: String?, by names: [String]) -> Bool {
    let constraints = entity.flatMap { from.entity(named: $0)?.variants.first?.entity.uniquenessConstraints } ?? []
    return constraints.contains { !$0.isEmpty && Set($0).isSubset(of: names) }
  }
}

extension LintSubject {
  /// Whether a stage's `willMigrate` uses an entity; a closure that cannot be read is assumed to.
  fileprivate func touches(_ entity: String, in stage: StageDeclaration?) -> Bool {
    guard let stage, stage.willMigrate != nil else { return false }
    guard let body = body(.willMigrate, of: stage) else { return true }
    return body.references.contains { names[$0.id].name == entity }
  }
}

extension LintCheck {
  static let newIndex = LintCheck(.newIndex) { subject, say in
    for plan in subject.plans {
      for pair in plan.neighbours {
        for entity in pair.to.schema.entities {
          guard let before = pair.from.entity(named: entity.name)?.variants[0].entity.indexes,
            let id = subject.classID(of: entity)
          else { continue }
          let new = entity.variants[0].entity.indexes.filter { index in !before.contains { $0.name == index.name } }
          guard !new.isEmpty else { continue }
          let macro = subject.names[id].declaration?.members.macros.first { $0.name == "Index" }
          let names = new.map { $0.elements.map(\.propertyName).joined(separator: "+") }
          say.add(
            at: macro.map { subject.place($0.span, in: subject.names[id].file) } ?? entity.place,
            schema: pair.to.name, entity: entity.name,
            message:
              "the index of \(entity.name) by \(listed(names)) is new in \(pair.to.name): stores that are migrated may not "
              + "get it")
        }
      }
    }
  }
}
