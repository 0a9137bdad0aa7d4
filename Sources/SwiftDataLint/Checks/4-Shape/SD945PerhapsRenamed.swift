import StoreSourceChecks
import StoreDataModel
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let perhapsRenamed = LintCheck(.perhapsRenamed) { subject, say in
    // Several plans, and several versions, may have the property.
    var said: Set<SourcePlace> = []
    for pair in subject.plans.flatMap(\.neighbours) {
      for place in pair.difference.likelyRenames.map(\.place) + pair.difference.loneFits {
        guard let old = place.sourceProperty, let new = place.destinationProperty,
          let entity = place.destinationEntity, let member = subject.member(new, of: entity, in: pair.to),
          member.options.originalName == nil, said.insert(member.stored.place).inserted
        else { continue }
        let before = subject.member(old, of: place.sourceEntity, in: pair.from)
        say.add(
          at: member.stored.place, schema: pair.to.name, entity: entity, property: new,
          message:
            "perhaps \(entity).\(old) of \(pair.from.name) under a new name: without originalName: its values are dropped",
          notes: [.init("\(old) stands here", at: before?.stored.place)], fix: subject.originalName(old, for: member))
      }
    }
  }

  static let renamedClass = LintCheck(.renamedClass) { subject, say in
    for pair in subject.plans.flatMap(\.neighbours) {
      for place in pair.renamedClasses {
        guard let old = place.sourceEntity, let new = place.destinationEntity,
          let entity = pair.to.entity(named: new)
        else { continue }
        say.add(
          at: entity.place, schema: pair.to.name, entity: new,
          message:
            "\(new) looks like \(old) of \(pair.from.name) under a new name: SwiftData cannot rename a class, and drops its "
            + "rows", notes: [.init("\(old) stands here", at: pair.from.entity(named: old)?.place)])
      }
    }
  }

  static let uselessOriginalName = LintCheck(.uselessOriginalName) { subject, say in
    for id in subject.project.models {
      for member in subject.shapes[id]?.members ?? [] where member.options.originalName == member.stored.name {
        say.add(
          .note, at: member.stored.place, entity: subject.names[id].name, property: member.stored.name,
          message: "originalName: is the property's own name: it does nothing", fix: member.withoutOriginalName)
      }
    }
    for plan in subject.plans {
      for pair in plan.neighbours { subject.sayUseless(pair, of: plan, say: &say) }
    }
  }
}

extension ModelDifference {
  /// The one removed property of an entity, paired with its one added property of the same type.
  fileprivate var loneFits: [ModelChange.Place] {
    let said = Set(likelyRenames.map { [$0.place.destinationEntity, $0.place.sourceProperty] })
    var gone: [String: [(place: ModelChange.Place, property: Property)]] = [:]
    var new: [String: [(place: ModelChange.Place, property: Property)]] = [:]
    for change in changes {
      let place = change.place
      switch change.kind {
      case .removed:
        guard let entity = place.sourceEntity, let name = destinationEntity(of: entity),
          let property = place.sourceProperty.flatMap({ source.property($0, of: entity) })
        else { continue }
        gone[name, default: []].append((place, property))
      case .added:
        guard let entity = place.destinationEntity, sourceEntity(of: entity) != nil,
          let property = place.destinationProperty.flatMap({ destination.property($0, of: entity) })
        else { continue }
        new[entity, default: []].append((place, property))
      default: continue
      }
    }
    return gone.keys.sorted().flatMap { entity -> [ModelChange.Place] in
      let removed = gone[entity] ?? []
      return removed.compactMap { old in
        let fitting = (new[entity] ?? []).filter { isAlike(old.property, $0.property) }
        guard fitting.count == 1, removed.count(where: { $0.property.kindName == old.property.kindName }) == 1,
          !said.contains([entity, old.property.name])
        else { return nil }
        return ModelChange.Place(
          sourceEntity: old.place.sourceEntity, sourceProperty: old.property.name, destinationEntity: entity,
          destinationProperty: fitting[0].property.name)
      }
    }
  }
}

extension ModelMember {
  /// The edit that removes a redundant original name. It is certain, since the model has that name anyway.
  fileprivate var withoutOriginalName: SourceFinding.Fix? {
    let edits = ["Attribute", "Relationship"].compactMap { stored.edit(taking: "originalName", from: $0) }
    guard edits.count == 1 else { return nil }
    return SourceFinding.Fix("take originalName: away", edits: edits, isCertain: stored.variable.nameCount == 1)
  }
}

extension LintSubject {
  fileprivate func sayUseless(_ pair: Neighbours, of plan: LintPlan, say: inout LintFindings) {
    let older = plan.versions.prefix { $0?.id != pair.to.id }.compactMap(\.self)
    for entity in pair.to.schema.entities {
      guard let before = pair.from.entity(named: entity.name), before.place != entity.place,
        let shape = shape(of: entity)
      else { continue }
      let known = Set(properties(of: before, in: pair.from).map(\.name))
      // A property is known by its first name, which a later version has to go on naming.
      let first = Set(
        older.flatMap { version in
          version.entity(named: entity.name).map {
            properties(of: $0, in: version).flatMap { [$0.name, $0.renamingIdentifier ?? $0.name] }
          } ?? []
        })
      for member in shape.members {
        let name = member.stored.name
        guard let original = member.options.originalName, original != name, !known.contains(original) else { continue }
        if first.contains(original) { continue }
        if known.contains(name) {
          say.add(
            .note, at: member.stored.place, schema: pair.to.name, entity: entity.name, property: name,
            message: "\(pair.from.name) has \(entity.name).\(name) already: originalName: has done its work")
        } else if before.certainty != .incomplete {
          say.add(
            at: member.stored.place, schema: pair.to.name, entity: entity.name, property: name,
            message: "originalName: names '\(original)', which \(entity.name) of \(pair.from.name) does not have",
            notes: [.init("the class in \(pair.from.name)", at: before.place)])
        }
      }
    }
  }

  /// An entity's properties, including inherited ones.
  private func properties(of entity: SourceEntity, in version: LintVersion) -> [Property] {
    var found: [Property] = []
    var current: SourceEntity? = entity
    for _ in 0..<16 {
      guard let next = current?.variants.first?.entity else { break }
      found += next.properties
      current = next.parent.flatMap(version.entity(named:))
    }
    return found
  }

  /// The edit that inserts `@Attribute(originalName: "name") ` before a declaration without macros.
  fileprivate func originalName(_ old: String, for member: ModelMember) -> SourceFinding.Fix? {
    let variable = member.stored.variable
    guard variable.nameCount == 1, variable.attributes.isEmpty else { return nil }
    let macro = member.relationship == nil ? "Attribute" : "Relationship"
    return SourceFinding.Fix(
      "keep the values of \(old)",
      edits: [
        .init(
          file: member.stored.place.file, offset: variable.span.start, length: 0,
          replacement: "@\(macro)(originalName: \"\(old)\") ")
      ])
  }
}
