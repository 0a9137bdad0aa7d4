import StoreSourceChecks
import StoreDataModel
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let mirroredUniqueness = LintCheck(.mirroredUniqueness) { subject, say in
    subject.sayUnknown(&say)
    for (entity, shape, isCertain, cause) in subject.mirrored {
      guard let constraint = shape.uniqueness.first else { continue }
      let member = subject.member(constraint[0], of: shape)
      say.add(
        isCertain ? .error : .warning, at: member?.stored.place ?? entity.place, entity: entity.name,
        property: constraint.count == 1 ? constraint[0] : nil,
        message:
          "\(entity.name) is unique by \(listed(constraint)), and its container \(isCertain ? "mirrors" : "may mirror") to "
          + "CloudKit, which refuses that",
        notes: cause)
    }
  }

  static let mirroredRequired = LintCheck(.mirroredRequired) { subject, say in
    for (entity, shape, isCertain, cause) in subject.mirrored {
      for member in shape.members
      where member.relationship == nil && member.stored.type != nil && !member.stored.isOptional
        && member.stored.variable.initialValue == nil
      {
        say.add(
          isCertain ? .error : .warning, at: member.stored.place, entity: entity.name, property: member.stored.name,
          message: "\(entity.name).\(member.stored.name) is required and has no default, which CloudKit refuses",
          notes: cause, fix: subject.optional(member))
      }
    }
  }

  static let mirroredRelationship = LintCheck(.mirroredRelationship) { subject, say in
    for (entity, shape, isCertain, cause) in subject.mirrored {
      for member in shape.members {
        guard let relationship = member.relationship else { continue }
        let severity = isCertain ? SourceFinding.Severity.error : .warning
        let (name, place) = ("\(entity.name).\(member.stored.name)", member.stored.place)
        if !member.stored.isOptional {
          say.add(
            relationship.isToMany && member.stored.variable.initialValue != nil ? .warning : severity, at: place,
            entity: entity.name, property: member.stored.name, message: "\(name) is required, which CloudKit refuses",
            notes: cause,
            fix: subject.optional(member))
        }
        if relationship.deleteRule == .deny {
          say.add(
            severity, at: place, entity: entity.name, property: member.stored.name,
            message: "\(name) denies deletion, which CloudKit refuses", notes: cause)
        }
        // Where the inverse depends on an undecided rule, nothing is reported.
        let inverses = entity.currentVariants.compactMap {
          $0.entity.property(named: member.stored.name)?.relationship
        }
        if !inverses.isEmpty, inverses.allSatisfy({ $0.inverse == nil }), entity.certainty != .incomplete {
          let isByAge = entity.variants.contains {
            $0.entity.property(named: member.stored.name)?.relationship?.inverse != nil
          }
          say.add(
            severity, at: place, entity: entity.name, property: member.stored.name,
            message: "\(name) has no inverse\(isByAge ? " on iOS 26" : ""), which CloudKit refuses", notes: cause)
        }
      }
    }
  }

  static let mirroredRemoval = LintCheck(.mirroredRemoval) { subject, say in
    for (plan, leftOut, cause) in subject.mirroredPlans {
      guard let last = plan.versions.last ?? nil else { continue }
      var said: Set<String> = []
      let versions = plan.versions.compactMap(\.self)
      for (position, version) in versions.dropLast().enumerated() {
        for entity in version.schema.entities where !leftOut.contains(entity.name) {
          guard let newest = last.entity(named: entity.name) else {
            if last.schema.listProblem == nil, said.insert(entity.name).inserted {
              say.add(
                at: subject.listPlace(of: last), schema: last.name, entity: entity.name,
                message:
                  "\(entity.name) of \(version.name) is gone, and CloudKit keeps it: older versions of the app write it",
                notes: [.init("the class in \(version.name)", at: entity.place)] + cause)
            }
            continue
          }
          let known = Set(newest.variants[0].entity.properties.map(\.name))
          for property in entity.variants[0].entity.properties
          where !known.contains(property.name) && said.insert("\(entity.name).\(property.name)").inserted {
            let note = SourceFinding.Note(
              "in \(version.name)", at: entity.propertyPlaces[property.name] ?? entity.place)
            if let (member, renaming) = subject.rename(
              of: property.name, of: entity.name, in: versions[(position + 1)...])
            {
              say.add(
                at: member.stored.place, schema: renaming.name, entity: entity.name, property: member.stored.name,
                message:
                  "\(entity.name).\(property.name) of \(version.name) is renamed \(member.stored.name) in \(renaming.name), and "
                  + "CloudKit keeps both: older versions of the app write the old one", notes: [note] + cause)
              continue
            }
            say.add(
              at: newest.place, schema: last.name, entity: entity.name, property: property.name,
              message:
                "\(entity.name).\(property.name) of \(version.name) is gone, and CloudKit keeps it: older versions of the "
                + "app write it",
              notes: [note] + cause)
          }
        }
      }
    }
  }
}

