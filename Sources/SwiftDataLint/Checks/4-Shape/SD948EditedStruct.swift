import StoreSourceChecks
import StoreDataModel
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  // Changes to shipped versions are checked by `storedoctor` itself; source alone shows structs that grow between
  // versions.
  static let editedStruct = LintCheck(.editedStruct) { subject, say in
    for pair in subject.plans.flatMap(\.neighbours) {
      for change in pair.difference.changes where pair.isKnown(change) {
        guard case .elements(let added, _, _) = change.kind, let entity = change.place.destinationEntity,
          let property = change.place.destinationProperty,
          let member = subject.member(property, of: entity, in: pair.to),
          case .declared(let type)? = member.stored.type, subject.names[type].kind == .struct,
          let attribute = pair.to.entity(named: entity)?.variants.first?.entity.property(named: property)?.attribute
        else { continue }
        let paths = added.map { $0.split(separator: ".").map { String($0) } }
        let required = paths.filter(attribute.isRequired)
        // In an optional property the leaf is optional, but was not on the first systems with SwiftData.
        let early = paths.filter { !attribute.isRequired($0) && subject.isWrittenRequired($0, in: type) }
        guard let names = [required, early].first(where: { !$0.isEmpty }) else { continue }
        say.add(
          required.isEmpty ? .warning : .error, at: member.stored.place, schema: pair.to.name, entity: entity,
          property: property,
          message: "\(subject.names[type].name) of \(entity).\(property) has the new member "
            + "\(listed(names.map { $0.joined(separator: ".") })) in \(pair.to.name), which is required: rows of "
            + "\(pair.from.name) have no value for it" + (required.isEmpty ? ", which systems of 2023 refuse" : ""),
          notes: [.init("the struct", at: subject.names.place(of: type))])
      }
    }
  }
}

extension LintSubject {
  /// Whether a member of a struct is declared without `?`; false for members of nested structs.
  fileprivate func isWrittenRequired(_ path: [String], in type: TypeID) -> Bool {
    guard path.count == 1,
      let variable = names[type].declaration?.members.variables.first(where: { $0.name == path[0] })
    else { return false }
    if case .optional? = variable.type { return false }
    return true
  }
}

extension Attribute {
  /// Whether the element at a path is required.
  fileprivate func isRequired(_ path: [String]) -> Bool {
    element(path.joined(separator: ".")).map { !$0.isOptional } ?? false
  }
}

extension LintCheck {
  static let newCase = LintCheck(.newCase) { subject, say in
    for pair in subject.plans.flatMap(\.neighbours) {
      for change in pair.difference.changes {
        guard case .elements(let added, let removed, _) = change.kind, !added.isEmpty || !removed.isEmpty,
          let entity = change.place.destinationEntity, let property = change.place.destinationProperty,
          let member = subject.member(property, of: entity, in: pair.to),
          case .declared(let type)? = member.stored.type, subject.names[type].kind == .enum,
          !subject.hasRawValues(type)
        else { continue }
        let parts = [
          added.isEmpty ? nil : "has the new case \(listed(added))",
          removed.isEmpty ? nil : "lacks the case \(listed(removed))",
        ].compactMap(\.self)
        say.add(
          at: member.stored.place, schema: pair.to.name, entity: entity, property: property,
          message:
            "\(subject.names[type].name) has no raw values and \(parts.joined(separator: " and ")) in \(pair.to.name): each "
            + "case is a column", notes: [.init("the enum", at: subject.names.place(of: type))])
      }
    }
  }
}
