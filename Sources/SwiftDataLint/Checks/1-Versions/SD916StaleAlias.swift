import StoreSourceChecks
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let staleAlias = LintCheck(.staleAlias) { subject, say in
    for (name, aliases) in subject.names.topAliases.sorted(by: { $0.key < $1.key }) {
      for alias in aliases where alias.declaration.condition == .always {
        guard let id = subject.names.declaredType(alias.declaration.target, in: Scope(file: alias.file)),
          subject.names[id].isModel, let version = subject.version(containing: id)
        else { continue }
        guard let plan = subject.plans.first(where: { $0.index(of: version.id) != nil }),
          let last = plan.versions.last ?? nil, last.id != version.id,
          let newer = last.entity(named: subject.names[id].name), subject.classID(of: newer) != id
        else { continue }
        say.add(
          at: subject.place(alias.declaration.nameSpan, in: alias.file), schema: version.name,
          entity: subject.names[id].name,
          message:
            "\(name) is an alias of \(subject.names[id].qualifiedName), but \(plan.plan.name) ends with \(last.name)",
          notes: [.init("the class in \(last.name)", at: newer.place)])
      }
    }
  }
}

extension LintCheck {
  static let incompletePlan = LintCheck(.incompletePlan) { subject, say in
    for plan in subject.plans {
      let missing = ["schemas", "stages"].filter { subject.names[plan.id].staticVariable($0) == nil }
      guard !missing.isEmpty else { continue }
      let hint = subject.names[plan.id].staticVariable("currentSchema").map { file, variable in
        SourceFinding.Note(
          "the protocol has no currentSchema", at: subject.place(variable.nameSpan, in: file))
      }
      say.add(
        at: plan.plan.place,
        message: "\(plan.plan.name) has no static var \(missing.joined(separator: " and no static var "))",
        notes: [hint].compactMap(\.self))
    }
  }
}

extension LintCheck {
  static let mutableStatic = LintCheck(.mutableStatic) { subject, say in
    let places =
      subject.versions.map { ($0.id, ["versionIdentifier", "models"]) }
      + subject.plans.map { ($0.id, ["schemas", "stages"]) }
    for (id, wanted) in places {
      for name in wanted {
        guard let (file, variable) = subject.names[id].staticVariable(name), !variable.isConstant,
          variable.storage != .computed, !variable.modifiers.contains("nonisolated(unsafe)")
        else { continue }
        let place = subject.place(variable.specifierSpan, in: file)
        say.add(
          name == "stages" ? .warning : .note, at: place, schema: subject.names[id].qualifiedName,
          message: "\(name) is a stored static var, which Swift 6 does not take: write let",
          fix: .init(
            "write let",
            edits: [.init(file: place.file, offset: place.offset, length: place.length, replacement: "let")],
            isCertain: variable.nameCount == 1))
      }
    }
  }
}