extension LintSubject {
  /// The classes that are mirrored or may be, each once, with the reason if the container does not state it.
  fileprivate var mirrored: [(SourceEntity, ClassShape, isCertain: Bool, cause: [SourceFinding.Note])] {
    let all = containers.flatMap { container in
      MirroredClasses(subject: self).of(container).map { (container, $0) }
    }
    var seen: Set<SourcePlace> = []
    return (all.filter(\.1.mirroring.isOn) + all.filter { !$0.1.mirroring.isOn }).compactMap { container, mirrored in
      guard seen.insert(mirrored.entity.place).inserted, let shape = shape(of: mirrored.entity) else { return nil }
      return (mirrored.entity, shape, mirrored.mirroring.isOn, container.cause(of: mirrored.mirroring))
    }
  }

  /// Plans of containers that mirror or may, with the names of entities that are not mirrored, and the reason if no
  /// container is sure to mirror.
  fileprivate var mirroredPlans: [(plan: LintPlan, leftOut: Set<String>, cause: [SourceFinding.Note])] {
    var leftOut: [String: Set<String>] = [:]
    var causes: [String: [SourceFinding.Note]] = [:]
    for container in containers {
      guard container.mirroring.mayBeOn, let name = container.container.planName else { continue }
      let mirrored = Set(MirroredClasses(subject: self).of(container).map(\.entity.name))
      let others = Set(schema(of: container)?.entities.map(\.name) ?? []).subtracting(mirrored)
      leftOut[name] = leftOut[name]?.intersection(others) ?? others
      let cause = container.mirroring.isOn ? [] : container.cause(of: container.mirroring)
      causes[name] = causes[name].map { $0.isEmpty ? $0 : cause } ?? cause
    }
    return plans.compactMap { plan in leftOut[plan.plan.name].map { (plan, $0, causes[plan.plan.name] ?? []) } }
  }

  /// The property's new name in the first of these versions that lacks it; nil where it is removed.
  fileprivate func rename(
    of property: String, of entity: String, in versions: ArraySlice<LintVersion>
  ) -> (member: ModelMember, version: LintVersion)? {
    let lacking = versions.first { version in
      !(version.entity(named: entity)?.variants[0].entity.properties.contains { $0.name == property } ?? false)
    }
    guard let lacking, let shape = lacking.entity(named: entity).flatMap(shape) else { return nil }
    return shape.members.first { $0.options.originalName == property }.map { ($0, lacking) }
  }

  fileprivate func sayUnknown(_ say: inout LintFindings) {
    for container in containers where container.mirroring.mayBeOn && container.stores.count > 1 {
      guard container.stores.contains(where: { $0.classes == nil }) else { continue }
      say.skip("which classes the container's configurations are for is not known", at: container.place)
    }
    for container in containers where container.mirroring == .unknown {
      say.skip("whether the container mirrors to CloudKit is decided where it is not found", at: container.place)
    }
    for container in containers {
      guard case .undecided(let reason) = container.mirroring, !container.isInMemory else { continue }
      let refused = (schema(of: container)?.entities ?? []).filter(isRefused).map(\.name)
      guard !refused.isEmpty else { continue }
      say.skip(
        "whether the container mirrors to CloudKit is not decided here: \(reason); where it does, CloudKit refuses "
          + listed(refused), at: container.place)
    }
  }

  /// Whether CloudKit refuses a class.
  private func isRefused(_ entity: SourceEntity) -> Bool {
    guard let shape = shape(of: entity) else { return false }
    return !shape.uniqueness.isEmpty
      || shape.members.contains { member in
        guard let relationship = member.relationship else {
          return member.stored.type != nil && !member.stored.isOptional && member.stored.variable.initialValue == nil
        }
        return relationship.deleteRule == .deny
          || !member.stored.isOptional && (!relationship.isToMany || member.stored.variable.initialValue == nil)
      }
  }
}

extension LintContainer {
  fileprivate func cause(of mirroring: Mirroring) -> [SourceFinding.Note] {
    switch mirroring {
    case .entitled(let path): [.init("it mirrors by '\(path)', since no cloudKitDatabase: says otherwise", at: place)]
    case .possible(let reason): [.init("it may mirror: \(reason)", at: place)]
    case .no, .stated, .undecided, .byDefault, .unknown: []
    }
  }
}
