import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let identifiers = LintCheck(.identifiers) { subject, say in
    for plan in subject.plans {
      let versions = plan.versions.compactMap(\.self).compactMap { version in
        version.schema.identifier.numbers.map { (version: version, numbers: $0) }
      }
      for (position, (version, numbers)) in versions.enumerated().dropFirst() {
        let text = numbers.map(String.init).joined(separator: ".")
        if let twin = versions[..<position].first(where: { $0.numbers == numbers && $0.version.id != version.id }) {
          say.add(
            at: subject.identifierPlace(of: version), schema: version.name,
            message: "\(version.name) has the identifier \(text) of \(twin.version.name)",
            notes: [.init("the identifier of \(twin.version.name)", at: subject.identifierPlace(of: twin.version))])
        } else if numbers.lexicographicallyPrecedes(versions[position - 1].numbers), !plan.isInDoubtfulOrder {
          let before = versions[position - 1].version
          let forward = subject.plans.first { plan.leadsBack(along: $0) }
          say.add(
            forward == nil ? .warning : .note, at: subject.identifierPlace(of: version), schema: version.name,
            message: "\(version.name) has the identifier \(text), less than that of \(before.name) before it",
            notes: [.init("the identifier of \(before.name)", at: subject.identifierPlace(of: before))]
              + subject.note(of: plan, along: forward))
        }
      }
    }
  }
}

extension LintCheck {
  static let schemaOrder = LintCheck(.schemaOrder) { subject, say in
    for plan in subject.plans where plan.isInDoubtfulOrder {
      let names = plan.plan.schemaNames
      let (place, why) = (
        subject.place(ofStatic: "schemas", in: plan.id),
        plan.backwardStages.isEmpty ? "the versions' identifiers fall" : "the stages lead the other way"
      )
      let forward = subject.plans.first { plan.leadsBack(along: $0) }
      say.add(
        forward == nil ? nil : .note, at: place,
        message: "schemas lists \(listed(names)) in this order, but \(why)",
        notes: subject.note(of: plan, along: forward))
    }
  }
}

extension LintPlan {
  /// Whether it lists the versions of another plan, two or more, the other way.
  fileprivate func leadsBack(along forward: LintPlan) -> Bool {
    let own = versions.compactMap { $0?.id }
    let others = forward.versions.compactMap { $0?.id }.filter(Set(own).contains)
    return others.count > 1 && own == others.reversed()
  }

  /// Listed stages that lead from a later version in `schemas` to an earlier one.
  var backwardStages: [StageDeclaration] { directed.filter { $0.to < $0.from }.map(\.stage) }

  /// Whether more stages contradict the order of `schemas` than confirm it: then the order is wrong and not each stage.
  var isInDoubtfulOrder: Bool {
    let (back, on) = (backwardStages.count, directed.count { $0.to > $0.from })
    if back > 0 || on > 0 { return back > on }
    let numbers = versions.compactMap { $0?.schema.identifier.numbers }
    return zip(numbers, numbers.dropFirst()).contains { $1.lexicographicallyPrecedes($0) }
  }

  private var directed: [(stage: StageDeclaration, from: Int, to: Int)] {
    stages.filter(\.stage.isListed).compactMap { stage in
      guard let from = index(of: stage.fromVersion), let to = index(of: stage.toVersion) else { return nil }
      return (stage, from, to)
    }
  }

  /// The index of a version in `schemas`.
  func index(of version: TypeID?) -> Int? {
    version.flatMap { id in versions.firstIndex { $0?.id == id } }
  }
}

extension SourceSchema.Identifier {
  /// The numbers of a stated identifier.
  var numbers: [Int64]? {
    guard case .stated(let text) = self else { return nil }
    let numbers = text.split(separator: ".").compactMap { Int64($0) }
    return numbers.count == 3 ? numbers : nil
  }
}

extension LintSubject {
  fileprivate func note(of plan: LintPlan, along forward: LintPlan?) -> [SourceFinding.Note] {
    guard let forward else { return [] }
    return [.init("\(plan.plan.name) leads back along \(forward.plan.name)", at: forward.plan.place)]
  }

  /// The place of `versionIdentifier`, or else of the version's name.
  fileprivate func identifierPlace(of version: LintVersion) -> SourcePlace {
    guard let (file, variable) = names[version.id].staticVariable("versionIdentifier") else {
      return version.schema.place
    }
    return place(variable.value?.span ?? variable.nameSpan, in: file)
  }

  /// The place of a type's static variable, or else of the type's name.
  func place(ofStatic name: String, in id: TypeID) -> SourcePlace {
    guard let (file, variable) = names[id].staticVariable(name) else { return names.place(of: id) }
    return place(variable.nameSpan, in: file)
  }
}
