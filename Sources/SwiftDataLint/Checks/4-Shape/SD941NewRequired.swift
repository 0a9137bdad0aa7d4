import StoreSourceChecks
import StoreDataModel
import StoreSwiftDataSchemas
import SwiftDataSource

extension LintCheck {
  static let newRequiredAttribute = LintCheck(.newRequiredAttribute) { subject, say in
    for addition in subject.additions where addition.member.relationship == nil {
      let variable = addition.member.stored.variable
      guard !addition.member.stored.isOptional, variable.initialValue == nil else { continue }
      say.add(
        at: addition.place, schema: addition.pair.to.name, entity: addition.entity, property: variable.name,
        message:
          "\(addition.entity).\(variable.name) is new in \(addition.pair.to.name), required and without a default: rows of "
          + "\(addition.pair.from.name) have no value for it",
        fix: subject.optional(addition.member))
    }
  }

  static let newRequiredRelationship = LintCheck(.newRequiredRelationship) { subject, say in
    for addition in subject.additions {
      guard let relationship = addition.member.relationship, !relationship.isToMany,
        !addition.member.stored.isOptional
      else { continue }
      let name = addition.member.stored.name
      let hasDefault = addition.member.stored.variable.initialValue != nil
      say.add(
        at: addition.place, schema: addition.pair.to.name, entity: addition.entity, property: name,
        message:
          "\(addition.entity).\(name) is new in \(addition.pair.to.name) and required: rows of \(addition.pair.from.name) "
          + "get null" + (hasDefault ? ", since defaults are for attributes only" : ""),
        fix: subject.optional(addition.member))
    }
  }

  static let oneDefaultForAll = LintCheck(.oneDefaultForAll) { subject, say in
    for addition in subject.additions where addition.member.relationship == nil {
      let member = addition.member
      guard let value = member.stored.variable.initialValue, let text = subject.madeValue(value, for: member) else {
        continue
      }
      let isUnique =
        member.options.isUnique
        || subject.shapes[addition.owner]?.uniqueness.contains([member.stored.name]) ?? false
      // Duplicates of a unique property are refused before a stage could change it.
      guard isUnique || !subject.fills(addition) else { continue }
      say.add(
        isUnique ? .error : .warning, at: addition.place, schema: addition.pair.to.name, entity: addition.entity,
        property: member.stored.name,
        message:
          "\(addition.entity).\(member.stored.name) is new in \(addition.pair.to.name), and '\(text)' is made once: all rows "
          + "of \(addition.pair.from.name) may get the same" + (isUnique ? ", though it is unique" : ""))
    }
  }
}

/// A property added to an entity that the previous version has too.
struct Addition {
  let pair: Neighbours
  /// The stage between the two, if it is listed.
  let stage: StageDeclaration?
  let entity: String
  let owner: TypeID
  let member: ModelMember

  var place: SourcePlace { member.stored.place }
}

extension LintSubject {
  /// Properties that versions add to existing entities; one in a class that several versions list is counted once.
  var additions: [Addition] {
    plans.flatMap { plan in
      plan.neighbours.flatMap { pair in
        pair.difference.changes.compactMap { change -> Addition? in
          guard case .added = change.kind, change.place.sourceEntity != nil,
            let entity = change.place.destinationEntity, let property = change.place.destinationProperty,
            let source = pair.to.entity(named: entity), let owner = classID(of: source),
            let member = member(property, of: shapes[owner])
          else { return nil }
          return Addition(
            pair: pair, stage: plan.stage(from: pair.from, to: pair.to), entity: entity, owner: owner, member: member)
        }
      }
    }
  }

  /// The edit that makes a property optional; it is not certain, since its uses have to change too.
  func optional(_ member: ModelMember) -> SourceFinding.Fix? {
    guard let span = member.stored.variable.typeSpan, member.stored.variable.nameCount == 1 else { return nil }
    let place = member.stored.place
    return SourceFinding.Fix(
      "make it optional", edits: [.init(file: place.file, offset: span.end, length: 0, replacement: "?")])
  }

  /// Whether `didMigrate` sets an added property of fetched objects; a closure that cannot be read is assumed to.
  fileprivate func fills(_ addition: Addition) -> Bool {
    guard let stage = addition.stage, stage.didMigrate != nil else { return false }
    guard let body = body(.didMigrate, of: stage) else { return true }
    // A function that gets the property's key path may set it.
    if body.passedKeyPathNames.contains(addition.member.stored.name) { return true }
    return body.assignments.contains { assignment in
      guard assignment.path.count == 2, assignment.path[1] == addition.member.stored.name else { return false }
      let loop = body.loops.last { $0.variable == assignment.path[0] && $0.contains(assignment) }
      guard let id = loop.flatMap({ fetchedClass(of: $0.sequence, in: body) }) else { return true }
      return names[id].name == addition.entity
    }
  }

  /// The text of an initial value that is computed and not constant: `UUID()`, `Date.now`, `makeName()`.
  fileprivate func madeValue(_ value: SourceExpression, for member: ModelMember) -> String? {
    guard isMade(value, for: member), let file = names.files.first(where: { $0.path == member.stored.place.file }),
      value.span.start <= value.span.end, value.span.end <= file.bytes.count
    else { return nil }
    return String(decoding: file.bytes[value.span.start..<value.span.end].prefix(60), as: UTF8.self)
  }

  private func isMade(_ value: SourceExpression, for member: ModelMember) -> Bool {
    switch value.kind {
    case .call(let callee, let arguments):
      // `.init()` depends on the property's type.
      if callee.memberName == "init", callee.pathNames == nil, arguments.isEmpty { return member.stored.isMadeAnew }
      return isMaking(callee, arguments: arguments)
    case .member(let base, let component):
      return ["now", "globallyUniqueString"].contains(component.name) || base.map { isMade($0, for: member) } ?? false
    case .sum(let parts), .arithmetic(let parts), .fallback(let parts):
      return parts.contains { isMade($0, for: member) }
    case .cast(let inner, _), .forced(let inner): return isMade(inner, for: member)
    case .integer, .real, .string, .boolean, .null, .name, .array, .dictionary, .keyPath, .type, .closure,
      .alternatives, .choice, .interpolation, .other:
      return false
    }
  }

  /// Whether a call may return a different value each time; empty collections and values of constants are always equal.
  private func isMaking(_ callee: SourceExpression, arguments: [SourceArgument]) -> Bool {
    guard let path = callee.pathNames ?? callee.memberName.map({ [$0] }) else { return false }
    let plain = path.last == "init" ? Array(path.dropLast()) : path
    if ["UUID", "Date", "ObjectIdentifier"].contains(plain.last ?? "") { return arguments.isEmpty }
    if plain.last == "random" { return true }
    // True for functions; initialisers of types usually make equal values.
    return plain.last?.first?.isLowercase ?? false
  }
}

extension StoredMember {
  fileprivate var isMadeAnew: Bool {
    if case .foreign(let name)? = type { ["Date", "UUID"].contains(name) } else { false }
  }
}
